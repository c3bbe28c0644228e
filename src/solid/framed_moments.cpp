#include "solid/framed_moments.h"

#include <cmath>

namespace plimsoll {
namespace {

/// Triangles with two equal corners, which count for nothing wherever they are.
bool is_empty(const MeshView& mesh, const Triangle& t) {
  const Vec3 a = mesh.vertex(t[0]);
  const Vec3 b = mesh.vertex(t[1]);
  const Vec3 c = mesh.vertex(t[2]);
  return a == b || b == c || c == a;
}

/// The box of every step-th triangle that is not empty.
Box3 box_of_triangles(const MeshView& mesh, std::size_t step) {
  Box3 box;
  for (std::size_t t = 0; t < mesh.triangle_count(); t += step) {
    const Triangle triangle = mesh.triangle(t);
    if (is_empty(mesh, triangle)) continue;
    for (const std::uint32_t v : triangle) box.extend(mesh.vertex(v));
  }
  return box;
}

TriangleMesh without_empty_triangles(const MeshView& mesh) {
  TriangleMesh kept;
  kept.vertices.reserve(mesh.vertex_count());
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v) kept.vertices.push_back(mesh.vertex(v));
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t)
    if (!is_empty(mesh, mesh.triangle(t))) kept.triangles.push_back(mesh.triangle(t));
  return kept;
}

Moments sums_in(const Frame& frame, const MeshView& mesh, Precision precision) {
  if (frame.exponent == 0) return sum_moments(mesh, frame.apex, precision);
  const TriangleMesh copy = rescaled(mesh, frame.exponent);
  const Vec3 apex = frame.apex.unaryExpr([&](double x) { return std::ldexp(x, -frame.exponent); });
  return sum_moments(copy, apex, precision);
}

/// Whether the sign is certain, or the volume exactly 0.
bool has_sign(const Ball& volume) {
  return std::isfinite(volume.rad) && (!volume.contains_zero() || is_zero(volume));
}

/// c = (int x) / V,  S_ij = int x_i x_j - c_i (int x_j)
CentralMoments about_center(const Frame& frame, const Moments& m, int weight = 0) {
  CentralMoments central{frame, weight, m.volume, {}, {}, 0};
  if (is_zero(m.volume)) return central;
  for (int i = 0; i < 3; ++i) central.center[i] = m.first[i] / m.volume;
  for (int i = 0; i < 6; ++i)
    central.second[i] = m.second[i] - m.first[kSecondRow[i]] * central.center[kSecondColumn[i]];
  return central;
}

bool is_known(const CentralMoments& m, Precision precision) {
  if (is_zero(m.volume)) return true;
  const double enough = precision == Precision::kTight ? 0x1p-56 : 0x1p-20;
  const double volume = m.volume.mignitude();
  const double trace = (m.second[0] + m.second[1] + m.second[2]).mignitude();
  bool known = m.volume.rad <= enough * volume;  // false for NaN
  for (const Ball& c : m.center) known = known && c.rad <= enough * std::sqrt(trace / volume);
  for (const Ball& s : m.second) known = known && s.rad <= enough * trace;
  return known && volume > 0;
}

/// About the center of mass, where nothing cancels, in exact arithmetic.
CentralMoments exact_central_moments(const MeshView& mesh, const Frame& frame) {
  const std::optional<ExactMoments> exact = sum_moments_exactly(mesh, frame.apex);
  if (!exact) return {frame, 0, Ball(0), {}, {}, 0};
  CentralMoments central =
      about_center({exact->center, exact->exponent}, exact->moments, exact->weight);
  central.exact_triangles = exact->triangles;
  return central;
}

}  // namespace

Frame frame_of(const Box3& box) {
  if (box.isEmpty()) return {};
  const double half = (0.5 * box.max() - 0.5 * box.min()).maxCoeff();
  Frame frame{0.5 * box.min() + 0.5 * box.max()};
  const int size = half > 0 ? std::ilogb(half) : 0;
  if (size < -128 || size > 127) frame.exponent = size;
  return frame;
}

Box3 sampled_box(const MeshView& mesh) {
  return box_of_triangles(mesh, 1 + mesh.triangle_count() / 64);
}

Frame sampled_frame(const MeshView& mesh) { return frame_of(sampled_box(mesh)); }

TriangleMesh rescaled(const MeshView& mesh, int exponent) {
  TriangleMesh copy;
  copy.vertices.reserve(mesh.vertex_count());
  copy.triangles.reserve(mesh.triangle_count());
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
    const Vec3 p = mesh.vertex(v);
    copy.vertices.emplace_back(std::ldexp(p.x(), -exponent), std::ldexp(p.y(), -exponent),
                               std::ldexp(p.z(), -exponent));
  }
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t)
    copy.triangles.push_back(mesh.triangle(t));
  return copy;
}

Ball signed_volume(const Frame& frame, const MeshView& mesh) {
  for (const Precision precision : {Precision::kFast, Precision::kTight}) {
    const Ball volume = sums_in(frame, mesh, precision).volume;
    if (has_sign(volume)) return volume;
  }
  const CentralMoments exact = exact_central_moments(mesh, frame);
  const Ball volume = scaled(exact.volume, exact.weight);
  if (volume.hi != 0 || is_zero(exact.volume)) return volume;
  constexpr double kSmall = 0x1p-1000;
  return {exact.volume.is_negative() ? -kSmall : kSmall, 0, kSmall};
}

CentralMoments central_moments(const MeshView& mesh, Precision precision) {
  Frame frame = sampled_frame(mesh);
  CentralMoments m = about_center(frame, sums_in(frame, mesh, precision));
  if (!is_known(m, precision) && precision == Precision::kFast)
    m = about_center(frame, sums_in(frame, mesh, Precision::kTight));
  if (is_known(m, precision)) return m;
  const TriangleMesh kept = without_empty_triangles(mesh);
  frame = frame_of(box_of_triangles(kept, 1));
  m = about_center(frame, sums_in(frame, kept, Precision::kTight));
  return is_known(m, precision) ? m : exact_central_moments(kept, frame);
}

}  // namespace plimsoll
