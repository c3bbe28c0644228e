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

/// The tolerances to try: halves of the widest, down to where all seams of doubles are seen. The
/// widest merges what is one unit apart, also as far as rounding makes that more: two decimals that
/// become doubles, and their distance.
std::vector<double> seam_tolerances(double resolution, const Box3& box) {
  constexpr int kHalves = 64;
  const double largest = std::max(box.min().cwiseAbs().maxCoeff(), box.max().cwiseAbs().maxCoeff());
  const double widest = resolution * (1 + 8 * kRounding) + 2 * kRounding * largest;
  std::vector<double> tolerances;
  for (int k = kHalves; k >= 0; --k) tolerances.push_back(std::ldexp(widest, -k));
  return tolerances;
}

void close_seams(double resolution, MeshBody& body) {
  if (!(resolution > 0 && std::isfinite(resolution)) || !is_surely_open(body.mesh)) return;
  const Box3 box = bounding_box(body.mesh);
  constexpr double kNarrow = 1e-3;                                        // of the size
  const double half_size = (box.max() / 2 - box.min() / 2).stableNorm();  // fits a double
  if (!(resolution <= 2 * kNarrow * half_size)) return;
  std::optional<ClosingWeld> closing = closing_weld(body.mesh, seam_tolerances(resolution, box));
  if (!closing) return;
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
  return {"weld", counted(seam.merged, "vertex that is", "vertices that are") + " up to " +
                      digits(meters * seam.farthest_move) + " m from another " +
                      (seam.merged == 1 ? "was" : "were") +
                      " made one with it: that closes the surface, and is no more than the file's "
                      "own rounding"};
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
