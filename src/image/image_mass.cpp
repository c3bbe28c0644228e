// From the rows of an image to mass properties and what is said of their error.
#include <plimsoll/image.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "core/mass_from_moments.h"
#include "image/measured.h"
#include "image/sampling_error.h"
#include "image/scanline.h"

namespace plimsoll {
namespace {

// The columns of the same samples as rows: x and y change places, and so does the sense in which
// triangles run. Terms are named for the view's own axes again.
std::vector<TenMoments> scan_columns(const MeshView& mesh, std::vector<Vec3> vertices,
                                     const Lattice& lattice) {
  for (Vec3& v : vertices) std::swap(v.x(), v.y());
  Lattice turned = lattice;
  std::swap(turned.width, turned.height);
  std::swap(turned.x0, turned.y0);
  std::swap(turned.dx, turned.dy);
  RowImage image = scan_rows(mesh, vertices, turned, Coverage::kPixelCenter);
  for (TenMoments& m : image.rows) {
    for (double& term : m) term = -term;
    std::swap(m[1], m[2]);
    std::swap(m[4], m[5]);
    std::swap(m[8], m[9]);
  }
  return std::move(image.rows);
}

// What integrating changed in the outermost rows of each group: the next row, which is sampled, may
// be off by as much.
std::vector<TenMoments> changes_beside(std::span<const TenMoments> sampled, const RowImage& image) {
  std::vector<TenMoments> changes;
  const std::size_t n = sampled.size();
  for (std::size_t j = 0; j < n; ++j) {
    if (image.exact[j] == 0) continue;
    const bool first = j > 0 && image.exact[j - 1] == 0;
    const bool last = j + 1 < n && image.exact[j + 1] == 0;
    if (!first && !last) continue;
    TenMoments change;
    for (std::size_t k = 0; k < change.size(); ++k) change[k] = image.rows[j][k] - sampled[j][k];
    changes.push_back(change);
  }
  return changes;
}

}  // namespace

Result<ImageMass> image_mass_properties(const MeshView& mesh, const ImageOptions& options) {
  if (Result<void> usable = check_mesh(mesh); !usable) return usable.error();
  const Result<View> view = view_of(bounding_box(mesh), options);
  if (!view) return view.error();
  const Lattice& lattice = view->lattice;
  if (lattice.dx == 0 || lattice.dy == 0) return measured({}, {}, *view, options);  // seen edge-on
  const std::vector<Vec3> vertices = lattice_vertices(mesh, *view);
  RowImage image = scan_rows(mesh, vertices, lattice, options.coverage);
  Marginals marginals;
  if (options.coverage == Coverage::kExact) {
    const std::vector<TenMoments> sampled = image.rows;
    integrate_rows(mesh, vertices, lattice, jumping_rows(image.rows), image);
    marginals.rows = without_jumps(image.rows, image.exact);
    marginals.beside = changes_beside(sampled, image);
  } else {
    marginals.rows = image.rows;
    marginals.columns = scan_columns(mesh, vertices, lattice);
  }
  Result<ImageMass> result =
      measured(sum_of_rows(image.rows, lattice.dy), marginals, *view, options);
  result->fragments = image.fragments;
  return result;
}

}  // namespace plimsoll
