#include "patch/homogeneous_net.h"

namespace plimsoll {

HomogeneousNet homogeneous_net(const BezierPatch& patch, const Vec3& origin) {
  HomogeneousNet net{patch.degree_u, patch.degree_v, {}};
  net.points.reserve(patch.points.size());
  for (const WeightedPoint& p : patch.points) {
    const Vec3 scaled = p.w() * (p.head<3>() - origin);
    net.points.push_back({scaled.x(), scaled.y(), scaled.z(), p.w()});
  }
  return net;
}

std::pair<HomogeneousNet, HomogeneousNet> halves_in_u(const HomogeneousNet& net) {
  HomogeneousNet lower = net, upper = net;
  const std::size_t last = net.rows() - 1;
  // After k rounds row i of `upper` is the mean of rows i ... i + k of the net in the weights of
  // B^k(1/2): its row 0 is a row of the lower half, its row last - k stays in the upper one.
  for (std::size_t k = 1; k <= last; ++k) {
    for (std::size_t i = 0; i + k <= last; ++i)
      for (std::size_t j = 0; j < net.columns(); ++j)
        upper.at(i, j) = 0.5 * (upper.at(i, j) + upper.at(i + 1, j));
    for (std::size_t j = 0; j < net.columns(); ++j) lower.at(k, j) = upper.at(0, j);
  }
  return {std::move(lower), std::move(upper)};
}

HomogeneousNet transposed(const HomogeneousNet& net) {
  HomogeneousNet other{net.degree_v, net.degree_u, {}};
  other.points.reserve(net.points.size());
  for (std::size_t j = 0; j < net.columns(); ++j)
    for (std::size_t i = 0; i < net.rows(); ++i) other.points.push_back(net.at(i, j));
  return other;
}

LineOfConstantU::LineOfConstantU(const HomogeneousNet& net, double u) : columns_(net.columns()) {
  const Bernstein basis = bernstein(net.degree_u, u);
  const Bernstein lower_basis = bernstein(net.degree_u - 1, u);
  for (std::size_t j = 0; j < columns_; ++j) {
    points_[j] = basis[0] * net.at(0, j);
    du_[j].setZero();
    for (std::size_t i = 1; i < net.rows(); ++i) {
      points_[j] += basis[i] * net.at(i, j);
      du_[j] += lower_basis[i - 1] * (net.at(i, j) - net.at(i - 1, j));
    }
    du_[j] *= net.degree_u;
  }
}

SurfacePoint LineOfConstantU::at(const Bernstein& basis, const Bernstein& lower_basis) const {
  Vec4 a = basis[0] * points_[0];
  Vec4 a_u = basis[0] * du_[0];
  Vec4 a_v = Vec4::Zero();
  for (std::size_t j = 1; j < columns_; ++j) {
    a += basis[j] * points_[j];
    a_u += basis[j] * du_[j];
    a_v += lower_basis[j - 1] * (points_[j] - points_[j - 1]);
  }
  a_v *= static_cast<double>(columns_ - 1);
  const Vec3 position = a.head<3>() / a.w();
  return {position, (a_u.head<3>() - a_u.w() * position) / a.w(),
          (a_v.head<3>() - a_v.w() * position) / a.w()};
}

}  // namespace plimsoll
