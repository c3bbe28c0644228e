// Lengths are edges of a cube, from the corner of the lattice: cube k of a column is between the
// planes z = k and z = k + 1. What a solid has of a cube is the integral, over the pieces of its
// surface in the cube, of the height above the cube's floor, and over those in cubes above of 1,
// taken over their shadows along z, which count negative where the surface is seen from behind.
#include "spheres/solid_voxels.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <string>
#include <utility>

#include "core/parallel.h"
#include "core/predicates.h"
#include "mesh/trusted_mesh.h"
#include "proximity/winding_number.h"

namespace plimsoll {
namespace {

constexpr double kMaxCubes = 0x1p28, kMaxPieces = 0x1p28;

/// A triangle clipped by up to six planes, or what is left of it: a point or a segment too. Nine
/// corners are enough where nothing is rounded; more than there is room for would be at places of
/// others to rounding.
struct Polygon {
  std::array<Vec3, 16> points;
  std::size_t count = 0;

  void add(const Vec3& point) {
    if (count < points.size()) points[count++] = point;
  }
  [[nodiscard]] std::array<double, 2> range(int axis) const {
    double low = points[0][axis], high = low;
    for (std::size_t i = 1; i < count; ++i) {
      low = std::min(low, points[i][axis]);
      high = std::max(high, points[i][axis]);
    }
    return {low, high};
  }
};

/// Where the edge from a to b, on both sides of the plane, meets it: the same bits for the edge
/// from b to a.
Vec3 meeting(const Vec3& a, const Vec3& b, int axis, double plane) {
  const Vec3 &low = a[axis] < b[axis] ? a : b, &high = a[axis] < b[axis] ? b : a;
  const double along = (plane - low[axis]) / (high[axis] - low[axis]);
  Vec3 point = low + along * (high - low);
  point[axis] = plane;
  return point;
}

/// The part on one side of a plane, and on it: sign (x - plane) >= 0.
Polygon clipped(const Polygon& polygon, int axis, double plane, double sign) {
  Polygon part;
  for (std::size_t i = 0; i < polygon.count; ++i) {
    const Vec3& a = polygon.points[i];
    const Vec3& b = polygon.points[i + 1 < polygon.count ? i + 1 : 0];
    const double of_a = sign * (a[axis] - plane), of_b = sign * (b[axis] - plane);
    if (of_a >= 0) part.add(a);
    if ((of_a > 0 && of_b < 0) || (of_a < 0 && of_b > 0)) part.add(meeting(a, b, axis, plane));
  }
  return part;
}

/// The layers, of `count`, that touch an interval: closed sets.
struct Layers {
  std::uint32_t first, last;
};
Layers layers_of(const std::array<double, 2>& range, std::uint32_t count) {
  const double end = count - 1;
  return {static_cast<std::uint32_t>(std::clamp(std::ceil(range[0]) - 1, 0.0, end)),
          static_cast<std::uint32_t>(std::clamp(std::floor(range[1]), 0.0, end))};
}

/// Calls visit(part, layer) for the parts of a polygon in the layers across an axis.
template <class Visit>
void for_each_layer(const Polygon& polygon, int axis, std::uint32_t count, const Visit& visit) {
  const auto [first, last] = layers_of(polygon.range(axis), count);
  if (first == last) return visit(polygon, first);
  Polygon rest = polygon;
  for (std::uint32_t layer = first; layer < last; ++layer) {
    visit(clipped(rest, axis, layer + 1.0, -1), layer);
    rest = clipped(rest, axis, layer + 1.0, 1);
  }
  visit(rest, last);
}

/// What of a triangle is in a cube of a slab.
struct Piece {
  std::uint32_t y, z, triangle;
  double area;    // of its shadow along z, with a sign
  double volume;  // between it and the floor
};

/// A piece's shadow. A piece in a ceiling between two cubes is one of the upper cube's floor.
Piece measured(const Polygon& part, std::uint32_t x, std::uint32_t y, std::uint32_t z,
               bool is_highest) {
  Piece piece{y, z, 0, 0, 0};
  const Vec3 floor(x, y, z);
  const auto [low, high] = part.range(2);
  if (low == z + 1.0 && !is_highest) return piece;
  const Vec3 a = part.points[0] - floor;
  for (std::size_t i = 2; i < part.count; ++i) {
    const Vec3 b = part.points[i - 1] - floor, c = part.points[i] - floor;
    const double area = ((b.x() - a.x()) * (c.y() - a.y()) - (b.y() - a.y()) * (c.x() - a.x())) / 2;
    piece.area += area;
    piece.volume += area * (a.z() + b.z() + c.z()) / 3;
  }
  return piece;
}

/// A triangle that the line through the centers of a column meets.
struct Crossing {
  std::uint32_t y;
  std::uint32_t below;  // how many centers are
  int step;             // what those count
};

/// The mesh in the frame of the lattice.
struct Lattice {
  MeshView mesh;
  std::vector<Vec3> vertices;
  CubePlace counts;
  double side;

