#include "image/scanline.h"

#include <algorithm>
#include <cmath>

#include "core/parallel.h"
#include "image/measured.h"
#include "image/row_sums.h"
#include "image/scan_triangle.h"

namespace plimsoll {
namespace {

// Adds weight * the mean of the integrands at the two points x +- hx, z +- hz.
void add_pair(double x, double z, double hx, double hz, double weight, RowSums& sums) {
  const double half = weight / 2;
  const double x1 = x - hx, x2 = x + hx;
  const double z1 = z - hz, z2 = z + hz;
  const double xz1 = x1 * z1, xz2 = x2 * z2;
  sums[kZ] += half * (z1 + z2);
  sums[kXZ] += half * (xz1 + xz2);
  sums[kXXZ] += half * (x1 * xz1 + x2 * xz2);
  sums[kZZ] += half * (z1 * z1 + z2 * z2);
  sums[kXZZ] += half * (xz1 * z1 + xz2 * z2);
  sums[kZZZ] += half * (z1 * z1 * z1 + z2 * z2 * z2);
}

// One over the square root of 12: where Gauss's two points lie in a segment of width 1.
constexpr double kGauss2 = 0.28867513459481288225;

// The section between two cut ends, exactly along the row; returns the centers it covers.
int add_section(const Lattice& lattice, const CutEnd& p, const CutEnd& q, double sign,
                RowSums& sums) {
  const double width = q.x - p.x;
  const double x = lattice.x0 + ((p.x + q.x) / 2 + 0.5) * lattice.dx;
  add_pair(x, (p.z + q.z) / 2, kGauss2 * width * lattice.dx, kGauss2 * (q.z - p.z),
           sign * std::abs(width) * lattice.dx, sums);
  return std::abs(ceiling(q.x) - ceiling(p.x));
}

// The same over the pixel centers between them: from the left end on, short of the right one, so
// that a center on an edge belongs to one of its two triangles.
int add_centers(const Lattice& lattice, const CutEnd& p, const CutEnd& q, double sign,
                RowSums& sums) {
  const CutEnd& left = p.x < q.x ? p : q;
  const CutEnd& right = p.x < q.x ? q : p;
  const int first = ceiling(left.x);
  const int count = ceiling(right.x) - first;
  if (count <= 0) return 0;
  const double slope = (right.z - left.z) / (right.x - left.x);
  const double middle = first + (count - 1) / 2.0;
  const double spread = std::sqrt((static_cast<double>(count) * count - 1) / 12);
  const double x = lattice.x0 + (middle + 0.5) * lattice.dx;
  add_pair(x, left.z + slope * (middle - left.x), spread * lattice.dx, spread * slope,
           sign * count * lattice.dx, sums);
  return count;
}

struct Chunk {
  std::vector<RowSums> rows;
  std::size_t fragments = 0;
};

void scan_triangles(const MeshView& mesh, std::span<const Vec3> vertices, const Lattice& lattice,
                    Coverage coverage, std::size_t begin, std::size_t end, Chunk& chunk) {
  for (std::size_t t = begin; t < end; ++t) {
    const Triangle v = mesh.triangle(t);
    const Vec3& a = vertices[v[0]];
    const Vec3& b = vertices[v[1]];
    const Vec3& c = vertices[v[2]];
    const int row_a = ceiling(a.y()), row_b = ceiling(b.y()), row_c = ceiling(c.y());
    if (row_a == row_b && row_b == row_c) continue;  // between two rows
    const SortedCorners p = sorted_corners(a, b, c);
    if (p.sign == 0) continue;
    const int middle = ceiling(p.middle.y());
    const int last = ceiling(p.high.y());
    for (int row = ceiling(p.low.y()); row < last; ++row) {
      const CutEnd through = cut(p.low, p.high, row);
      const CutEnd side = row < middle ? cut(p.low, p.middle, row) : cut(p.middle, p.high, row);
      RowSums& sums = chunk.rows[static_cast<std::size_t>(row)];
      chunk.fragments += static_cast<std::size_t>(
          coverage == Coverage::kExact ? add_section(lattice, through, side, p.sign, sums)
                                       : add_centers(lattice, through, side, p.sign, sums));
    }
  }
}

// Integrates over rows low..high (real numbers) of a part of a triangle between two of its edges,
// with the three points of Gauss, which are exact for the quintic that this is in y.
void integrate_part(const Lattice& lattice, const SortedCorners& p, double low, double high,
                    bool lower_part, TenMoments& m) {
  if (!(low < high)) return;
  constexpr double kNode = 0.38729833462074168852;  // sqrt(3/5) / 2
  constexpr double kNodes[3] = {-kNode, 0, kNode};
  constexpr double kWeights[3] = {5.0 / 18, 8.0 / 18, 5.0 / 18};
  for (int k = 0; k < 3; ++k) {
    const double row = (low + high) / 2 + kNodes[k] * (high - low);
    RowSums sums{};
    const CutEnd through = cut(p.low, p.high, row);
    const CutEnd side = lower_part ? cut(p.low, p.middle, row) : cut(p.middle, p.high, row);
    add_section(lattice, through, side, p.sign, sums);
    add_row(lattice.y0 + (row + 0.5) * lattice.dy, kWeights[k] * (high - low), sums, m);
  }
}

// A whole triangle, by the rule of four points that is exact for cubics [StrangFix1973]:
// the middle with weight -9/16, and three points a fifth of the way from each corner with 25/48.
void integrate_whole(const Lattice& lattice, const Vec3& a, const Vec3& b, const Vec3& c,
                     TenMoments& m) {
  const double area =
      ((b.x() - a.x()) * (c.y() - a.y()) - (b.y() - a.y()) * (c.x() - a.x())) / 2 * lattice.dx;
  const Vec3 sum = a + b + c;
  const auto add = [&](const Vec3& p, double weight) {
    const double x = lattice.x0 + (p.x() + 0.5) * lattice.dx;
    const double xz = x * p.z();
    const RowSums terms = {p.z(), xz, x * xz, p.z() * p.z(), xz * p.z(), p.z() * p.z() * p.z()};
    add_row(lattice.y0 + (p.y() + 0.5) * lattice.dy, weight * area, terms, m);
  };
  add(sum / 3, -9.0 / 16);
  for (const Vec3* corner : {&a, &b, &c}) add(0.2 * sum + 0.4 * *corner, 25.0 / 48);
}

// The triangles in so many parts, which are the same for any number of threads, so that the sums of
// their sums are too. Calls visit(part, first, end) for each.
constexpr std::size_t kTrianglesOfPart = 1 << 15;
std::size_t part_count(std::size_t triangles) {
  return std::clamp<std::size_t>((triangles + kTrianglesOfPart - 1) / kTrianglesOfPart, 1, 16);
}
template <class Visit>
void for_each_part(std::size_t triangles, const Visit& visit) {
  const std::size_t parts = part_count(triangles);
  const std::size_t size = (triangles + parts - 1) / parts;
  parallel_for_each_index(parts, [&](std::size_t k) {
    visit(k, std::min(triangles, k * size), std::min(triangles, (k + 1) * size));
  });
}

}  // namespace

std::vector<Vec3> lattice_vertices(const MeshView& mesh, const View& view) {
  const Lattice& lattice = view.lattice;
  const Vec3 center = view.world_from_view.translation();
  const int u = (view.axis + 1) % 3;
  const int v = (view.axis + 2) % 3;
  const double to_unit = 1 / view.scale();
  std::vector<Vec3> vertices(mesh.vertex_count());
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const Vec3 p = (mesh.vertex(i) - center) * to_unit;
    vertices[i] = {(p[u] - lattice.x0) / lattice.dx - 0.5, (p[v] - lattice.y0) / lattice.dy - 0.5,
                   p[view.axis]};
  }
  return vertices;
}

