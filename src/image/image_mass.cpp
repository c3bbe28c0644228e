// Mass properties from the rows of an image, with an estimate of their error.
#include <plimsoll/image.h>
#include <plimsoll/shape.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "image/measured.h"
#include "image/sampling_error.h"
#include "image/scanline.h"
#include "image/shape_parts.h"
#include "mesh/trusted_mesh.h"

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

// By how much the outermost rows of each group of integrated rows differ from sampled ones: the
// next row, which is sampled, may be off by as much.
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

Result<ImageMass> image_mass_properties(const CheckedMesh& checked, const ImageOptions& options) {
  const MeshView& mesh = checked.view();
  const Box3 box = bounding_box(mesh);
  const Result<View> view = view_of(box, options);
  if (!view) return view.error();
  const Lattice& lattice = view->lattice;
  if (lattice.dx == 0 || lattice.dy == 0)
    return measured(TenMoments{}, TenMoments{}, *view, options);  // seen edge-on
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
  ImageMass result = measured(sum_of_rows(image.rows, lattice.dy), marginals, *view, options);
  allow_for(integrals_of(mesh, vertices, lattice), *view, options, result);
  result.fragments = image.fragments;
  return result;
}

Result<std::optional<ShapeMesh>> triangles_to_draw(const Shape& shape,
                                                   const ImageOptions& options) {
  const Box3 box = bounding_box(shape);
  const Vec3 size = box.max() - box.min();
  const double pixel = std::min(size[(options.axis + 1) % 3] / options.width,
                                size[(options.axis + 2) % 3] / options.height);
  return to_triangles(shape, pixel > 0 ? kFlatness * pixel : 1);  // seen edge-on, any will do
}

Result<ShapeMesh> required_triangles(Result<std::optional<ShapeMesh>> found) {
  if (!found) return found.error();
  if (!*found)
    return Error{ErrorCode::kUnavailable,
                 "formulas and Booleans have columns but no triangles to draw: the processor "
                 "measures them",
                 "shape"};
  return std::move(**found);
}

// dV = deviation * area; the center and the radius of gyration move by no more than the size of the
// body times dV / V.
void add_deviation(double deviation, double area, const Box3& box, const ImageOptions& options,
                   ImageMass& result) {
  if (deviation == 0) return;
  const double meters = options.unit.numerator / options.unit.denominator;
  const double size = box.diagonal().norm() / 2 * meters;
  const double volume = deviation * area * meters * meters * meters;
  result.error_estimate.volume += volume;
  if (result.properties.volume == 0) return;
  const double relative = volume / result.properties.volume;
  result.error_estimate.center_of_mass += relative * size;
  result.error_estimate.inertia += relative * result.properties.mass * size * size;
}

void add_deviation(const ShapeMesh& drawn, const ImageOptions& options, ImageMass& result) {
  double area = 0;
  for (const Triangle& t : drawn.mesh.triangles) {
    const Vec3& a = drawn.mesh.vertices[t[0]];
    area += (drawn.mesh.vertices[t[1]] - a).cross(drawn.mesh.vertices[t[2]] - a).norm() / 2;
  }
  add_deviation(drawn.deviation, area, bounding_box(drawn.mesh), options, result);
}

Result<ImageMass> image_mass_properties(const Shape& shape, const ImageOptions& options) {
  if (Result<void> usable = check_shape(shape); !usable) return usable.error();
  if (options.width < 1 || options.height < 1 || options.axis < 0 || options.axis > 2)
    return view_of(bounding_box(shape), options).error();
  const bool is_drawn = std::holds_alternative<MeshSolid>(shape.solid) ||
                        std::holds_alternative<PatchSolid>(shape.solid);
  if (!is_drawn) return image_mass_of_columns(shape, options);
  const Result<std::optional<ShapeMesh>> flat = triangles_to_draw(shape, options);
  if (!flat) return flat.error();
  const ShapeMesh& drawn = **flat;
  const Result<CheckedMesh> mesh = CheckedMesh::borrow(drawn.mesh);
  if (!mesh) return mesh.error();
  Result<ImageMass> result = image_mass_properties(*mesh, options);
  if (result) add_deviation(drawn, options, *result);
  return result;
}

}  // namespace plimsoll
