#include "mesh/polygon.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "core/counted.h"
#include "core/predicates.h"
#include "mesh/ears.h"

// The vector area of a polygon is half the sum of the normals N = (b - a) x (c - a) of its fan.
// With u = 2^-53 a component of N is off by less than 8 u L, L = |b - a| |c - a| in the sum norm,
// and one of the sum A of n of them by less than (8 + n) u times the sum S of their L; so N.A, of
// three products, has the sign that is computed if it is more than (24 + n) u L S off zero. What is
// closer is decided by the exact sign of the triangle, seen along the axis nearest to the vector
// area.

namespace plimsoll {
namespace {

double sum_norm(const Vec3& a) { return std::fabs(a.x()) + std::fabs(a.y()) + std::fabs(a.z()); }

struct Normal {
  Vec3 value;
  double size;  // at most as large as its terms
};

Normal normal_of(const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 ab = b - a, ac = c - a;
  return {ab.cross(ac), sum_norm(ab) * sum_norm(ac)};
}

/// The share of the sizes within which N.A may have the wrong sign.
double rounding_of(std::size_t corners) { return (24 + static_cast<double>(corners)) * 0x1p-53; }

constexpr double kUnderflow = 0x1p-1000;  // far above what is lost below the least normal double

/// Whether the fan is certainly turned as one; nearly all polygons are done by this.
bool is_plain(const Vec3* vertices, std::span<const Triangle> fan) {
  const auto normal = [&](const Triangle& t) {
    return normal_of(vertices[t[0]], vertices[t[1]], vertices[t[2]]);
  };
  Vec3 area = Vec3::Zero();
  double size = 0;
  for (const Triangle& triangle : fan) {
    const Normal n = normal(triangle);
    area += n.value;
    size += n.size;
  }
  const double bound = rounding_of(fan.size() + 2) * size;
  return std::all_of(fan.begin(), fan.end(), [&](const Triangle& triangle) {
    const Normal n = normal(triangle);
    return n.value.dot(area) > bound * n.size + kUnderflow;
  });
}

/// The same for four corners a, b, c, d in fewer steps, which is not certain as often. Where N.M >
/// 0 for the normals N and M of the two triangles, N.(N + M) and M.(N + M) are too. By Lagrange,
///
///   N.M = (ab x ac).(ac x ad) = (ab.ac) (ac.ad) - (ab.ad) (ac.ac),
///
/// at most 12 roundings of terms that sum to at most 2 |ab| |ad| |ac|^2 <= (|ab|^2 + |ad|^2)
/// |ac|^2.
bool is_plain(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const Vec3 ab = b - a, ac = c - a, ad = d - a;
  const double square = ac.squaredNorm();
  const double product = ab.dot(ac) * ac.dot(ad) - ab.dot(ad) * square;
  return product > 0x1p-48 * (ab.squaredNorm() + ad.squaredNorm()) * square + kUnderflow;
}

class Splitter {
 public:
  explicit Splitter(TriangleMesh& mesh) : vertices_(mesh.vertices) {}

  /// Splits the polygon of this fan anew if it folds; false if its outline crosses itself.
  bool split(std::span<Triangle> fan) {
    corners_.reserve(fan.size() + 2);
    corners_.assign({fan[0][0], fan[0][1]});
    for (const Triangle& triangle : fan) corners_.push_back(triangle[2]);
    if (!look() || !folds(fan)) return true;
    // An outline that touches itself runs along each of the at most 3 v edges of a plane graph of v
    // vertices once in each direction, unless it doubles back: more corners cross.
    if (corners_.size() <= 6 * vertices_.size() && cut(fan)) return true;
    for (std::size_t t = 0; t < fan.size(); ++t)
      fan[t] = {corners_[0], corners_[t + 1], corners_[t + 2]};
    return false;
  }

