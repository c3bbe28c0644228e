#include "spheres/cover_proof.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>

#include "core/parallel.h"
#include "spheres/clearance.h"
#include "spheres/cube_corners.h"

namespace plimsoll {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr std::size_t kParts = 256;  // pieces of work, for threads

using Corners = std::array<Vec3, 3>;

/// A node of a tree.
struct TreeNode {
  std::size_t level, number;
};

/// Of the leaves of a tree, or the nodes of the first level that has enough of them.
std::vector<TreeNode> parts_of(const TriangleTree& tree) {
  std::size_t level = 0;
  while (level < tree.levels() && tree.width(level) < kParts) ++level;
  std::vector<TreeNode> parts(tree.width(level));
  for (std::size_t k = 0; k < parts.size(); ++k) parts[k] = {level, k};
  return parts;
}

constexpr double kSharp = 1e-3;  // of an excess: how closely it is found

/// What threads find of a part.
struct Measured {
  double upper = 0;
  std::vector<Vec3> beyond;
  bool is_exhausted = false;
};

/// The balls that may cover something of a region first, fewer for each region in another: a stack
/// of ranges.
class NearBalls {
 public:
  struct Range {
    std::size_t begin, end;
  };
  struct Nearer {
    Range balls;    ///< Those that may cover something of it first.
    double middle;  ///< The excess at which its center is covered,
    double upper;   ///< and one at which one ball covers all of it.
  };

  explicit NearBalls(std::span<const GrowingBall> balls) : balls_(balls), numbers_(balls.size()) {
    std::iota(numbers_.begin(), numbers_.end(), 0);
  }

  [[nodiscard]] Range all() const { return {0, balls_.size()}; }
  [[nodiscard]] std::span<const std::uint32_t> of(Range range) const {
    return std::span(numbers_).subspan(range.begin, range.end - range.begin);
  }
  [[nodiscard]] const GrowingBall& operator[](std::uint32_t number) const { return balls_[number]; }

  /// Of those in `range`, for a region that lies within `reach` of its center.
  Nearer nearer(Range range, const Vec3& center, double reach) {
    Nearer found{{numbers_.size(), 0}, kInfinite, kInfinite};
    lowest_.clear();
    for (const std::uint32_t number : of(range)) {
      const GrowingBall& ball = balls_[number];
      const double distance = (center - ball.center).norm();
      lowest_.push_back(ball.excess(distance - reach));
      found.middle = std::min(found.middle, ball.excess(distance));
      found.upper = std::min(found.upper, ball.excess(distance + reach));
    }
    for (std::size_t k = range.begin; k < range.end; ++k) {
      const double lowest = lowest_[k - range.begin];
      if (lowest > found.upper || lowest == kInfinite) continue;
      const std::uint32_t number = numbers_[k];
      numbers_.push_back(number);
    }
    found.balls.end = numbers_.size();
    return found;
  }
  /// The last range, and those after it.
  void drop(Range range) { numbers_.resize(range.begin); }

 private:
  std::span<const GrowingBall> balls_;
  std::vector<std::uint32_t> numbers_;
  std::vector<double> lowest_;  // of the balls of one range: where each begins to cover
};

/// Some points that are covered late, apart from each other.
class PointsBeyond {
 public:
  explicit PointsBeyond(double asked) : asked_(asked) {}

  void note(const Vec3& x, double excess) {
    constexpr std::size_t kMost = 64;
    constexpr double kApart = 0.1;  // of the excess
    if (!(excess > asked_) || excess == kInfinite || points_.size() == kMost) return;
    for (const Vec3& other : points_)
      if ((other - x).norm() < kApart * excess) return;
    points_.push_back(x);
  }
  [[nodiscard]] const std::vector<Vec3>& points() const { return points_; }

 private:
  double asked_;
  std::vector<Vec3> points_;
};

/// A part of the surface.
class SurfacePart {
 public:
  SurfacePart(const TriangleTree& tree, std::span<const GrowingBall> balls, double known,
              double asked, std::size_t max_pieces)
      : tree_(tree), near_(balls), lower_(known), beyond_(asked), pieces_left_(max_pieces) {}

