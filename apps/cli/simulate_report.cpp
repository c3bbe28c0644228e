#include "simulate_report.h"

#include <fmt/format.h>
#include <plimsoll/water_image.h>

#include <limits>

#include "diagnosis.h"
#include "json_writer.h"
#include "reports.h"
#include "text.h"

namespace plimsoll::cli {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

double steps_per_second(const SimulateReport& report) {
  return static_cast<double>(report.steps) / report.wall_seconds;
}
double buoyancy_share(const SimulateReport& report) {
  return report.buoyancy_seconds / report.wall_seconds;
}
double contact_share(const SimulateReport& report) {
  return report.contact_seconds / report.wall_seconds;
}

std::string water_in_words(const Environment& environment) {
  if (!(environment.fluid_density > 0)) return "none";
  const bool is_still = std::holds_alternative<StillWater>(environment.surface);
  const bool is_grid = std::holds_alternative<HeightGrid>(environment.surface);
  const bool is_weight = environment.force == FluidForce::kWeight;
  return fmt::format(
      "{:g} kg/m^3, {}", environment.fluid_density,
      is_still ? "still"
               : fmt::format("{}; it lifts by {}", is_grid ? "a grid of heights" : "waves",
                             is_weight ? "the weight of what is displaced" : "its pressure"));
}

std::string drag_in_words(const Drag& drag) {
  const std::string quadratic = drag.quadratic ? fmt::format("{:g} /m", *drag.quadratic)
                                               : "1/L, L the cube root of a body's volume";
  return fmt::format("linear {:g} /s, quadratic {}, angular {:g} /s", drag.linear, quadratic,
                     drag.angular);
}

}  // namespace

void SimulateReport::say(const std::string& code, const std::string& message) {
  notices.say(name, {code, message});
}

namespace {

// What the columns of an image have of a body that is deep under water; nothing where it has none.
std::optional<double> seen_volume(const Shape& shape, const Similarity& pose,
                                  const WaterImageOptions& options) {
  const double top = bounding_box(shape).transformed(pose).max().z();
  const Result<FreeSurface> deep = FreeSurface::create(StillWater{top + std::abs(top) + 1});
  if (!deep) return std::nullopt;
  Result<WaterColumns> columns = WaterColumns::create(shape, options);
  if (!columns) return std::nullopt;
  const Result<WaterImage> image = columns->measure(pose, *deep->at(0, 0));
  return image ? std::optional(image->buoyancy.volume) : std::nullopt;
}

}  // namespace

void say_what_images_lack(const World& world, const EngineOptions& engine, SimulateReport& report) {
  constexpr double kSaid = 0.02;  // of the volume; less is what pixels are good for
  const WaterImageOptions options{engine.width, engine.height, false};
  std::size_t count = 0;
  std::string first;
  for (const BodyId id : world.ids()) {
    if (world.is_kinematic(id)) continue;
    const double volume = world.mass(id)->volume;
    const std::optional<double> seen =
        seen_volume(*world.shape(id), Similarity(world.body(id)->pose), options);
    if (!seen || !(std::abs(*seen - volume) > kSaid * volume) || count++ > 0) continue;
    first = fmt::format(
        "where \"{}\" starts, images of {}x{} pixels have {:.4g} m^3 of its {:.4g} m^3, and its "
        "buoyancy is off by as much",
        *world.name(id), engine.width, engine.height, *seen, volume);
  }
  if (count == 0) return;
  if (count > 1)
    first += fmt::format("; of {} it is off too", counted(count - 1, "other body", "other bodies"));
  report.say("thin_parts", first + ": a higher --resolution may show more");
}

void say_what_images_weigh(const World& world, SimulateReport& report) {
  constexpr double kEnough = 0.1;  // of the volume, as everywhere for images
  std::size_t count = 0;
  std::optional<BodyId> worst;
  double off = 0;  // of the volume
  for (const BodyId id : world.ids()) {
    const std::optional<MassError> estimate = world.mass_estimate(id);
    if (!estimate || world.is_kinematic(id)) continue;
    const double share = estimate->volume / world.mass(id)->volume;
    if (count++ > 0 && !(share > off)) continue;
    worst = id;
    off = share;
  }
  if (!worst) return;
  if (!(off <= kEnough)) report.status = std::min(report.status, Status::kTolerance);
  std::string words = fmt::format(
      "\"{}\" is weighed by an image: its {:.4g} m^3 may be off by {:.2g} m^3, as estimated",
      *world.name(*worst), world.mass(*worst)->volume, world.mass_estimate(*worst)->volume);
  if (count > 1)
    words +=
        fmt::format("; so {}, off by no larger part of the volume",
                    count == 2 ? "is another body" : fmt::format("are {} other bodies", count - 1));
  report.say("image_mass", words);
}