 private:
  /// Finds the vector area; false if a coordinate is not finite or all are 0.
  bool look() {
    double size = 0;
    for (const std::uint32_t v : corners_) {
      if (!vertices_[v].allFinite()) return false;
      size = std::max(size, vertices_[v].cwiseAbs().maxCoeff());
    }
    if (size == 0) return false;
    exponent_ = std::ilogb(size);
    area_ = Vec3::Zero();
    size_ = 0;
    Vec3 absolute = Vec3::Zero();
    for (std::size_t i = 1; i + 1 < corners_.size(); ++i) {
      const Normal normal = scaled_normal(i);
      area_ += normal.value;
      absolute += normal.value.cwiseAbs();
      size_ += normal.size;
    }
    // The area of an outline that crosses itself may be 0, and what is computed rounding alone.
    is_certain_ = area_.cwiseAbs().maxCoeff() > rounding_of(corners_.size()) * size_;
    (is_certain_ ? Vec3(area_.cwiseAbs()) : absolute).maxCoeff(&axis_);
    return true;
  }

  /// Of the triangle of corners 0, i, i + 1, in coordinates of a size near 1.
  [[nodiscard]] Normal scaled_normal(std::size_t i) const {
    return normal_of(scaled(0), scaled(i), scaled(i + 1));
  }
  [[nodiscard]] Vec3 scaled(std::size_t i) const {
    return vertices_[corners_[i]].unaryExpr([this](double x) { return std::ldexp(x, -exponent_); });
  }

  [[nodiscard]] bool folds(std::span<const Triangle> fan) const {
    bool with = false, against = false;
    for (std::size_t t = 0; t < fan.size(); ++t) {
      const int sign = turn_of(t, fan[t]);
      with = with || sign > 0;
      against = against || sign < 0;
    }
    return with && against;
  }

  /// +1 where the triangle is turned like the vector area, -1 where it is turned against it.
  [[nodiscard]] int turn_of(std::size_t t, const Triangle& triangle) const {
    const Normal normal = scaled_normal(t + 1);
    const double dot = normal.value.dot(area_);
    if (is_certain_ && std::fabs(dot) > rounding_of(corners_.size()) * normal.size * size_)
      return dot > 0 ? 1 : -1;
    return turn() *
           orient2d(vertices_[triangle[0]], vertices_[triangle[1]], vertices_[triangle[2]], axis_);
  }

  [[nodiscard]] int turn() const { return area_[axis_] < 0 ? -1 : 1; }

  bool cut(std::span<Triangle> triangles) {
    if (ears_.cut(vertices_, corners_, axis_, turn(), triangles)) return true;
    return !is_certain_ && ears_.cut(vertices_, corners_, axis_, -turn(), triangles);
  }

  const std::vector<Vec3>& vertices_;
  std::vector<std::uint32_t> corners_;
  int exponent_ = 0;
  Vec3 area_;
  double size_ = 0;
  bool is_certain_ = false;
  int axis_ = 2;
  EarCutter ears_;
};

}  // namespace

void TriangleStrip::add_corner(std::uint32_t vertex) {
  if (corners_ >= 2)
    triangles_->push_back(corners_ % 2 == 0 ? Triangle{last_[0], last_[1], vertex}
                                            : Triangle{last_[0], vertex, last_[1]});
  last_ = {last_[1], vertex};
  ++corners_;
}

void Polygons::start_run(std::size_t first, std::size_t corners) {
  runs_.push_back({first, corners, 1});
  corners_ = corners;
}

std::string Polygons::split_folded(TriangleMesh& mesh) const {
  const Vec3* vertices = mesh.vertices.data();
  Splitter splitter(mesh);
  std::size_t crossing = 0, end = 0, face = 0;
  std::string first;
  for (const Run& run : runs_) {
    face += run.first - end;  // triangles that stand between
    end = run.first;
    for (std::size_t i = 0; i < run.count; ++i, ++face) {
      const std::span fan(mesh.triangles.data() + end, run.corners - 2);
      end += fan.size();
      if (fan.size() == 2 && is_plain(vertices[fan[0][0]], vertices[fan[0][1]], vertices[fan[0][2]],
                                      vertices[fan[1][2]]))
        continue;
      if (is_plain(vertices, fan) || splitter.split(fan) || crossing++ > 0) continue;
      first = "face " + std::to_string(face) + ", triangles " + std::to_string(end - fan.size()) +
              " to " + std::to_string(end - 1) + ", counted from 0";
    }
  }
  if (crossing == 0) return {};
  return counted(crossing, "polygon has an outline that crosses itself: it stays",
                 "polygons have outlines that cross themselves: they stay") +
         " the fan from the first corner, which covers more than the polygon; the first is " +
         first;
}

}  // namespace plimsoll
