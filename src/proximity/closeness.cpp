// Triangles that have no point in common are closer than D if and only if this holds for two of
// their features: two corners, a corner and an edge, two edges, or a corner and a face, of which
// each has a nearest point within it, no end or border. (The nearest points of two disjoint
// triangles lie within two features. If these are parallel, one point can be moved to the border of
// its feature; so can it be where one of them is a face and the other no corner.) Let r lead from q
// to p. The features
//
//   corners p and q               are closer than D where  r.r < D^2,
//   a corner p, an edge q + t v                            |r x v|^2 < D^2 v.v,
//   edges p + s u, q + t v                                 (r.w)^2 < D^2 w.w,    w = u x v,
//   a corner p, a face at q                                (r.n)^2 < D^2 n.n,    n the normal,
//
// and the nearest point lies within
//
//   the edge of a corner  where  r.v > 0, and < 0 from the other end of the edge,
//   the first of two edges       r.(v x w) < 0, and > 0 from the other end of that edge,
//   the second                   r.(u x w) < 0, and > 0 from the other end of that edge,
//   the face                     (e x r).n > 0 for each edge e, r from a corner at e.
//
// Features of no length or area, and parallel edges, fail the latter. All of these are signs of
// polynomials, so that no quotient or root is needed. Balls of twice the digits of doubles leave a
// sign open only where it hangs on more digits; whole numbers then decide. Each vector may have a
// length of its own, but for r and D, which have one together: so none over- or underflows, however
// far the sizes of edges lie apart.
#include "proximity/closeness.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>

#include "core/ball.h"
#include "core/exact.h"
#include "core/power_of_two.h"

namespace plimsoll {
namespace {

using exact::Integer;

enum class Answer { kNo, kYes, kUnknown };

Answer is_positive(const Ball& x) {
  if (x.contains_zero()) return Answer::kUnknown;
  return x.is_negative() ? Answer::kNo : Answer::kYes;
}
Answer is_positive(const Integer& x) { return x.sign() > 0 ? Answer::kYes : Answer::kNo; }

/// Whether all of several conditions hold. They are asked in turn, until one does not.
template <class... Conditions>
Answer all_of(const Conditions&... conditions) {
  bool is_open = false;
  const auto may_hold = [&](const auto& condition) {
    const Answer answer = condition();
    is_open = is_open || answer == Answer::kUnknown;
    return answer != Answer::kNo;
  };
  if (!(may_hold(conditions) && ...)) return Answer::kNo;
  return is_open ? Answer::kUnknown : Answer::kYes;
}

/// The exponent of the largest component; 0 where that is 0 or no finite number.
int largest_exponent(const Triple<Ball>& v) {
  const double largest = std::max({std::fabs(v[0].hi), std::fabs(v[1].hi), std::fabs(v[2].hi)});
  return largest > 0 && std::isfinite(largest) ? exponent_of(largest) : 0;
}
int largest_exponent(const Triple<Integer>& /*v*/) { return 0; }  // they need no scaling

Triple<Ball> scaled(const Triple<Ball>& v, int exponent) {
  return {scaled(v[0], exponent), scaled(v[1], exponent), scaled(v[2], exponent)};
}
const Triple<Integer>& scaled(const Triple<Integer>& v, int /*exponent*/) { return v; }
const Integer& scaled(const Integer& x, int /*exponent*/) { return x; }

template <class Number>
Triple<Number> of_usual_length(const Triple<Number>& v) {
  return scaled(v, -largest_exponent(v));
}

/// Pairs of features of two triangles, one of each.
template <class Number>
class FeaturePairs {
 public:
  static constexpr std::size_t kCount = 6 + 9 + 18 + 9;

