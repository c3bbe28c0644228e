#include "solid/soundness.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include "core/parallel.h"
#include "core/predicates.h"
#include "mesh/edges.h"
#include "pairs/self_intersection.h"
#include "solid/region_levels.h"
#include "solid/surface_regions.h"
#include "solid/winding_sides.h"

// Space off the surface falls into cells of constant winding number w, and w changes from cell to
// cell only across parts of triangles on which the sheets, counted by the way they are turned, do
// not cancel. So the values of w, but for the 0 at infinity, are those beside such parts.
//
// Beside a point of a triangle that nothing else comes near, w is some k behind it and k - 1 in
// front. Call k the level there. It stays the same along the triangle as long as nothing comes to
// its interior from both sides: where all meetings are in front, w behind it cannot change, and the
// other way round. Nor does it change across an edge of two triangles that nothing touches. So one
// ray gives the level of a whole region (regions_of). Triangles that are met from both sides, or
// lie upon another turned the same way, are entangled: these are cut into cells, with a ray each.
//
// Without entangled triangles at most two sheets lie on each other, turned against each other, and
// w beside a triangle is its level or one less. So the surface is sound if all levels are 1, or all
// are 0, leaving out triangles that are covered entirely by cancelling sheets. If not, then either
// the level changes along a patch, which another sheet must have passed through; or shells lie in
// each other or beside each other in the wrong way.
//
// Caps of a mesh that does not close take part in the rays alone. They meet nothing; a triangle
// that a cap comes to is no part of any region, for the level may change there. A region is asked
// where it is clear of the rims, and not at all where it is so nowhere.