void say_overlaps(SimulateReport& report) {
  const OverlapReport& seen = report.overlaps;
  if (!seen.is_all && seen.pairs == 0)
    return report.say("overlap",
                      "too many boxes of bodies meet for each pair to be looked at: "
                      "those that were do not pass through each other");
  if (seen.pairs == 0) return;
  std::string words = fmt::format(
      "{}{} seen to pass through each other, for the scene has no \"contact\": first \"{}\" and "
      "\"{}\" at {:g} s, both of which hold the point ({:.4g}, {:.4g}, {:.4g}) m",
      seen.is_all ? "" : "at least ",
      counted(seen.pairs, "pair of bodies was", "pairs of bodies were"), seen.named[0].first,
      seen.named[0].second, seen.first_time, seen.first_at[0], seen.first_at[1], seen.first_at[2]);
  for (std::size_t k = 1; k < seen.named.size(); ++k)
    words += fmt::format("{} \"{}\" and \"{}\"", k == 1 ? "; then" : ",", seen.named[k].first,
                         seen.named[k].second);
  if (seen.pairs > seen.named.size()) words += ", and others";
  report.say("overlap", words);
}

void write_members(JsonWriter& out, const SimulateReport& report) {
  out.member("status", to_string(report.status));
  report.notices.write(out);
  out.member("bodies", static_cast<std::uint64_t>(report.bodies));
  out.member("steps", report.steps);
  out.member("seconds", report.seconds);
  out.member("wall_seconds", report.wall_seconds);
  out.member("steps_per_second", steps_per_second(report));
  out.key("share");
  out.begin_object();
  out.member("buoyancy", buoyancy_share(report));
  if (report.has_contact) out.member("contact", contact_share(report));
  out.member("other", 1 - buoyancy_share(report) - contact_share(report));
  out.end_object();
  out.key("energy");
  out.begin_object();
  out.member("start", report.start ? report.start->total() : kUnknown);
  out.member("end", report.end ? report.end->total() : kUnknown);
  out.member("dissipated", report.dissipated);
  out.end_object();
  out.member("state_hash", fmt::format("{:016x}", report.hash));
  if (report.image) write_image(out, report.image);
}

std::string text_report(const SimulateReport& report) {
  std::string text = fmt::format("{}: {} - {}\n", printable(report.name), to_string(report.status),
                                 in_words(report.status));
  const auto row = [&](const char* label, const std::string& content) {
    text += fmt::format("  {:<14}{}\n", label, content);
  };
  row("bodies", fmt::format("{}", report.bodies));
  row("water", water_in_words(report.environment));
  if (report.environment.fluid_density > 0) row("drag", drag_in_words(report.environment.drag));
  row("simulated",
      fmt::format("{:g} s in {}", report.seconds, counted(report.steps, "step", "steps")));
  if (report.steps > 0)
    row("took",
        fmt::format("{:.3g} s: {:.4g} steps per second, {:.0f} % of it in buoyancy",
                    report.wall_seconds, steps_per_second(report), 100 * buoyancy_share(report)));
  if (report.start && report.end)
    row("energy", fmt::format("{:.9g} J at the start, {:.9g} J at the end; {} took {:.9g} J",
                              report.start->total(), report.end->total(),
                              report.has_contact ? "drag and contact" : "drag", report.dissipated));
  else
    row("energy",
        fmt::format("not defined but on still water; drag took {:.9g} J", report.dissipated));
  if (report.has_contact)
    row("contact",
        fmt::format("{} at the end; {:.0f} % of the time in contacts",
                    counted(report.contacts, "pair of bodies touches", "pairs of bodies touch"),
                    100 * contact_share(report)));
  else if (report.bodies > 1)
    row("contact", report.overlaps.pairs == 0
                       ? "none in this scene; no bodies were seen to overlap"
                       : fmt::format("none in this scene; {}{} seen to overlap",
                                     report.overlaps.is_all ? "" : "at least ",
                                     counted(report.overlaps.pairs, "pair was", "pairs were")));
  row("state", fmt::format("{:016x}", report.hash));
  if (report.frames > 0) row("frames", fmt::format("{}", report.frames));
  return text;
}

}  // namespace plimsoll::cli
