// Patches in triangles.
//
// A patch is cut into uniform steps. The linear interpolant over a triangle in the parameter plane
// that extends over a step h in u and k in v is off by
//
//   |S - L| <= (M_uu h^2 + 2 M_uv h k + M_vv k^2) / 8
//
// with M the greatest lengths of the second derivatives: the remainders of Taylor's formula about
// the point, averaged with its barycentric weights, where the variance of a coordinate that ranges
// over h is at most h^2 / 4. For right triangles this is [Filip1986].
//
// Each edge curve is looked up by its points, in the direction in which they come first in
// lexicographic order: all patches that meet there use one number of segments, the greatest that
// any of them wants, and the same arithmetic. Where that is more than the steps of the patch, a
// strip of triangles joins the edge to the grid inside; none extends farther along the edge than
// one step of the grid.
#include "patch/tessellate.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <new>
#include <string>
#include <utility>

#include "mesh/trusted_mesh.h"
#include "patch/derivative_bounds.h"
#include "patch/homogeneous_net.h"

namespace plimsoll {
namespace {

using EdgePoints = std::vector<WeightedPoint>;

// The control points of side 0 ... 3 of a patch: v = 0, u = 1, v = 1, u = 0, run counter-clockwise.
EdgePoints side_of(const BezierPatch& patch, std::size_t side) {
  const auto rows = static_cast<std::size_t>(patch.degree_u) + 1;
  const auto columns = static_cast<std::size_t>(patch.degree_v) + 1;
  EdgePoints points;
  if (side % 2 == 0)
    for (std::size_t i = 0; i < rows; ++i)
      points.push_back(patch.points[i * columns + (side == 0 ? 0 : columns - 1)]);
  else
    for (std::size_t j = 0; j < columns; ++j)
      points.push_back(patch.points[(side == 1 ? rows - 1 : 0) * columns + j]);
  if (side >= 2) std::reverse(points.begin(), points.end());
  return points;
}

bool comes_before(const WeightedPoint& a, const WeightedPoint& b) {
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
}

struct ByPoints {
  bool operator()(const EdgePoints& a, const EdgePoints& b) const {
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(), comes_before);
  }
};

bool is_one_point(const EdgePoints& edge) {
  return std::all_of(edge.begin(), edge.end(), [&](const WeightedPoint& point) {
    return point.head<3>() == edge.front().head<3>();
  });
}

// About the first control point, so that distance from the origin costs no digits.
Vec3 point_of(const EdgePoints& curve, double t) {
  const Bernstein basis = bernstein(static_cast<int>(curve.size()) - 1, t);
  const Vec3 origin = curve.front().head<3>();
  Vec3 sum = Vec3::Zero();
  double weight = 0;
  for (std::size_t i = 0; i < curve.size(); ++i) {
    const double share = basis[i] * curve[i].w();
    sum += share * (curve[i].head<3>() - origin);
    weight += share;
  }
  return origin + sum / weight;
}

// Whether all who look at the edge do so against the direction it is given in.
bool reversed_first(const EdgePoints& edge) {
  return ByPoints()(EdgePoints(edge.rbegin(), edge.rend()), edge);
}

// Points on the edge at 0, 1 / segments ... 1; the ends are control points.
std::vector<Vec3> points_along(const EdgePoints& edge, int segments) {
  EdgePoints curve = edge;
  const bool reversed = reversed_first(edge);
  if (reversed) std::reverse(curve.begin(), curve.end());
  std::vector<Vec3> points{curve.front().head<3>()};
  for (int i = 1; i < segments; ++i)
    points.push_back(point_of(curve, static_cast<double>(i) / segments));
  points.push_back(curve.back().head<3>());
  if (reversed) std::reverse(points.begin(), points.end());
  return points;
}

// How many segments each edge curve has, under its points in the direction that comes first.
class PatchEdges {
 public:
  PatchEdges(const PatchSurface& surface, std::span<const PatchSteps> steps) {
    for (std::size_t p = 0; p < surface.patches.size(); ++p) {
      for (std::size_t side = 0; side < 4; ++side) {
        const EdgePoints edge = side_of(surface.patches[p], side);
        int& segments = segments_[key(edge)];
        segments = std::max(segments, side % 2 == 0 ? steps[p].u : steps[p].v);
      }
    }
  }

  [[nodiscard]] int segments(const EdgePoints& edge) const {
    return is_one_point(edge) ? 1 : segments_.find(key(edge))->second;
  }

