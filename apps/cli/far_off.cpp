#include "far_off.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "text.h"

namespace plimsoll::cli {
namespace {

double size_of(const Box3& box) { return box.isEmpty() ? 0 : box.diagonal().stableNorm(); }

/// `what` is far from the body, and why that may be.
Notice far_off(const char* code, const std::string& what, double away, double size,
               const std::string& option) {
  return {code,
          fmt::format("{} is {:.3g} m away from the body, whose box has a diagonal of "
                      "{:.3g} m: {} is in meters, whatever --units says{}",
                      what, away, size, option,
                      option.starts_with("--pose") ? "" : ", unless it has a unit of its own")};
}

constexpr double kSizes = 10, kSizesApart = 100;

}  // namespace

void remark_if_far(const Vec3& center_of_mass, const Box3& box, const std::string& name,
                   Notices& notices) {
  if (box.isEmpty()) return;
  const double away = box.exteriorDistance(center_of_mass);
  if (away > kSizes * size_of(box))
    notices.say(name, far_off("center_of_mass", "the center of mass", away, size_of(box), "--com"));
}

void remark_if_far(const WaterPlane& plane, const char* option, const Box3& box,
                   const std::string& name, Notices& notices) {
  if (box.isEmpty()) return;
  const double length = plane.normal.stableNorm();
  const Vec3 unit = plane.normal / length;
  const double away = std::fabs(unit.dot(box.center()) - plane.offset / length) -
                      unit.cwiseAbs().dot(box.sizes()) / 2;
  if (away > kSizes * size_of(box))
    notices.say(name, far_off("plane", "the plane", away, size_of(box), option));
}

void remark_if_far(const Similarity& pose, const Box3& box, const std::string& name,
                   Notices& notices) {
  if (box.isEmpty()) return;
  const double away = (pose * box.center() - box.center()).stableNorm();
  const double size = std::max(size_of(box), size_of(box.transformed(pose)));
  if (away > kSizesApart * size)
    notices.say(name,
                far_off("pose", "the place where --pose puts the body", away, size, "--pose"));
}

void remark_if_apart(std::span<const PlacedBox> bodies, Notices& notices) {
  for (const PlacedBox& body : bodies) {
    if (body.option.empty() || body.box.isEmpty()) continue;
    const PlacedBox* nearest = nullptr;
    double away = 0;
    for (const PlacedBox& other : bodies) {
      if (&other == &body || other.box.isEmpty()) continue;
      const double apart = body.box.exteriorDistance(other.box);
      if (nearest != nullptr && !(apart < away)) continue;
      nearest = &other;
      away = apart;
    }
    if (nearest == nullptr) continue;
    const double size = std::max(size_of(body.box), size_of(nearest->box));
    if (away > kSizesApart * size)
      notices.say(body.name,
                  far_off("apart", "the nearest other body, " + printable(nearest->name) + ",",
                          away, size, body.option));
  }
}

}  // namespace plimsoll::cli