  /// Finds the excess.
  void measure(const TreeNode& node) {
    visit(node, near_.all(),
          [&](const Corners& corner, NearBalls::Range balls) { measure(corner, balls); });
  }
  /// At which it is covered.
  [[nodiscard]] double upper() const { return std::max(lower_, upper_); }
  [[nodiscard]] bool is_exhausted() const { return pieces_left_ == 0; }
  [[nodiscard]] const std::vector<Vec3>& beyond() const { return beyond_.points(); }

  /// Finds which balls cover the part at that excess, and how large they must be.
  void assign(const TreeNode& node, double excess) {
    lower_ = -kInfinite;  // nothing is left out
    radii_.assign(near_.all().end, 0);
    visit(node, near_.all(),
          [&](const Corners& corner, NearBalls::Range balls) { assign(corner, balls, excess); });
  }
  [[nodiscard]] const std::vector<double>& radii() const { return radii_; }

 private:
  template <class Visit>
  void visit(const TreeNode& node, NearBalls::Range balls, const Visit& visit_triangle) {
    if (node.level == tree_.levels()) {
      for (std::size_t t = 0; t < tree_.size_of(node.number); ++t)
        visit_triangle(tree_.unit_corners(tree_.leaves[node.number], t), balls);
      return;
    }
    const ChildBoxes& boxes = tree_.boxes[tree_.first[node.level] + node.number];
    const std::size_t first = TriangleTree::kChildren * node.number;
    const std::size_t count =
        std::min(TriangleTree::kChildren, tree_.width(node.level + 1) - first);
    for (std::size_t k = 0; k < count; ++k) {
      const FloatBox box = boxes[k];
      const Vec3 center(box.center[0], box.center[1], box.center[2]);
      const double reach = Vec3(box.half[0], box.half[1], box.half[2]).norm() * (1 + 0x1p-20);
      const NearBalls::Nearer nearer = near_.nearer(balls, center, reach);
      if (nearer.upper > lower_) visit({node.level + 1, first + k}, nearer.balls, visit_triangle);
      near_.drop(nearer.balls);
    }
  }

  /// The excess at which one ball covers the triangle, and which.
  [[nodiscard]] std::pair<double, std::uint32_t> whole(const Corners& corner,
                                                       NearBalls::Range balls) const {
    std::pair<double, std::uint32_t> least{kInfinite, 0};
    for (const std::uint32_t number : near_.of(balls)) {
      const double excess = near_[number].excess(radius_around(number, corner));
      if (excess < least.first) least = {excess, number};
    }
    return least;
  }
  [[nodiscard]] double radius_around(std::uint32_t number, const Corners& corner) const {
    double squared = 0;
    for (const Vec3& x : corner)
      squared = std::max(squared, (x - near_[number].center).squaredNorm());
    return std::sqrt(squared);
  }

  void measure(const Corners& corner, NearBalls::Range balls) {
    for (const Vec3& x : corner) {
      double least = kInfinite;
      for (const std::uint32_t number : near_.of(balls))
        least = std::min(least, near_[number].excess((x - near_[number].center).norm()));
      lower_ = std::max(lower_, least);
      beyond_.note(x, least);
    }
    if (lower_ == kInfinite) return;
    const double upper = whole(corner, balls).first;
    if (upper <= lower_ * (1 + kSharp)) {
      upper_ = std::max(upper_, upper);
      return;
    }
    halve(corner, balls,
          [&](const Corners& half, NearBalls::Range fewer) { measure(half, fewer); });
  }

  void assign(const Corners& corner, NearBalls::Range balls, double excess) {
    if (const auto [least, ball] = whole(corner, balls); least <= excess) {
      radii_[ball] = std::max(radii_[ball], radius_around(ball, corner));
      return;
    }
    halve(corner, balls,
          [&](const Corners& half, NearBalls::Range fewer) { assign(half, fewer, excess); });
  }

  template <class Visit>
  void halve(const Corners& corner, NearBalls::Range balls, const Visit& visit_half) {
    if (pieces_left_ == 0) return;
    --pieces_left_;
    std::size_t longest = 0;
    double most = -1;
    for (std::size_t k = 0; k < 3; ++k) {
      const double length = (corner[(k + 1) % 3] - corner[k]).squaredNorm();
      if (length > most) {
        most = length;
        longest = k;
      }
    }
    const Vec3 &a = corner[longest], &b = corner[(longest + 1) % 3], &c = corner[(longest + 2) % 3];
    const Vec3 middle = (a + b) / 2;
    for (const Corners& half : {Corners{a, middle, c}, Corners{middle, b, c}}) {
      const Vec3 center = (half[0] + half[1] + half[2]) / 3;
      double reach = 0;
      for (const Vec3& x : half) reach = std::max(reach, (x - center).norm());
      const NearBalls::Range fewer = near_.nearer(balls, center, reach * (1 + 0x1p-40)).balls;
      visit_half(half, fewer);
      near_.drop(fewer);
    }
  }