  [[nodiscard]] std::array<Vec3, 3> corners(std::size_t t) const {
    const Triangle v = mesh.triangle(t);
    return {vertices[v[0]], vertices[v[1]], vertices[v[2]]};
  }
};

/// The cubes of one x.
struct Slab {
  std::vector<std::size_t> run_count;  // of each y
  std::vector<CubeRun> runs;
  std::size_t cube_count = 0;
  std::vector<double> share;
  std::vector<std::uint8_t> is_inside;
  std::vector<std::size_t> triangle_count;  // of each cube
  std::vector<std::uint32_t> triangles;
};

/// Fills a slab: gathers what its triangles do, and goes down its columns.
class SlabBuilder {
 public:
  SlabBuilder(const Lattice& lattice, std::uint32_t x)
      : lattice_(lattice), x_(x), depth_(lattice.counts[2]) {}

  [[nodiscard]] Slab build(std::span<const std::uint32_t> triangles) {
    for (const std::uint32_t t : triangles) {
      cut(t);
      cross(t);
    }
    sort_by_column();
    area_.resize(depth_);
    volume_.resize(depth_);
    pieces_in_.resize(depth_);
    steps_.resize(depth_ + 1);
    Slab slab;
    for (std::uint32_t y = 0; y < lattice_.counts[1]; ++y) {
      column_begin_ = slab.runs.size();
      if (piece_begin_[y] < piece_begin_[y + 1]) add_column(y, slab);
      slab.run_count.push_back(slab.runs.size() - column_begin_);
    }
    return slab;
  }

 private:
  void cut(std::uint32_t t) {
    Polygon polygon;
    for (const Vec3& corner : lattice_.corners(t)) polygon.add(corner);
    const std::array<double, 2> range = polygon.range(0);
    if (range[0] < x_) polygon = clipped(polygon, 0, x_, 1);
    if (range[1] > x_ + 1.0) polygon = clipped(polygon, 0, x_ + 1.0, -1);
    if (polygon.count == 0) return;
    for_each_layer(polygon, 1, lattice_.counts[1], [&](const Polygon& row, std::uint32_t y) {
      for_each_layer(row, 2, depth_, [&](const Polygon& part, std::uint32_t z) {
        pieces_.push_back(measured(part, x_, y, z, z + 1 == depth_));
        pieces_.back().triangle = t;
      });
    });
  }

  void cross(std::uint32_t t) {
    const std::array<Vec3, 3> corners = lattice_.corners(t);
    const double x = x_ + 0.5;
    const auto [low_x, high_x] = std::minmax({corners[0].x(), corners[1].x(), corners[2].x()});
    if (x < low_x || x > high_x) return;
    const auto [low, high] = std::minmax({corners[0].y(), corners[1].y(), corners[2].y()});
    const auto [first, last] = layers_of({low - 0.5, high + 0.5}, lattice_.counts[1]);
    for (std::uint32_t y = first; y <= last; ++y) {
      const Vec3 p(x, y + 0.5, 0);
      const int step = passed_by_line(corners, p);
      if (step != 0) crossings_.push_back({y, centers_below(corners, p, step), step});
    }
  }

