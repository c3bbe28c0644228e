// The potentially colliding set [Govindaraju2004, sec. 3.1 and 4.2], by any renderer.
//
// Along one axis, bodies are asked about and drawn one after the other, in the order of the list
// and then against it: a part is hidden if some fragment of it lies no nearer than what was drawn
// before at that pixel. A part that is hidden in neither order lies in front of all others where it
// has fragments, touches none and leaves the set. The second order asks only about those that the
// first found fully visible. Views follow each other along x, y and z until none leaves any more.
// What lies behind all others touches none either: every other round may look against the axes.
//
// A part that is fully visible in the first order touches no body earlier in the list, and in the
// second no later one. If that is remembered for the other views and rounds, as in Quick-CULLIDE
// [Govindaraju2005], each order has to ask only about parts that may still touch an earlier body of
// it, to draw only those that may still touch a later one, and two views together may take a part
// away.
//
// A Renderer has:
//   void load(const CullScene&, std::span<const CullPart>, const ViewVolume&, CullLevel);
//   void start_view(int axis, bool is_backward);      // forgets what was drawn and asked
//   void ask(std::size_t part);                // about part number `part` of those loaded
//   void draw(std::size_t first, std::size_t count);  // these parts
//   bool is_hidden(std::size_t part);          // of one that was asked about in this view
//   bool is_exhausted();  // it may draw no more, and what it says means nothing
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "cull/cull_scene.h"
#include "cull/triangle_box.h"
#include "cull/view_volume.h"

namespace plimsoll {

/// What is told after each view.
using CullObserver =
    std::function<void(int axis, const ViewVolume& volume, std::span<const CullPart> left)>;

template <class Renderer>
class CollidingSet {
 public:
  CollidingSet(Renderer& renderer, const CullScene& scene, CullLevel level, bool remembers,
               std::vector<CullPart> parts)
      : renderer_(renderer),
        scene_(scene),
        level_(level),
        remembers_(remembers),
        parts_(std::move(parts)) {}

  /// Parts of one body follow each other.
  [[nodiscard]] const std::vector<CullPart>& parts() const { return parts_; }

  /// One view along each axis, or against it. Returns whether anything was learned by which more
  /// may leave. `within` is in units of the scene.
  bool shrink(bool is_backward, double within, int pixels, double fattening, CullWork& work,
              const CullObserver& observe) {
    if (!has_two_bodies()) {
      parts_.clear();
      return false;
    }
    if (remembers_)
      for (CullPart& part : parts_) {
        if (part.body == parts_.front().body) part.may_touch[0] = false;
        if (part.body == parts_.back().body) part.may_touch[1] = false;
      }
    const Vec3 center = center_of_corners();
    const ViewVolume volume = view_volume(center, reach_from(center), within, pixels, fattening);
    renderer_.load(scene_, parts_, volume, level_);
    loaded_.resize(parts_.size());
    for (std::size_t i = 0; i < loaded_.size(); ++i) loaded_[i] = i;
    ++work.rounds;
    bool has_told = false;
    for (int axis = 0; axis < 3 && !parts_.empty(); ++axis) {
      has_told = look_along(axis, is_backward, work) || has_told;
      if (observe) observe(axis, volume, parts_);
    }
    return has_told;
  }

 private:
  struct Run {
    std::size_t begin, end;  // of parts of one body
  };

  [[nodiscard]] bool has_two_bodies() const {
    return !parts_.empty() && parts_.front().body != parts_.back().body;
  }

  /// Calls visit(corners) for each triangle.
  template <class Visit>
  void visit_triangles(const Visit& visit) const {
    for (const CullPart& part : parts_)
      for (std::size_t t = part.first; t < part.first + part.count; ++t) visit(scene_.corners[t]);
  }

  [[nodiscard]] Vec3 center_of_corners() const {
    Box3 box;
    visit_triangles([&](const std::array<Vec3, 3>& corners) {
      for (const Vec3& p : corners) box.extend(p);
    });
    return box.min() / 2 + box.max() / 2;
  }

  /// How far rectangles around triangles reach from a point, along an axis.
  [[nodiscard]] double reach_from(const Vec3& center) const {
    double reach = 0;
    visit_triangles([&](const std::array<Vec3, 3>& corners) {
      const TriangleBox box = box_around(from(center, corners));
      reach = std::max(reach, (box.center.cwiseAbs() + box.reach()).maxCoeff());
    });
    return reach;
  }

  [[nodiscard]] std::vector<Run> runs() const {
    std::vector<Run> runs;
    for (std::size_t i = 0; i < parts_.size(); ++i)
      if (i == 0 || parts_[i].body != parts_[i - 1].body)
        runs.push_back({i, i + 1});
      else
        runs.back().end = i + 1;
    return runs;
  }

