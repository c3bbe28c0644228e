#include "overlap/overlap_interval.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <queue>
#include <utility>

#include "mesh/posed_vertex.h"
#include "proximity/winding_number.h"

namespace plimsoll {
namespace {

constexpr std::size_t kChildren = TriangleTree::kChildren;

struct Bounds {
  double low = 0, high = 0;
};

/// A box in the frame of a tree.
struct DoubleBox {
  Vec3 center, half;
};

/// A part of a surface below a node or in a leaf; or several whole ones on one side of the other
/// surface.
struct Part {
  std::uint8_t solid = 0;
  std::uint8_t level = 0;  ///< Of the node; that of leaves is the number of levels.
  std::uint32_t number = 0;
  DoubleBox box;
  Bounds inside;     ///< What it adds to six times the volume.
  double whole = 0;  ///< What it adds if it is inside.
  Vec3 normal = Vec3::Zero();
  double area_x2 = 0;
  bool is_done = false;             ///< Opened, asked, or joined by another.
  std::vector<std::uint32_t> near;  ///< Parts of the other surface whose boxes meet its box.
};

class Refinement {
 public:
  Refinement(const IntervalSolid& a, const IntervalSolid& b)
      : solids_{&a, &b}, maps_{FrameMap(b.posed, a.posed), FrameMap(a.posed, b.posed)} {
    for (std::size_t s = 0; s < 2; ++s) {
      const IntervalSolid& solid = *solids_[s];
      scale_[s] = std::fabs(solid.linear.determinant());
      cofactor_[s] = scale_[s] * solid.linear.inverse().transpose();
      apex_[s] = -(solid.linear.inverse() * solid.center);
      const BodyFrame& frame = solid.posed.tree->frame;
      const Box3& box = solid.posed.tree->box;
      const Vec3 low = frame.from_center(box.min()), high = frame.from_center(box.max());
      Part root;
      root.solid = static_cast<std::uint8_t>(s);
      root.box = {(low + high) / 2, (high - low) / 2};
      roots_[s] = root.box;
      for (std::size_t k = 0; k < kChildren; ++k) add_moments(root, k);
      parts_.push_back(std::move(root));
    }
    for (std::size_t s = 0; s < 2; ++s) {
      parts_[s].near = {static_cast<std::uint32_t>(1 - s)};
      bound(parts_[s], summed_areas(s));
      wait_for(static_cast<std::uint32_t>(s));
    }
  }

  /// Returns whether there was anything to do.
  bool step() {
    while (!waiting_.empty()) {
      const auto [width, number] = waiting_.top();
      waiting_.pop();
      if (parts_[number].is_done || width != width_of(parts_[number])) continue;
      if (parts_[number].near.empty())
        ask(number);
      else
        open(number);
      return true;
    }
    return false;
  }

  [[nodiscard]] VolumeInterval result() const {
    VolumeInterval all = known_;
    double size = known_size_;
    for (const Part& part : parts_) {
      if (part.is_done) continue;
      all.low_x6 += part.inside.low;
      all.high_x6 += part.inside.high;
      size += part.inside.high - part.inside.low;
      if (part.solid != 0) continue;
      all.normal += part.normal / 2;
      all.normal_error += part.area_x2 / 2;
    }
    const double room = 0x1p-40 * size;  // of the sums
    all.low_x6 -= room;
    all.high_x6 = std::min(all.high_x6 + room, 6 * common_box_volume());
    return all;
  }

 private:
  [[nodiscard]] const TriangleTree& tree(std::size_t s) const { return *solids_[s]->posed.tree; }
  static double width_of(const Part& part) { return part.inside.high - part.inside.low; }
  void wait_for(std::uint32_t number) { waiting_.push({width_of(parts_[number]), number}); }

  /// The volume that the boxes of both bodies share in the frame of either, whichever is less.
  [[nodiscard]] double common_box_volume() const {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t s = 0; s < 2; ++s) {
      const FloatBox other = mapped(s, roots_[1 - s]);
      double volume = scale_[s];
      for (int i = 0; i < 3; ++i) {
        const DoubleBox& own = roots_[s];
        const double high =
            std::min(own.center[i] + own.half[i], double{other.center[i]} + double{other.half[i]});
        const double low =
            std::max(own.center[i] - own.half[i], double{other.center[i]} - double{other.half[i]});
        volume *= std::max(high - low, 0.0);
      }
      least = std::min(least, volume);
    }
    return least * (1 + 0x1p-40);
  }