namespace plimsoll {
namespace {

constexpr std::size_t kMaxCells = 8192;  // some seconds for a wall with as many on both sides

// What is found of a patch, or part of one.
struct Level {
  int level = 0;
  int sheets = 1;         // that lie on each other at the point asked, by the way they are turned
  bool enclosed = false;  // by another shell
  std::uint32_t triangle = kNoIndex;
  Vec3 at = Vec3::Zero();
  bool is_asked = true;  // whether it is enclosed; else that is not known
};

// What is found of one triangle cut into cells.
struct Range {
  bool unknown = false;  // too many cells
  bool is_covered = true;
  int low = 0, high = 0;  // of w beside the parts that are not covered
  Level level;            // of one such part
};

struct ShellPlace {
  Box3 box;
  std::vector<std::uint32_t> patches;
  std::vector<std::uint32_t> triangles;
  bool involved = false;  // a tree is needed: its box meets another's, or it has several patches
  bool touched = false;   // it has meetings, caps or meetings with them
};

// Where an edge of one comes through the other, about; else the centroid of the first.
Vec3 place_of(const MeshView& mesh, const MeetingPair& pair) {
  const Corners t = corners_of(mesh, pair.a), u = corners_of(mesh, pair.b);
  for (const auto& [plane, edges] : {std::pair(&t, &u), std::pair(&u, &t)}) {
    const auto sides = sides_of_corners(*plane, *edges);
    const Vec3 normal = (plane->point[1] - plane->point[0])
                            .normalized()
                            .cross((plane->point[2] - plane->point[0]).normalized());
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3;
      if (sides[i] * sides[j] >= 0 || !edge_is_touched(*edges, i, *plane, sides)) continue;
      const double p = std::fabs(normal.dot(edges->point[i] - plane->point[0]));
      const double q = std::fabs(normal.dot(edges->point[j] - plane->point[0]));
      const double share = p / (p + q);
      if (std::isfinite(share))
        return edges->point[i] + share * (edges->point[j] - edges->point[i]);
    }
  }
  return centroid(mesh, pair.a);
}

// Up to 64 of the triangles.
std::vector<std::uint32_t> spread_over(std::span<const std::uint32_t> triangles) {
  constexpr std::size_t kMost = 64;
  std::vector<std::uint32_t> some(std::min(triangles.size(), kMost));
  for (std::size_t i = 0; i < some.size(); ++i)
    some[i] = triangles[i * triangles.size() / some.size()];
  return some;
}

void list_pairs(const MeshView& mesh, std::span<const MeetingPair> pairs, bool crosses,
                std::size_t max_defects, std::vector<Defect>& defects) {
  for (const MeetingPair& pair : pairs)
    if (pair.crosses == crosses && defects.size() < max_defects)
      defects.push_back({DefectKind::kSelfIntersection, pair.a, place_of(mesh, pair)});
}

// Sound meshes whose bodies touch have a few pairs for each triangle, layers of bars more. As many
// as this take no more memory than the file is allowed.
std::size_t pair_limit(const MeshView& mesh) { return 300'000 + 32 * mesh.triangle_count(); }
// Nobody meant a mesh that does not close to touch itself all over, and with caps it is kept twice.
// Where rims hide all of it, pairs tell no more than whether pieces pass through each other.
std::size_t pair_limit_with_caps(const MeshView& mesh, bool is_hidden) {
  return (is_hidden ? 10'000 : 300'000) + mesh.triangle_count();
}

// [us]
double work_of_looks(std::uint64_t looks) {
  constexpr double kWorkOfLook = 0.4;
  return kWorkOfLook * static_cast<double>(looks);
}

bool is_crossed(std::span<const MeetingPair> pairs) {
  return std::any_of(pairs.begin(), pairs.end(),
                     [](const MeetingPair& pair) { return pair.crosses; });
}

class Assessment {
 public:
  Assessment(const SoundnessInput& input, bool all_pairs, std::size_t max_pairs)
      : in_(input), all_pairs_(all_pairs), max_pairs_(max_pairs), looks_(input.max_looks) {
    gather_shells();
    find_involved();
    gather_meetings();
  }

  Soundness run(std::size_t max_defects) {
    if (found_.is_complete) {
      if (in_.caps != nullptr) crossing_ = is_certain_ = is_crossed(found_.pairs);
      examine_entangled();
      if (!crossing_) level_regions(max_defects);
      if (crossing_) level_apart();
      judge();
    } else {
      crossing_ = true;
      is_certain_ = is_crossed(found_.pairs);
    }
    Soundness result;
    result.crossing = crossing_;
    result.undecided = crossing_ && !is_certain_;
    result.nested = nested_;
    result.opposed = opposed_;
    if (all_pairs_) result.self_intersecting_pairs = found_.count;
    result.has_more_pairs = all_pairs_ && !found_.is_complete;
    result.looks = looks_.taken();
    result.defects = list_defects(max_defects);
    return result;
  }

 private:
  void gather_shells();
  void find_involved();
  void gather_meetings();
  void set_caps_apart();
  void examine_entangled();
  [[nodiscard]] Regions all_regions();
  void ask_clear_of_caps(Regions& regions);
  void note_apart();
  void level_regions(std::size_t max_defects);
  [[nodiscard]] std::vector<std::optional<Level>> near_levels(const Regions& regions) const;
  [[nodiscard]] std::vector<std::optional<Level>> far_levels(const Regions& regions,
                                                             std::vector<std::optional<Level>> near,
                                                             std::size_t max_defects) const;
  void note_all(const Regions& regions, const std::vector<std::optional<Level>>& levels);
  [[nodiscard]] bool are_levels_equal() const;
  void level_apart();
  void examine_covered(const Region& region, const Level& level);
  [[nodiscard]] bool is_root(const Level& level) const {
    const ShellPlace& shell = shells_[in_.shell_of_triangle[level.triangle]];
    return (!level.enclosed || all_are_roots_) && !(crossing_ && shell.touched);
  }
  [[nodiscard]] std::array<bool, 2> turns_of_roots() const;
  void judge();
  std::vector<Defect> list_defects(std::size_t max_defects) const;

  /// Of the shells that are involved with others, in a tree; else of a shell by itself.
  [[nodiscard]] WindingScene scene_of(std::uint32_t shell) const {
    if (shells_[shell].involved) return involved_scene();
    return {in_.mesh, in_.shell_of_triangle,
            std::span<const std::uint32_t>(shells_[shell].triangles)};
  }
  [[nodiscard]] WindingScene involved_scene() const {
    if (hulls_) return {in_.mesh, in_.shell_of_triangle, &*hulls_};
    return {in_.mesh, in_.shell_of_triangle, &tree_};
  }
  [[nodiscard]] bool is_cap(std::uint32_t triangle) const {
    return in_.patch_of_triangle[triangle] == in_.patch_count;
  }
  /// Whether the level of the triangle does not depend on caps.
  [[nodiscard]] bool is_clear(std::uint32_t triangle) const {
    return in_.caps == nullptr || (!is_cap(triangle) && !is_capped_[triangle] &&
                                   in_.caps->is_clear_of(centroid(in_.mesh, triangle)));
  }
  [[nodiscard]] std::optional<std::uint32_t> clear_one(
      std::span<const std::uint32_t> triangles) const;
  [[nodiscard]] std::optional<std::uint32_t> place_to_ask(std::uint32_t patch,
                                                          const ShellPlace& shell) const;

  [[nodiscard]] Range range_of(std::uint32_t triangle) const;
  [[nodiscard]] bool is_cancelled(const MeetingTriangle& meeting) const;
  [[nodiscard]] std::optional<Level> level_at(std::uint32_t triangle,
                                              std::span<const std::uint32_t> ignored) const;
  void note(const Level& level);
  void note(std::uint32_t triangle, const Range& range);
  void note_crossing(std::uint32_t triangle, const Vec3& at) {
    is_certain_ = true;
    note_undecided(triangle, at);
  }
  void note_undecided(std::uint32_t triangle, const Vec3& at) {
    crossing_ = true;
    crossing_at_.push_back({DefectKind::kSelfIntersection, triangle, at});
  }

  const SoundnessInput& in_;
  bool all_pairs_;
  std::size_t max_pairs_;
  mutable LookLimit looks_;
  std::vector<ShellPlace> shells_;
  std::vector<std::uint32_t> outermost_;  // of each patch, the triangle that reaches furthest in x
  std::vector<std::uint32_t> triangles_;  // with an area, of shells involved
  TriangleTree tree_;                     // of these
  std::optional<HullTree> hulls_;         // of these, where boxes tell little
  FoundPairs found_;
  std::vector<MeetingTriangle> meetings_;
  std::vector<bool> is_cancelled_;  // of each triangle (cancelled_triangles), if there are meetings
  std::vector<bool> is_capped_;     // whether caps come to a triangle; empty without caps
  std::vector<bool> is_hidden_;     // of each region, whether it is clear of caps nowhere
  std::vector<std::optional<Level>> patch_level_;
  bool crossing_ = false, nested_ = false, opposed_ = false;
  bool is_certain_ = false;     // of a crossing, that there is one
  bool all_are_roots_ = false;  // those that hold the others are covered entirely
  std::vector<Defect> crossing_at_, nested_at_, inward_at_;
};

void Assessment::gather_shells() {
  shells_.resize(in_.shell_count);
  outermost_.assign(in_.patch_count, kNoIndex);
  patch_level_.resize(in_.patch_count);
  std::vector<double> reach(in_.patch_count, -std::numeric_limits<double>::infinity());
  for (std::uint32_t t = 0; t < in_.mesh.triangle_count(); ++t) {
    const std::uint32_t patch = in_.patch_of_triangle[t];
    if (patch == kNoIndex) continue;
    const Corners corners = corners_of(in_.mesh, t);
    const auto& [a, b, c] = corners.point;
    ShellPlace& shell = shells_[in_.shell_of_triangle[t]];
    for (const Vec3& p : corners.point) shell.box.extend(p);
    shell.triangles.push_back(t);
    if (is_cap(t)) {
      shell.touched = true;
      continue;
    }
    const double x = std::max({a.x(), b.x(), c.x()});
    if (x <= reach[patch] || are_collinear(a, b, c)) continue;
    if (outermost_[patch] == kNoIndex) shell.patches.push_back(patch);
    reach[patch] = x;
    outermost_[patch] = t;
  }
}

void Assessment::find_involved() {
  std::vector<Box3> boxes;
  std::vector<std::uint32_t> numbers;
  for (std::uint32_t s = 0; s < shells_.size(); ++s) {
    shells_[s].involved = all_pairs_ || shells_[s].touched || shells_[s].patches.size() > 1;
    if (shells_[s].patches.empty()) continue;
    boxes.push_back(shells_[s].box);
    numbers.push_back(s);
  }
  const BoxTree tree{boxes};
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    bool meets_other = false;
    visit_items(
        tree, [&](const Box3& box) { return !meets_other && boxes_meet(box, boxes[i]); },
        [&](std::uint32_t j) { meets_other = meets_other || j != i; });
    if (meets_other) shells_[numbers[i]].involved = true;
  }
}

void Assessment::gather_meetings() {
  for (std::uint32_t t = 0; t < in_.mesh.triangle_count(); ++t) {
    if (in_.patch_of_triangle[t] == kNoIndex || !shells_[in_.shell_of_triangle[t]].involved)
      continue;
    const auto& [a, b, c] = corners_of(in_.mesh, t).point;
    if (!are_collinear(a, b, c)) triangles_.push_back(t);
  }
  TreeBuilder().build(in_.mesh, triangles_, TreeQuality::kTight, tree_);
  found_ = intersecting_pairs(in_.mesh, tree_,
                              all_pairs_ ? std::span<const std::uint32_t>() : in_.patch_of_triangle,
                              max_pairs_, work_of_looks(in_.max_looks));
  if (in_.caps != nullptr) set_caps_apart();
  if (found_.is_complete) meetings_ = meeting_triangles(in_.mesh, found_.pairs);
  if (!meetings_.empty()) is_cancelled_ = cancelled_triangles(in_.mesh, triangles_);
  if (found_.is_dense) hulls_.emplace(in_.mesh, triangles_);
  for (const MeetingTriangle& meeting : meetings_)
    shells_[in_.shell_of_triangle[meeting.triangle]].touched = true;
}

// What caps meet is no fault of the mesh.
void Assessment::set_caps_apart() {
  is_capped_.assign(in_.mesh.triangle_count(), false);
  // Caps come after all triangles, and a < b.
  for (const MeetingPair& pair : found_.pairs) {
    if (!is_cap(pair.b)) continue;
    is_capped_[pair.a] = true;
    shells_[in_.shell_of_triangle[pair.a]].touched = true;
  }
  std::erase_if(found_.pairs, [&](const MeetingPair& pair) { return is_cap(pair.b); });
}

// One of the triangles that is clear; nothing where none is found.
std::optional<std::uint32_t> Assessment::clear_one(std::span<const std::uint32_t> triangles) const {
  for (const std::uint32_t t : spread_over(triangles))
    if (is_clear(t)) return t;
  return std::nullopt;
}

Range Assessment::range_of(std::uint32_t triangle) const {
  Range range;
  const MeetingTriangle* meeting = meeting_triangle_at(meetings_, triangle);
  if (meeting != nullptr && is_cancelled(*meeting)) return range;
  const std::optional<TriangleCells> cells =
      meeting != nullptr ? cells_of(in_.mesh, *meeting, kMaxCells, looks_) : TriangleCells();
  range.unknown = !cells;
  if (range.unknown) return range;
  WindingScene scene = scene_of(in_.shell_of_triangle[triangle]);
  scene.looks = &looks_;
  for (std::size_t cell = 0; cell < cells->size(); ++cell) {
    range.unknown = looks_.is_exceeded();
    if (range.unknown) return range;
    // Most parts of triangles that others lie on are covered, which takes no ray to the end.
    const auto near = scene.has_tree() ? first_met(scene, triangle, *cells, cell) : std::nullopt;
    if (near && near->sheets == 0) continue;
    const auto sides = winding_sides(scene, triangle, *cells, cell);
    range.unknown = !sides;
    if (range.unknown) return range;
    if (sides->front == sides->back) continue;
    const auto [low, high] = std::minmax(sides->front, sides->back);
    range.low = range.is_covered ? low : std::min(range.low, low);
    range.high = range.is_covered ? high : std::max(range.high, high);
    range.is_covered = false;
    range.level = {high, 1, sides->enclosed, triangle, sides->at};
    if (range.high - range.low > 1) break;
  }
  return range;
}

// Whether the triangle and all that lie on it cancel, so that no part of it bounds anything.
bool Assessment::is_cancelled(const MeetingTriangle& meeting) const {
  return is_cancelled_[meeting.triangle] &&
         std::all_of(meeting.cutting.begin(), meeting.cutting.end(),
                     [&](const CuttingTriangle& other) {
                       return !other.lies_in_plane || is_cancelled_[other.triangle];
                     });
}

// Adds what is known of a patch; two different levels of one patch are a crossing.
void Assessment::note(const Level& level) {
  std::optional<Level>& known = patch_level_[in_.patch_of_triangle[level.triangle]];
  if (!known)
    known = level;
  else if (known->level != level.level)
    note_crossing(level.triangle, level.at);
}

void Assessment::note(std::uint32_t triangle, const Range& range) {
  if (range.unknown)
    note_undecided(triangle, centroid(in_.mesh, triangle));
  else if (!range.is_covered && range.high - range.low > 1)
    note_crossing(triangle, range.level.at);
  else if (!range.is_covered)
    note(range.level);
}

void Assessment::examine_entangled() {
  std::vector<const MeetingTriangle*> entangled;
  for (const MeetingTriangle& meeting : meetings_)
    if (meeting.is_entangled() && is_clear(meeting.triangle)) entangled.push_back(&meeting);
  // Those with the fewest cuts first: they show a crossing as well as any.
  std::stable_sort(
      entangled.begin(), entangled.end(),
      [](const MeetingTriangle* x, const MeetingTriangle* y) { return x->cuts < y->cuts; });
  constexpr std::size_t kBatch = 64;
  std::vector<Range> ranges;
  for (std::size_t first = 0; first < entangled.size() && !crossing_; first += kBatch) {
    ranges.assign(std::min(kBatch, entangled.size() - first), {});
    parallel_for_each_index(ranges.size(), [&](std::size_t i) {
      ranges[i] = range_of(entangled[first + i]->triangle);
    });
    if (looks_.is_exceeded())  // which of them are known depends on the threads
      return note_undecided(entangled[first]->triangle,
                            centroid(in_.mesh, entangled[first]->triangle));
    for (std::size_t i = 0; i < ranges.size(); ++i) note(entangled[first + i]->triangle, ranges[i]);
  }
}

std::optional<Level> Assessment::level_at(std::uint32_t triangle,
                                          std::span<const std::uint32_t> ignored) const {
  const auto sides = winding_sides(scene_of(in_.shell_of_triangle[triangle]), triangle,
                                   TriangleCells(), 0, ignored);
  if (!sides) return std::nullopt;
  const MeetingTriangle* meeting = meeting_triangle_at(meetings_, triangle);
  const bool behind = meeting != nullptr && meeting->behind;
  return Level{behind ? sides->front + 1 : sides->back, sides->back - sides->front, sides->enclosed,
               triangle, sides->at};
}

Regions Assessment::all_regions() {
  std::vector<std::uint32_t> touched;
  Regions regions;
  for (std::uint32_t t : triangles_)
    if (shells_[in_.shell_of_triangle[t]].touched && !is_cap(t) &&
        (is_capped_.empty() || !is_capped_[t]))
      touched.push_back(t);
  if (touched.empty())
    regions.of_triangle.assign(in_.mesh.triangle_count(), kNoIndex);
  else
    regions = regions_of(in_.mesh, touched, meetings_);
  std::vector<std::uint32_t> region_of_patch(in_.patch_count, kNoIndex);
  for (const ShellPlace& shell : shells_) {
    if (shell.touched || !shell.involved) continue;
    for (const std::uint32_t patch : shell.patches) {
      region_of_patch[patch] = static_cast<std::uint32_t>(regions.list.size());
      regions.list.push_back({outermost_[patch], true, {}});
    }
    for (const std::uint32_t t : shell.triangles)
      regions.of_triangle[t] = region_of_patch[in_.patch_of_triangle[t]];
  }
  if (in_.caps != nullptr) ask_clear_of_caps(regions);
  return regions;
}

// Moves the place of each region that is asked to where it is clear, if it is so anywhere.
void Assessment::ask_clear_of_caps(Regions& regions) {
  std::vector<std::vector<std::uint32_t>> places(regions.list.size());
  for (const std::uint32_t t : triangles_) {
    const std::uint32_t region = regions.of_triangle[t];
    if (region == kNoIndex) continue;
    if (!regions.list[region].is_free || meeting_triangle_at(meetings_, t) == nullptr)
      places[region].push_back(t);
  }
  std::vector<std::optional<std::uint32_t>> clear(places.size());
  parallel_for_each_index(places.size(), [&](std::size_t i) { clear[i] = clear_one(places[i]); });
  is_hidden_.assign(places.size(), false);
  for (std::size_t i = 0; i < places.size(); ++i) {
    is_hidden_[i] = !clear[i];
    regions.list[i].triangle = clear[i].value_or(regions.list[i].triangle);
  }
}

// Most surfaces are sound. That their levels are all 1, or all 0, is found by rays to the nearest
// sheet; only where they are not is it asked which shells enclose which, by rays through all.
void Assessment::level_regions(std::size_t max_defects) {
  note_apart();
  if (crossing_) return;
  const Regions regions = all_regions();
  const auto before = patch_level_;
  const auto near = near_levels(regions);
  note_all(regions, near);
  if (!crossing_ && are_levels_equal()) return;
  patch_level_ = before;
  crossing_ = is_certain_ = false;
  crossing_at_.clear();
  note_all(regions, far_levels(regions, near, max_defects));
}

// Shells whose boxes meet no other's.
void Assessment::note_apart() {
  std::vector<std::uint32_t> triangles;
  for (const ShellPlace& shell : shells_)
    if (!shell.involved)
      for (const std::uint32_t patch : shell.patches) triangles.push_back(outermost_[patch]);
  std::vector<std::optional<Level>> levels(triangles.size());
  parallel_for_each_index(levels.size(),
                          [&](std::size_t i) { levels[i] = level_at(triangles[i], {}); });
  for (std::size_t i = 0; i < levels.size(); ++i) {
    if (!levels[i])
      note_undecided(triangles[i], centroid(in_.mesh, triangles[i]));
    else if (levels[i]->sheets == 1)
      note(*levels[i]);
    else
      examine_covered({triangles[i], true, {}}, *levels[i]);
  }
}

std::vector<std::optional<Level>> Assessment::near_levels(const Regions& regions) const {
  std::vector<std::optional<Level>> levels(regions.list.size());
  const WindingScene scene = involved_scene();
  const auto found = region_levels(scene, regions, meetings_, [&](std::size_t i) {
    const std::optional<Level> level = level_at(regions.list[i].triangle, {});
    return level ? std::optional(RegionLevel{level->level, level->sheets}) : std::nullopt;
  });
  for (std::size_t i = 0; i < levels.size(); ++i)
    if (found[i])
      levels[i] =
          Level{found[i]->level, found[i]->sheets, false, regions.list[i].triangle, Vec3::Zero()};
  return levels;
}

// Any region of level 0 or 1 may tell how the outermost shells are turned. Another is enclosed, or
// winds twice around its own inside: as soon as as many are seen to be enclosed as are listed, the
// others are not asked, whose rays would pass all shells around them.
std::vector<std::optional<Level>> Assessment::far_levels(const Regions& regions,
                                                         std::vector<std::optional<Level>> levels,
                                                         std::size_t max_defects) const {
  std::vector<std::size_t> first, then;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const std::optional<Level>& level = levels[i];
    const bool is_beyond = level && level->sheets == 1 && level->level != 0 && level->level != 1;
    (is_beyond ? then : first).push_back(i);
  }
  const auto ask = [&](std::span<const std::size_t> some) {
    parallel_for_each_index(some.size(), [&](std::size_t k) {
      levels[some[k]] = level_at(regions.list[some[k]].triangle, {});
    });
  };
  ask(first);
  constexpr std::size_t kBatch = 64;
  std::size_t enclosed = 0;
  for (std::size_t begin = 0; begin < then.size(); begin += kBatch) {
    const auto batch = std::span(then).subspan(begin, std::min(kBatch, then.size() - begin));
    if (enclosed == 0 || enclosed < max_defects) {
      ask(batch);
      for (const std::size_t i : batch) enclosed += levels[i] && levels[i]->enclosed ? 1 : 0;
    } else {
      for (const std::size_t i : batch) levels[i]->is_asked = false;
    }
  }
  return levels;
}

