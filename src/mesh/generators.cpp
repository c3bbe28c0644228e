// Meshes of known shapes. Each is a stack of rings of vertices, joined by bands of triangles,
// except the box and the icosphere. Coordinates are made with + - * / and sqrt only, which IEEE 754
// rounds alike everywhere, and never with the sine of the C library, whose last bit is not the same
// on every machine: the meshes are equal bit for bit on all of them.
#include <plimsoll/mesh_generators.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <numbers>
#include <numeric>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/random.h"

namespace plimsoll {
namespace {

constexpr std::int64_t kMaxTriangles = 100'000'000;

/// Whether all are positive and finite.
bool are_sizes(std::initializer_list<double> sizes) {
  return std::all_of(sizes.begin(), sizes.end(),
                     [](double size) { return size > 0 && std::isfinite(size); });
}

/// Whether rings x slices quadrilaterals are as many as a mesh may have, and no fewer than it
/// needs.
bool are_counts(std::int64_t rings, std::int64_t least_rings, std::int64_t slices,
                std::int64_t least_slices) {
  return rings >= least_rings && slices >= least_slices && slices <= kMaxTriangles / 2 / rings;
}

struct CirclePoint {
  double cos = 1, sin = 0;
};

// cos and sin of x in [0, pi/4] by their Taylor series; the first term left out is below 1e-19.
CirclePoint small_angle(double x) {
  const double square = x * x;
  double cos = 1, sin = 1;
  for (int n = 18; n >= 2; n -= 2) {
    cos = 1 - cos * square / (n * (n - 1));
    sin = 1 - sin * square / (n * (n + 1));
  }
  return {cos, sin * x};
}

// The point of the unit circle at k / n of a turn, any k. The angle is brought into the first
// eighth of a turn in integers, so the points repeat exactly after a turn, mirror images are mirror
// images to the last bit, and quarter turns are exact. Within 3 units in the last place of 1.
CirclePoint circle_point(std::int64_t k, std::int64_t n) {
  std::int64_t angle = 8 * (((k % n) + n) % n);  // 8 n make a turn
  const bool below = angle > 4 * n;
  if (below) angle = 8 * n - angle;
  const bool left = angle > 2 * n;
  if (left) angle = 4 * n - angle;
  const bool steep = angle > n;
  if (steep) angle = 2 * n - angle;
  CirclePoint point =
      small_angle(static_cast<double>(angle) * std::numbers::pi / (4 * static_cast<double>(n)));
  if (steep) std::swap(point.cos, point.sin);
  if (left) point.cos = -point.cos;
  if (below) point.sin = -point.sin;
  return point;
}

std::uint32_t add_vertex(TriangleMesh& mesh, const Vec3& position) {
  PLIMSOLL_ASSERT(mesh.vertices.size() < 0xFFFFFFFF, "indices have 32 bits");
  mesh.vertices.push_back(position);
  return static_cast<std::uint32_t>(mesh.vertices.size() - 1);
}

void add_quad(TriangleMesh& mesh, std::uint32_t a, std::uint32_t b, std::uint32_t c,
              std::uint32_t d) {
  mesh.triangles.push_back({a, b, c});
  mesh.triangles.push_back({a, c, d});
}

// The band between two rings whose vertices lie in a row from `lower` and `upper` on. Rings run
// counter-clockwise seen from the upper side; then the band faces outward.
void add_band(TriangleMesh& mesh, std::uint32_t lower, std::uint32_t upper, std::uint32_t slices) {
  for (std::uint32_t j = 0; j < slices; ++j) {
    const std::uint32_t next = j + 1 == slices ? 0 : j + 1;
    add_quad(mesh, lower + j, lower + next, upper + next, upper + j);
  }
}

void add_lower_cap(TriangleMesh& mesh, std::uint32_t center, std::uint32_t ring,
                   std::uint32_t slices) {
  for (std::uint32_t j = 0; j < slices; ++j)
    mesh.triangles.push_back({center, ring + (j + 1 == slices ? 0 : j + 1), ring + j});
}

void add_upper_cap(TriangleMesh& mesh, std::uint32_t center, std::uint32_t ring,
                   std::uint32_t slices) {
  for (std::uint32_t j = 0; j < slices; ++j)
    mesh.triangles.push_back({center, ring + j, ring + (j + 1 == slices ? 0 : j + 1)});
}

// A point of the half-plane beside the axis z.
struct ProfilePoint {
  double radius, z;
};

// Turns a profile about z. It rises from one point of the axis to another; the points between are
// rings. 2 + slices (points - 2) vertices, 2 slices (points - 2) triangles.
TriangleMesh revolve(const std::vector<ProfilePoint>& profile, int slices) {
  const auto count = static_cast<std::uint32_t>(slices);
  const std::size_t rings = profile.size() - 2;
  TriangleMesh mesh;
  mesh.vertices.reserve(2 + rings * count);
  mesh.triangles.reserve(2 * rings * count);

  const std::uint32_t bottom = add_vertex(mesh, {0, 0, profile.front().z});
  for (std::size_t i = 1; i <= rings; ++i) {
    for (int j = 0; j < slices; ++j) {
      const CirclePoint at = circle_point(j, slices);
      add_vertex(mesh, {profile[i].radius * at.cos, profile[i].radius * at.sin, profile[i].z});
    }
  }
  const std::uint32_t top = add_vertex(mesh, {0, 0, profile.back().z});

  add_lower_cap(mesh, bottom, 1, count);
  for (std::uint32_t ring = 1; ring + count < top; ring += count)
    add_band(mesh, ring, ring + count, count);
  add_upper_cap(mesh, top, top - count, count);
  return mesh;
}

// Where a half circle of radius 1 from the bottom pole to the top one is after i of `rings` steps.
ProfilePoint half_circle(int i, int rings) {
  const CirclePoint at = circle_point(2 * i - rings, 4 * std::int64_t{rings});
  return {at.cos, at.sin};
}

/// At least 2 rings, 3 slices.
TriangleMesh unit_sphere(int rings, int slices) {
  std::vector<ProfilePoint> profile;
  for (int i = 0; i <= rings; ++i) profile.push_back(half_circle(i, rings));
  return revolve(profile, slices);
}

}  // namespace

TriangleMesh make_box(const Vec3& size) {
  if (!are_sizes({size[0], size[1], size[2]})) return {};
  TriangleMesh mesh;
  for (int corner = 0; corner < 8; ++corner)  // bits 0, 1, 2: the upper end along x, y, z
    add_vertex(mesh, {(corner & 1 ? 0.5 : -0.5) * size.x(), (corner & 2 ? 0.5 : -0.5) * size.y(),
                      (corner & 4 ? 0.5 : -0.5) * size.z()});
  add_quad(mesh, 0, 2, 3, 1);
  add_quad(mesh, 4, 5, 7, 6);
  add_quad(mesh, 0, 1, 5, 4);
  add_quad(mesh, 2, 6, 7, 3);
  add_quad(mesh, 0, 4, 6, 2);
  add_quad(mesh, 1, 3, 7, 5);
  return mesh;
}

TriangleMesh make_sphere(double radius, int rings, int slices) {
  return make_ellipsoid({radius, radius, radius}, rings, slices);
}

TriangleMesh make_ellipsoid(const Vec3& radii, int rings, int slices) {
  if (!are_sizes({radii[0], radii[1], radii[2]}) || !are_counts(rings, 2, slices, 3)) return {};
  TriangleMesh mesh = unit_sphere(rings, slices);
  for (Vec3& v : mesh.vertices) v = v.cwiseProduct(radii);
  return mesh;
}

namespace {

// The vertices are (0, +-1, +-phi) and its cyclic shifts, phi the golden ratio; neighbours are 2
// apart and all others 2 phi or more, which finds the faces.
TriangleMesh icosahedron() {
  const double phi = (1 + std::sqrt(5.0)) / 2;
  TriangleMesh mesh;
  for (int axis = 0; axis < 3; ++axis) {
    for (const double one : {-1.0, 1.0}) {
      for (const double golden : {-phi, phi}) {
        Vec3 v = Vec3::Zero();
        v[(axis + 1) % 3] = one;
        v[(axis + 2) % 3] = golden;
        add_vertex(mesh, v);
      }
    }
  }
  const auto& v = mesh.vertices;
  const auto adjacent = [&](std::uint32_t a, std::uint32_t b) {
    return (v[a] - v[b]).squaredNorm() < 5;  // between 4 and 4 phi^2
  };
  for (std::uint32_t a = 0; a < 12; ++a)
    for (std::uint32_t b = a + 1; b < 12; ++b)
      for (std::uint32_t c = b + 1; c < 12; ++c) {
        if (!adjacent(a, b) || !adjacent(b, c) || !adjacent(c, a)) continue;
        const bool outward = v[a].dot(v[b].cross(v[c])) > 0;
        mesh.triangles.push_back(outward ? Triangle{a, b, c} : Triangle{a, c, b});
      }
  for (Vec3& vertex : mesh.vertices) vertex.normalize();
  return mesh;
}

// Splits every triangle in four at the midpoints of its edges, which are moved onto the unit
// sphere.
TriangleMesh split_on_sphere(TriangleMesh mesh) {
  std::unordered_map<std::uint64_t, std::uint32_t> midpoints;
  midpoints.reserve(mesh.triangles.size() * 3 / 2);
  const auto midpoint = [&](std::uint32_t a, std::uint32_t b) {
    const std::uint64_t edge = std::uint64_t{std::min(a, b)} << 32 | std::max(a, b);
    const auto [found, added] =
        midpoints.try_emplace(edge, static_cast<std::uint32_t>(mesh.vertices.size()));
    if (added) add_vertex(mesh, (mesh.vertices[a] + mesh.vertices[b]).normalized());
    return found->second;
  };
  std::vector<Triangle> split;
  split.reserve(4 * mesh.triangles.size());
  for (const auto [a, b, c] : mesh.triangles) {
    const std::uint32_t ab = midpoint(a, b), bc = midpoint(b, c), ca = midpoint(c, a);
    split.insert(split.end(), {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}});
  }
  mesh.triangles = std::move(split);
  return mesh;
}

}  // namespace

