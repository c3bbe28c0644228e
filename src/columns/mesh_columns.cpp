#include "columns/mesh_columns.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>

#include "core/predicates.h"

namespace plimsoll {
namespace {

/// The side of the line from a to b on which (u, v) lies, +1 left, -1 right: never 0 unless a and b
/// are one point across the column. On the line (u + e, v + e^2) with a tiny e decides, and
///   (b - a) x (p - a) changes by -(b - a)_v e + (b - a)_u e^2.
int side_of(const Vec3& a, const Vec3& b, const Vec3& p) {
  const double left = (b.x() - a.x()) * (p.y() - a.y());
  const double right = (b.y() - a.y()) * (p.x() - a.x());
  const double area = left - right;
  constexpr double kMargin = 0x1p-50;  // 4 roundings are below 2^-51
  if (std::fabs(area) > kMargin * (std::fabs(left) + std::fabs(right)) + 0x1p-1000)
    return area > 0 ? 1 : -1;
  const int sign = orient2d(a, b, p, 2);
  if (sign != 0) return sign;
  if (a.y() != b.y()) return b.y() < a.y() ? 1 : -1;
  return b.x() > a.x() ? 1 : b.x() < a.x() ? -1 : 0;
}

/// The depth of the plane of the triangle over p; NaN where it has no area across the column.
double plane_depth(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& p) {
  const double bu = b.x() - a.x(), bv = b.y() - a.y(), cu = c.x() - a.x(), cv = c.y() - a.y();
  const double pu = p.x() - a.x(), pv = p.y() - a.y();
  const double area = bu * cv - bv * cu;
  const double to_b = (pu * cv - pv * cu) / area, to_c = (bu * pv - bv * pu) / area;
  return a.z() + (to_b * (b.z() - a.z()) + to_c * (c.z() - a.z()));
}

/// The same over p in the triangle or on its border.
double depth_at(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& p) {
  const double depth = plane_depth(a, b, c, p);
  const auto [low, high] = std::minmax({a.z(), b.z(), c.z()});
  if (!(depth >= low)) return low;  // also where a sliver has no area left: NaN
  return std::min(depth, high);
}

/// The winding number's step up through abc at p: +1 where p is within and they run clockwise seen
/// from the high end, for then the triangle faces down.
int step_through(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& p) {
  const int ab = side_of(a, b, p);
  if (ab == 0 || side_of(b, c, p) != ab || side_of(c, a, p) != ab) return 0;
  return -ab;
}

/// Whether the line of an edge from a to b separates the triangle, whose third corner is c, from
/// the rectangle. Roundings make it miss what is closer than them.
bool separates(const Vec3& a, const Vec3& b, const Vec3& c, std::span<const Vec3, 4> rectangle) {
  const auto side = [&](const Vec3& p) {
    return (b.x() - a.x()) * (p.y() - a.y()) - (b.y() - a.y()) * (p.x() - a.x());
  };
  const double own = side(c);
  const bool below = own <= 0 && std::all_of(rectangle.begin(), rectangle.end(),
                                             [&](const Vec3& p) { return side(p) > 0; });
  const bool above = own >= 0 && std::all_of(rectangle.begin(), rectangle.end(),
                                             [&](const Vec3& p) { return side(p) < 0; });
  return below || above;
}

struct Edge {
  std::uint32_t low, high;  // vertices
  std::uint32_t face;
};

std::uint32_t root_of(std::vector<std::uint32_t>& parents, std::uint32_t face) {
  while (parents[face] != face) face = parents[face] = parents[parents[face]];
  return face;
}

}  // namespace

MeshColumns::MeshColumns(const MeshView& mesh, const SimilarityParts& world_from_mesh, int axis) {
  points_.reserve(mesh.vertex_count());
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
    const Vec3 p = world_from_mesh(mesh.vertex(v));
    points_.emplace_back(p[(axis + 1) % 3], p[(axis + 2) % 3], p[axis]);
  }
  number_surfaces(mesh);

  Box3 box;
  for (const Face& face : faces_)
    for (const std::uint32_t v : face.corners) box.extend(points_[v]);
  if (box.isEmpty()) box.extend(Vec3(Vec3::Zero()));
  low_u_ = box.min().x();
  low_v_ = box.min().y();
  high_u_ = box.max().x();
  high_v_ = box.max().y();

  double volume = 0;  // only its sign counts
  const Vec3 center = box.center();
  for (const Face& face : faces_) {
    const auto [a, b, c] = face.corners;
    volume += (points_[a] - center).dot((points_[b] - points_[a]).cross(points_[c] - points_[a]));
  }
  outward_ = volume < 0 ? -1 : 1;
  sort_into_cells();
}