  FeaturePairs(const TripleCorners<Number>& a, const TripleCorners<Number>& b,
               const Number& distance) {
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) {
        const Triple<Number> r = a[i] - b[j];
        const int exponent = -largest_exponent(r);
        const Number limit = scaled(distance, exponent);
        limit2_[i][j] = limit * limit;
        r_[0][i][j] = scaled(r, exponent);
        for (std::size_t k = 0; k < 3; ++k) r_[1][j][i][k] = -r_[0][i][j][k];
      }
    const TripleCorners<Number>* corners[2] = {&a, &b};
    for (std::size_t side = 0; side < 2; ++side) {
      for (std::size_t k = 0; k < 3; ++k)
        edge_[side][k] =
            of_usual_length<Number>((*corners[side])[(k + 1) % 3] - (*corners[side])[k]);
      normal_[side] = of_usual_length<Number>(cross(edge_[side][0], edge_[side][1]));
    }
  }

  /// Whether the features of a pair are closer, and have their nearest points within them.
  [[nodiscard]] Answer are_near(std::size_t pair) const {
    const std::size_t i = pair / 3 % 3, j = pair % 3;
    if (pair < 9) return edges_are_near(i, j);
    if (pair < 18) return corner_is_near_edge(0, i, j);
    if (pair < 27) return corner_is_near_edge(1, i, j);
    if (pair < 36) return corners_are_near(i, j);
    return corner_is_near_face(i, j);
  }

 private:
  [[nodiscard]] Answer corners_are_near(std::size_t i, std::size_t j) const {
    return is_positive(Number(limit2_[i][j] - dot(r_[0][i][j], r_[0][i][j])));
  }
  /// Of corner i of `side`, edge j of the other.
  [[nodiscard]] Answer corner_is_near_edge(std::size_t side, std::size_t i, std::size_t j) const {
    const Triple<Number>&v = edge_[1 - side][j], &r = r_[side][i][j];
    return all_of([&] { return is_positive(dot(r, v)); },
                  [&] { return is_positive(dot(r_[1 - side][(j + 1) % 3][i], v)); },
                  [&] {
                    const Triple<Number> across = cross(r, v);
                    const Number& limit2 = side == 0 ? limit2_[i][j] : limit2_[j][i];
                    return is_positive(Number(limit2 * dot(v, v) - dot(across, across)));
                  });
  }
  [[nodiscard]] Answer edges_are_near(std::size_t i, std::size_t j) const {
    const Triple<Number>&u = edge_[0][i], &v = edge_[1][j];
    const Triple<Number> w = of_usual_length<Number>(cross(u, v));
    const auto leads_along = [](const Triple<Number>& r, const Triple<Number>& edge,
                                const Triple<Number>& normal) {
      return is_positive(dot(r, cross(edge, normal)));
    };
    return all_of([&] { return is_less_along(i, j, w); },
                  [&] { return leads_along(r_[1][j][i], v, w); },
                  [&] { return leads_along(r_[0][(i + 1) % 3][j], v, w); },
                  [&] { return leads_along(r_[1][j][i], u, w); },
                  [&] { return leads_along(r_[0][i][(j + 1) % 3], u, w); });
  }
  [[nodiscard]] Answer corner_is_near_face(std::size_t side, std::size_t i) const {
    const Triple<Number>& n = normal_[1 - side];
    const auto is_inside = [&](std::size_t k) {
      return is_positive(dot(cross(edge_[1 - side][k], r_[side][i][k]), n));
    };
    return all_of([&] { return side == 0 ? is_less_along(i, 0, n) : is_less_along(0, i, n); },
                  [&] { return is_inside(0); }, [&] { return is_inside(1); },
                  [&] { return is_inside(2); });
  }
  /// Whether planes square to n, through corner i of a and j of b, are closer.
  [[nodiscard]] Answer is_less_along(std::size_t i, std::size_t j, const Triple<Number>& n) const {
    const Number along = dot(r_[0][i][j], n);
    return is_positive(Number(limit2_[i][j] * dot(n, n) - along * along));
  }