  /// Adds what the surface below child k of the part's node has.
  void add_moments(Part& part, std::size_t k) const {
    const IntervalSolid& solid = *solids_[part.solid];
    const std::size_t node = tree(part.solid).first[part.level] + part.number;
    const SurfaceMoments& moments = (*solid.moments)[kChildren * node + k];
    WetVolume sums{0, Vec3::Zero()};
    add_wet_patch(moments, apex_[part.solid], sums);
    part.whole += solid.sign * scale_[part.solid] * sums.volume / 3;
    part.normal += solid.sign * (cofactor_[part.solid] * Vec3::Map(moments.sum + kPatchNormal));
    part.area_x2 += solid.linear.col(0).squaredNorm() * moments.sum[kPatchArea];
  }

  [[nodiscard]] AreaParts summed_areas(std::size_t s) const {
    AreaParts all;
    for (std::size_t k = 0; k < kChildren; ++k)
      for (int i = 0; i < 3; ++i) {
        all.positive[i] += (*solids_[s]->areas)[k].positive[i] * (1 + 0x1p-20F);
        all.negative[i] += (*solids_[s]->areas)[k].negative[i] * (1 + 0x1p-20F);
      }
    return all;
  }

  /// Sets what the part adds whatever share of it is inside.
  void bound(Part& part, const AreaParts& areas) const {
    part.inside = {};
    for (int i = 0; i < 3; ++i) {
      const double up = std::max(part.box.center[i] + part.box.half[i] - apex_[part.solid][i], 0.0);
      const double down =
          std::max(apex_[part.solid][i] - part.box.center[i] + part.box.half[i], 0.0);
      part.inside.high += up * areas.positive[i] + down * areas.negative[i];
      part.inside.low -= down * areas.positive[i] + up * areas.negative[i];
    }
    if (solids_[part.solid]->sign < 0) part.inside = {-part.inside.high, -part.inside.low};
    part.inside.low *= scale_[part.solid];
    part.inside.high *= scale_[part.solid];
  }

  /// Sets what a part adds that is inside as a whole or outside.
  static void bound_whole(Part& part) {
    part.inside = {std::min(part.whole, 0.0), std::max(part.whole, 0.0)};
  }

  /// Around a box of the other solid, in the frame of solid s.
  [[nodiscard]] FloatBox mapped(std::size_t s, const DoubleBox& box) const {
    const FrameMap& map = maps_[s];
    const Vec3 center = map.linear * box.center + map.offset;
    const Vec3 half = map.linear.cwiseAbs() * box.half;
    FloatBox result;
    for (int i = 0; i < 3; ++i) {
      result.center[i] = static_cast<float>(center[i]);
      result.half[i] =
          static_cast<float>(half[i] + map.room + 0x1p-21 * std::fabs(center[i])) * (1 + 0x1p-20F);
    }
    return result;
  }

  void open(std::uint32_t number) {
    ++known_.opened;
    const Part part = std::move(parts_[number]);
    parts_[number].is_done = true;
    const std::size_t s = part.solid;
    const std::size_t node = tree(s).first[part.level] + part.number;
    const ChildBoxes& boxes = tree(s).boxes[node];
    unsigned there = 0;
    for (std::size_t k = 0; k < kChildren; ++k) there |= boxes.is_there(k) ? 1U << k : 0U;
    std::array<std::vector<std::uint32_t>, kChildren> near;
    for (const std::uint32_t other : part.near) {
      std::erase(parts_[other].near, number);
      const unsigned bits = meeting(mapped(s, parts_[other].box), boxes);
      for (std::size_t k = 0; k < kChildren; ++k)
        if ((bits >> k & 1U) != 0) near[k].push_back(other);
    }
    unsigned whole = there & meeting(mapped(s, roots_[1 - s]), boxes);  // else it is outside
    for (std::size_t k = 0; k < kChildren; ++k) {
      if (near[k].empty()) continue;
      whole &= ~(1U << k);
      const std::uint32_t child = add_child(part, k, boxes);
      bound(parts_[child], (*solids_[s]->areas)[kChildren * node + k]);
      for (const std::uint32_t other : near[k]) parts_[other].near.push_back(child);
      parts_[child].near = std::move(near[k]);
      if (parts_[child].level < tree(s).levels()) wait_for(child);
    }
    for (const std::uint32_t other : part.near)
      if (parts_[other].near.empty()) {
        bound_whole(parts_[other]);
        wait_for(other);
      }
    add_whole(part, whole, boxes);
  }

