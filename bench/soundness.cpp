// How the time grows in which solids of many shells are told to be sound. CPU time of
// examine(), one thread, the least of three runs. Prints a CSV to stdout.
//
//   row         cubes, face on face
//   concentric  tetrahedra, each inside the next, turned in turn
//   nested      tetrahedra, each inside the next, all turned outward: space is counted many times
//   rods        slanted rods in a bundle; nothing touches
//   star        tetrahedra that share one vertex
//   bipyramid   two vertices of which all triangles are
//   overlapping tetrahedra at random: counting their pairs ends early
#include <fmt/format.h>
#include <plimsoll/mesh.h>
#include <plimsoll/mesh_health.h>
#include <plimsoll/parallel.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>
#include <numbers>
#include <random>

#include "checked.h"

namespace plimsoll::bench {
namespace {

constexpr double kPi = std::numbers::pi;

void add_triangle(TriangleMesh& mesh, const Vec3& a, const Vec3& b, const Vec3& c) {
  const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
  mesh.vertices.insert(mesh.vertices.end(), {a, b, c});
  mesh.triangles.push_back({first, first + 1, first + 2});
}

void add_tetrahedron(TriangleMesh& mesh, Vec3 a, Vec3 b, const Vec3& c, const Vec3& d,
                     bool outward = true) {
  if (((b - a).cross(c - a).dot(d - a) > 0) != outward) std::swap(a, b);
  add_triangle(mesh, a, c, b);
  add_triangle(mesh, a, b, d);
  add_triangle(mesh, b, c, d);
  add_triangle(mesh, c, a, d);
}

/// Each corner is rounded once, so that the faces meet.
void add_block(TriangleMesh& mesh, const Vec3& at, const Vec3& x, const Vec3& y, const Vec3& z) {
  const auto corner = [&](int i, int j, int k) { return Vec3(at + i * x + j * y + k * z); };
  for (int axis = 0; axis < 3; ++axis)
    for (const int side : {0, 1}) {
      const auto on_side = [&](int u, int v) {
        int c[3];
        c[axis] = side;
        c[(axis + 1) % 3] = u;
        c[(axis + 2) % 3] = v;
        return corner(c[0], c[1], c[2]);
      };
      const Vec3 p = on_side(0, 0), q = on_side(1, 0), r = on_side(1, 1), s = on_side(0, 1);
      add_triangle(mesh, p, side == 1 ? q : r, side == 1 ? r : q);
      add_triangle(mesh, p, side == 1 ? r : s, side == 1 ? s : r);
    }
}

TriangleMesh row(int count) {
  TriangleMesh mesh;
  for (int i = 0; i < count; ++i)
    add_block(mesh, Vec3(i, 0, 0), Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ());
  return mesh;
}

TriangleMesh tetrahedra_within(int count, bool in_turn) {
  TriangleMesh mesh;
  for (int i = 1; i <= count; ++i) {
    const double s = static_cast<double>(i) / count;
    add_tetrahedron(mesh, {s, s, s}, {s, -s, -s}, {-s, s, -s}, {-s, -s, s},
                    !in_turn || (count - i) % 2 == 0);
  }
  return mesh;
}

TriangleMesh concentric(int count) { return tetrahedra_within(count, true); }
TriangleMesh nested(int count) { return tetrahedra_within(count, false); }

TriangleMesh rods(int count) {
  TriangleMesh mesh;
  const int side = static_cast<int>(std::lround(std::sqrt(count)));
  for (int i = 0; i < side; ++i)
    for (int j = 0; j < side; ++j)
      add_block(mesh, {0.06 * i, 0.06 * j, 0}, {0.04, 0, 0}, {0, 0.04, 0}, {1, 0.7, 1});
  return mesh;
}

TriangleMesh star(int count) {
  TriangleMesh mesh;
  const double width = 0.5 / std::sqrt(count);
  for (int i = 0; i < count; ++i) {
    const double z = 1 - (2 * i + 1.0) / count, turn = kPi * (3 - std::sqrt(5.0)) * i;
    const double across = std::sqrt(1 - z * z);
    const Vec3 up(across * std::cos(turn), across * std::sin(turn), z), u = up.unitOrthogonal();
    const Vec3 v = up.cross(u);
    add_tetrahedron(mesh, Vec3::Zero(), up + width * u, up + width * (v - u) / 2,
                    up - width * (v + u) / 2);
  }
  return mesh;
}

TriangleMesh bipyramid(int count) {
  TriangleMesh mesh;
  const auto rim = [&](int i) {
    const double turn = 2 * kPi * (i % count) / count;
    return Vec3(std::cos(turn), std::sin(turn), 0);
  };
  for (int i = 0; i < count; ++i) {
    add_triangle(mesh, rim(i), rim(i + 1), Vec3::UnitZ());
    add_triangle(mesh, rim(i + 1), rim(i), -Vec3::UnitZ());
  }
  return mesh;
}

TriangleMesh overlapping(int count) {
  TriangleMesh mesh;
  std::mt19937_64 random(3);
  const auto coordinate = [&] { return 0x1p-63 * static_cast<double>(random()) - 1; };
  const auto point = [&] {
    const double x = coordinate(), y = coordinate();
    return Vec3(x, y, coordinate());
  };
  for (int i = 0; i < count; ++i) {
    const Vec3 a = point(), b = point(), c = point();
    add_tetrahedron(mesh, a, b, c, point());
  }
  return mesh;
}

double seconds_of(const CheckedMesh& mesh, const HealthOptions& options, MeshStatus& status) {
  double least = std::numeric_limits<double>::infinity();
  for (int run = 0; run < 3; ++run) {
    const std::clock_t begin = std::clock();
    status = examine(mesh, options).status;
    least = std::min(least, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
  }
  return least;
}

void measure() {
  const struct {
    const char* name;
    TriangleMesh (*make)(int);
  } kinds[] = {
      {"row", row},   {"concentric", concentric}, {"nested", nested},          {"rods", rods},
      {"star", star}, {"bipyramid", bipyramid},   {"overlapping", overlapping}};
  fmt::print("solid,bodies,triangles,pairs_asked,status,seconds\n");
  for (const auto& kind : kinds)
    for (const bool pairs : {false, true})
      for (const int bodies : {2500, 10'000, 40'000}) {
        const TriangleMesh made = kind.make(bodies);
        const TriangleMesh mesh = weld(bench::checked(made));
        HealthOptions options;
        options.check_self_intersections = pairs;
        MeshStatus status{};
        const double seconds = seconds_of(bench::checked(mesh), options, status);
        fmt::print("{},{},{},{},{},{:.3g}\n", kind.name, bodies, mesh.triangles.size(),
                   pairs ? "yes" : "no", to_string(status), seconds);
      }
}

}  // namespace
}  // namespace plimsoll::bench

int main() {
  plimsoll::with_threads(1, [] { plimsoll::bench::measure(); });
}
