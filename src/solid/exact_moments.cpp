// The volume integrals in integers of any length: the last word where rounding swallows a volume.
//
// Every finite double is an integer times a power of two. With 2^e the smallest such power among
// the coordinates and the apex, all of them are integers over 2^e, and so are the sums of
// tetrahedron_terms: 2^3e, 2^4e and 2^5e times integers, exactly.
#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "core/parallel.h"
#include "simd/kernel.h"
#include "solid/moment_sums.h"

namespace plimsoll {
namespace {
#include "solid/tetrahedron_terms.inc"

/// Of any length; up to 512 bits, enough for most coordinates of like size, without allocation.
using Integer = boost::multiprecision::number<boost::multiprecision::cpp_int_backend<512>,
                                              boost::multiprecision::et_off>;

/// The power of two of the lowest bit that can be set in x; a large number for 0.
int lowest_exponent(double x) {
  return x == 0 ? std::numeric_limits<int>::max() : std::max(std::ilogb(x) - 52, -1074);
}

/// x / 2^exponent, an integer.
Integer to_integer(double x, int exponent) {
  if (x == 0) return 0;
  const int own = lowest_exponent(x);
  return Integer(static_cast<long long>(std::ldexp(x, -own))) << (own - exponent);
}

/// n 2^exponent as a ball of relative radius below 2^-100.
Ball to_ball(const Integer& n, int exponent) {
  if (n == 0) return {};
  constexpr int kBits = 200;
  const Integer size = abs(n);
  const int cut = std::max(0, static_cast<int>(msb(size)) - kBits);
  const Integer kept = size >> cut;
  const double high = kept.convert_to<double>();
  const Integer rest = kept - Integer(high);
  const double low = rest.convert_to<double>();
  // low is within 2^-53 of rest, which is at most 2^-53 of kept; the bits cut off are below 1.
  Ball ball(high, low, std::ldexp(high, -105) + (cut > 0 ? 1 : 0));
  if (cut == 0 && Integer(low) == rest) ball.rad = 0;
  ball = scaled(ball, cut + exponent);
  return n < 0 ? -ball : ball;
}

/// tetrahedron_terms summed about a point: integers times 2^3e, 2^4e and 2^5e.
struct IntegerSums {
  Integer sum[10] = {};
  int exponent = 0;
};

/// A triangle's vertices, ascending, and how it is turned beside that order.
struct Turned {
  Triangle vertices;
  int turn = 1;
};
Turned ascending(const Triangle& triangle) {
  Turned one{triangle};
  auto& v = one.vertices;
  for (const auto& [i, j] : {std::pair(0, 1), std::pair(1, 2), std::pair(0, 1)})
    if (v[j] < v[i]) std::swap(v[i], v[j]), one.turn = -one.turn;
  return one;
}

/// Triangles whose terms do not cancel those of another, which has the same vertices and is turned
/// against it: of a surface and its copy turned over, none. O(n log n), 4 bytes a triangle.
std::vector<std::uint32_t> uncancelled_triangles(const MeshView& mesh) {
  std::vector<std::uint32_t> all(mesh.triangle_count());
  std::iota(all.begin(), all.end(), 0u);
  std::sort(all.begin(), all.end(), [&](std::uint32_t x, std::uint32_t y) {
    const Turned a = ascending(mesh.triangle(x)), b = ascending(mesh.triangle(y));
    return std::tie(a.vertices, a.turn, x) < std::tie(b.vertices, b.turn, y);
  });
  auto left = all.begin();
  for (auto first = all.begin(), last = first; first != all.end(); first = last) {
    const Triangle vertices = ascending(mesh.triangle(*first)).vertices;
    last = std::find_if(first, all.end(), [&](std::uint32_t t) {
      return ascending(mesh.triangle(t)).vertices != vertices;
    });
    // Those that are turned back come first.
    const auto forward = std::find_if(
        first, last, [&](std::uint32_t t) { return ascending(mesh.triangle(t)).turn > 0; });
    const auto pairs = std::min(forward - first, last - forward);
    for (auto x = first; x != last; ++x)
      if ((x < forward ? forward - x : last - x) > pairs) *left++ = *x;
  }
  all.erase(left, all.end());
  return all;
}

/// The power of two of the lowest bit among the coordinates; nothing if all are 0.
std::optional<int> common_exponent(const MeshView& mesh, const Vec3& apex) {
  int exponent = std::numeric_limits<int>::max();
  for (const double x : apex) exponent = std::min(exponent, lowest_exponent(x));
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t)
    for (const std::uint32_t v : mesh.triangle(t))
      for (const double x : mesh.vertex(v)) exponent = std::min(exponent, lowest_exponent(x));
  if (exponent == std::numeric_limits<int>::max()) return {};
  return exponent;
}

/// The sums over the triangles in units of 2^exponent.
IntegerSums sums_of(const MeshView& mesh, std::span<const std::uint32_t> triangles,
                    const Vec3& apex, int exponent) {
  IntegerSums sums;
  const Integer about[3] = {to_integer(apex[0], exponent), to_integer(apex[1], exponent),
                            to_integer(apex[2], exponent)};
  for (const std::uint32_t t : triangles) {
    const Triangle triangle = mesh.triangle(t);
    Integer corner[3][3];
    for (int k = 0; k < 3; ++k)
      for (int i = 0; i < 3; ++i)
        corner[k][i] = to_integer(mesh.vertex(triangle[k])[i], exponent) - about[i];
    Integer a2[3];
    Integer e[3];
    Integer f[3];
    for (int i = 0; i < 3; ++i) {
      a2[i] = 2 * corner[0][i];
      e[i] = corner[1][i] - corner[0][i];
      f[i] = corner[2][i] - corner[0][i];
    }
    const Integer d = doubled_volume(a2, e, f);
    if (d == 0) continue;
    const TetrahedronTerms<Integer> terms = tetrahedron_terms(d, doubled_midpoints(a2, e, f));
    for (int i = 0; i < 10; ++i) sums.sum[i] += terms.sum[i];
  }
  return sums;
}

/// In parallel: sums without rounding are the same in any order.
IntegerSums integer_sums(const MeshView& mesh, std::span<const std::uint32_t> triangles,
                         const Vec3& apex) {
  IntegerSums sums;
  const std::optional<int> exponent = common_exponent(mesh, apex);
  if (!exponent) return sums;
  sums.exponent = *exponent;
  constexpr std::size_t kBlock = 1024;
  std::vector<IntegerSums> parts((triangles.size() + kBlock - 1) / kBlock);
  parallel_for_each_index(parts.size(), [&](std::size_t part) {
    const std::size_t begin = part * kBlock;
    parts[part] =
        sums_of(mesh, triangles.subspan(begin, std::min(kBlock, triangles.size() - begin)), apex,
                *exponent);
  });
  for (const IntegerSums& part : parts)
    for (int i = 0; i < 10; ++i) sums.sum[i] += part.sum[i];
  return sums;
}

/// n / d as a fraction of size 1/2 to 2 times 2^exponent.
struct Quotient {
  double fraction = 0;
  int exponent = 0;
};
Quotient quotient(const Integer& n, const Integer& d) {
  if (n == 0) return {};
  const int n_bits = static_cast<int>(msb(Integer(abs(n))));
  const int d_bits = static_cast<int>(msb(Integer(abs(d))));
  return {(to_ball(n, -n_bits) / to_ball(d, -d_bits)).rounded(), n_bits - d_bits};
}

/// The center of mass; the apex where it does not fit doubles.
Vec3 center_of(const IntegerSums& sums, const Vec3& apex) {
  const Integer volume = 8 * sums.sum[0];  // (sum / 96) / (sum / 12)
  Vec3 center;
  for (int i = 0; i < 3; ++i) {
    const Integer from_apex = sums.sum[1 + i];
    const Quotient q = quotient(from_apex + volume * to_integer(apex[i], sums.exponent), volume);
    center[i] = std::ldexp(q.fraction, q.exponent + sums.exponent);
  }
  return center.allFinite() ? center : apex;
}

/// That of the radius of gyration, by its square |int x.x| / V = (sum / 240) / (sum / 12).
int exponent_of_radius(const IntegerSums& sums) {
  const Integer square = sums.sum[4] + sums.sum[5] + sums.sum[6];
  if (square == 0 || sums.sum[0] == 0) return 0;
  return quotient(square, 20 * sums.sum[0]).exponent / 2 + sums.exponent;
}

}  // namespace