void Assessment::note_all(const Regions& regions, const std::vector<std::optional<Level>>& levels) {
  const auto is_hidden = [&](std::size_t i) { return !is_hidden_.empty() && is_hidden_[i]; };
  for (std::size_t i = 0; i < levels.size(); ++i) {
    if (is_hidden(i)) continue;
    if (!levels[i])
      note_undecided(regions.list[i].triangle, centroid(in_.mesh, regions.list[i].triangle));
    else if (levels[i]->sheets == 1)
      note(*levels[i]);
  }
  for (std::size_t i = 0; i < levels.size(); ++i)
    if (!is_hidden(i) && levels[i] && levels[i]->sheets != 1)
      examine_covered(regions.list[i], *levels[i]);
}

// If all levels are equal, it does not matter which patches are enclosed: those that are not are
// turned like all others, and there is at least one.
bool Assessment::are_levels_equal() const {
  std::optional<int> common;
  for (const std::optional<Level>& level : patch_level_) {
    if (!level) continue;
    if (!common) common = level->level;
    if (level->level != *common) return false;
  }
  return !common || *common == 0 || *common == 1;
}

// A region asked at a point where other sheets lie on it: its level counts only if it comes out
// somewhere from under them.
void Assessment::examine_covered(const Region& region, const Level& level) {
  const std::uint32_t patch = in_.patch_of_triangle[region.triangle];
  const bool is_known = patch_level_[patch] && patch_level_[patch]->level == level.level;
  if (is_known && level.sheets == 0) return;
  std::vector<std::uint32_t> parts = region.triangles;
  // A triangle without meetings can only lie under its own patch, which was not compared.
  if (region.is_free)
    for (const std::uint32_t t : shells_[in_.shell_of_triangle[region.triangle]].triangles)
      if (in_.patch_of_triangle[t] == patch && meeting_triangle_at(meetings_, t) == nullptr)
        parts.push_back(t);
  for (const std::uint32_t t : parts) {
    const auto& [a, b, c] = corners_of(in_.mesh, t).point;
    if (are_collinear(a, b, c) || !is_clear(t)) continue;
    note(t, range_of(t));
    if (looks_.is_exceeded()) return;
  }
}

