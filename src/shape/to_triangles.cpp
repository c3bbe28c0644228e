// An arc of radius r cut in pieces of the angle t lies at most r (1 - cos(t / 2)) <= r t^2 / 8 from
// its chords; a facet curved both ways at most the sum of both.
#include <plimsoll/elementary.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/shape.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "core/number_text.h"
#include "core/overloaded.h"
#include "shape/similarity_parts.h"

namespace plimsoll {
namespace {

constexpr double kMaxTriangles = 20e6;

// Pieces of a full turn of radius r, even and at least 12, that stay within `flatness`.
double pieces(double r, double flatness) {
  const double n = std::ceil(std::numbers::pi * std::sqrt(r / (2 * flatness)));
  return std::max(12.0, 2 * std::ceil(n / 2));
}

struct Facets {
  double slices, rings;  ///< About the axis, and along a meridian or around the tube.
};

Result<Facets> usable(const Facets& facets, double flatness) {
  const double triangles = 2 * facets.slices * facets.rings;
  if (triangles <= kMaxTriangles) return facets;
  return Error{ErrorCode::kResourceLimit,
               "would need more than 20 million triangles; a flatness of " +
                   to_text(flatness * triangles / kMaxTriangles) + " would do",
               "shape"};
}

// The facets of each primitive, each of its two curvatures given half of the deviation.
template <class Make>
Result<std::optional<TriangleMesh>> made(const Facets& facets, double flatness, const Make& make) {
  const Result<Facets> checked = usable(facets, flatness);
  if (!checked) return checked.error();
  return std::optional<TriangleMesh>(
      make(static_cast<int>(facets.slices), static_cast<int>(facets.rings)));
}

}  // namespace

Result<std::optional<ShapeMesh>> to_triangles(const Shape& shape, double flatness) {
  if (Result<void> usable = check_shape(shape); !usable) return usable.error();
  if (!(flatness > 0))
    return Error{ErrorCode::kInvalidArgument,
                 "found " + to_text(flatness) + ", expected a positive length", "flatness"};
  const double scale = elementary::cbrt(std::abs(shape.pose.linear().determinant()));
  const double own = flatness / scale;  // in the frame of the shape
  using Mesh = std::optional<TriangleMesh>;
  bool exact = false;
  Result<Mesh> mesh = std::visit(
      Overloaded{
          [&](const BoxSolid& s) -> Result<Mesh> {
            exact = true;
            return Mesh(make_box(s.size));
          },
          [&](const Sphere& s) -> Result<Mesh> {
            const double n = pieces(s.radius, own / 2);
            return made({n, n / 2}, own, [&](int slices, int rings) {
              return make_sphere(s.radius, rings, slices);
            });
          },
          [&](const Ellipsoid& s) -> Result<Mesh> {
            const double n = pieces(s.radii.maxCoeff(), own / 2);
            return made({n, n / 2}, own, [&](int slices, int rings) {
              return make_ellipsoid(s.radii, rings, slices);
            });
          },
          [&](const Torus& s) -> Result<Mesh> {
            return made(
                {pieces(s.minor, own / 2), pieces(s.major + s.minor, own / 2)}, own,
                [&](int slices, int rings) { return make_torus(s.major, s.minor, rings, slices); });
          },
          [&](const Cylinder& s) -> Result<Mesh> {
            return made({pieces(s.radius, own), 2}, own,
                        [&](int slices, int) { return make_cylinder(s.radius, s.height, slices); });
          },
          [&](const Capsule& s) -> Result<Mesh> {
            const double n = pieces(s.radius, own / 2);
            return made({n, 2 * std::ceil(n / 4)}, own, [&](int slices, int rings) {
              return make_capsule(s.radius, s.height, rings, slices);
            });
          },
          [&](const Cone& s) -> Result<Mesh> {
            return made({pieces(s.radius, own), 2}, own,
                        [&](int slices, int) { return make_cone(s.radius, s.height, slices); });
          },
          [&](const MeshSolid& s) -> Result<Mesh> {
            exact = true;
            return Mesh(*s.mesh);
          },
          [&](const PatchSolid& s) -> Result<Mesh> {
            Result<TriangleMesh> flat = tessellate(*s.surface, own);
            if (!flat) return flat.error();
            return Mesh(std::move(*flat));
          },
          [](const ImplicitSolid&) -> Result<Mesh> { return Mesh(); },
          [](const Boolean&) -> Result<Mesh> { return Mesh(); },
      },
      shape.solid);
  if (!mesh) return mesh.error();
  if (!*mesh) return std::optional<ShapeMesh>();
  MeshSolid found{std::make_shared<const TriangleMesh>(std::move(**mesh))};
  if (const auto* solid = std::get_if<MeshSolid>(&shape.solid))
    found.vertex_error = solid->vertex_error;
  const MeshSolid placed = posed(found, shape.pose);
  return std::optional<ShapeMesh>({*placed.mesh, placed.vertex_error + (exact ? 0 : flatness)});
}

}  // namespace plimsoll