  const TriangleTree& tree_;
  NearBalls near_;
  double lower_, upper_ = 0;
  PointsBeyond beyond_;
  std::size_t pieces_left_;
  std::vector<double> radii_;
};

/// The largest excess of a corner of each leaf.
double excess_of_corners(const TriangleTree& tree, std::span<const GrowingBall> balls) {
  std::vector<double> excess(tree.leaf_count());
  parallel_for_each_index(excess.size(), 256, [&](std::size_t leaf) {
    const Vec3 corner = tree.unit_corners(tree.leaves[leaf], 0)[0];
    double least = kInfinite;
    for (const GrowingBall& ball : balls)
      least = std::min(least, ball.excess((corner - ball.center).norm()));
    excess[leaf] = least;
  });
  return *std::max_element(excess.begin(), excess.end());
}

}  // namespace

std::optional<SurfaceCover> cover_surface(const UnitSolid& solid,
                                          std::span<const GrowingBall> balls, double excess_asked,
                                          std::size_t max_pieces) {
  const TriangleTree& tree = solid.tree;
  // Corners of halves are rounded, by less than this in all, and distances from them.
  const double rounding = 0x1p-44 * tree.frame.reach;
  SurfaceCover cover;
  cover.radii.assign(balls.size(), 0);
  const double known = excess_of_corners(tree, balls);
  cover.excess = known;
  if (known == kInfinite) return cover;
  const std::vector<TreeNode> parts = parts_of(tree);
  std::vector<Measured> measured(parts.size());
  const std::size_t max_of_part = max_pieces / parts.size();
  parallel_for_each_index(parts.size(), [&](std::size_t k) {
    SurfacePart part(tree, balls, known, excess_asked, max_of_part);
    part.measure(parts[k]);
    measured[k] = {part.upper(), part.beyond(), part.is_exhausted()};
  });
  for (const Measured& part : measured) {
    if (part.is_exhausted && part.upper < kInfinite) return std::nullopt;
    cover.excess = std::max(cover.excess, part.upper);
    cover.beyond.insert(cover.beyond.end(), part.beyond.begin(), part.beyond.end());
  }
  if (cover.excess == kInfinite) return cover;
  std::vector<std::vector<std::pair<std::uint32_t, double>>> radii(parts.size());
  parallel_for_each_index(parts.size(), [&](std::size_t k) {
    SurfacePart part(tree, balls, known, kInfinite, std::numeric_limits<std::size_t>::max());
    part.assign(parts[k], cover.excess);
    for (std::uint32_t i = 0; i < balls.size(); ++i)
      if (part.radii()[i] > 0) radii[k].emplace_back(i, part.radii()[i]);
  });
  for (const auto& some : radii)
    for (const auto& [ball, radius] : some)
      cover.radii[ball] = std::max(cover.radii[ball], radius * (1 + 0x1p-50) + rounding);
  return cover;
}

namespace {

struct Cube {
  Vec3 center;
  double half;
  bool is_inside;  // all of it
};

Cube part_of(const Cube& cube, int number) {
  return {cube_corner(cube.center, cube.half / 2, number), cube.half / 2, cube.is_inside};
}

/// A part of space with the balls that may cover something of it first.
class SolidPart {
 public:
  SolidPart(const UnitSolid& solid, std::span<const GrowingBall> balls, double known,
            double tolerance, double asked, std::size_t max_cubes)
      : solid_(solid),
        near_(balls),
        tolerance_(tolerance),
        lower_(known),
        upper_(known),
        beyond_(asked),
        cubes_left_(max_cubes) {}

  void measure(const Cube& cube) { measure(cube, near_.all()); }
  [[nodiscard]] double upper() const { return upper_; }
  [[nodiscard]] const std::vector<Vec3>& beyond() const { return beyond_.points(); }
  [[nodiscard]] bool is_exhausted() const { return cubes_left_ == 0; }