 private:
  static EdgePoints key(const EdgePoints& edge) {
    return reversed_first(edge) ? EdgePoints(edge.rbegin(), edge.rend()) : edge;
  }

  std::map<EdgePoints, int, ByPoints> segments_;
};

// A row of vertices with their places along it, ascending from 0 to 1.
struct Row {
  std::vector<std::uint32_t> vertices;
  std::vector<double> places;
};

// Adds the triangles of one patch.
class PatchMesher {
 public:
  PatchMesher(const BezierPatch& patch, PatchSteps steps, const PatchEdges& edges,
              TriangleMesh& mesh)
      : net_(homogeneous_net(patch, patch.points.front().head<3>())),
        origin_(patch.points.front().head<3>()),
        steps_(steps),
        mesh_(mesh) {
    for (std::size_t side = 0; side < 4; ++side) {
      edges_[side] = side_of(patch, side);
      segments_[side] = edges.segments(edges_[side]);
    }
  }

  void run() {
    if (sides_match_grid()) {
      add_grid();
    } else if (steps_.v == 1 && segments_[1] == 1 && segments_[3] == 1) {
      add_strip(side(0), reversed(side(2)));
    } else if (steps_.u == 1 && segments_[0] == 1 && segments_[2] == 1) {
      add_strip(side(1), reversed(side(3)));
    } else {
      steps_ = {std::max(steps_.u, 2), std::max(steps_.v, 2)};
      add_grid_with_rim();
    }
  }

 private:
  bool sides_match_grid() const {
    for (std::size_t s = 0; s < 4; ++s)
      if (segments_[s] != (s % 2 == 0 ? steps_.u : steps_.v) && !is_one_point(edges_[s]))
        return false;
    return true;
  }

  std::uint32_t add_vertex(const Vec3& position) {
    mesh_.vertices.push_back(position);
    return static_cast<std::uint32_t>(mesh_.vertices.size() - 1);
  }

  /// Without those that are a line or a point because two corners are one.
  void add_triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    const auto& v = mesh_.vertices;
    if (v[a] != v[b] && v[b] != v[c] && v[c] != v[a]) mesh_.triangles.push_back({a, b, c});
  }

  Row side(std::size_t number) {
    Row row;
    for (const Vec3& point : points_along(edges_[number], segments_[number])) {
      row.places.push_back(static_cast<double>(row.vertices.size()) / segments_[number]);
      row.vertices.push_back(add_vertex(point));
    }
    return row;
  }

  static Row reversed(Row row) {
    std::reverse(row.vertices.begin(), row.vertices.end());
    return row;  // places are uniform: their order stays
  }

  /// The vertices of the grid at i / steps_.u that are not on an edge.
  std::vector<std::uint32_t> add_inner_line(int i) {
    const LineOfConstantU line(net_, static_cast<double>(i) / steps_.u);
    std::vector<std::uint32_t> vertices;
    for (int j = 1; j < steps_.v; ++j) {
      const double v = static_cast<double>(j) / steps_.v;
      const SurfacePoint at = line.at(bernstein(net_.degree_v, v), bernstein(net_.degree_v - 1, v));
      vertices.push_back(add_vertex(origin_ + at.position));
    }
    return vertices;
  }

  /// The quadrilaterals between vertices[i][j], i along u and j along v.
  void add_quads(const std::vector<std::vector<std::uint32_t>>& vertices) {
    for (std::size_t i = 0; i + 1 < vertices.size(); ++i) {
      for (std::size_t j = 0; j + 1 < vertices[i].size(); ++j) {
        add_triangle(vertices[i][j], vertices[i + 1][j], vertices[i + 1][j + 1]);
        add_triangle(vertices[i][j], vertices[i + 1][j + 1], vertices[i][j + 1]);
      }
    }
  }

  void add_grid() {
    const auto last_i = static_cast<std::size_t>(steps_.u);
    const auto last_j = static_cast<std::size_t>(steps_.v);
    // An edge that is one point has as many vertices as the grid asks for, all equal.
    for (std::size_t s = 0; s < 4; ++s) segments_[s] = s % 2 == 0 ? steps_.u : steps_.v;
    std::vector<std::vector<std::uint32_t>> vertices(last_i + 1,
                                                     std::vector<std::uint32_t>(last_j + 1));
    const Row bottom = side(0), right = side(1), top = reversed(side(2)), left = reversed(side(3));
    for (std::size_t i = 0; i <= last_i; ++i) {
      vertices[i][0] = bottom.vertices[i];
      vertices[i][last_j] = top.vertices[i];
    }
    for (std::size_t j = 1; j < last_j; ++j) {
      vertices[0][j] = left.vertices[j];
      vertices[last_i][j] = right.vertices[j];
    }
    for (std::size_t i = 1; i < last_i; ++i) {
      const std::vector<std::uint32_t> line = add_inner_line(static_cast<int>(i));
      std::copy(line.begin(), line.end(), vertices[i].begin() + 1);
    }
    add_quads(vertices);
  }