TriangleMesh make_icosphere(double radius, int levels) {
  constexpr int kMaxLevels = 11;  // 84 million triangles
  if (!are_sizes({radius}) || levels < 0 || levels > kMaxLevels) return {};
  TriangleMesh mesh = icosahedron();
  for (int level = 0; level < levels; ++level) mesh = split_on_sphere(std::move(mesh));
  for (Vec3& v : mesh.vertices) v *= radius;
  return mesh;
}

TriangleMesh make_cylinder(double radius, double height, int slices) {
  if (!are_sizes({radius, height}) || !are_counts(2, 2, slices, 3)) return {};
  const double top = height / 2;
  return revolve({{0, -top}, {radius, -top}, {radius, top}, {0, top}}, slices);
}

TriangleMesh make_cone(double radius, double height, int slices) {
  if (!are_sizes({radius, height}) || !are_counts(1, 1, slices, 3)) return {};
  return revolve({{0, 0}, {radius, 0}, {0, height}}, slices);
}

TriangleMesh make_capsule(double radius, double height, int rings, int slices) {
  if (!are_sizes({radius, height}) || !are_counts(rings, 2, slices, 3) || rings % 2 != 0) return {};
  std::vector<ProfilePoint> profile;
  for (int i = 0; i <= rings / 2; ++i) {
    const ProfilePoint at = half_circle(i, rings);
    profile.push_back({radius * at.radius, radius * at.z - height / 2});
  }
  for (int i = rings / 2; i <= rings; ++i) {
    const ProfilePoint at = half_circle(i, rings);
    profile.push_back({radius * at.radius, radius * at.z + height / 2});
  }
  return revolve(profile, slices);
}