  /// Whether that told anything about a part.
  bool look_along(int axis, bool is_backward, CullWork& work) {
    if (!remembers_)
      for (CullPart& part : parts_) part.may_touch = {true, true};
    std::vector<Run> order = runs();
    bool has_told = false;
    for (std::size_t pass = 0; pass < 2; ++pass) {
      const auto is_asked = [&](const CullPart& part) {
        return part.may_touch[pass] && (remembers_ || pass == 0 || !part.may_touch[0]);
      };
      renderer_.start_view(axis, is_backward);
      for (const Run& run : order) {
        for (std::size_t i = run.begin; i < run.end; ++i)
          if (is_asked(parts_[i])) ask(i, work);
        draw(run, pass, work);
      }
      for (std::size_t i = 0; i < parts_.size(); ++i)
        if (is_asked(parts_[i]) && !renderer_.is_hidden(loaded_[i])) {
          parts_[i].may_touch[pass] = false;
          has_told = true;
        }
      std::reverse(order.begin(), order.end());
    }
    std::size_t left = 0;
    for (std::size_t i = 0; i < parts_.size(); ++i)
      if (parts_[i].may_touch[0] || parts_[i].may_touch[1]) {
        parts_[left] = parts_[i];
        loaded_[left++] = loaded_[i];
      }
    const bool has_left = left < parts_.size();
    parts_.resize(left);
    loaded_.resize(left);
    if (!has_two_bodies()) parts_.clear();  // there is nothing to touch
    return has_left || (remembers_ && has_told);
  }

  void ask(std::size_t i, CullWork& work) {
    renderer_.ask(loaded_[i]);
    ++work.queries;
    work.asked_triangles += parts_[i].count;
  }

  /// Those that parts may touch that are asked about later in this pass.
  void draw(const Run& run, std::size_t pass, CullWork& work) {
    const auto is_drawn = [&](std::size_t i) {
      return i < run.end && (!remembers_ || parts_[i].may_touch[1 - pass]);
    };
    for (std::size_t begin = run.begin; begin < run.end;) {
      std::size_t end = begin;
      for (; is_drawn(end) && loaded_[end] == loaded_[begin] + (end - begin); ++end)
        work.drawn_triangles += parts_[end].count;
      if (end > begin) renderer_.draw(loaded_[begin], end - begin);
      begin = std::max(end, begin + 1);
    }
  }

  Renderer& renderer_;
  const CullScene& scene_;
  CullLevel level_;
  bool remembers_;
  std::vector<CullPart> parts_;
  std::vector<std::size_t> loaded_;  // which part of those loaded each is
};

/// All of [Govindaraju2004, sec. 4.2] but for the exact tests: bodies, then parts of those that are
/// left; and then, beyond the paper, triangles. Means nothing where the renderer is exhausted.
/// Precondition: the options are in their ranges.
template <class Renderer>
[[nodiscard]] Culling cull_with(Renderer& renderer, const CullScene& scene,
                                const CullOptions& options, double fattening) {
  // Nothing in the scene is farther from anything than four times its reach.
  const double within =
      std::min(times_power_of_two(options.within, -scene.frame.exponent), 4 * scene.frame.reach);
  Culling culling;
  culling.within = options.within;
  std::vector<CullPart> left = scene.bodies;
  const bool is_far = options.method == CullMethod::kFar;
  std::vector<CullLevel> levels{CullLevel::kBodies, CullLevel::kParts};
  if (is_far && options.refines_triangles) levels.push_back(CullLevel::kTriangles);
  for (const CullLevel level : levels) {
    if (level == CullLevel::kParts) left = scene.cut(left, options.part_triangles);
    if (level == CullLevel::kTriangles) left = scene.cut(left, 1);
    CollidingSet<Renderer> set(renderer, scene, level, is_far && options.remembers_passes,
                               std::move(left));
    std::size_t round = 0;
    bool is_backward = false;
    const auto keep = [&](int axis, const ViewVolume& volume, std::span<const CullPart> parts) {
      const double unit = times_power_of_two(1.0, scene.frame.exponent);
      culling.views.push_back({level, static_cast<int>(round), axis, is_backward,
                               scene.frame.to_meters(volume.center), volume.half_side * unit,
                               volume.radius * unit, scene.numbers_of(parts)});
    };
    const bool turns = is_far && options.from_both_ends;
    // Ends when neither direction tells anything.
    for (int idle = 0; round < options.most_rounds && idle < (turns ? 2 : 1); ++round) {
      if (renderer.is_exhausted()) return culling;
      is_backward = turns && round % 2 == 1;
      const bool has_told =
          set.shrink(is_backward, within, options.resolution, fattening, culling.work,
                     options.keeps_views ? CullObserver(keep) : CullObserver());
      idle = has_told ? 0 : idle + 1;
    }
    left = set.parts();
  }
  culling.surviving = scene.numbers_of(left);
  return culling;
}

}  // namespace plimsoll
