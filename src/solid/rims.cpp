// Rims are what remains of the half-edges when opposite ones cancel. That remainder enters every
// vertex as often as it leaves it, since the edges of each triangle do; so a walk along it never
// ends but where it began, and falls into loops.
#include <plimsoll/rims.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <tuple>

#include "mesh/rim_edges.h"
#include "solid/framed_moments.h"

namespace plimsoll {
namespace {

/// The points of a mesh from the apex of a frame, in its units.
class FramedPoints {
 public:
  FramedPoints(const MeshView& mesh, const Frame& frame) : mesh_(mesh), frame_(frame) {}

  [[nodiscard]] Vec3 at(std::uint32_t v) const {
    return (mesh_.vertex(v) - frame_.apex).unaryExpr([&](double x) {
      return std::ldexp(x, -frame_.exponent);
    });
  }
  /// Of unit length; zero where the triangle has no area.
  [[nodiscard]] Vec3 normal(std::uint32_t t) const {
    const Triangle v = mesh_.triangle(t);
    return (at(v[1]) - at(v[0])).cross(at(v[2]) - at(v[0])).stableNormalized();
  }

 private:
  const MeshView& mesh_;
  const Frame& frame_;
};

/// Which edge follows which: at a vertex of several rims, that on the other side of the hole. There
/// the edges stand around the normal of the surface; seen from its tip, the hole beside an edge
/// that arrives lies counter-clockwise, up to an edge that leaves. They pair like brackets.
class EdgePairing {
 public:
  EdgePairing(const std::vector<RimEdge>& edges, const FramedPoints& points)
      : edges_(edges), points_(points), arriving_(edges.size()), next_(edges.size(), kNoIndex) {
    std::iota(arriving_.begin(), arriving_.end(), 0);
    std::sort(arriving_.begin(), arriving_.end(), [&](std::uint32_t a, std::uint32_t b) {
      return edges[a].to != edges[b].to ? edges[a].to < edges[b].to : a < b;
    });
    // As many arrive at a vertex as leave it, so that both orders have it in the same places.
    for (std::size_t begin = 0, end = 0; begin < edges.size(); begin = end) {
      while (end < edges.size() && edges[end].from == edges[begin].from) ++end;
      if (end == begin + 1)
        next_[arriving_[begin]] = static_cast<std::uint32_t>(begin);
      else
        pair_around(begin, end);
    }
  }

  [[nodiscard]] std::uint32_t next(std::uint32_t edge) const { return next_[edge]; }

 private:
  struct Spoke {
    double turn;  // from 0 to 4, grows with the angle
    bool leaves;
    std::uint32_t edge;
    bool operator<(const Spoke& other) const {
      return std::tie(turn, leaves, edge) < std::tie(other.turn, other.leaves, other.edge);
    }
  };

  /// (cos, sin) / (|cos| + |sin|) goes around a square.
  static double turn_of(double x, double y) {
    const double sum = std::fabs(x) + std::fabs(y);
    if (!(sum > 0)) return 0;
    return y >= 0 ? 1 - x / sum : 3 + x / sum;
  }

  std::vector<Spoke> spokes_around(std::size_t begin, std::size_t end) const {
    Vec3 normal = Vec3::Zero();
    for (std::size_t i = begin; i < end; ++i)
      normal += points_.normal(edges_[i].half_edge / 3) +
                points_.normal(edges_[arriving_[i]].half_edge / 3);
    const Vec3 x = normal.unitOrthogonal();
    const Vec3 y = normal.stableNormalized().cross(x);
    const Vec3 hub = points_.at(edges_[begin].from);
    std::vector<Spoke> spokes;
    const auto add = [&](std::uint32_t other_end, bool leaves, std::uint32_t edge) {
      const Vec3 d = points_.at(other_end) - hub;
      spokes.push_back({turn_of(d.dot(x), d.dot(y)), leaves, edge});
    };
    for (std::size_t i = begin; i < end; ++i) {
      add(edges_[i].to, true, static_cast<std::uint32_t>(i));
      add(edges_[arriving_[i]].from, false, arriving_[i]);
    }
    std::sort(spokes.begin(), spokes.end());
    return spokes;
  }

  void pair_around(std::size_t begin, std::size_t end) {
    std::vector<Spoke> spokes = spokes_around(begin, end);
    std::vector<std::uint32_t> open;
    for (int round = 0; round < 2; ++round) {  // the second for brackets across the beginning
      std::vector<Spoke> unpaired;
      for (const Spoke& spoke : spokes) {
        if (!spoke.leaves) {
          if (round == 0) open.push_back(spoke.edge);
        } else if (open.empty()) {
          unpaired.push_back(spoke);
        } else {
          next_[open.back()] = spoke.edge;
          open.pop_back();
        }
      }
      spokes = std::move(unpaired);
    }
  }

