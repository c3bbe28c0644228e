// Crossings of columns with a triangle mesh, exact in which triangles they meet.
#pragma once

#include <plimsoll/mesh.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "columns/span.h"
#include "shape/similarity_parts.h"

namespace plimsoll {

/// One triangle met by a column.
struct MeshCrossing {
  double depth;
  std::int32_t step;  ///< What it adds to the winding number on the way up the column.
  std::uint32_t surface;
};

/// A mesh sorted into cells across the columns. Columns are taken to pass the edges and vertices
/// that they meet on one side, the same for all triangles: by an infinitesimal step in u and an
/// even smaller one in v. Which triangles one meets is decided exactly, so that a closed mesh is
/// entered as often as it is left; depths are rounded to about 1e-16 of the triangle's height.
/// Inside is where the mesh winds positively, turned outward if its volume is negative. Cells, and
/// not the tree of the mesh: a column took some 75 ns from beginning to end (70,000 triangles, 256
/// x 256 columns), in which time a tree would test a few of the dozen nodes in its way.
class MeshColumns {
 public:
  MeshColumns(const MeshView& mesh, const SimilarityParts& world_from_mesh, int axis);

  /// Adds to `out`, which is empty, the spans along the column at (u, v). False if the faces met
  /// there do not balance: the part above the last of them is left out.
  bool spans(double u, double v, std::vector<MeshCrossing>& met, std::vector<Span>& out) const;

  /// Adds to `out` the depths of every face that a column with u0 <= u <= u1, v0 <= v <= v1 may
  /// meet, unsorted; between them, all of these columns are inside or none is.
  void depths_within(double u0, double u1, double v0, double v1, std::vector<Span>& out) const;

  /// Adds to `out` where the row at `v` crosses a crease, unsorted: an edge at which one surface
  /// meets another, or a silhouette. Between such places columns cross the same faces.
  void creases_along(double v, std::vector<double>& out) const;
  /// Adds to `out` the v of the creases' ends that are between `low` and `high`.
  void crease_ends(double low, double high, std::vector<double>& out) const;

  /// Surfaces are numbered below this: triangles whose normals turn by less than 20 degrees from
  /// neighbor to neighbor share one.
  [[nodiscard]] std::uint32_t surface_count() const { return surface_count_; }

 private:
  struct Face {
    std::array<std::uint32_t, 3> corners;
    std::uint32_t surface;
  };
  [[nodiscard]] std::size_t column_of(double u) const {
    return cell_of(u, low_u_, per_u_, columns_);
  }
  [[nodiscard]] std::size_t row_of(double v) const { return cell_of(v, low_v_, per_v_, rows_); }
  static std::size_t cell_of(double x, double low, double per, std::size_t count) {
    const double cell = (x - low) * per;
    return cell > 0 ? std::min(static_cast<std::size_t>(cell), count - 1) : 0;
  }
  void number_surfaces(const MeshView& mesh);
  [[nodiscard]] bool faces_up(const Face& face) const;
  void sort_into_cells();
  [[nodiscard]] std::uint64_t count_entries() const;
  template <class Visit>
  void visit_cells(const Face& face, const Visit& visit) const;

  std::vector<Vec3> points_;  // (u, v, depth)
  std::vector<Face> faces_;
  std::vector<std::array<std::uint32_t, 2>> creases_;  // points
  std::uint32_t surface_count_ = 0;
  int outward_ = 1;
  double low_u_ = 0, low_v_ = 0, high_u_ = 0, high_v_ = 0;
  double per_u_ = 0, per_v_ = 0;  // cells per length
  std::size_t columns_ = 1, rows_ = 1;
  std::vector<std::uint32_t> cell_begin_;  // of each cell in entries_, and the end
  std::vector<std::uint32_t> entries_;     // faces
};

}  // namespace plimsoll