RowImage scan_rows(const MeshView& mesh, std::span<const Vec3> vertices, const Lattice& lattice,
                   Coverage coverage) {
  const auto height = static_cast<std::size_t>(lattice.height);
  std::vector<Chunk> chunks(part_count(mesh.triangle_count()));
  for_each_part(mesh.triangle_count(), [&](std::size_t k, std::size_t first, std::size_t end) {
    chunks[k].rows.assign(height, RowSums{});
    scan_triangles(mesh, vertices, lattice, coverage, first, end, chunks[k]);
  });
  RowImage image;
  image.rows.assign(height, TenMoments{});
  image.exact.assign(height, 0);
  for (const Chunk& chunk : chunks) {
    image.fragments += chunk.fragments;
    for (std::size_t j = 0; j < height; ++j)
      add_row(lattice.y0 + (static_cast<double>(j) + 0.5) * lattice.dy, 1, chunk.rows[j],
              image.rows[j]);
  }
  return image;
}

void integrate_rows(const MeshView& mesh, std::span<const Vec3> vertices, const Lattice& lattice,
                    std::span<const std::uint8_t> chosen, RowImage& image) {
  for (std::size_t j = 0; j < chosen.size(); ++j) {
    if (chosen[j] == 0) continue;
    image.rows[j] = {};
    image.exact[j] = 1;
  }
  // The next chosen row at or after each, so that a triangle finds its rows at once.
  std::vector<int> next(chosen.size() + 1, lattice.height);
  for (int j = lattice.height - 1; j >= 0; --j)
    next[static_cast<std::size_t>(j)] =
        chosen[static_cast<std::size_t>(j)] != 0 ? j : next[static_cast<std::size_t>(j) + 1];
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t) {
    const Triangle v = mesh.triangle(t);
    const Vec3& a = vertices[v[0]];
    const Vec3& b = vertices[v[1]];
    const Vec3& c = vertices[v[2]];
    // Row j is the strip from j - 1/2 to j + 1/2.
    const double low = std::min({a.y(), b.y(), c.y()});
    const double high = std::max({a.y(), b.y(), c.y()});
    const int first = std::clamp(ceiling(low - 0.5), 0, lattice.height);
    const int chosen_row = next[static_cast<std::size_t>(first)];
    if (chosen_row == lattice.height || chosen_row - 0.5 >= high) continue;
    if (chosen_row - 0.5 <= low && high <= chosen_row + 0.5) {
      integrate_whole(lattice, a, b, c, image.rows[static_cast<std::size_t>(chosen_row)]);
      continue;
    }
    const SortedCorners p = sorted_corners(a, b, c);
    if (p.sign == 0) continue;
    for (int j = chosen_row; j < lattice.height && j - 0.5 < p.high.y();
         j = next[static_cast<std::size_t>(j) + 1]) {
      TenMoments& m = image.rows[static_cast<std::size_t>(j)];
      integrate_part(lattice, p, std::max(j - 0.5, p.low.y()), std::min(j + 0.5, p.middle.y()),
                     true, m);
      integrate_part(lattice, p, std::max(j - 0.5, p.middle.y()), std::min(j + 0.5, p.high.y()),
                     false, m);
    }
  }
}

TenMoments integrals_of(const MeshView& mesh, std::span<const Vec3> vertices,
                        const Lattice& lattice) {
  std::vector<TenMoments> sums(part_count(mesh.triangle_count()), TenMoments{});
  for_each_part(mesh.triangle_count(), [&](std::size_t k, std::size_t first, std::size_t end) {
    for (std::size_t t = first; t < end; ++t) {
      const Triangle v = mesh.triangle(t);
      integrate_whole(lattice, vertices[v[0]], vertices[v[1]], vertices[v[2]], sums[k]);
    }
  });
  return sum_of_rows(sums, lattice.dy);
}

}  // namespace plimsoll
