// From a file to a body: welded, its seams closed, in meters, with all that this has moved.
#include <plimsoll/shape_io.h>

#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "core/counted.h"
#include "core/number_text.h"
#include "core/power_of_two.h"
#include "mesh/closing_weld.h"
#include "mesh/trusted_mesh.h"
#include "shape/similarity_parts.h"

namespace plimsoll {
namespace {

constexpr double kRounding = 0x1p-53;

SeamWeld report_of(const Welding& welding, double tolerance) {
  return {tolerance, welding.merged, welding.collapsed, welding.farthest_move};
}

/// One unit of the file's rounding, also as far as rounding makes that more: two decimals that
/// become doubles, and their distance.
double widest_gap(double resolution, const Box3& box) {
  const double largest = std::max(box.min().cwiseAbs().maxCoeff(), box.max().cwiseAbs().maxCoeff());
  return resolution * (1 + 8 * kRounding) + 2 * kRounding * largest;
}

/// The tolerances to try: halves of a unit, down to where all seams of doubles are seen, and what
/// is a unit apart in two coordinates and in all three.
std::vector<double> seam_tolerances(double unit) {
  constexpr int kHalves = 64;
  std::vector<double> tolerances;
  for (int k = kHalves; k >= 0; --k) tolerances.push_back(std::ldexp(unit, -k));
  for (const double square : {2, 3}) tolerances.push_back(std::sqrt(square) * unit);
  return tolerances;
}

/// Whether no corner of a triangle has moved farther than `unit` in any coordinate.
bool moves_within(double unit, const TriangleMesh& from, const TriangleMesh& to) {
  for (std::size_t t = 0; t < from.triangles.size(); ++t)
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3 move = to.vertices[to.triangles[t][k]] - from.vertices[from.triangles[t][k]];
      if (!(move.cwiseAbs().maxCoeff() <= unit)) return false;
    }
  return true;
}

void close_seams(double resolution, MeshBody& body) {
  if (!(resolution > 0 && std::isfinite(resolution)) || !is_surely_open(body.mesh)) return;
  const Box3 box = bounding_box(body.mesh);
  constexpr double kNarrow = 1e-3;                                        // of the size
  const double half_size = (box.max() / 2 - box.min() / 2).stableNorm();  // fits a double
  if (!(resolution <= 2 * kNarrow * half_size)) return;
  const double unit = widest_gap(resolution, box);
  std::optional<ClosingWeld> closing = closing_weld(body.mesh, seam_tolerances(unit));
  if (!closing || !moves_within(unit, body.mesh, closing->welding.mesh)) return;
  Welding& welding = closing->welding;
  body.by_seam = report_of(welding, closing->tolerance);
  body.vertex_error += welding.farthest_move;
  body.mesh = std::move(welding.mesh);
}

/// The distance from the origin within which all of a mesh lies, along x, y and z.
Vec3 reach_of(const TriangleMesh& mesh) {
  const Box3 box = bounding_box(mesh);
  if (box.isEmpty()) return Vec3::Zero();
  return box.min().cwiseAbs().cwiseMax(box.max().cwiseAbs());
}

bool is_power_of_two(double x) { return times_power_of_two(1, exponent_of(x)) == x; }

}  // namespace

Result<MeshBody> mesh_body(const MeshFile& file, const WeldOptions& options) {
  const Result<CheckedMesh> checked = CheckedMesh::borrow(file.mesh);
  if (!checked) return checked.error();
  Result<Welding> welded = weld(*checked, options.tolerance);
  if (!welded) return welded.error();
  MeshBody body;
  body.mesh = std::move(welded->mesh);
  body.vertex_error = file.placement_error + welded->farthest_move;
  if (options.tolerance > 0) body.by_tolerance = report_of(*welded, options.tolerance);
  if (options.seams == Seams::kWeld) close_seams(file.resolution, body);
  return body;
}

Notice notice_of(const SeamWeld& seam, double meters) {
  return {"weld",
          counted(seam.merged, "vertex that is", "vertices that are") + " up to " +
              digits(meters * seam.farthest_move) + " m from another " +
              (seam.merged == 1 ? "was" : "were") +
              " made one with it: that closes the surface, and is in no coordinate more than "
              "a unit of the file's own rounding"};
}

std::optional<Notice> notice_of_size(const Box3& box, std::string_view if_large,
                                     std::string_view if_small) {
  constexpr double kLarge = 30;
  constexpr double kSmall = 1e-3;
  const double diagonal = box.diagonal().stableNorm();
  if (!(diagonal > 0) || (diagonal >= kSmall && diagonal <= kLarge)) return std::nullopt;
  const Vec3 size = box.sizes();
  std::string message = "measures " + digits(size.x()) + " x " + digits(size.y()) + " x " +
                        digits(size.z()) + " m if its unit is the meter";
  message += diagonal > kLarge ? if_large : if_small;
  return Notice{"unit", std::move(message)};
}

// The factor n / d is rounded where d is not 1, and so is each product.
MeshSolid mesh_solid(MeshBody body, const LengthUnit& unit) {
  const double factor = unit.numerator / unit.denominator;
  double error = factor * body.vertex_error;
  if (factor != 1) {
    const bool is_exact = unit.denominator == 1 && is_power_of_two(factor);
    const double roundings = unit.denominator == 1 ? 1 : 2;
    if (!is_exact) error += 1.001 * roundings * kRounding * factor * reach_of(body.mesh).norm();
    if (factor < 1) error += std::numeric_limits<double>::denorm_min();
    for (Vec3& v : body.mesh.vertices) v *= factor;
  }
  return {std::make_shared<const TriangleMesh>(std::move(body.mesh)), error};
}

// In ((m0 x + m1 y) + m2 z) + m3 a product is rounded up to four times, m3 once.
MeshSolid posed(const MeshSolid& solid, const Similarity& pose) {
  if (is_identity(pose)) return solid;
  const Mat3 linear = pose.linear();
  const Vec3 sizes = linear.cwiseAbs() * reach_of(*solid.mesh) + pose.translation().cwiseAbs();
  constexpr double kNotQuiteSimilar = 1e-8;
  const double scale = linear.colwise().norm().maxCoeff() * (1 + kNotQuiteSimilar);
  return {std::make_shared<const TriangleMesh>(posed(*solid.mesh, pose)),
          scale * solid.vertex_error + 4.01 * kRounding * sizes.norm()};
}

}  // namespace plimsoll
