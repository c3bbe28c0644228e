#include "tree/oriented_boxes.h"

#include <plimsoll/elementary.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <bit>
#include <limits>
#include <numbers>

#include "core/parallel.h"

namespace plimsoll {
namespace {

constexpr std::size_t kChildren = TriangleTree::kChildren;

/// The leaves below a child of a node on `level`.
struct Leaves {
  std::size_t begin, end;

  Leaves(const TriangleTree& tree, std::size_t level, std::size_t child)
      : begin(child), end(child + 1) {
    for (++level; level < tree.levels(); ++level) {
      begin *= kChildren;
      end *= kChildren;
    }
    end = std::min(end, tree.leaf_count());
  }
};

template <class Visit>
void for_each_corner(const TriangleTree& tree, const Leaves& leaves, const Visit& visit) {
  for (std::size_t leaf = leaves.begin; leaf < leaves.end; ++leaf)
    for (const auto& corner : tree.leaves[leaf].corner)
      for (std::size_t t = 0; t < tree.size_of(leaf); ++t)
        visit(Eigen::Map<const Vec3>(tree.vertices[corner[t]].x));
}

/// Columns of length 1, orthogonal.
Mat3 principal_axes(const TriangleTree& tree, const Leaves& leaves) {
  double count = 0;
  Vec3 sum = Vec3::Zero();
  for_each_corner(tree, leaves, [&](const Vec3& x) {
    sum += x;
    ++count;
  });
  const Vec3 middle = sum / count;
  Mat3 spread = Mat3::Zero();
  for_each_corner(tree, leaves, [&](const Vec3& x) {
    const Vec3 off = x - middle;
    spread += off * off.transpose();
  });
  return Eigen::SelfAdjointEigenSolver<Mat3>(spread).eigenvectors();
}

/// Turns the second and the third axis in their plane, to where the rectangle around the corners is
/// smallest of 16 in a quarter turn. Principal axes of a patch that is about as long as wide point
/// anywhere in its plane, and the rectangle may be twice as large as it need be. Floats will do.
void turn_in_plane(const TriangleTree& tree, const Leaves& leaves, Mat3& axes) {
  constexpr int kAngles = 16;
  using Numbers = Eigen::Array<float, kAngles, 1>;
  const auto angle = [](Eigen::Index i) {
    return static_cast<double>(i) * std::numbers::pi / (2 * kAngles);
  };
  static const Numbers kCosine = Numbers::NullaryExpr(
      [&](Eigen::Index i) { return static_cast<float>(elementary::cos(angle(i))); });
  static const Numbers kSine = Numbers::NullaryExpr(
      [&](Eigen::Index i) { return static_cast<float>(elementary::sin(angle(i))); });
  constexpr float kInfinite = std::numeric_limits<float>::infinity();
  Numbers low[2], high[2];
  for (int i = 0; i < 2; ++i) {
    low[i].setConstant(kInfinite);
    high[i].setConstant(-kInfinite);
  }
  const Vec3 origin =
      Eigen::Map<const Vec3>(tree.vertices[tree.leaves[leaves.begin].corner[0][0]].x);
  for_each_corner(tree, leaves, [&](const Vec3& x) {
    const Vec3 from_origin = x - origin;
    const auto u = static_cast<float>(axes.col(1).dot(from_origin));
    const auto v = static_cast<float>(axes.col(2).dot(from_origin));
    const Numbers at[2] = {u * kCosine + v * kSine, v * kCosine - u * kSine};
    for (int i = 0; i < 2; ++i) {
      low[i] = low[i].min(at[i]);
      high[i] = high[i].max(at[i]);
    }
  });
  Eigen::Index best = 0;
  ((high[0] - low[0]) * (high[1] - low[1])).minCoeff(&best);
  const auto [sine, cosine] = elementary::sin_cos(angle(best));
  const Vec3 second = axes.col(1), third = axes.col(2);
  axes.col(1) = cosine * second + sine * third;
  axes.col(2) = cosine * third - sine * second;
}

/// No smaller than `x`, which is not negative: what float loses, the next larger float makes up
/// for.
float rounded_up(double x) {
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(static_cast<float>(x)) + 1);
}

/// Sets center and axes to the nearest floats. Not inlined: where GCC 12 sees how a double goes to
/// float and back, its vectorizer of straight-line code leaves the rounding out.
[[gnu::noinline]] void set_rounded(const Vec3& center, const Mat3& axes, OrientedBox& box) {
  for (int i = 0; i < 3; ++i) {
    box.center[i] = static_cast<float>(center[i]);
    for (int j = 0; j < 3; ++j) box.axis[j][i] = static_cast<float>(axes(i, j));
  }
}

/// The half sizes hold for center and axes as they are rounded to float. Solving for a corner's
/// coordinates along the axes costs less than 2^-48 of its distance from the center.
OrientedBox box_around(const TriangleTree& tree, const Leaves& leaves) {
  Mat3 turned = principal_axes(tree, leaves);
  turn_in_plane(tree, leaves, turned);
  Box3 extent;
  for_each_corner(tree, leaves, [&](const Vec3& x) { extent.extend(turned.transpose() * x); });
  OrientedBox box;
  set_rounded(turned * extent.center(), turned, box);
  const Vec3 center(box.center[0], box.center[1], box.center[2]);
  Mat3 axes;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) axes(i, j) = box.axis[j][i];
  const Mat3 along = axes.inverse();
  Vec3 half = Vec3::Zero();
  double reach = 0;
  for_each_corner(tree, leaves, [&](const Vec3& x) {
    const Vec3 off = x - center;
    half = half.cwiseMax((along * off).cwiseAbs());
    reach = std::max(reach, off.cwiseAbs().maxCoeff());
  });
  for (int i = 0; i < 3; ++i) box.half[i] = rounded_up(half[i] + 0x1p-48 * reach);
  return box;
}

constexpr OrientedBox kNoBox{{0, 0, 0}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {-1, -1, -1}};

}  // namespace

void set_child(OrientedBoxes& boxes, std::size_t k, const OrientedBox& box) {
  for (int i = 0; i < 3; ++i) {
    boxes.center[i][k] = box.center[i];
    boxes.half[i][k] = box.half[i];
    for (int j = 0; j < 3; ++j) boxes.axis[j][i][k] = box.axis[j][i];
  }
}

std::vector<OrientedBoxes> oriented_boxes(const TriangleTree& tree) {
  std::vector<OrientedBoxes> boxes(tree.boxes.size());
  for (std::size_t level = 0; level < tree.levels(); ++level)
    parallel_for_each_index(kChildren * tree.width(level), [&](std::size_t child) {
      OrientedBoxes& node = boxes[tree.first[level] + child / kChildren];
      const bool is_there = child < tree.width(level + 1);
      set_child(node, child % kChildren,
                is_there ? box_around(tree, Leaves(tree, level, child)) : kNoBox);
    });
  return boxes;
}

}  // namespace plimsoll