std::optional<ExactMoments> sum_moments_exactly(const MeshView& mesh, const Vec3& apex) {
  const std::vector<std::uint32_t> triangles = uncancelled_triangles(mesh);
  const IntegerSums about_apex = integer_sums(mesh, triangles, apex);
  if (about_apex.sum[0] == 0) return {};
  ExactMoments exact;
  exact.triangles = triangles.size();
  exact.center = center_of(about_apex, apex);
  const IntegerSums sums = integer_sums(mesh, triangles, exact.center);
  const int size = exponent_of_radius(sums);
  if (size < -128 || size > 127) exact.exponent = size;
  const int e = sums.exponent - exact.exponent;
  // The sum of an open surface is another about another point, and may be 0.
  const Integer volume = abs(sums.sum[0]);
  const int weight = volume == 0 ? 0 : static_cast<int>(msb(volume)) + 3 * e;
  if (weight < -384) exact.weight = weight;
  const int w = exact.weight;
  Moments& m = exact.moments;
  m.volume = to_ball(sums.sum[0], 3 * e - w) / Ball(12);
  for (int i = 0; i < 3; ++i) m.first[i] = to_ball(sums.sum[1 + i], 4 * e - w) / Ball(96);
  for (int i = 0; i < 6; ++i) m.second[i] = to_ball(sums.sum[4 + i], 5 * e - w) / Ball(240);
  return exact;
}

}  // namespace plimsoll
