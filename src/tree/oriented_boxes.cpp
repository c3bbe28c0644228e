#include "tree/oriented_boxes.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

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

/// No smaller than `x`, which is not negative: what float loses, the next larger float makes up
/// for.
float rounded_up(double x) {
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(static_cast<float>(x)) + 1);
}

/// The half sizes hold for center and axes as they are rounded to float. Solving for a corner's
/// coordinates along the axes costs less than 2^-48 of its distance from the center.
OrientedBox box_around(const TriangleTree& tree, const Leaves& leaves) {
  const Mat3 turned = principal_axes(tree, leaves);
  Box3 extent;
  for_each_corner(tree, leaves, [&](const Vec3& x) { extent.extend(turned.transpose() * x); });
  const Vec3 middle = turned * extent.center();
  OrientedBox box;
  Vec3 center;
  Mat3 axes;
  for (int i = 0; i < 3; ++i) {
    center[i] = box.center[i] = static_cast<float>(middle[i]);
    for (int j = 0; j < 3; ++j) axes(i, j) = box.axis[j][i] = static_cast<float>(turned(i, j));
  }
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

void set_child(OrientedBoxes& boxes, std::size_t k, const OrientedBox& box) {
  for (int i = 0; i < 3; ++i) {
    boxes.center[i][k] = box.center[i];
    boxes.half[i][k] = box.half[i];
    for (int j = 0; j < 3; ++j) boxes.axis[j][i][k] = box.axis[j][i];
  }
}

/// A vector of one pair of boxes.
using Vec = float[3];

float dot(const Vec& a, const Vec& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

float clamped(float x, float most) { return std::min(std::max(x, -most), most); }

/// The point of a box about 0 that is nearly nearest to `x`.
void project(const Vec (&axis)[3], const Vec& half, const Vec& x, Vec& nearest) {
  Vec along;
  for (int j = 0; j < 3; ++j) along[j] = clamped(dot(axis[j], x), half[j]);
  for (int i = 0; i < 3; ++i)
    nearest[i] = along[0] * axis[0][i] + along[1] * axis[1][i] + along[2] * axis[2][i];
}

/// How far a box about 0 goes along `n`.
float extent_along(const Vec& n, const Vec (&axis)[3], const Vec& half) {
  return half[0] * std::fabs(dot(n, axis[0])) + half[1] * std::fabs(dot(n, axis[1])) +
         half[2] * std::fabs(dot(n, axis[2]));
}

constexpr OrientedBox kNoBox{{0, 0, 0}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {-1, -1, -1}};

}  // namespace

OrientedBox OrientedBoxes::operator[](std::size_t k) const {
  OrientedBox box;
  for (int i = 0; i < 3; ++i) {
    box.center[i] = center[i][k];
    box.half[i] = half[i][k];
    for (int j = 0; j < 3; ++j) box.axis[j][i] = axis[j][i][k];
  }
  return box;
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

// With u = 2^-24, each of the three terms of the bound costs at most 8 u of |n| (|d| + |h| + |h'|),
// the differences of the centers and all sums included; the root and the quotient 3 u more.
void gaps_from_below(const OrientedBox& box, const OrientedBoxes& boxes,
                     float (&gaps)[TriangleTree::kChildren]) {
  constexpr float kRounding = 0x1p-19F;
  for (std::size_t k = 0; k < kChildren; ++k) {
    Vec d, half, axis[3];
    for (int i = 0; i < 3; ++i) {
      d[i] = boxes.center[i][k] - box.center[i];
      half[i] = boxes.half[i][k];
      for (int j = 0; j < 3; ++j) axis[j][i] = boxes.axis[j][i][k];
    }
    Vec on_one, on_other = {0, 0, 0}, x;
    for (int round = 0; round < 2; ++round) {
      for (int i = 0; i < 3; ++i) x[i] = d[i] + on_other[i];
      project(box.axis, box.half, x, on_one);
      for (int i = 0; i < 3; ++i) x[i] = on_one[i] - d[i];
      project(axis, half, x, on_other);
    }
    // Of about 1, so that no square over- or underflows.
    Vec n;
    for (int i = 0; i < 3; ++i) n[i] = d[i] + on_other[i] - on_one[i];
    const float largest = std::max(std::max(std::fabs(n[0]), std::fabs(n[1])), std::fabs(n[2]));
    const float scale = 1 / std::max(largest, std::numeric_limits<float>::min());
    for (float& c : n) c *= scale;
    const float between =
        dot(n, d) - extent_along(n, box.axis, box.half) - extent_along(n, axis, half);
    const float sizes = std::fabs(d[0]) + std::fabs(d[1]) + std::fabs(d[2]) + box.half[0] +
                        box.half[1] + box.half[2] + half[0] + half[1] + half[2];
    const float gap = between / std::sqrt(dot(n, n)) - kRounding * sizes;
    gaps[k] = half[0] < 0 ? std::numeric_limits<float>::infinity() : gap > 0 ? gap : 0;
  }
}

}  // namespace plimsoll