/// Joins neighbors whose normals differ little, and numbers the joined faces.
void MeshColumns::number_surfaces(const MeshView& mesh) {
  constexpr double kSmoothCosine = 0.9397;  // 20 degrees
  const std::size_t count = mesh.triangle_count();
  faces_.resize(count);
  std::vector<Edge> edges;
  edges.reserve(3 * count);
  std::vector<Vec3> normals(count);
  for (std::size_t t = 0; t < count; ++t) {
    const Triangle corners = mesh.triangle(t);
    faces_[t].corners = corners;
    const Vec3& a = points_[corners[0]];
    normals[t] = (points_[corners[1]] - a).cross(points_[corners[2]] - a).normalized();
    for (std::size_t i = 0; i < 3; ++i) {
      const auto [low, high] = std::minmax(corners[i], corners[(i + 1) % 3]);
      edges.push_back({low, high, static_cast<std::uint32_t>(t)});
    }
  }
  std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) {
    return a.low != b.low ? a.low < b.low : a.high != b.high ? a.high < b.high : a.face < b.face;
  });
  std::vector<std::uint32_t> parents(count);
  std::iota(parents.begin(), parents.end(), 0u);
  for (std::size_t i = 1; i < edges.size(); ++i) {
    if (edges[i - 1].low != edges[i].low || edges[i - 1].high != edges[i].high) continue;
    const std::uint32_t s = edges[i - 1].face, t = edges[i].face;
    if (!(normals[s].dot(normals[t]) > kSmoothCosine)) continue;
    const std::uint32_t a = root_of(parents, s), b = root_of(parents, t);
    parents[std::max(a, b)] = std::min(a, b);
  }
  for (std::uint32_t t = 0; t < count; ++t)
    faces_[t].surface = parents[t] == t ? surface_count_++ : faces_[root_of(parents, t)].surface;
  for (std::size_t i = 0, end = 0; i < edges.size(); i = end) {
    while (end < edges.size() && edges[end].low == edges[i].low && edges[end].high == edges[i].high)
      ++end;
    const Face &one = faces_[edges[i].face], &other = faces_[edges[end - 1].face];
    if (end - i != 2 || one.surface != other.surface || faces_up(one) != faces_up(other))
      creases_.push_back({edges[i].low, edges[i].high});
  }
}

bool MeshColumns::faces_up(const Face& face) const {
  const Vec3 &a = points_[face.corners[0]], &b = points_[face.corners[1]],
             &c = points_[face.corners[2]];
  return (b.x() - a.x()) * (c.y() - a.y()) > (b.y() - a.y()) * (c.x() - a.x());
}

void MeshColumns::creases_along(double v, std::vector<double>& out) const {
  for (const auto& [from, to] : creases_) {
    const Vec3 &a = points_[from], &b = points_[to];
    if ((a.y() < v) == (b.y() < v)) continue;
    out.push_back(std::lerp(a.x(), b.x(), (v - a.y()) / (b.y() - a.y())));
  }
}

void MeshColumns::crease_ends(double low, double high, std::vector<double>& out) const {
  for (const auto& ends : creases_)
    for (const std::uint32_t end : ends)
      if (low < points_[end].y() && points_[end].y() < high) out.push_back(points_[end].y());
}

template <class Visit>
void MeshColumns::visit_cells(const Face& face, const Visit& visit) const {
  const Vec3 &a = points_[face.corners[0]], &b = points_[face.corners[1]],
             &c = points_[face.corners[2]];
  const auto [low_u, high_u] = std::minmax({a.x(), b.x(), c.x()});
  const auto [low_v, high_v] = std::minmax({a.y(), b.y(), c.y()});
  const std::size_t last_column = column_of(high_u), last_row = row_of(high_v);
  for (std::size_t row = row_of(low_v); row <= last_row; ++row)
    for (std::size_t column = column_of(low_u); column <= last_column; ++column)
      visit(row * columns_ + column);
}

std::uint64_t MeshColumns::count_entries() const {
  std::uint64_t count = 0;
  for (const Face& face : faces_) {
    const Vec3 &a = points_[face.corners[0]], &b = points_[face.corners[1]],
               &c = points_[face.corners[2]];
    const auto [low_u, high_u] = std::minmax({a.x(), b.x(), c.x()});
    const auto [low_v, high_v] = std::minmax({a.y(), b.y(), c.y()});
    count += (column_of(high_u) - column_of(low_u) + 1) * (row_of(high_v) - row_of(low_v) + 1);
  }
  return count;
}