// A triangle of the patch that no other hides; nothing where caps hide all that are looked at.
std::optional<std::uint32_t> Assessment::place_to_ask(std::uint32_t patch,
                                                      const ShellPlace& shell) const {
  if (in_.caps == nullptr || is_clear(outermost_[patch])) return outermost_[patch];
  std::vector<std::uint32_t> triangles;
  for (const std::uint32_t t : shell.triangles)
    if (in_.patch_of_triangle[t] == patch) triangles.push_back(t);
  return clear_one(triangles);
}

// Where surfaces pass through each other, each patch by itself: without the shells that its own has
// meeting with, and not at all where its own shell has meeting with itself.
void Assessment::level_apart() {
  std::vector<std::array<std::uint32_t, 2>> met;
  for (const MeetingPair& pair : found_.pairs) {
    const std::uint32_t s = in_.shell_of_triangle[pair.a], r = in_.shell_of_triangle[pair.b];
    met.push_back({s, r});
    met.push_back({r, s});
  }
  std::sort(met.begin(), met.end());
  met.erase(std::unique(met.begin(), met.end()), met.end());

  std::fill(patch_level_.begin(), patch_level_.end(), std::nullopt);
  parallel_for_each_index(shells_.size(), [&](std::size_t s) {
    std::vector<std::uint32_t> ignored;
    const auto first =
        std::lower_bound(met.begin(), met.end(), std::array{static_cast<std::uint32_t>(s), 0u});
    for (auto at = first; at != met.end() && (*at)[0] == s; ++at) {
      if ((*at)[1] == s) return;
      ignored.push_back((*at)[1]);
    }
    for (const std::uint32_t patch : shells_[s].patches) {
      const std::optional<std::uint32_t> place = place_to_ask(patch, shells_[s]);
      if (!place) continue;
      const std::optional<Level> level = level_at(*place, ignored);
      if (level && level->sheets == 1) patch_level_[patch] = level;
    }
  });
}