TriangleMesh make_torus(double major, double minor, int rings, int slices, bool doubled_seams) {
  if (!are_sizes({major, minor}) || !(major > minor) || !are_counts(rings, 3, slices, 3)) return {};
  const int seam = doubled_seams ? 1 : 0;
  const auto ring_count = static_cast<std::uint32_t>(rings + seam);
  const auto slice_count = static_cast<std::uint32_t>(slices + seam);
  TriangleMesh mesh;
  mesh.vertices.reserve(std::size_t{ring_count} * slice_count);
  mesh.triangles.reserve(std::size_t{2} * static_cast<std::size_t>(rings) *
                         static_cast<std::size_t>(slices));
  for (int i = 0; i < rings + seam; ++i) {
    const CirclePoint around = circle_point(i, rings);
    for (int j = 0; j < slices + seam; ++j) {
      const CirclePoint across = circle_point(j, slices);
      const double distance = major + minor * across.cos;
      add_vertex(mesh, {distance * around.cos, distance * around.sin, minor * across.sin});
    }
  }
  const auto at = [&](std::uint32_t i, std::uint32_t j) {
    return (i % ring_count) * slice_count + j % slice_count;
  };
  for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(rings); ++i)
    for (std::uint32_t j = 0; j < static_cast<std::uint32_t>(slices); ++j)
      add_quad(mesh, at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1));
  return mesh;
}

