#include "sphere_overlap_report.h"

#include <plimsoll/elementary.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <variant>

#include "diagnosis.h"
#include "json_writer.h"
#include "text.h"

namespace plimsoll::cli {
namespace {

/// The volume is estimated, and the bounds do not exclude that there is none.
bool may_be_apart(const SphereVolume& shared) { return shared.volume > 0 && !(shared.lower > 0); }

/// A force or torque as it is printed: what is rounding is 0. Each pair of spheres pushes as hard
/// as the volume that it shares, at a point and in a direction that are rounded to 2^-53. So no sum
/// of these is known better than to that share of its largest component, nor of `size`: the shared
/// volume, for torques times the length of a cube of it, over which the points are spread.
Vec3 without_rounding(const Vec3& v, double size) {
  const double rounding = 0x1p-53 * std::max(v.cwiseAbs().maxCoeff(), size);
  return v.unaryExpr([&](double x) { return std::abs(x) <= rounding ? 0.0 : x; });
}

}  // namespace

picture::SphereOverlapScene overlap_scene(const SphereOverlapReport& report) {
  const SphereBodies& packed = report.packed;
  const auto placed = [&](const Body& body) {
    return picture::PlacedMesh{body.name, std::get<MeshSolid>(body.shape.solid).mesh, body.pose};
  };
  std::string title = report.shared.volume > 0
                          ? fmt::format("{:.4g} m^3 in common{}{}", report.shared.volume,
                                        report.shared.is_complete
                                            ? ""
                                            : " (out of time: volume and forces partly estimated)",
                                        may_be_apart(report.shared) ? "; they may be apart" : "")
                          : "no spheres meet";
  if (!is_sound(packed.status)) title += fmt::format(" (of a mesh, {})", in_words(packed.status));
  return {{placed(packed.bodies[0]), placed(packed.bodies[1])},
          {packed.a(), packed.b()},
          report.shared,
          std::move(title)};
}

std::string text_report(const SphereOverlapReport& report) {
  const SphereVolume& shared = report.shared;
  std::string text =
      fmt::format("A {} and B {}: {} - by {} and {}\n", printable(report.packed.bodies[0].name),
                  printable(report.packed.bodies[1].name), to_string(report.packed.status),
                  counted(report.packed.a().spheres().size(), "sphere", "spheres"),
                  counted(report.packed.b().spheres().size(), "sphere", "spheres"));
  const auto row = [&](const char* label, const std::string& content) {
    text += fmt::format("  {:<22}{}\n", label, content);
  };
  const auto vector = [](const Vec3& v, const char* unit) {
    return fmt::format("{:.6g} {:.6g} {:.6g} {}", v[0], v[1], v[2], unit);
  };
  const char* how = shared.is_complete ? "" : " (out of time: partly estimated)";
  row("shared volume",
      fmt::format("{:.6g} m^3{}, between {:.6g} and {:.6g}{}", shared.volume, how, shared.lower,
                  shared.upper, may_be_apart(shared) ? ": they may be apart" : ""));
  row("center", shared.center ? vector(*shared.center, "m") : "none");
  const double moment = shared.volume * elementary::cbrt(shared.volume);
  row("force on A", vector(without_rounding(shared.force_a, shared.volume), "m^3") + how);
  row("torque on A", vector(without_rounding(shared.torque_a, moment), "m^4") + how);
  row("force on B", vector(without_rounding(shared.force_b, shared.volume), "m^3") + how);
  row("torque on B", vector(without_rounding(shared.torque_b, moment), "m^4") + how);
  row("coverage",
      fmt::format("{:.4f} and {:.4f}", report.packed.a().coverage(), report.packed.b().coverage()));
  return text;
}

void write_members(JsonWriter& out, const SphereOverlapReport& report) {
  const SphereVolume& shared = report.shared;
  out.member("status", to_string(report.packed.status));
  out.member("method", "spheres");
  report.packed.bodies[0].notices->write(out, true);
  out.member("volume", shared.volume);
  if (shared.center)
    out.member("center", *shared.center);
  else
    out.null_member("center");
  out.array_member("bounds", std::array{shared.lower, shared.upper});
  out.member("force_a", shared.force_a);
  out.member("torque_a", shared.torque_a);
  out.member("force_b", shared.force_b);
  out.member("torque_b", shared.torque_b);
  out.member("force_model", "volume");
  for (const char* exact_only : {"patch_areas", "curve_length", "contacts"})
    out.null_member(exact_only);
  out.array_member("coverage",
                   std::array{report.packed.a().coverage(), report.packed.b().coverage()});
  out.null_member("separation");
  out.member("complete", shared.is_complete);
}

}  // namespace plimsoll::cli
