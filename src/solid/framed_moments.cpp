#include "solid/framed_moments.h"

#include <cmath>

namespace plimsoll {
namespace {

void scale(Moments& m, int exponent) {
  m.volume = scaled(m.volume, 3 * exponent);
  for (Ball& b : m.first) b = scaled(b, 4 * exponent);
  for (Ball& b : m.second) b = scaled(b, 5 * exponent);
}

bool all_finite(const Moments& m) {
  double sum = m.volume.rad;
  for (const Ball& b : m.first) sum += b.rad;
  for (const Ball& b : m.second) sum += b.rad;
  return std::isfinite(sum);
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

Frame sampled_frame(const MeshView& mesh) {
  Box3 box;
  const std::size_t step = 1 + mesh.triangle_count() / 64;
  for (std::size_t t = 0; t < mesh.triangle_count(); t += step)
    for (const std::uint32_t v : mesh.triangle(t)) box.extend(mesh.vertex(v));
  return frame_of(box);
}

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

Moments moments_in(const Frame& frame, const MeshView& mesh, Precision precision) {
  const auto sum = [&](Precision p) {
    if (frame.exponent == 0) return sum_moments(mesh, frame.apex, p);
    const TriangleMesh copy = rescaled(mesh, frame.exponent);
    const Vec3 apex =
        frame.apex.unaryExpr([&](double x) { return std::ldexp(x, -frame.exponent); });
    return sum_moments(copy, apex, p);
  };
  Moments m = sum(precision);
  const auto settled = [&] { return all_finite(m) && !m.volume.contains_zero(); };
  if (!settled() && precision == Precision::kFast) m = sum(Precision::kTight);
  if (!settled()) {
    m = sum_moments_exactly(mesh, frame.apex);
    scale(m, -frame.exponent);
  }
  return m;
}

}  // namespace plimsoll