 private:
  void measure(Cube cube, NearBalls::Range all) {
    const double diagonal = std::sqrt(3) * cube.half * (1 + 0x1p-40);
    const NearBalls::Nearer nearer = near_.nearer(all, cube.center, diagonal);
    if (nearer.upper > lower_ && !is_outside(cube, diagonal)) {
      if (cube.is_inside) {
        lower_ = std::max(lower_, nearer.middle);
        beyond_.note(cube.center, nearer.middle);
      }
      double upper = nearer.upper;
      if (upper > lower_ + tolerance_)
        upper = std::min(upper, upper_of_corners(cube, nearer.balls));
      if (upper <= lower_ + tolerance_)
        upper_ = std::max(upper_, upper);
      else
        cut(cube, nearer.balls);
    }
    near_.drop(nearer.balls);
  }

  /// The excess at which one ball covers the solid's part in the cube, by its corners; infinite
  /// where there are too many.
  [[nodiscard]] double upper_of_corners(const Cube& cube, NearBalls::Range balls) const {
    std::optional<std::vector<Vec3>> corners;
    if (cube.is_inside)
      corners.emplace();
    else
      corners = surface_corners(solid_.tree, cube.center, cube.half);
    if (!corners) return kInfinite;
    std::array<std::optional<bool>, 8> is_in_solid;  // found where it matters
    double upper = kInfinite;
    for (const std::uint32_t number : near_.of(balls)) {
      const Vec3& center = near_[number].center;
      double farthest = 0;
      for (const Vec3& corner : *corners) farthest = std::max(farthest, (corner - center).norm());
      for (int k = 0; k < 8; ++k) {
        const Vec3 corner = cube_corner(cube.center, cube.half, k);
        const double distance = (corner - center).norm();
        if (distance <= farthest || near_[number].excess(farthest) >= upper) continue;
        std::optional<bool>& is_in = is_in_solid[static_cast<std::size_t>(k)];
        if (!is_in) is_in = cube.is_inside || solid_.contains(corner);
        if (*is_in) farthest = distance;
      }
      farthest += kCornerRounding * solid_.tree.frame.reach;
      upper = std::min(upper, near_[number].excess(farthest));
    }
    return upper;
  }

  /// All of it. Learns whether all of it is inside.
  bool is_outside(Cube& cube, double diagonal) const {
    if (cube.is_inside || nearest_wall(solid_.tree, cube.center, diagonal).found()) return false;
    cube.is_inside = solid_.contains(cube.center);
    return !cube.is_inside;
  }

  void cut(const Cube& cube, NearBalls::Range balls) {
    if (cubes_left_ == 0) return;
    --cubes_left_;
    for (int part = 0; part < 8; ++part) measure(part_of(cube, part), balls);
  }

  const UnitSolid& solid_;
  NearBalls near_;
  double tolerance_, lower_, upper_;
  PointsBeyond beyond_;
  std::size_t cubes_left_;
};

}  // namespace

std::optional<SolidCover> cover_solid(const UnitSolid& solid, std::span<const GrowingBall> balls,
                                      double known, double tolerance, double excess_asked,
                                      std::size_t max_cubes) {
  std::vector<Cube> parts{{Vec3::Zero(), solid.tree.frame.reach * (1 + 0x1p-20), false}};
  for (int level = 0; level < 3; ++level) {
    std::vector<Cube> smaller;
    for (const Cube& cube : parts)
      for (int k = 0; k < 8; ++k) smaller.push_back(part_of(cube, k));
    parts = std::move(smaller);
  }
  std::vector<Measured> measured(parts.size());
  parallel_for_each_index(parts.size(), [&](std::size_t k) {
    SolidPart part(solid, balls, known, tolerance, excess_asked, max_cubes / parts.size());
    part.measure(parts[k]);
    measured[k] = {part.upper(), part.beyond(), part.is_exhausted()};
  });
  SolidCover cover{.excess = known, .beyond = {}};
  for (const Measured& part : measured) {
    if (part.is_exhausted) return std::nullopt;
    cover.excess = std::max(cover.excess, part.upper);
    cover.beyond.insert(cover.beyond.end(), part.beyond.begin(), part.beyond.end());
  }
  return cover;
}

}  // namespace plimsoll