namespace {

// A ring of radius r about `center` in the plane of the unit vectors u and v.
void add_ring(TriangleMesh& mesh, const Vec3& center, const Vec3& u, const Vec3& v, double radius,
              int slices) {
  for (int j = 0; j < slices; ++j) {
    const CirclePoint at = circle_point(j, slices);
    add_vertex(mesh, center + radius * (at.cos * u + at.sin * v));
  }
}

}  // namespace

// The center line at t in [0, 2 pi) winds on a torus with radii R and r,
//
//   c(t) = rho (cos pt, sin pt, 0) + r (0, 0, sin qt),   rho = R + r cos qt,
//   c'(t) = p rho (-sin pt, cos pt, 0) + q r (-sin qt cos pt, -sin qt sin pt, cos qt),
//
// and the normal of that torus, (cos qt cos pt, cos qt sin pt, sin qt), is at right angles to c':
// with it the rings need no frame carried along, and the last band closes without a twist.
TriangleMesh make_torus_knot(const KnotShape& shape, int rings, int slices) {
  if (std::gcd(shape.p, shape.q) != 1 || !are_sizes({shape.tube, shape.minor, shape.major}) ||
      !(shape.major > shape.minor) || shape.ripples < 0 || !(std::abs(shape.ripple_depth) < 1) ||
      !are_counts(rings, 3, slices, 3))
    return {};
  const auto slice_count = static_cast<std::uint32_t>(slices);
  TriangleMesh mesh;
  mesh.vertices.reserve(static_cast<std::size_t>(rings) * slice_count);
  mesh.triangles.reserve(2 * static_cast<std::size_t>(rings) * slice_count);
  for (std::int64_t i = 0; i < rings; ++i) {
    const CirclePoint a = circle_point(shape.p * i, rings);
    const CirclePoint b = circle_point(shape.q * i, rings);
    const CirclePoint wave = circle_point(shape.ripples * i, rings);
    const double distance = shape.major + shape.minor * b.cos;
    const Vec3 center{distance * a.cos, distance * a.sin, shape.minor * b.sin};
    const Vec3 normal{b.cos * a.cos, b.cos * a.sin, b.sin};
    const Vec3 tangent = (shape.p * distance * Vec3{-a.sin, a.cos, 0} +
                          shape.q * shape.minor * Vec3{-b.sin * a.cos, -b.sin * a.sin, b.cos})
                             .normalized();
    const double radius = shape.tube * (1 + shape.ripple_depth * wave.cos);
    add_ring(mesh, center, normal, tangent.cross(normal), radius, slices);
  }
  const auto end = static_cast<std::uint32_t>(mesh.vertices.size());
  for (std::uint32_t ring = 0; ring < end; ring += slice_count) {
    const std::uint32_t next = ring + slice_count;
    add_band(mesh, ring, next == end ? 0 : next, slice_count);
  }
  return mesh;
}

namespace {

// A unit vector at right angles to the unit vector t.
Vec3 perpendicular(const Vec3& t) {
  Eigen::Index smallest;
  t.cwiseAbs().minCoeff(&smallest);
  return t.cross(Vec3::Unit(smallest)).normalized();
}

}  // namespace

