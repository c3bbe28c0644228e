#include "pairs_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "json_writer.h"
#include "text.h"

namespace plimsoll::cli {
namespace {

/// What one pair does, and what several do: "touches", "touch"; with --within, how close they are.
std::pair<std::string, std::string> verbs(const PairsReport& report, const char* one,
                                          const char* more) {
  if (!report.within) return {one, more};
  const std::string closer = fmt::format("closer than {:.6g} m", *report.within);
  return {"is " + closer, "are " + closer};
}

/// What a reader might take for an answer and is not.
std::string remarks(const PairsReport& report) {
  std::string text;
  if (report.with_self) text += "triangles of one body that share a vertex are left out\n";
  if (report.bodies.size() > 1 && report.body_pairs() == 0 && !report.within)
    text += "a body inside another does not touch it: plimsoll distance tells whether it is\n";
  return text;
}

/// What culling by visibility left of the bodies.
std::string culling_in_words(const PairsReport& report) {
  if (!report.culling) return {};
  const Culling& left = report.culling->left;
  std::size_t all = 0;
  for (const picture::PlacedMesh& body : report.bodies) all += body.mesh->triangles.size();
  return fmt::format("{}: {} of {} left after {} along x, y and z at {}x{}, drawn by {}\n",
                     report.method, left.surviving_count(), counted(all, "triangle", "triangles"),
                     counted(left.work.rounds, "round of views", "rounds of views"),
                     report.culling->resolution, report.culling->resolution,
                     left.renderer == "processor" ? "the processor" : printable(left.renderer));
}

void write_culling(const PairsReport& report, JsonWriter& out) {
  if (!report.culling) {
    for (const char* name : {"surviving", "views", "resolution", "renderer"}) out.null_member(name);
    return;
  }
  const auto write = [&](const char* name, const auto& values) {
    out.key(name);
    out.begin_array();
    for (const auto& value : values) out.value(static_cast<std::uint64_t>(value));
    out.end_array();
  };
  std::vector<std::size_t> surviving;
  for (const auto& of : report.culling->left.surviving) surviving.push_back(of.size());
  write("surviving", surviving);
  out.member("views", std::uint64_t{3});
  const int pixels = report.culling->resolution;
  write("resolution", std::array{pixels, pixels});
  out.member("renderer", report.culling->left.renderer);
}

}  // namespace

bool PairsReport::is_ignored(std::uint32_t a, std::uint32_t b) const {
  return std::binary_search(ignored.begin(), ignored.end(), std::pair(a, b));
}

std::size_t PairsReport::pairs() const {
  std::size_t count = 0;
  for (const BodyReport& found : touching) count += found.pairs.size();
  return count;
}

std::size_t PairsReport::body_pairs() const {
  return static_cast<std::size_t>(
      std::count_if(touching.begin(), touching.end(),
                    [](const BodyReport& found) { return found.a != found.b; }));
}

std::string bodies_in_words(const PairsReport& report) {
  const std::size_t count = report.bodies.size();
  if (count < 2) return {};
  const auto [touches, touch] = verbs(report, "touches", "touch");
  const std::string left_out =
      report.ignored.empty()
          ? ""
          : fmt::format(", {} left out", counted(report.ignored.size(), "pair", "pairs"));
  if (report.body_pairs() == 0)
    return fmt::format("no two of {} bodies {}{}", count, touch, left_out);
  return fmt::format(
      "{} among {} bodies{}",
      counted(report.body_pairs(), "pair of bodies " + touches, "pairs of bodies " + touch), count,
      left_out);
}

std::string triangles_in_words(const PairsReport& report) {
  const auto [meets, meet] = verbs(report, "meets", "meet");
  if (report.pairs() == 0) return "no triangles " + meet;
  return counted(report.pairs(), "pair of triangles " + meets, "pairs of triangles " + meet);
}

std::string bodies_of(const BodyReport& found, const std::string& a, const std::string& b) {
  if (found.a == found.b) return fmt::format("within {} {}", found.a, a);
  return fmt::format("{} {} and {} {}", found.a, a, found.b, b);
}

std::string text_report(const PairsReport& report) {
  constexpr std::size_t kShown = 20;
  const std::string bodies = bodies_in_words(report);
  std::string text = bodies.empty() ? "" : bodies + "\n";
  text += triangles_in_words(report) + "\n";
  for (std::size_t i = 0; i < std::min(kShown, report.touching.size()); ++i) {
    const BodyReport& found = report.touching[i];
    text += fmt::format("  {:>16}  {}\n", counted(found.pairs.size(), "pair", "pairs"),
                        bodies_of(found, printable(report.bodies[found.a].name),
                                  printable(report.bodies[found.b].name)));
  }
  if (report.touching.size() > kShown)
    text += fmt::format("  and {} more; --list writes all\n", report.touching.size() - kShown);
  return text + culling_in_words(report) + remarks(report);
}

void write_members(JsonWriter& out, const PairsReport& report) {
  out.member("status", "ok");
  out.member("method", report.method);
  report.notices->write(out, true);
  out.member("pairs", static_cast<std::uint64_t>(report.pairs()));
  out.member("body_pairs", static_cast<std::uint64_t>(report.body_pairs()));
  write_culling(report, out);
}

std::string csv_rows(const PairsReport& report) {
  std::vector<std::array<std::uint32_t, 4>> rows;
  rows.reserve(report.pairs());
  for (const BodyReport& found : report.touching)
    for (const TrianglePair& pair : found.pairs) rows.push_back({found.a, pair.a, found.b, pair.b});
  std::sort(rows.begin(), rows.end());
  std::string text;
  for (const auto& [i, t, j, u] : rows)
    fmt::format_to(std::back_inserter(text), "{},{},{},{}\n", i, t, j, u);
  return text;
}

}  // namespace plimsoll::cli
