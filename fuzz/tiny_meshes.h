// Meshes of a few triangles, their poses and what is asked of them, made of any bytes: coordinates
// of one lattice, of any bits, one step beside a lattice, or of each by turns; corners twice.
#pragma once

#include <plimsoll/mesh.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/shape.h>
#include <plimsoll/submersion.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <vector>

namespace plimsoll::fuzz {

/// Gives bytes from the first on, and 0 after the last.
class Bytes {
 public:
  explicit Bytes(std::span<const std::uint8_t> bytes) : left_(bytes) {}

  [[nodiscard]] std::uint8_t byte() {
    if (left_.empty()) return 0;
    const std::uint8_t first = left_.front();
    left_ = left_.subspan(1);
    return first;
  }
  [[nodiscard]] int small() { return static_cast<std::int8_t>(byte()); }
  [[nodiscard]] int below(int count) { return byte() % count; }
  /// Of eight bytes; may be no number.
  [[nodiscard]] double any() {
    std::array<std::uint8_t, sizeof(double)> bytes;
    for (std::uint8_t& b : bytes) b = byte();
    double x = 0;
    std::memcpy(&x, bytes.data(), sizeof(x));
    return x;
  }

 private:
  std::span<const std::uint8_t> left_;
};

/// Finite numbers of one kind, which the first byte names; the second is the exponent of a lattice.
class Numbers {
 public:
  explicit Numbers(Bytes& bytes)
      : bytes_(bytes),
        kind_(static_cast<Kind>(bytes.below(4))),
        exponent_(std::clamp(9 * bytes.small(), -1074, 1016)) {}

  [[nodiscard]] double next() {
    switch (kind_ == Kind::kMixed ? static_cast<Kind>(bytes_.below(3)) : kind_) {
      case Kind::kAny:
        if (const double x = bytes_.any(); std::isfinite(x)) return x;
        return lattice();
      case Kind::kBeside: {
        const double x = lattice();
        const int way = bytes_.below(3) - 1;
        if (x == 0) return std::ldexp(way, std::max(exponent_ - 50, -1074));
        return way == 0 ? x : std::nextafter(x, way * std::numeric_limits<double>::max());
      }
      default:
        return lattice();
    }
  }
  [[nodiscard]] Vec3 point() {
    const double x = next(), y = next(), z = next();
    return {x, y, z};
  }
  /// A new one, or one of those before.
  [[nodiscard]] Vec3 point_or(std::span<const Vec3> before) {
    if (kind_ == Kind::kLattice || before.empty()) return point();
    const std::uint8_t choice = bytes_.byte();
    return choice % 4 == 3 ? before[choice / 4 % before.size()] : point();
  }

 private:
  enum class Kind { kLattice, kAny, kBeside, kMixed };

  [[nodiscard]] double lattice() { return std::ldexp(bytes_.small(), exponent_); }

  Bytes& bytes_;
  Kind kind_;
  int exponent_;
};

inline void add_tetrahedron(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d,
                            TriangleMesh& mesh) {
  mesh.triangles.insert(mesh.triangles.end(), {{a, c, b}, {a, b, d}, {a, d, c}, {b, c, d}});
}

/// A box, one or two tetrahedra, two on a common face, or up to six triangles. `others` are
/// vertices that it may have too.
inline TriangleMesh tiny_mesh(Bytes& bytes, Numbers& numbers, std::span<const Vec3> others) {
  TriangleMesh mesh;
  const auto add_vertices = [&](int count) {
    std::vector<Vec3> before(others.begin(), others.end());
    for (int i = 0; i < count; ++i) {
      before.push_back(numbers.point_or(before));
      mesh.vertices.push_back(before.back());
    }
  };
  switch (bytes.below(5)) {
    case 0: {
      mesh = make_box(Vec3::Ones());
      const Vec3 p = numbers.point_or(others), q = numbers.point_or(others);
      for (Vec3& v : mesh.vertices)
        for (int k = 0; k < 3; ++k) v[k] = v[k] < 0 ? std::min(p[k], q[k]) : std::max(p[k], q[k]);
      break;
    }
    case 1:
      add_vertices(4);
      add_tetrahedron(0, 1, 2, 3, mesh);
      break;
    case 2:
      add_vertices(8);
      add_tetrahedron(0, 1, 2, 3, mesh);
      add_tetrahedron(4, 5, 6, 7, mesh);
      break;
    case 3:
      add_vertices(5);
      add_tetrahedron(0, 1, 2, 3, mesh);
      add_tetrahedron(0, 2, 1, 4, mesh);
      break;
    default: {
      const int vertices = 3 + bytes.below(6), triangles = 1 + bytes.below(6);
      add_vertices(vertices);
      const auto corner = [&] { return static_cast<std::uint32_t>(bytes.below(vertices)); };
      for (int t = 0; t < triangles; ++t) {
        const std::uint32_t a = corner(), b = corner(), c = corner();
        mesh.triangles.push_back({a, b, c});
      }
    }
  }
  return mesh;
}

/// The identity as often as not; else a turn, a scale and a shift.
inline Similarity tiny_pose(Bytes& bytes, Numbers& numbers) {
  Similarity pose = Similarity::Identity();
  if (bytes.below(2) == 0) return pose;
  const double w = bytes.small(), x = bytes.small(), y = bytes.small(), z = bytes.small();
  const Eigen::Quaterniond turn(w, x, y, z);
  if (turn.norm() > 0) pose.linear() = turn.normalized().toRotationMatrix();
  pose.linear() *= std::ldexp(1 + bytes.byte() / 256.0, bytes.small());
  pose.translation() = numbers.point();
  return check_pose(pose) ? pose : Similarity::Identity();
}

}  // namespace plimsoll::fuzz