// Whether some shell within no other has level 0, or level 1.
std::array<bool, 2> Assessment::turns_of_roots() const {
  std::array<bool, 2> turns{};
  for (const auto& level : patch_level_)
    if (level && is_root(*level) && (level->level == 0 || level->level == 1))
      turns[static_cast<std::size_t>(level->level)] = true;
  return turns;
}

void Assessment::judge() {
  std::array<bool, 2> turned = turns_of_roots();
  if (!turned[0] && !turned[1]) {
    all_are_roots_ = true;
    turned = turns_of_roots();
  }
  opposed_ = turned[0] && turned[1];
  std::vector<Level> winds_twice;
  for (const ShellPlace& shell : shells_) {
    bool nested = false, inward = false;  // one defect of each kind for a shell
    for (const std::uint32_t patch : shell.patches) {
      if (!patch_level_[patch]) continue;
      const Level& level = *patch_level_[patch];
      if (!level.is_asked) continue;
      const bool beyond = level.level != 0 && level.level != 1;
      const bool against_root =
          level.enclosed && turned[0] != turned[1] && level.level != (turned[1] ? 1 : 0);
      if (beyond && !level.enclosed && shell.patches.size() == 1) {
        // Nothing else is near: the patch winds around its own inside more than once.
        winds_twice.push_back(level);
      } else if (beyond || against_root) {
        if (!nested) nested_at_.push_back({DefectKind::kNestedShell, level.triangle, level.at});
        nested = true;
      } else if (opposed_ && is_root(level) && level.level == 0 && !inward) {
        inward_at_.push_back({DefectKind::kInwardShell, level.triangle, level.at});
        inward = true;
      }
    }
  }
  nested_ = !nested_at_.empty();
  for (const Level& level : winds_twice) note_crossing(level.triangle, level.at);
}