  std::uint32_t add_child(const Part& part, std::size_t k, const ChildBoxes& boxes) {
    const auto child = static_cast<std::uint32_t>(parts_.size());
    parts_.push_back(child_of(part, k, boxes));
    return child;
  }

  [[nodiscard]] Part child_of(const Part& part, std::size_t k, const ChildBoxes& boxes) const {
    Part child;
    child.solid = part.solid;
    child.level = part.level;
    child.number = part.number;
    add_moments(child, k);
    child.level = static_cast<std::uint8_t>(part.level + 1);
    child.number = static_cast<std::uint32_t>(kChildren * part.number + k);
    for (int i = 0; i < 3; ++i) {
      child.box.center[i] = boxes.center[i][k];
      child.box.half[i] = boxes.half[i][k];
    }
    return child;
  }

  /// Adds the children in `whole`, each with all that its box connects it with.
  void add_whole(const Part& part, unsigned whole, const ChildBoxes& boxes) {
    while (whole != 0) {
      unsigned group = whole & (~whole + 1), grown = 0;
      while (grown != group) {
        grown = group;
        for (std::size_t k = 0; k < kChildren; ++k)
          if ((grown >> k & 1U) != 0) group |= whole & meeting(boxes[k], boxes);
      }
      whole &= ~group;
      std::optional<Part> all;
      for (std::size_t k = 0; k < kChildren; ++k) {
        if ((group >> k & 1U) == 0) continue;
        Part child = child_of(part, k, boxes);
        if (!all) {
          all = std::move(child);
          continue;
        }
        all->whole += child.whole;
        all->normal += child.normal;
        all->area_x2 += child.area_x2;
      }
      bound_whole(*all);
      parts_.push_back(std::move(*all));
      wait_for(static_cast<std::uint32_t>(parts_.size() - 1));
    }
  }

  /// Finds out whether a whole part is inside.
  void ask(std::uint32_t number) {
    ++known_.asked;
    Part& part = parts_[number];
    const PosedTree& posed = solids_[part.solid]->posed;
    std::size_t leaf = part.number;
    for (std::size_t level = part.level; level < posed.tree->levels(); ++level) leaf *= kChildren;
    const Vec3 at = posed_vertex(posed.tree->corners(leaf, 0)[0], posed.world_from_mesh);
    part.is_done = true;
    if (winding_number(solids_[1 - part.solid]->posed, at) == 0) return;
    known_.low_x6 += part.whole;
    known_.high_x6 += part.whole;
    known_size_ += std::fabs(part.whole);
    if (part.solid == 0) known_.normal += part.normal;
  }

  std::array<const IntervalSolid*, 2> solids_;
  std::array<FrameMap, 2> maps_;   // from the other's frame to that of solid s
  std::array<double, 2> scale_{};  // what the map to local units does to volumes
  std::array<Mat3, 2> cofactor_;   // what it does to area vectors
  std::array<Vec3, 2> apex_;       // p, in the frame of solid s
  std::array<DoubleBox, 2> roots_;
  std::vector<Part> parts_;
  std::priority_queue<std::pair<double, std::uint32_t>> waiting_;
  VolumeInterval known_;
  double known_size_ = 0;
};

}  // namespace

VolumeInterval volume_interval(const IntervalSolid& a, const IntervalSolid& b,
                               const std::function<bool(std::size_t)>& is_over) {
  Refinement refinement(a, b);
  std::size_t steps = 0;
  while (!is_over(steps) && refinement.step()) ++steps;
  return refinement.result();
}

}  // namespace plimsoll