  Triple<Number> r_[2][3][3];  ///< To corner i of a side from corner j of the other.
  Number limit2_[3][3];        ///< D^2, scaled as r is that leads between corner i of a and j of b.
  Triple<Number> edge_[2][3], normal_[2];
};

/// Pairs of features, a bit each.
using FeatureSet = std::uint64_t;

TripleCorners<Ball> in_balls(const TripleCorners<double>& corners) {
  TripleCorners<Ball> all;
  for (std::size_t k = 0; k < 3; ++k)
    for (std::size_t i = 0; i < 3; ++i) all[k][i] = corners[k][i];
  return all;
}

/// As whole numbers.
struct Scaled {
  TripleCorners<Integer> a, b;
  Integer distance;
  std::size_t words = 0;  ///< In the largest of them.
};

Scaled in_integers(const TripleCorners<double>& a, const TripleCorners<double>& b,
                   double distance) {
  std::array<Vec3, 7> points;
  for (std::size_t k = 0; k < 3; ++k) {
    points[k] = Vec3(a[k][0], a[k][1], a[k][2]);
    points[3 + k] = Vec3(b[k][0], b[k][1], b[k][2]);
  }
  points[6] = Vec3(distance, 0, 0);
  const std::array<exact::Point, 7> whole = exact::to_integers(points);
  Scaled scaled{{whole[0], whole[1], whole[2]}, {whole[3], whole[4], whole[5]}, whole[6][0]};
  for (const exact::Point& p : whole)
    for (const Integer& x : p)
      scaled.words = std::max<std::size_t>(scaled.words, x.backend().size());
  return scaled;
}

// What squares in units may lose.
constexpr double kSmall = 0x1p-900;

// Microseconds, as measured on a core of 3 GHz: of all in balls; of a pair of features in whole
// numbers of so many words, and of what pairs of features have in common.
constexpr double kWorkOfBalls = 4;
double work_of_pair(std::size_t words) {
  const auto size = static_cast<double>(words);
  return 1.5 + size * size / 64;
}
double work_in_common(std::size_t words) { return 2 * work_of_pair(words); }

}  // namespace

Closeness::Closeness(double distance, double max_work)
    : distance_(distance),
      surely_closer_(distance * distance * (1 - 0x1p-50)),
      surely_farther_(distance * distance * (1 + 0x1p-50) + kSmall),
      work_left_(max_work) {}

bool Closeness::holds(const TripleCorners<double>& a, const TripleCorners<double>& b,
                      double squared) {
  const double size = squared_size(a, b);
  const double rounding = kSquareRounding * size + kSmall;
  if (squared + rounding < surely_closer_ || std::isinf(distance_)) return true;
  // Beyond that, squares of squares over- or underflow.
  const bool is_usual = size > 0x1p-380 && size < 0x1p380;
  if (is_usual && squared - rounding > surely_farther_) return false;
  return !is_exhausted() && have_near_features(a, b);
}

bool Closeness::have_near_features(const TripleCorners<double>& a, const TripleCorners<double>& b) {
  work_left_ -= kWorkOfBalls;
  const FeaturePairs<Ball> balls(in_balls(a), in_balls(b), distance_);
  FeatureSet open = 0;
  for (std::size_t pair = 0; pair < FeaturePairs<Ball>::kCount; ++pair) {
    const Answer answer = balls.are_near(pair);
    if (answer == Answer::kYes) return true;
    if (answer == Answer::kUnknown) open |= FeatureSet{1} << pair;
  }
  if (open == 0) return false;
  const Scaled whole = in_integers(a, b, distance_);
  work_left_ -= work_in_common(whole.words);
  const FeaturePairs<Integer> integers(whole.a, whole.b, whole.distance);
  for (; open != 0; open &= open - 1) {
    work_left_ -= work_of_pair(whole.words);
    if (integers.are_near(static_cast<std::size_t>(std::countr_zero(open))) == Answer::kYes)
      return true;
  }
  return false;
}

double Closeness::max_work_of(std::size_t triangles) {
  return 3e6 + 100 * static_cast<double>(triangles);
}

Error Closeness::too_much_work() {
  return {ErrorCode::kResourceLimit,
          "found too many triangles that are told apart only by hundreds of digits, or lie at just "
          "that distance, expected fewer: coordinates of one size, another distance",
          "distance"};
}

}  // namespace plimsoll