  /// How many centers of the column are below a triangle that its line meets: from where the plane
  /// is in doubles, the exact side of centers leads there.
  [[nodiscard]] std::uint32_t centers_below(const std::array<Vec3, 3>& t, Vec3 p, int step) const {
    const auto is_below = [&](double z) {
      p.z() = z - 0.5;
      return orient3d(t[0], t[1], t[2], p) * step < 0;
    };
    const auto [low, high] = std::minmax({t[0].z(), t[1].z(), t[2].z()});
    const Vec3 normal = (t[1] - t[0]).cross(t[2] - t[0]);
    const Vec3 off = t[0] - p;
    double z = (off.x() * normal.x() + off.y() * normal.y()) / normal.z() + off.z();
    if (!(z >= low)) z = low;  // also where a sliver has no area left
    const double end = depth_;
    double below = std::clamp(std::ceil(std::min(z, high) - 0.5), 0.0, end);
    while (below < end && is_below(below + 1)) ++below;
    while (below > 0 && !is_below(below)) --below;
    return static_cast<std::uint32_t>(below);
  }

  void sort_by_column() {
    sort_by(pieces_, depth_, [](const Piece& piece) { return piece.z; });
    piece_begin_ = sort_by(pieces_, lattice_.counts[1], [](const Piece& piece) { return piece.y; });
    crossing_begin_ = sort_by(crossings_, lattice_.counts[1],
                              [](const Crossing& crossing) { return crossing.y; });
  }

  /// Sorts by a key below `count`, equal ones in the order that they are in: where those of each
  /// key begin, and the end.
  template <class Item, class Key>
  static std::vector<std::size_t> sort_by(std::vector<Item>& items, std::size_t count,
                                          const Key& key) {
    std::vector<std::size_t> begin(count + 2);
    for (const Item& item : items) ++begin[key(item) + std::size_t{2}];
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    std::vector<Item> sorted(items.size());
    for (const Item& item : items) sorted[begin[key(item) + std::size_t{1}]++] = item;
    items = std::move(sorted);
    return begin;
  }

  void add_column(std::uint32_t y, Slab& slab) {
    sum_up(y);
    const Piece* piece = pieces_.data() + piece_begin_[y];
    for (std::uint32_t z = 0; z < depth_; ++z) {
      const bool is_cut = pieces_in_[z] > 0;
      const int winding = is_cut ? 0 : steps_[z];
      if (!is_cut && winding == 0) continue;
      extend_run(z, is_cut, winding, slab);
      if (!is_cut) continue;
      slab.share.push_back(volume_[z]);
      slab.is_inside.push_back(steps_[z] > 0);
      slab.triangle_count.push_back(pieces_in_[z]);
      for (std::size_t i = 0; i < pieces_in_[z]; ++i) slab.triangles.push_back(piece++->triangle);
    }
  }

  /// From the top down: in `steps_` the winding numbers of the centers, in `volume_` the shares.
  void sum_up(std::uint32_t y) {
    std::fill(area_.begin(), area_.end(), 0);
    std::fill(volume_.begin(), volume_.end(), 0);
    std::fill(pieces_in_.begin(), pieces_in_.end(), 0);
    std::fill(steps_.begin(), steps_.end(), 0);
    for (std::size_t i = piece_begin_[y]; i < piece_begin_[y + 1]; ++i) {
      const Piece& piece = pieces_[i];
      area_[piece.z] += piece.area;
      volume_[piece.z] += piece.volume;
      ++pieces_in_[piece.z];
    }
    const int side = lattice_.side < 0 ? -1 : 1;
    for (std::size_t i = crossing_begin_[y]; i < crossing_begin_[y + 1]; ++i)
      if (crossings_[i].below > 0) steps_[crossings_[i].below - 1] += side * crossings_[i].step;
    double above = 0;
    for (std::size_t z = depth_; z-- > 0;) {
      steps_[z] += steps_[z + 1];
      // All of a cube that is not touched has one winding number: no rounding is carried past it.
      volume_[z] = lattice_.side * (volume_[z] + above);
      above = pieces_in_[z] == 0 ? lattice_.side * steps_[z] : above + area_[z];
    }
  }