namespace {

bool is_path(std::span<const Vec3> path) {
  if (path.size() < 2) return false;
  for (std::size_t i = 0; i < path.size(); ++i)
    if (!path[i].allFinite() || (i > 0 && path[i] == path[i - 1])) return false;
  return true;
}

}  // namespace

// Each leg of the path is a prism over the ring {u, v}, cut at a bend by the plane that halves the
// angle, whose normal is m = t + t' for the directions t and t' of the two legs. Reflection in that
// plane turns -t into t', and vectors at right angles to t into such at right angles to t': it
// carries u over as parallel transport does and leaves the cut where it is, so the prisms meet. As
// the ring's centroid lies on the path, a prism's volume is its ring's area times its leg.
TriangleMesh make_tube(std::span<const Vec3> path, double radius, int slices) {
  if (!is_path(path) || !are_sizes({radius}) ||
      path.size() > static_cast<std::size_t>(kMaxTriangles) ||
      !are_counts(path.size(), 2, slices, 3))
    return {};
  const auto count = static_cast<std::uint32_t>(slices);
  TriangleMesh mesh;
  mesh.vertices.reserve(path.size() * count + 2);
  mesh.triangles.reserve(2 * path.size() * count);

  Vec3 leg = (path[1] - path[0]).normalized();
  Vec3 u = perpendicular(leg);
  add_ring(mesh, path[0], u, leg.cross(u), radius, slices);
  for (std::size_t i = 1; i < path.size(); ++i) {
    const bool is_end = i + 1 == path.size();
    const Vec3 next = is_end ? leg : Vec3((path[i + 1] - path[i]).normalized());
    const Vec3 m = leg + next;
    if (!(m.squaredNorm() > 0)) return {};  // the path turns back on itself
    const auto onto_cut = [&](const Vec3& w) { return Vec3(w - w.dot(m) / leg.dot(m) * leg); };
    add_ring(mesh, path[i], onto_cut(u), onto_cut(leg.cross(u)), radius, slices);
    u = (u - 2 * u.dot(m) / m.squaredNorm() * m);
    leg = next;
    u = (u - u.dot(leg) * leg).normalized();  // takes off the rounding of the step
  }

  const std::uint32_t last = (static_cast<std::uint32_t>(path.size()) - 1) * count;
  add_lower_cap(mesh, add_vertex(mesh, path.front()), 0, count);
  for (std::uint32_t ring = 0; ring < last; ring += count)
    add_band(mesh, ring, ring + count, count);
  add_upper_cap(mesh, add_vertex(mesh, path.back()), last, count);
  return mesh;
}

namespace {

// T_n(x) = cos(n arccos x), which stays within [-1, 1].
double chebyshev(int degree, double x) {
  double before = 1, value = x;
  for (int n = 1; n < degree; ++n) {
    const double next = 2 * x * value - before;
    before = value;
    value = next;
  }
  return value;
}

struct Wave {
  Vec3 axis;
  int degree;
};

std::array<Wave, 6> random_waves(std::uint64_t seed) {
  Random random(seed);
  std::array<Wave, 6> waves;
  for (Wave& wave : waves) {
    do wave.axis = {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
    while (wave.axis.squaredNorm() > 1 || wave.axis.squaredNorm() < 0.01);
    wave.axis.normalize();
    wave.degree = 2 + static_cast<int>(random.below(7));
  }
  return waves;
}

}  // namespace

// r(d) = radius (1 + depth / 6 sum of six T_n(d . axis)): rings of waves about random axes, smooth
// because they are polynomials in the direction d.
TriangleMesh make_bumpy_sphere(double radius, double depth, int rings, int slices,
                               std::uint64_t seed) {
  if (!are_sizes({radius}) || !(std::abs(depth) < 1) || !are_counts(rings, 2, slices, 3)) return {};
  const std::array<Wave, 6> waves = random_waves(seed);
  TriangleMesh mesh = unit_sphere(rings, slices);
  for (Vec3& v : mesh.vertices) {
    double sum = 0;
    for (const Wave& wave : waves) sum += chebyshev(wave.degree, wave.axis.dot(v));
    v *= radius * (1 + depth * sum / 6);
  }
  return mesh;
}

}  // namespace plimsoll
