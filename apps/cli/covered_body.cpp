#include "covered_body.h"

#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "diagnosis.h"
#include "failure.h"
#include "far_off.h"
#include "interruption.h"
#include "json_writer.h"
#include "judge.h"
#include "text.h"

namespace plimsoll::cli {
namespace {

std::string end_in_words(const CoveredBody& covered) {
  const std::size_t count = covered.cover.spheres.size();
  switch (covered.cover.end) {
    case CoverEnd::kInterrupted:
      return fmt::format("interrupted: the best {} so far", counted(count, "sphere", "spheres"));
    case CoverEnd::kRadius:
      return fmt::format("with more spheres one would be smaller than {:.4g} m",
                         covered.options.min_radius);
    case CoverEnd::kCount:
      break;
  }
  return count < covered.options.max_count ? "more spheres would not help"
                                           : "as many spheres as asked for";
}

/// Points of the solid are that far at most from those of the mesh that is covered, on either side.
void allow_for(SphereCover& cover, double vertex_error) {
  for (PlacedSphere& sphere : cover.spheres) sphere.radius += vertex_error;
  cover.largest_protrusion += 2 * vertex_error;
}

}  // namespace

const char* end_name(const CoveredBody& covered) {
  switch (covered.cover.end) {
    case CoverEnd::kInterrupted:
      return "interrupted";
    case CoverEnd::kRadius:
      return "radius";
    case CoverEnd::kCount:
      break;
  }
  return "count";
}

CoveredBody cover_body(Body body, const CoverOptions& options, Progress& progress) {
  require_mesh(body, "covers");
  CoveredBody covered;
  covered.body = std::move(body);
  covered.options = options;
  Notices& notices = *covered.body.notices;
  if (options.keep)
    remark_if_far({options.keep->normal, options.keep->offset}, "--keep",
                  bounding_box(covered.body.shape), covered.body.name, notices);
  const Verdict verdict = judge(covered.body.name, covered.body.shape, covered.body.partial,
                                {.check_self_intersections = true});
  covered.status = verdict.status();
  const ClosedMesh solid = solid_of(covered.body, covered.status);
  covered.mass = mass_of_solid(solid);
  const Interruption interruption;
  // So that spheres larger by that keep to it too.
  if (covered.options.keep)
    covered.options.keep->offset +=
        covered.body.vertex_error() * covered.options.keep->normal.norm();
  covered.options.progress = [&](double share) {
    progress.say([&] { return fmt::format("covering: {:.0f} %", 100 * share); });
    return !Interruption::asked();
  };
  const auto start = std::chrono::steady_clock::now();
  Result<SphereCover> cover = cover_with_spheres(solid, covered.options);
  if (!cover) {
    Failure failure = failure_of(cover.error());
    failure.where = failure.where == "keep"         ? "--keep"
                    : failure.where == "min_radius" ? "--min-radius"
                                                    : covered.body.name;
    throw failure;
  }
  covered.cover = std::move(*cover);
  covered.options = options;
  covered.build_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  allow_for(covered.cover, covered.body.vertex_error());
  say_faulty_parts(covered.body.name, verdict, notices);
  if (covered.cover.spheres.size() < options.max_count || covered.cover.end != CoverEnd::kCount)
    notices.say(covered.body.name, {"count", end_in_words(covered)});
  return covered;
}

std::string text_report(const CoveredBody& covered) {
  const SphereCover& cover = covered.cover;
  std::string text = fmt::format(
      "{}: {} - {} around the solid: {}\n", printable(covered.body.name), to_string(covered.status),
      counted(cover.spheres.size(), "sphere", "spheres"), end_in_words(covered));
  const auto row = [&](const char* label, const std::string& content) {
    text += fmt::format("  {:<22}{}\n", label, content);
  };
  row("coverage", fmt::format("all of {:.6g} m^3, proved", cover.solid_volume));
  row("radii",
      fmt::format("{:.6g} to {:.6g} m", cover.spheres.front().radius, cover.spheres.back().radius));
  row("largest protrusion",
      fmt::format("{:.6g} m at most out of the solid", cover.largest_protrusion));
  row("built in", fmt::format("{:.3g} s", covered.build_seconds));
  return text;
}

void write_members(JsonWriter& out, const CoveredBody& covered) {
  out.member("status", to_string(covered.status));
  out.member("count", std::uint64_t{covered.cover.spheres.size()});
  covered.body.notices->write(out);
  out.member("covers", true);
  out.member("coverage", 1.0);
  out.member("largest_protrusion", covered.cover.largest_protrusion);
  out.member("build_seconds", covered.build_seconds);
  out.member("bytes", std::uint64_t{0});
  out.member("end", end_name(covered));
  out.member("solid_volume", covered.cover.solid_volume);
  out.null_member("resolution");
}

}  // namespace plimsoll::cli
