#include "pairs_scene.h"

#include <fmt/format.h>

#include "picture/bodies_picture.h"
#include "text.h"

namespace plimsoll::cli {
namespace {

std::vector<picture::Fact> facts_of(const PairsReport& report) {
  constexpr std::size_t kShown = 4;
  std::vector<picture::Fact> facts;
  const std::size_t count = report.touching.size();
  const std::size_t shown = count > kShown ? kShown - 1 : count;
  for (std::size_t i = 0; i < shown; ++i) {
    const BodyReport& found = report.touching[i];
    facts.emplace_back(bodies_of(found, picture::short_name(report.bodies[found.a].name),
                                 picture::short_name(report.bodies[found.b].name)),
                       counted(found.pairs.size(), "pair of triangles", "pairs of triangles"));
  }
  if (shown < count)
    facts.emplace_back("and others", fmt::format("{} more pairs of bodies", count - shown));
  return facts;
}

std::string title_of(const PairsReport& report) {
  const std::string bodies = bodies_in_words(report);
  const std::string title = (bodies.empty() ? "" : bodies + "; ") + triangles_in_words(report);
  return report.touching.empty() ? title + ": nothing is marked" : title;
}

}  // namespace

picture::PairsScene pairs_scene(const PairsReport& report) {
  picture::PairsScene scene{report.bodies, {}, title_of(report), facts_of(report)};
  for (const BodyReport& found : report.touching)
    scene.touching.push_back({found.a, found.b, found.pairs});
  return scene;
}

}  // namespace plimsoll::cli