std::vector<Defect> Assessment::list_defects(std::size_t max_defects) const {
  std::vector<Defect> defects = inward_at_;
  defects.insert(defects.end(), nested_at_.begin(), nested_at_.end());
  const std::size_t before = defects.size();
  if (crossing_ || all_pairs_) list_pairs(in_.mesh, found_.pairs, true, max_defects, defects);
  if (crossing_ && defects.size() == before)
    defects.insert(defects.end(), crossing_at_.begin(), crossing_at_.end());
  if (all_pairs_ || !found_.is_complete)
    list_pairs(in_.mesh, found_.pairs, false, max_defects, defects);
  if (defects.size() > max_defects) defects.resize(max_defects);
  return defects;
}

bool is_of_shells(const Defect& defect) {
  return defect.kind == DefectKind::kInwardShell || defect.kind == DefectKind::kNestedShell;
}

// The nested and inward shells of the one list, then the crossings of the other.
std::vector<Defect> with_those_of_shells(const std::vector<Defect>& shells,
                                         const std::vector<Defect>& crossings,
                                         std::size_t max_defects) {
  std::vector<Defect> all;
  std::copy_if(shells.begin(), shells.end(), std::back_inserter(all), is_of_shells);
  std::copy_if(crossings.begin(), crossings.end(), std::back_inserter(all),
               [](const Defect& defect) { return !is_of_shells(defect); });
  if (all.size() > max_defects) all.resize(max_defects);
  return all;
}

