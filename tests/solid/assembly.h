// Solids put together of boxes and tetrahedra, welded, and what is found of them.
#pragma once

#include <doctest/doctest.h>
#include <plimsoll/mesh.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "core/random.h"
#include "mesh/edges.h"
#include "mesh/shells.h"
#include "solid/soundness.h"
#include "support/checked.h"
#include "support/mesh_parts.h"

namespace plimsoll::test {

constexpr bool kInward = false;

inline Vec3 all(double x) { return {x, x, x}; }

class Assembly {
 public:
  /// The surface of a box, divided along the given coordinates (two or more, ascending) of each
  /// axis. `diagonals` decides which way each quadrilateral is split.
  Assembly& add_box(const std::vector<double>& x, const std::vector<double>& y,
                    const std::vector<double>& z, bool outward = true,
                    std::uint64_t diagonals = 0) {
    const std::vector<double>* lines[3] = {&x, &y, &z};
    Random random(diagonals);
    for (int axis = 0; axis < 3; ++axis)
      for (const bool upper : {false, true}) {
        const auto& u = *lines[(axis + 1) % 3];
        const auto& v = *lines[(axis + 2) % 3];
        const double height = upper ? lines[axis]->back() : lines[axis]->front();
        for (std::size_t i = 0; i + 1 < u.size(); ++i)
          for (std::size_t j = 0; j + 1 < v.size(); ++j)
            add_rectangle(axis, height, {u[i], u[i + 1]}, {v[j], v[j + 1]}, upper == outward,
                          diagonals != 0 && random.below(2) == 0);
      }
    return *this;
  }
  Assembly& add_box(const Vec3& low, const Vec3& high, bool outward = true) {
    return add_box({low.x(), high.x()}, {low.y(), high.y()}, {low.z(), high.z()}, outward);
  }

  /// Turned outward if abcd is positive (orient3d), else inward.
  Assembly& add_tetrahedron(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
    add_triangle(a, c, b);
    add_triangle(a, b, d);
    add_triangle(b, c, d);
    add_triangle(c, a, d);
    return *this;
  }

  /// A rectangle square to `axis` at `height`, its front towards the axis' positive end if `up`.
  void add_rectangle(int axis, double height, std::pair<double, double> u,
                     std::pair<double, double> v, bool up, bool other_diagonal = false) {
    const auto corner = [&](double at_u, double at_v) {
      Vec3 p;
      p[axis] = height;
      p[(axis + 1) % 3] = at_u;
      p[(axis + 2) % 3] = at_v;
      return p;
    };
    std::vector<Vec3> p{corner(u.first, v.first), corner(u.second, v.first),
                        corner(u.second, v.second), corner(u.first, v.second)};
    if (!up) std::swap(p[1], p[3]);
    const std::size_t first = other_diagonal ? 1 : 0;
    add_triangle(p[first], p[first + 1], p[first + 2]);
    add_triangle(p[first], p[first + 2], p[(first + 3) % 4]);
  }

  void add_triangle(const Vec3& a, const Vec3& b, const Vec3& c) {
    const auto first = static_cast<std::uint32_t>(mesh_.vertices.size());
    mesh_.vertices.insert(mesh_.vertices.end(), {a, b, c});
    mesh_.triangles.push_back({first, first + 1, first + 2});
  }

  [[nodiscard]] TriangleMesh welded() const { return weld(test::checked(mesh_)); }

 private:
  TriangleMesh mesh_;
};

inline TriangleMesh scaled(TriangleMesh mesh, double by) {
  for (Vec3& v : mesh.vertices) v *= by;
  return mesh;
}

enum class Pairs { kBetweenPatches, kAll };

inline Soundness assess(const TriangleMesh& mesh, Pairs pairs = Pairs::kAll,
                        std::size_t max_defects = 100) {
  const MeshView view(mesh);
  const Edges edges = find_edges(view);
  const Shells shells = find_shells(view, edges);
  std::optional<RimCaps> caps;
  if (!edges.are_balanced()) caps.emplace(view, edges, shells);
  return assess_soundness({view, shells.shell_of, shells.shells, shells.patch_of, shells.patches,
                           caps ? &*caps : nullptr},
                          pairs == Pairs::kAll, max_defects);
}

inline bool is_sound(const Soundness& found) {
  return !found.crossing && !found.nested && !found.opposed;
}

/// Sound both as built and turned inside out, with its pairs compared in either way, and after a
/// power of two that leaves every predicate's range of filters.
inline bool is_sound_in_all_ways(const Assembly& assembly) {
  const TriangleMesh mesh = assembly.welded();
  return is_sound(assess(mesh, Pairs::kAll)) && is_sound(assess(mesh, Pairs::kBetweenPatches)) &&
         is_sound(assess(turned(mesh), Pairs::kAll)) &&
         is_sound(assess(turned(mesh), Pairs::kBetweenPatches)) &&
         is_sound(assess(scaled(mesh, 0x1p-400), Pairs::kAll));
}

enum Fault { kCrossing = 1, kNested = 2, kOpposed = 4 };

inline int faults_of(const Soundness& found) {
  return (found.crossing ? kCrossing : 0) | (found.nested ? kNested : 0) |
         (found.opposed ? kOpposed : 0);
}

/// The same in both ways of comparing, as built and inside out.
inline int faults_in_all_ways(const Assembly& assembly) {
  const TriangleMesh mesh = assembly.welded();
  const int faults = faults_of(assess(mesh, Pairs::kAll));
  CHECK(faults_of(assess(mesh, Pairs::kBetweenPatches)) == faults);
  CHECK(faults_of(assess(turned(mesh), Pairs::kAll)) == faults);
  CHECK(faults_of(assess(turned(mesh), Pairs::kBetweenPatches)) == faults);
  return faults;
}

}  // namespace plimsoll::test