/// Cells about as many as faces, square, and coarser again while faces that cover many of them
/// would fill memory.
void MeshColumns::sort_into_cells() {
  const double width = high_u_ - low_u_, height = high_v_ - low_v_;
  const double wanted = 256 + 2 * static_cast<double>(faces_.size());
  double cell = std::max({std::sqrt(width * height / wanted), std::max(width, height) / 4096,
                          std::numeric_limits<double>::min()});
  const std::uint64_t max_entries = 65'536 + 16 * std::uint64_t{faces_.size()};
  while (true) {
    columns_ = 1 + static_cast<std::size_t>(std::min(width / cell, 4096.0));
    rows_ = 1 + static_cast<std::size_t>(std::min(height / cell, 4096.0));
    per_u_ = per_v_ = 1 / cell;
    if (!std::isfinite(per_u_)) per_u_ = per_v_ = 0;
    if (columns_ * rows_ == 1 || count_entries() <= max_entries) break;
    cell *= 2;
  }
  cell_begin_.assign(columns_ * rows_ + 1, 0);
  for (const Face& face : faces_) visit_cells(face, [&](std::size_t i) { ++cell_begin_[i + 1]; });
  std::partial_sum(cell_begin_.begin(), cell_begin_.end(), cell_begin_.begin());
  entries_.resize(cell_begin_.back());
  std::vector<std::uint32_t> next(cell_begin_.begin(), cell_begin_.end() - 1);
  for (std::uint32_t t = 0; t < faces_.size(); ++t)
    visit_cells(faces_[t], [&](std::size_t i) { entries_[next[i]++] = t; });
}

bool MeshColumns::spans(double u, double v, std::vector<MeshCrossing>& met,
                        std::vector<Span>& out) const {
  if (!(u >= low_u_ && u <= high_u_ && v >= low_v_ && v <= high_v_)) return true;
  met.clear();
  const Vec3 p(u, v, 0);
  const std::size_t cell = row_of(v) * columns_ + column_of(u);
  for (std::uint32_t i = cell_begin_[cell]; i < cell_begin_[cell + 1]; ++i) {
    const Face& face = faces_[entries_[i]];
    const Vec3 &a = points_[face.corners[0]], &b = points_[face.corners[1]],
               &c = points_[face.corners[2]];
    const int step = step_through(a, b, c, p);
    if (step != 0) met.push_back({depth_at(a, b, c, p), step * outward_, face.surface});
  }
  std::sort(met.begin(), met.end(), [](const MeshCrossing& a, const MeshCrossing& b) {
    return a.depth != b.depth ? a.depth < b.depth : a.surface < b.surface;
  });
  int winding = 0;
  Span span;
  for (const MeshCrossing& crossing : met) {
    const int before = winding;
    winding += crossing.step;
    if (before <= 0 && winding > 0) {
      span.enter = crossing.depth;
      span.enter_surface = crossing.surface;
    } else if (before > 0 && winding <= 0) {
      span.leave = crossing.depth;
      span.leave_surface = crossing.surface;
      append(span, out);
    }
  }
  return winding == 0;
}

void MeshColumns::depths_within(double u0, double u1, double v0, double v1,
                                std::vector<Span>& out) const {
  if (!(u0 <= high_u_ && u1 >= low_u_ && v0 <= high_v_ && v1 >= low_v_)) return;
  const std::array<Vec3, 4> rectangle = {Vec3(u0, v0, 0), Vec3(u1, v0, 0), Vec3(u0, v1, 0),
                                         Vec3(u1, v1, 0)};
  const std::size_t last_row = row_of(v1), last_column = column_of(u1);
  for (std::size_t row = row_of(v0); row <= last_row; ++row)
    for (std::size_t column = column_of(u0); column <= last_column; ++column) {
      const std::size_t cell = row * columns_ + column;
      for (std::uint32_t i = cell_begin_[cell]; i < cell_begin_[cell + 1]; ++i) {
        const Face& face = faces_[entries_[i]];
        const Vec3 &a = points_[face.corners[0]], &b = points_[face.corners[1]],
                   &c = points_[face.corners[2]];
        const auto [min_u, max_u] = std::minmax({a.x(), b.x(), c.x()});
        const auto [min_v, max_v] = std::minmax({a.y(), b.y(), c.y()});
        if (!(u0 <= max_u && u1 >= min_u && v0 <= max_v && v1 >= min_v)) continue;
        if (separates(a, b, c, rectangle) || separates(b, c, a, rectangle) ||
            separates(c, a, b, rectangle))
          continue;
        // The face lies within its own depths, and within those of its plane over the rectangle.
        double low = std::numeric_limits<double>::infinity(), high = -low;
        for (const Vec3& p : rectangle) {
          const double depth = plane_depth(a, b, c, p);
          low = std::min(low, std::isnan(depth) ? -std::numeric_limits<double>::infinity() : depth);
          high =
              std::max(high, std::isnan(depth) ? std::numeric_limits<double>::infinity() : depth);
        }
        const auto [min_z, max_z] = std::minmax({a.z(), b.z(), c.z()});
        const double room = 0x1p-48 * std::max(std::fabs(min_z), std::fabs(max_z));
        out.push_back({std::max(low, min_z) - room, std::min(high, max_z) + room, 0, 0});
      }
    }
}

}  // namespace plimsoll