// Counts the pairs of a mesh that does not close, and lists them after the defects found.
void add_pairs(const SoundnessInput& input, std::size_t max_defects, Soundness& soundness) {
  const MeshView& mesh = input.mesh;
  const FoundPairs found =
      self_intersecting_pairs(mesh, pair_limit(mesh), work_of_looks(input.max_looks));
  soundness.self_intersecting_pairs = found.count;
  soundness.has_more_pairs = !found.is_complete;
  const bool is_certain = is_crossed(found.pairs);
  soundness.undecided = !is_certain && (soundness.undecided || !found.is_complete);
  soundness.crossing = soundness.crossing || is_certain || soundness.undecided;
  std::erase_if(soundness.defects, [](const Defect& defect) { return !is_of_shells(defect); });
  list_pairs(mesh, found.pairs, true, max_defects, soundness.defects);
  list_pairs(mesh, found.pairs, false, max_defects, soundness.defects);
}

// Whether some patch has a triangle outside the hulls of the rims, of those that clear_one() tries.
// Nothing where there are more than are tried: a soup may have a million patches.
std::optional<bool> some_is_clear(const RimCaps& caps) {
  constexpr std::size_t kMaxTries = std::size_t{1} << 15;
  const MeshView mesh(caps.closed());
  const std::span<const std::uint32_t> patch_of = caps.patch_of();
  std::vector<std::uint32_t> triangles;  // by their patches
  for (std::uint32_t t = 0; t < mesh.triangle_count(); ++t)
    if (patch_of[t] < caps.patch_count()) triangles.push_back(t);
  std::sort(triangles.begin(), triangles.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::pair(patch_of[a], a) < std::pair(patch_of[b], b);
  });
  std::size_t tries = 0;
  for (auto first = triangles.begin(), last = first; first != triangles.end(); first = last) {
    last = std::find_if(first, triangles.end(),
                        [&](std::uint32_t t) { return patch_of[t] != patch_of[*first]; });
    for (const std::uint32_t t : spread_over(std::span(first, last))) {
      if (caps.is_clear_of(centroid(mesh, t))) return true;
      if (++tries == kMaxTries) return std::nullopt;
    }
  }
  return false;
}

