#include "judge.h"

#include <fmt/format.h>

#include "diagnosis.h"
#include "failure.h"
#include "solid_input.h"
#include "text.h"

namespace plimsoll::cli {

const MeshHealth* Verdict::surface() const {
  const bool is_own = health.surfaces.size() == 1 && health.surfaces.front().place.empty();
  return is_own ? &health.surfaces.front().health : nullptr;
}

bool Verdict::has_rim() const { return surface() != nullptr && surface()->unbalanced_edges > 0; }

const char* Verdict::rim_name() const {
  return surface()->findings.open ? "rim" : "seam of turned faces";
}

const char* Verdict::rim_fault() const {
  return surface()->findings.open ? "open" : "not turned one way";
}

Status Verdict::status(RimUse rim) const {
  return with_missing_parts(status_of(worst_of(health.findings, rim)), partial);
}

Verdict judge(const std::string& name, const Shape& shape, bool partial,
              const HealthOptions& options) {
  Result<ShapeHealth> health = examine(shape, options);
  if (health) return {*std::move(health), partial};
  Failure failure = failure_of(health.error());
  failure.where = name + (failure.where.empty() ? "" : ", " + failure.where);
  throw failure;
}

std::string heading_in_water(const std::string& name, Status status, const Verdict& verdict,
                             bool is_unknown) {
  const bool may_be_dry = verdict.has_rim() && !is_unknown;
  const std::string words =
      may_be_dry && status == Status::kOk
          ? fmt::format("{}, with a dry {}", verdict.rim_fault(), verdict.rim_name())
          : in_words(status);
  std::string text = fmt::format("{}: {} - {}\n", printable(name), to_string(status), words);
  if (may_be_dry && (status == Status::kOpen || status == Status::kInconsistent))
    text += fmt::format("WARNING: trust the numbers below only where the {} is dry.\n",
                        verdict.rim_name());
  else if (!is_sound(status))
    text += "WARNING: do not trust the numbers below.\n";
  return text;
}

void say_faulty_parts(const std::string& name, const Verdict& verdict, Notices& notices) {
  for (const SurfaceHealth& surface : verdict.health.surfaces) {
    const Status status = status_of(surface.health.status);
    if (surface.place.empty() || is_sound(status)) continue;
    notices.say(name,
                {to_string(status), fmt::format("{} is no solid, {}: weigh it alone to see where",
                                                surface.place, in_words(status))});
  }
}

Status status_in_water(const Verdict& verdict, const Shape& shape, const WaterPlane& water) {
  const auto* solid = std::get_if<MeshSolid>(&shape.solid);
  if (solid == nullptr || !verdict.has_rim()) return verdict.status();
  const std::optional<double> height = rim_height(checked_mesh(*solid->mesh), water);
  return verdict.status(height.value_or(0) > 0 ? RimUse::kDry : RimUse::kNeeded);
}

}  // namespace plimsoll::cli