  /// A grid one step smaller on every side, and four strips from it to the edges.
  void add_grid_with_rim() {
    std::vector<std::vector<std::uint32_t>> inner;
    for (int i = 1; i < steps_.u; ++i) inner.push_back(add_inner_line(i));
    add_quads(inner);
    Row bottom, right, top, left;
    for (std::size_t i = 0; i < inner.size(); ++i) {
      bottom.places.push_back(static_cast<double>(i + 1) / steps_.u);
      bottom.vertices.push_back(inner[i].front());
      top.vertices.push_back(inner[i].back());
    }
    for (std::size_t j = 0; j < inner.front().size(); ++j) {
      right.places.push_back(static_cast<double>(j + 1) / steps_.v);
      right.vertices.push_back(inner.back()[j]);
      left.vertices.push_back(inner.front()[j]);
    }
    top.places = bottom.places;
    left.places = right.places;
    add_strip(side(0), bottom);
    add_strip(side(1), right);
    add_strip(side(2), reversed(top));
    add_strip(side(3), reversed(left));
  }

  /// Joins two rows of the same direction, `inner` on the left of `outer`: the row whose next
  /// vertex comes first moves on, so that no triangle extends over more than one of its steps.
  void add_strip(const Row& outer, const Row& inner) {
    std::size_t i = 0, j = 0;
    while (i + 1 < outer.vertices.size() || j + 1 < inner.vertices.size()) {
      const bool at_end = j + 1 == inner.vertices.size();
      if (at_end || (i + 1 < outer.vertices.size() && outer.places[i + 1] <= inner.places[j + 1])) {
        add_triangle(outer.vertices[i], outer.vertices[i + 1], inner.vertices[j]);
        ++i;
      } else {
        add_triangle(outer.vertices[i], inner.vertices[j + 1], inner.vertices[j]);
        ++j;
      }
    }
  }

  HomogeneousNet net_;
  Vec3 origin_;
  PatchSteps steps_;
  TriangleMesh& mesh_;
  std::array<EdgePoints, 4> edges_;
  std::array<int, 4> segments_{};
};

// Steps so that (M_uu + r M_uv) h^2 + (M_vv + M_uv / r) k^2 <= 8 flatness, where any r > 0 makes
// 2 h k <= r h^2 + k^2 / r. Half the room is for either term, or all for the only one.
struct WantedSteps {
  double u = 1, v = 1;
};

WantedSteps wanted_steps(const SecondDerivatives& m, double flatness) {
  const double along_u = m.uu + m.uv, along_v = m.vv + m.uv;
  const double r = along_u > 0 && along_v > 0 ? std::sqrt(along_u / along_v) : 1;
  const double in_u = m.uu + r * m.uv, in_v = m.vv + m.uv / r;
  const double room = in_u > 0 && in_v > 0 ? 4 * flatness : 8 * flatness;
  return {std::max(1.0, std::ceil(std::sqrt(in_u / room))),
          std::max(1.0, std::ceil(std::sqrt(in_v / room)))};
}

// The grids of all patches, with two steps more for a rim.
double triangle_count(const std::vector<SecondDerivatives>& bends, double flatness) {
  double count = 0;
  for (const SecondDerivatives& bend : bends) {
    const WantedSteps steps = wanted_steps(bend, flatness);
    count += 2 * (steps.u + 1) * (steps.v + 1);
  }
  return count;
}

// What the finer edges of neighbors add at most.
double rim_count(const PatchSurface& surface, const PatchEdges& edges) {
  double count = 0;
  for (const BezierPatch& patch : surface.patches)
    for (std::size_t side = 0; side < 4; ++side) count += edges.segments(side_of(patch, side));
  return count;
}

constexpr auto kMaxTriangles = static_cast<double>(kMaxPatchTriangles);

std::string in_digits(double value) {
  std::array<char, 32> text{};
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, 3);
  return {text.data(), end.ptr};
}