Soundness assess_open(const SoundnessInput& input, bool count_self_intersections,
                      std::size_t max_defects) {
  const RimCaps& caps = *input.caps;
  Soundness soundness;
  if (caps.patch_count() > 1) {
    const MeshView closed(caps.closed());
    const SoundnessInput with_caps{closed,          caps.shell_of(),    input.shell_count,
                                   caps.patch_of(), caps.patch_count(), &caps,
                                   input.max_looks};
    if (const std::optional<bool> is_clear = some_is_clear(caps))
      soundness =
          Assessment(with_caps, false, pair_limit_with_caps(closed, !*is_clear)).run(max_defects);
    else
      soundness.crossing = soundness.undecided = true;
  }
  if (count_self_intersections) add_pairs(input, max_defects, soundness);
  return soundness;
}

}  // namespace

Soundness assess_soundness(const SoundnessInput& input, bool count_self_intersections,
                           std::size_t max_defects) {
  if (input.caps != nullptr) return assess_open(input, count_self_intersections, max_defects);
  if (!count_self_intersections)
    return input.patch_count > 1 ? Assessment(input, false, pair_limit(input.mesh)).run(max_defects)
                                 : Soundness();
  Soundness within = Assessment(input, true, pair_limit(input.mesh)).run(max_defects);
  if (!within.crossing) return within;
  // Where a patch passes through itself, no shell that it touches has a level of its own. Which of
  // them are nested is what it is without that question.
  Soundness between;
  if (input.patch_count > 1)
    between = Assessment(input, false, pair_limit(input.mesh)).run(max_defects);
  within.nested = between.nested;
  within.opposed = between.opposed;
  within.defects = with_those_of_shells(between.defects, within.defects, max_defects);
  return within;
}

}  // namespace plimsoll