  void extend_run(std::uint32_t z, bool is_cut, int winding, Slab& slab) {
    const std::uint32_t cut = is_cut ? static_cast<std::uint32_t>(slab.share.size()) : kNoIndex;
    CubeRun* last = slab.runs.size() > column_begin_ ? &slab.runs.back() : nullptr;
    if (last != nullptr && last->end == z && (last->first_cut != kNoIndex) == is_cut &&
        last->winding == winding) {
      ++last->end;
    } else {
      slab.runs.push_back({z, z + 1, static_cast<std::uint32_t>(slab.cube_count), cut, winding});
    }
    ++slab.cube_count;
  }

  const Lattice& lattice_;
  std::uint32_t x_, depth_;
  std::size_t column_begin_ = 0;  // in the runs of the slab
  std::vector<Piece> pieces_;
  std::vector<Crossing> crossings_;
  std::vector<std::size_t> piece_begin_, crossing_begin_;  // of each y, and the end
  // Of the cubes of one column:
  std::vector<double> area_, volume_;
  std::vector<std::size_t> pieces_in_;
  std::vector<int> steps_;
};

/// -1 where the mesh encloses a negative volume.
double side_of(const Lattice& lattice) {
  double volume = 0;
  const Vec3 middle = Vec3(lattice.counts[0], lattice.counts[1], lattice.counts[2]) / 2;
  for (std::size_t t = 0; t < lattice.mesh.triangle_count(); ++t) {
    const auto [a, b, c] = lattice.corners(t);
    volume += (a - middle).dot((b - a).cross(c - a));
  }
  return volume < 0 ? -1 : 1;
}

/// The triangles of each slab, in their order, and where those of each begin.
struct SlabTriangles {
  std::vector<std::size_t> begin;
  std::vector<std::uint32_t> triangles;
};
Layers slabs_of(const Lattice& lattice, std::size_t t) {
  const auto [a, b, c] = lattice.corners(t);
  const auto [low, high] = std::minmax({a.x(), b.x(), c.x()});
  return layers_of({low, high}, lattice.counts[0]);
}
SlabTriangles sort_into_slabs(const Lattice& lattice) {
  SlabTriangles sorted;
  sorted.begin.resize(lattice.counts[0] + std::size_t{2});
  const std::size_t count = lattice.mesh.triangle_count();
  for (std::size_t t = 0; t < count; ++t) {
    const auto [first, last] = slabs_of(lattice, t);
    for (std::uint32_t x = first; x <= last; ++x) ++sorted.begin[x + std::size_t{2}];
  }
  std::partial_sum(sorted.begin.begin(), sorted.begin.end(), sorted.begin.begin());
  sorted.triangles.resize(sorted.begin.back());
  for (std::size_t t = 0; t < count; ++t) {
    const auto [first, last] = slabs_of(lattice, t);
    for (std::uint32_t x = first; x <= last; ++x)
      sorted.triangles[sorted.begin[x + std::size_t{1}]++] = static_cast<std::uint32_t>(t);
  }
  return sorted;
}

/// A bound on how many cubes triangles touch, one by one. A plane touches at most four cubes of a
/// column along the axis that it is least inclined to.
double max_pieces(const Lattice& lattice) {
  double pieces = 0;
  for (std::size_t t = 0; t < lattice.mesh.triangle_count(); ++t) {
    const auto [a, b, c] = lattice.corners(t);
    const Vec3 size = a.cwiseMax(b).cwiseMax(c) - a.cwiseMin(b).cwiseMin(c) + Vec3::Ones();
    pieces += 4 * size.prod() / size.minCoeff();
  }
  return pieces;
}

Error too_many(const char* what, double count) {
  return {ErrorCode::kResourceLimit,
          "found a resolution that takes up to " + std::to_string(count) + ' ' + what +
              ", expected a coarser one",
          "resolution"};
}

template <class T>
void append(std::vector<T>& all, std::vector<T>& part) {
  all.insert(all.end(), part.begin(), part.end());
  part = {};
}

void append(SolidVoxels& voxels, Slab& slab) {
  for (CubeRun& run : slab.runs) {
    run.first_cube += static_cast<std::uint32_t>(voxels.cube_count);
    if (run.first_cut != kNoIndex) run.first_cut += static_cast<std::uint32_t>(voxels.share.size());
  }
  voxels.cube_count += slab.cube_count;
  for (const std::size_t count : slab.run_count)
    voxels.first_run.push_back(voxels.first_run.back() + count);
  for (const std::size_t count : slab.triangle_count)
    voxels.first_triangle.push_back(voxels.first_triangle.back() + count);
  append(voxels.runs, slab.runs);
  append(voxels.share, slab.share);
  append(voxels.is_inside, slab.is_inside);
  append(voxels.triangles, slab.triangles);
}

}  // namespace

Result<SolidVoxels> lay_lattice(const Box3& box, std::size_t resolution, const char* solid) {
  if (resolution == 0)
    return Error{ErrorCode::kInvalidArgument, "found 0, expected at least 1", "resolution"};
  SolidVoxels voxels;
  const Vec3 size = box.sizes();
  voxels.corner = box.min();
  voxels.edge = size.maxCoeff() / static_cast<double>(resolution);
  const double volume = size.maxCoeff() * size.maxCoeff() * size.maxCoeff();
  if (!std::isnormal(volume)) {
    const char* found = volume > 1 ? "found a cube about the body whose volume is beyond 1.8e308 "
                                     "m^3, the largest number"
                        : size.maxCoeff() > 0
                            ? "found a cube about the body whose volume is below 2.2e-308 m^3, the "
                              "smallest number that has all its digits"
                            : "found a box that is a point";
    return Error{ErrorCode::kInvalidArgument, found, solid};
  }
  double cubes = 1;
  for (int axis = 0; axis < 3; ++axis) {
    double count =
        std::clamp(std::ceil(size[axis] / voxels.edge), 1.0, static_cast<double>(resolution));
    const bool are_filled = count * voxels.edge <= size[axis] * (1 + 1e-9);
    if (!are_filled && std::fmod(count, 2.0) == 0) ++count;
    cubes *= count;
    const double corner = box.min()[axis] - (count * voxels.edge - size[axis]) / 2;
    const double to_max = (box.max()[axis] - corner) / voxels.edge;
    if (corner <= box.min()[axis] && to_max <= count) voxels.corner[axis] = corner;
    voxels.counts[static_cast<std::size_t>(axis)] =
        static_cast<std::uint32_t>(std::min(count, kMaxCubes));
  }
  if (cubes > kMaxCubes) return too_many("cubes", cubes);
  return voxels;
}

Result<SolidVoxels> solid_voxels(const ClosedMesh& mesh, std::size_t resolution) {
  Result<SolidVoxels> laid = lay_lattice(bounding_box(mesh.view()), resolution, "mesh");
  if (!laid) return laid;
  SolidVoxels& voxels = *laid;
  Lattice lattice{mesh.view(), {}, voxels.counts, 1};
  lattice.vertices.reserve(mesh.view().vertex_count());
  for (std::size_t v = 0; v < mesh.view().vertex_count(); ++v)
    lattice.vertices.push_back(voxels.to_cubes(mesh.view().vertex(v)));
  if (const double pieces = max_pieces(lattice); pieces > kMaxPieces)
    return too_many("pieces of triangles", pieces);
  voxels.side = lattice.side = side_of(lattice);

  const SlabTriangles sorted = sort_into_slabs(lattice);
  std::vector<Slab> slabs(voxels.counts[0]);
  parallel_for_each_index(slabs.size(), [&](std::size_t x) {
    slabs[x] = SlabBuilder(lattice, static_cast<std::uint32_t>(x))
                   .build(std::span(sorted.triangles)
                              .subspan(sorted.begin[x], sorted.begin[x + 1] - sorted.begin[x]));
  });
  voxels.first_run.assign(1, 0);
  voxels.first_triangle.assign(1, 0);
  for (Slab& slab : slabs) append(voxels, slab);
  return laid;
}

}  // namespace plimsoll