Error too_many(const std::vector<SecondDerivatives>& bends, double flatness) {
  // The count goes down with the flatness, in the end to that of patches of one step.
  const std::string message = "found a flatness of " + in_digits(flatness) + " that takes over " +
                              std::to_string(kMaxPatchTriangles) + " triangles";
  const double least = 8 * static_cast<double>(bends.size());
  double count = triangle_count(bends, flatness);
  if (!std::isfinite(count) || 4 * least > kMaxTriangles)
    return {ErrorCode::kResourceLimit, message, {}};
  double enough = flatness;
  do {
    enough *= std::max(1.1, count / kMaxTriangles);
    count = triangle_count(bends, enough);
  } while (2 * count > kMaxTriangles);  // the other half for rims, and for three digits
  return {ErrorCode::kResourceLimit, message + "; " + in_digits(enough) + " would do", {}};
}

}  // namespace

TriangleMesh tessellate_in_steps(const PatchSurface& surface, std::span<const PatchSteps> steps) {
  const PatchEdges edges(surface, steps);
  TriangleMesh mesh;
  for (std::size_t p = 0; p < surface.patches.size(); ++p)
    PatchMesher(surface.patches[p], steps[p], edges, mesh).run();
  return weld(mesh);
}

namespace {

Result<std::vector<PatchSteps>> steps_within(const PatchSurface& surface, double flatness) {
  if (const Result<void> sound = check_patches(surface); !sound) return sound.error();
  if (!std::isfinite(flatness) || flatness <= 0)
    return Error{ErrorCode::kInvalidArgument,
                 "found a flatness of " + std::to_string(flatness) + ", expected a length above 0",
                 {}};
  std::vector<SecondDerivatives> bends;
  for (const BezierPatch& patch : surface.patches) bends.push_back(second_derivative_bounds(patch));
  const double count = triangle_count(bends, flatness);
  if (!(count <= kMaxTriangles)) return too_many(bends, flatness);
  std::vector<PatchSteps> steps;
  for (const SecondDerivatives& bend : bends) {
    const WantedSteps wanted = wanted_steps(bend, flatness);
    steps.push_back({static_cast<int>(wanted.u), static_cast<int>(wanted.v)});
  }
  if (count + rim_count(surface, PatchEdges(surface, steps)) > kMaxTriangles)
    return too_many(bends, flatness);
  return steps;
}

}  // namespace

Result<TriangleMesh> tessellate(const PatchSurface& surface, double flatness) {
  try {
    const Result<std::vector<PatchSteps>> steps = steps_within(surface, flatness);
    if (!steps) return steps.error();
    return tessellate_in_steps(surface, *steps);
  } catch (const std::bad_alloc&) {
    return Error{ErrorCode::kResourceLimit, "not enough memory", {}};
  }
}

Result<std::vector<PatchGrid>> patch_grids(const PatchSurface& surface, double flatness) {
  const Result<std::vector<PatchSteps>> steps = steps_within(surface, flatness);
  if (!steps) return steps.error();
  const PatchEdges edges(surface, *steps);
  std::vector<PatchGrid> grids;
  for (std::size_t p = 0; p < surface.patches.size(); ++p) {
    PatchGrid grid{(*steps)[p], {}, {}};
    for (std::size_t side = 0; side < 4; ++side) {
      const EdgePoints edge = side_of(surface.patches[p], side);
      grid.segments[side] = edges.segments(edge);
      // Sides 2 and 3 run against their parameter.
      grid.descends[side] = (reversed_first(edge) != (side >= 2));
    }
    grids.push_back(grid);
  }
  return grids;
}

Result<TriangleMesh> tessellate_uniform(const PatchSurface& surface, int segments) {
  if (const Result<void> sound = check_patches(surface); !sound) return sound.error();
  if (segments < 1)
    return Error{ErrorCode::kInvalidArgument,
                 "found " + std::to_string(segments) + " segments, expected 1 or more",
                 {}};
  const double count = 2.0 * segments * segments * static_cast<double>(surface.patches.size());
  if (count > kMaxTriangles)
    return Error{ErrorCode::kResourceLimit,
                 "found " + std::to_string(segments) + " segments, which takes over " +
                     std::to_string(kMaxPatchTriangles) + " triangles",
                 {}};
  try {
    const std::vector<PatchSteps> steps(surface.patches.size(), {segments, segments});
    return tessellate_in_steps(surface, steps);
  } catch (const std::bad_alloc&) {
    return Error{ErrorCode::kResourceLimit, "not enough memory", {}};
  }
}

}  // namespace plimsoll
