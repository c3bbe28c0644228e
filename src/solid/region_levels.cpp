#include "solid/region_levels.h"

#include <algorithm>

#include "core/no_index.h"
#include "core/parallel.h"

// With w the winding number where a ray begins, or ends at the nearest sheets: behind a triangle
// that nothing comes to from behind, w is the level of its region, and in front of one that nothing
// comes to from in front, the level less 1 - beyond all sheets that lie on it, of which there may
// be several at the place. Passing those changes w by the sum of what leaves less what enters.

namespace plimsoll {
namespace {

// The level is `more` above that of another region, or above 0.
struct Relation {
  std::uint32_t region = kNoIndex;
  int more = 0;
  int sheets = 1;
};

class Levels {
 public:
  Levels(const WindingScene& scene, const Regions& regions,
         std::span<const MeetingTriangle> meetings, const AskLevel& ask)
      : scene_(scene), regions_(regions), meetings_(meetings), ask_(ask) {}

  std::vector<std::optional<RegionLevel>> find() {
    const std::size_t count = regions_.list.size();
    relations_.resize(count);
    levels_.resize(count);
    state_.assign(count, State::kOpen);
    views_.assign(count, 0);
    parallel_for_each_index(count, [&](std::size_t i) {
      look(i);
      if (relations_[i]) return;
      levels_[i] = ask_(i);
      state_[i] = State::kDone;
    });
    for (std::uint32_t i = 0; i < count; ++i) settle(i);
    return std::move(levels_);
  }

 private:
  [[nodiscard]] bool is_known_behind(std::uint32_t triangle) const {
    const MeetingTriangle* meeting = meeting_triangle_at(meetings_, triangle);
    return meeting == nullptr || !meeting->behind;
  }

  /// Found by a ray from a point of the region; each `view` takes another point.
  [[nodiscard]] std::optional<Relation> relation_of(std::size_t region, std::uint64_t view) const {
    const std::uint32_t triangle = regions_.list[region].triangle;
    const Weights at = TriangleCells().interior_point(0, view);
    const std::optional<FirstMet> met = first_met(scene_, triangle, at, regions_.of_triangle);
    if (!met) return std::nullopt;
    std::optional<Relation> relation = before(met->nearest);
    if (!relation) return std::nullopt;
    relation->sheets = met->sheets;
    relation->more += met->own;
    if (met->from_front) relation->more += met->sheets;                 // w behind
    if (!is_known_behind(triangle)) relation->more += 1 - met->sheets;  // in front, and 1
    return relation;
  }

  /// w on the near side of sheets that lie on each other.
  [[nodiscard]] std::optional<Relation> before(std::span<const FirstMet::Sheet> nearest) const {
    if (nearest.empty()) return Relation{};
    int passed = 0;
    for (const FirstMet::Sheet& sheet : nearest) passed += sheet.left;
    for (const FirstMet::Sheet& sheet : nearest) {
      const std::uint32_t region = regions_.of_triangle[sheet.triangle];
      // What lies on a triangle without meetings is of its own patch, which was not compared.
      if (region == kNoIndex ||
          (nearest.size() > 1 && meeting_triangle_at(meetings_, sheet.triangle) == nullptr))
        continue;
      const bool behind = is_known_behind(sheet.triangle);
      const bool is_near_side = behind == (sheet.left > 0);
      return Relation{region, (behind ? 0 : -1) + (is_near_side ? 0 : passed), 1};
    }
    return std::nullopt;
  }

  /// Takes the next view that has an answer.
  void look(std::size_t region) {
    constexpr std::uint8_t kViews = 16;
    relations_[region].reset();
    while (!relations_[region] && views_[region] < kViews)
      relations_[region] = relation_of(region, views_[region]++);
  }

  /// Follows the relations to a level that is known. Regions that see each other look again.
  void settle(std::uint32_t first) {
    std::vector<std::uint32_t> way;
    std::uint32_t at = first;
    while (at != kNoIndex && state_[at] != State::kDone) {
      if (state_[at] == State::kOpen) {
        state_[at] = State::kOnWay;
        way.push_back(at);
      } else {
        const std::uint32_t last = way.back();
        look(last);
        if (!relations_[last]) {
          levels_[last] = ask_(last);
          state_[last] = State::kDone;
          break;
        }
      }
      at = relations_[way.back()]->region;
    }
    for (auto region = way.rbegin(); region != way.rend(); ++region)
      if (state_[*region] != State::kDone) conclude(*region);
  }

  void conclude(std::uint32_t region) {
    const Relation& relation = *relations_[region];
    state_[region] = State::kDone;
    if (relation.region == kNoIndex)
      levels_[region] = {relation.more, relation.sheets};
    else if (levels_[relation.region])
      levels_[region] = {levels_[relation.region]->level + relation.more, relation.sheets};
    else
      levels_[region] = ask_(region);
  }

  enum class State : std::uint8_t { kOpen, kOnWay, kDone };

  const WindingScene& scene_;
  const Regions& regions_;
  std::span<const MeetingTriangle> meetings_;
  const AskLevel& ask_;
  std::vector<std::optional<Relation>> relations_;
  std::vector<std::optional<RegionLevel>> levels_;
  std::vector<State> state_;
  std::vector<std::uint8_t> views_;  // how many were taken
};

}  // namespace

std::vector<std::optional<RegionLevel>> region_levels(const WindingScene& scene,
                                                      const Regions& regions,
                                                      std::span<const MeetingTriangle> meetings,
                                                      const AskLevel& ask) {
  return Levels(scene, regions, meetings, ask).find();
}

}  // namespace plimsoll