  const std::vector<RimEdge>& edges_;
  const FramedPoints& points_;
  std::vector<std::uint32_t> arriving_;  // edges by their end
  std::vector<std::uint32_t> next_;
};

/// Follows the pairing, and cuts a loop off whenever it comes to a vertex of its own path.
template <class Visitor>
void visit_loops(const std::vector<RimEdge>& edges, const EdgePairing& pairing,
                 std::size_t vertices, const Visitor& visit) {
  std::vector<bool> taken(edges.size(), false);
  std::vector<std::uint32_t> place(vertices, kNoIndex);  // of a vertex on the path
  std::vector<RimEdge> path;
  for (std::uint32_t first = 0; first < edges.size(); ++first) {
    for (std::uint32_t e = first; !taken[e]; e = pairing.next(e)) {
      taken[e] = true;
      place[edges[e].from] = static_cast<std::uint32_t>(path.size());
      path.push_back(edges[e]);
      const std::uint32_t begin = place[edges[e].to];
      if (begin == kNoIndex) continue;
      for (std::size_t i = begin; i < path.size(); ++i) place[path[i].from] = kNoIndex;
      visit(std::span<const RimEdge>(path).subspan(begin));
      path.resize(begin);
    }
  }
}

double sixfold_volume(const Vec3& a, const Vec3& b, const Vec3& c) { return a.dot(b.cross(c)); }

/// A loop in the units of a frame, seen from its apex; edge i goes from point i to the next.
using Loop = std::vector<Vec3>;

/// The centroid of the loop as a wire, and its length.
Vec3 center_of(const Loop& loop, double& length) {
  Vec3 sum = Vec3::Zero();
  length = 0;
  for (std::size_t i = 0; i < loop.size(); ++i) {
    const Vec3& a = loop[i];
    const Vec3& b = loop[(i + 1) % loop.size()];
    const double edge = (b - a).norm();
    sum += edge * (0.5 * a + 0.5 * b);
    length += edge;
  }
  return length > 0 ? Vec3(sum / length) : loop.front();
}

/// The direction in which the wire varies least: over an edge of length l from a to b, both seen
/// from the center, the integral of x x^T is l/6 (a a^T + b b^T + (a + b)(a + b)^T).
Vec3 normal_of(const Loop& loop, const Vec3& center) {
  Mat3 spread = Mat3::Zero();
  for (std::size_t i = 0; i < loop.size(); ++i) {
    const Vec3 a = loop[i] - center;
    const Vec3 b = loop[(i + 1) % loop.size()] - center;
    const Vec3 sum = a + b;
    spread += (b - a).norm() / 6 * (a * a.transpose() + b * b.transpose() + sum * sum.transpose());
  }
  return Eigen::SelfAdjointEigenSolver<Mat3>(spread).eigenvectors().col(0);
}

/// Caps run along the edges from b to a, against the triangles beside them.
Rim measured(const Loop& loop) {
  Rim rim;
  rim.center = center_of(loop, rim.length);
  const Vec3 c = rim.center;
  const Vec3 n = normal_of(loop, c);
  const auto foot = [&](const Vec3& p) { return Vec3(p - n.dot(p - c) * n); };
  Vec3 area = Vec3::Zero();
  for (std::size_t i = 0; i < loop.size(); ++i) {
    const Vec3& a = loop[i];
    const Vec3& b = loop[(i + 1) % loop.size()];
    const Vec3 a_foot = foot(a);
    const Vec3 b_foot = foot(b);
    area += 0.5 * (a - c).cross(b - c);
    rim.fan_cap_volume += sixfold_volume(b, a, c) / 6;
    rim.plane_cap_volume += (sixfold_volume(b, a, a_foot) + sixfold_volume(b, a_foot, b_foot) +
                             sixfold_volume(b_foot, a_foot, c)) /
                            6;
  }
  rim.area = area.norm();
  return rim;
}

/// From the units of a frame to the mesh's.
void scale(Rim& rim, const Frame& frame) {
  const int e = frame.exponent;
  rim.length = std::ldexp(rim.length, e);
  rim.area = std::ldexp(rim.area, 2 * e);
  rim.fan_cap_volume = std::ldexp(rim.fan_cap_volume, 3 * e);
  rim.plane_cap_volume = std::ldexp(rim.plane_cap_volume, 3 * e);
  rim.center = frame.apex + rim.center.unaryExpr([&](double x) { return std::ldexp(x, e); });
}

}  // namespace

std::optional<Rims> find_rims(const CheckedMesh& checked) {
  const MeshView& mesh = checked.view();
  const Edges edges = find_edges(mesh);
  if (!edges.inconsistent.empty()) return std::nullopt;
  const Frame frame = sampled_frame(mesh);
  const FramedPoints points(mesh, frame);
  const std::vector<RimEdge> left_over = rim_edges(mesh, edges);
  Rims found;
  Loop loop;
  visit_loops(left_over, EdgePairing(left_over, points), mesh.vertex_count(),
              [&](std::span<const RimEdge> path) {
                loop.clear();
                std::uint32_t first = path.front().half_edge;
                for (const RimEdge& edge : path) {
                  first = std::min(first, edge.half_edge);
                  loop.push_back(points.at(edge.from));
                }
                Rim closed = measured(loop);
                for (const RimEdge& edge : path) closed.vertices.push_back(edge.from);
                closed.triangle = first / 3;
                scale(closed, frame);
                found.rims.push_back(std::move(closed));
              });
  std::stable_sort(found.rims.begin(), found.rims.end(), [](const Rim& a, const Rim& b) {
    return a.length != b.length ? a.length > b.length : a.triangle < b.triangle;
  });

  const double sum = std::ldexp(signed_volume(frame, mesh).rounded(), 3 * frame.exponent);
  found.fan_volume = found.plane_volume = sum;
  for (const Rim& rim : found.rims) {
    found.fan_volume += rim.fan_cap_volume;
    found.plane_volume += rim.plane_cap_volume;
    found.cap_differences += std::fabs(rim.fan_cap_volume - rim.plane_cap_volume);
  }
  return found;
}

}  // namespace plimsoll
