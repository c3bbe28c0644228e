// The volume integrals in integers of any length: the last word where rounding swallows a volume.
//
// Every finite double is an integer times a power of two. With 2^e the smallest such power among
// the coordinates and the apex, all of them are integers over 2^e, and so are the sums of
// tetrahedron_terms: 2^3e, 2^4e and 2^5e times integers, exactly.
#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <limits>

#include "solid/moment_sums.h"

namespace plimsoll {
namespace {
#include "solid/tetrahedron_terms.inc"

using Integer = boost::multiprecision::number<boost::multiprecision::cpp_int_backend<>,
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
  // What low leaves of 200 bits is below 2^(200 - 104); the bits cut off are below 1.
  Ball ball(high, low, std::ldexp(1.0, kBits - 104) + 1);
  if (cut == 0 && Integer(low) == rest) ball.rad = 0;
  ball = scaled(ball, cut + exponent);
  return n < 0 ? -ball : ball;
}

}  // namespace

Moments sum_moments_exactly(const MeshView& mesh, const Vec3& apex) {
  int exponent = std::numeric_limits<int>::max();
  for (int i = 0; i < 3; ++i) exponent = std::min(exponent, lowest_exponent(apex[i]));
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t)
    for (const std::uint32_t v : mesh.triangle(t))
      for (int i = 0; i < 3; ++i) exponent = std::min(exponent, lowest_exponent(mesh.vertex(v)[i]));
  if (exponent == std::numeric_limits<int>::max()) return {};  // every coordinate is 0

  const Integer about[3] = {to_integer(apex[0], exponent), to_integer(apex[1], exponent),
                            to_integer(apex[2], exponent)};
  Integer sum[10] = {};
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t) {
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
    for (int i = 0; i < 10; ++i) sum[i] += terms.sum[i];
  }

  Moments m;
  m.volume = to_ball(sum[0], 3 * exponent) / Ball(12);
  for (int i = 0; i < 3; ++i) m.first[i] = to_ball(sum[1 + i], 4 * exponent) / Ball(96);
  for (int i = 0; i < 6; ++i) m.second[i] = to_ball(sum[4 + i], 5 * exponent) / Ball(240);
  return m;
}

}  // namespace plimsoll
