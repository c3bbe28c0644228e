#include "touching_scenes.h"

#include <plimsoll/mesh_generators.h>
#include <plimsoll/mesh_io.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <numbers>
#include <utility>

#include "water_planes.h"

namespace plimsoll::bench {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;
constexpr std::size_t kFrames = 100;
constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

using Shape = std::shared_ptr<const TriangleMesh>;

Shape shared(TriangleMesh mesh) { return std::make_shared<const TriangleMesh>(std::move(mesh)); }

Vec3 within(Random& random, const Vec3& half) {
  return half.cwiseProduct(
      Vec3(2 * random.number() - 1, 2 * random.number() - 1, 2 * random.number() - 1));
}

/// Turned by `angle` about `axis` through `center`, then moved.
Similarity turned_about(const Vec3& center, const Vec3& axis, double angle, const Vec3& by) {
  Similarity pose = Similarity::Identity();
  pose.linear() = Eigen::AngleAxisd(angle, axis.normalized()).toRotationMatrix();
  pose.translation() = center + by - pose.linear() * center;
  return pose;
}

Similarity placed(const Vec3& at, const Vec3& axis, double angle) {
  return turned_about(Vec3::Zero(), axis, angle, at);
}

/// Waves of 2 % of a body of unit size at `phase`.
TriangleMesh waved(TriangleMesh mesh, double phase) {
  for (Vec3& v : mesh.vertices)
    v += 0.02 * Vec3(std::sin(9 * v.y() + phase), std::sin(7 * v.z() + 2 * phase),
                     std::sin(8 * v.x() - phase));
  return mesh;
}

/// Part of a mesh with the vertices that it names.
TriangleMesh part_of(const TriangleMesh& mesh, const std::vector<std::uint32_t>& triangles) {
  std::vector<std::uint32_t> place(mesh.vertices.size(), kNone);
  TriangleMesh part;
  for (const std::uint32_t t : triangles) {
    Triangle corners = mesh.triangles[t];
    for (std::uint32_t& corner : corners) {
      if (place[corner] == kNone) {
        place[corner] = static_cast<std::uint32_t>(part.vertices.size());
        part.vertices.push_back(mesh.vertices[corner]);
      }
      corner = place[corner];
    }
    part.triangles.push_back(corners);
  }
  return part;
}

Vec3 middle(const TriangleMesh& mesh) {
  Vec3 sum = Vec3::Zero();
  for (const Vec3& v : mesh.vertices) sum += v;
  return sum / static_cast<double>(mesh.vertices.size());
}

// --- breaking ---

struct Piece {
  std::uint32_t id = 0;
  Shape shape;
  Vec3 center;  ///< Of the shape, which it turns about.
  Similarity world_from_body = Similarity::Identity();
  Vec3 velocity = Vec3::Zero();  ///< A frame.
  Vec3 axis = Vec3::UnitZ();
  double spin = 0;  ///< A frame.
};

/// The halves of a piece by a plane through its middle, which drift apart. None if all of it would
/// be on one side.
std::vector<Piece> halves(const Piece& whole, std::uint32_t next_id, Random& random) {
  constexpr double kDrift = 0.002, kMostSpin = 0.06;
  const Vec3 normal = random.direction();
  std::array<std::vector<std::uint32_t>, 2> sides;
  for (std::uint32_t t = 0; t < whole.shape->triangles.size(); ++t) {
    Vec3 sum = Vec3::Zero();
    for (const std::uint32_t corner : whole.shape->triangles[t])
      sum += whole.shape->vertices[corner];
    sides[normal.dot(sum / 3 - whole.center) < 0 ? 0 : 1].push_back(t);
  }
  std::vector<Piece> both;
  for (const auto& side : sides) {
    if (side.empty()) return {};
    Piece half = whole;
    half.id = next_id++;
    half.shape = shared(part_of(*whole.shape, side));
    half.center = middle(*half.shape);
    const Vec3 outward = whole.world_from_body.linear() * (half.center - whole.center);
    half.velocity += kDrift * outward.normalized();
    half.axis = random.direction();
    half.spin = kMostSpin * random.number();
    both.push_back(std::move(half));
  }
  return both;
}

void split_largest(std::vector<Piece>& pieces, std::uint32_t& next_id, Random& random) {
  const auto largest =
      std::max_element(pieces.begin(), pieces.end(), [](const Piece& a, const Piece& b) {
        return a.shape->triangles.size() < b.shape->triangles.size();
      });
  const std::vector<Piece> both = halves(*largest, next_id, random);
  if (both.empty()) return;
  next_id += 2;
  pieces.erase(largest);
  pieces.insert(pieces.end(), both.begin(), both.end());
}

void advance(std::vector<Piece>& pieces) {
  for (Piece& piece : pieces) {
    const Vec3 center = piece.world_from_body * piece.center;
    piece.world_from_body =
        turned_about(center, piece.axis, piece.spin, piece.velocity) * piece.world_from_body;
  }
}

// --- leaves ---

/// A leaf of 13 x 6 squares along x, at rest in z = 0, bent about y ever more towards its tip.
TriangleMesh leaf(double bend) {
  constexpr int kLong = 13, kWide = 6;
  constexpr double kLength = 0.35, kWidth = 0.16;
  TriangleMesh mesh;
  for (int i = 0; i <= kLong; ++i) {
    const double s = static_cast<double>(i) / kLong;
    const double angle = bend * s;
    const double width = kWidth * (0.1 + 0.9 * std::sin(std::numbers::pi * s));
    for (int k = 0; k <= kWide; ++k)
      mesh.vertices.emplace_back(kLength * s * std::cos(angle),
                                 width * (static_cast<double>(k) / kWide - 0.5),
                                 kLength * s * std::sin(angle));
  }
  for (std::uint32_t i = 0; i < kLong; ++i)
    for (std::uint32_t k = 0; k < kWide; ++k) {
      const std::uint32_t a = i * (kWide + 1) + k, b = a + kWide + 1;
      mesh.triangles.push_back({a, b, b + 1});
      mesh.triangles.push_back({a, b + 1, a + 1});
    }
  return mesh;
}

struct Leaf {
  Similarity world_from_body;
  double phase, bend;
};

Leaf random_leaf(Random& random) {
  const Vec3 out = random.direction();
  const Vec3 at = Vec3(0, 0, 1.4) + (0.3 + 0.5 * random.number()) * out;
  Similarity pose = placed(at, random.direction(), kTurn * random.number());
  return {pose, kTurn * random.number(), 0.3 + 0.6 * random.number()};
}

// --- crowds ---

struct Member {
  Vec3 at, velocity, axis;
  double angle, spin;

  [[nodiscard]] Similarity after(double moves) const {
    return placed(at + moves * velocity, axis, angle + moves * spin);
  }
};

Member member_at(const Vec3& at, double speed, Random& random) {
  return {at, speed * random.direction(), random.direction(), kTurn * random.number(),
          0.02 * random.number()};
}

/// On a lattice, a little out of place.
std::vector<Member> heap(int count, Random& random) {
  constexpr double kSpacing = 0.98, kJitter = 0.04, kSpeed = 0.001;
  const int side = static_cast<int>(std::ceil(std::cbrt(count)));
  std::vector<Member> members;
  for (int i = 0; i < count; ++i) {
    const Vec3 cell(i % side, i / side % side, i / side / side);
    members.push_back(
        member_at(kSpacing * cell + within(random, Vec3::Constant(kJitter)), kSpeed, random));
  }
  return members;
}

/// Half the edge of the cube that they are spread in: eight times their boxes' volume each.
double half_edge_of_spread(int count) { return std::cbrt(static_cast<double>(count)); }

std::vector<Member> spread(int count, Random& random) {
  constexpr double kSpeed = 0.01;
  const Vec3 half = Vec3::Constant(half_edge_of_spread(count));
  std::vector<Member> members;
  for (int i = 0; i < count; ++i)
    members.push_back(member_at(within(random, half), kSpeed, random));
  return members;
}

}  // namespace

TriangleMesh unit_size(TriangleMesh mesh) {
  Box3 box;
  for (const Vec3& v : mesh.vertices) box.extend(v);
  const Vec3 center = box.center();
  const double edge = box.sizes().maxCoeff();
  for (Vec3& v : mesh.vertices) v = (v - center) / edge;
  return mesh;
}

ContactScene two_bodies(std::string name, const TriangleMesh& a, const TriangleMesh& b,
                        const TwoBodies& how) {
  const Shape first = shared(unit_size(a)), second = shared(unit_size(b));
  const auto frame_at = [first, second, how](std::size_t f) -> SceneFrame {
    const double phase = kTurn * static_cast<double>(f) / kFrames;
    const auto shape = [&](const Shape& at_rest, double ahead) {
      return how.deforms ? shared(waved(*at_rest, phase + ahead)) : at_rest;
    };
    const Vec3 apart = (how.distance + 0.02 * std::sin(3 * phase)) * Vec3(0.6, 0.64, 0.48);
    const double turn = how.turn * (1 + 0.1 * std::sin(2 * phase));
    const Similarity world_from_a =
        placed(0.3 * Vec3(std::sin(phase), 0, 1), {0.3, 0.9, 0.2}, phase);
    return {{0, shape(first, 0), world_from_a},
            {1, shape(second, 1), world_from_a * placed(apart, {0.8, -0.4, 0.5}, turn)}};
  };
  return {std::move(name), kFrames, how.deforms ? Motion::kDeforms : Motion::kRigid, frame_at};
}

ContactScene breaking(std::string name, const TriangleMesh& target, const TriangleMesh& falling,
                      bool is_all_new) {
  constexpr int kSplitsPerFrame = 3;
  Random random(147);
  const Shape above = shared(falling);
  std::vector<Piece> pieces(1);
  pieces.front().id = 1;
  pieces.front().shape = shared(target);
  pieces.front().center = middle(target);
  std::uint32_t next_id = 2;
  auto frames = std::make_shared<std::vector<SceneFrame>>();
  for (std::size_t f = 0; f < kFrames; ++f) {
    const double time = static_cast<double>(f) / kFrames;
    for (int i = 0; i < kSplitsPerFrame; ++i) split_largest(pieces, next_id, random);
    advance(pieces);
    std::sort(pieces.begin(), pieces.end(),
              [](const Piece& a, const Piece& b) { return a.id < b.id; });
    SceneFrame frame = {
        {0, above, placed(Vec3(0.05, 0.03, 0.6 - 0.6 * time), {1, 2, 3}, 2 * time)}};
    for (const Piece& piece : pieces)
      frame.push_back({piece.id, piece.shape, piece.world_from_body});
    frames->push_back(std::move(frame));
  }
  const auto frame_at = [frames, is_all_new](std::size_t f) {
    SceneFrame frame = (*frames)[f];
    if (is_all_new)
      for (PlacedBody& body : frame) {
        body.id += static_cast<std::uint32_t>(1000 * f);
        body.shape = shared(*body.shape);
      }
    return frame;
  };
  return {std::move(name), kFrames, Motion::kBreaks, frame_at};
}

ContactScene leaves(std::string name, int count) {
  Random random(150);
  std::vector<Leaf> all;
  for (int i = 0; i < count; ++i) all.push_back(random_leaf(random));
  const std::array<Vec3, 4> path = {Vec3(0, 0, 0), Vec3(0.05, 0, 0.6), Vec3(0, 0.04, 1.1),
                                    Vec3(0, 0, 1.6)};
  const Shape trunk = shared(make_tube(path, 0.1, 24));
  const auto frame_at = [all, trunk](std::size_t f) {
    const double phase = 3 * kTurn * static_cast<double>(f) / kFrames;
    SceneFrame frame = {{0, trunk, Similarity::Identity()}};
    for (const Leaf& one : all)
      frame.push_back({static_cast<std::uint32_t>(frame.size()),
                       shared(leaf(one.bend * (1 + std::sin(phase + one.phase)))),
                       one.world_from_body});
    return frame;
  };
  return {std::move(name), kFrames, Motion::kDeforms, frame_at};
}

ContactScene crowd(std::string name, Crowd kind, int count) {
  constexpr std::size_t kCrowdFrames = 30;
  constexpr std::size_t kFew = 100;  // one of so many moves in a frame, each in its turn
  Random random(static_cast<std::uint64_t>(count));
  const std::vector<Member> members =
      kind == Crowd::kHeap ? heap(count, random) : spread(count, random);
  const Shape small = shared(unit_size(make_bumpy_sphere(0.5, 0.1, 21, 25)));
  Shape huge;
  if (kind == Crowd::kAroundAHuge)
    huge = shared(make_bumpy_sphere(half_edge_of_spread(count), 0.3, 141, 250));
  const auto frame_at = [=](std::size_t f) {
    SceneFrame frame;
    for (std::size_t i = 0; i < members.size(); ++i) {
      const std::size_t moves =
          kind == Crowd::kSpreadFewMove ? (f + kFew - 1 - i % kFew) / kFew : f;
      frame.push_back(
          {static_cast<std::uint32_t>(i), small, members[i].after(static_cast<double>(moves))});
    }
    if (huge != nullptr)
      frame.push_back({static_cast<std::uint32_t>(frame.size()), huge,
                       placed(Vec3::Zero(), {1, 1, 2}, 0.01 * static_cast<double>(f))});
    return frame;
  };
  return {std::move(name), kCrowdFrames, Motion::kRigid, frame_at};
}

ContactScene folding_cloth(std::string name, int n) {
  const auto frame_at = [n](std::size_t f) -> SceneFrame {
    const double phase = kTurn * static_cast<double>(f) / kFrames;
    const double turns = 3 + std::sin(phase);
    TriangleMesh cloth;
    for (int i = 0; i <= n; ++i)
      for (int k = 0; k <= n; ++k) {
        const double s = static_cast<double>(i) / n, t = static_cast<double>(k) / n;
        const double wrinkle = 0.02 * std::sin(25 * t + 40 * s + phase) * std::sin(31 * s - phase);
        const double angle = kTurn * turns * s;
        const double radius = 0.1 + 0.06 * s + wrinkle;
        cloth.vertices.emplace_back(radius * std::cos(angle), radius * std::sin(angle), t);
      }
    const auto row = static_cast<std::uint32_t>(n + 1);
    for (std::uint32_t i = 0; i + 1 < row; ++i)
      for (std::uint32_t k = 0; k + 1 < row; ++k) {
        const std::uint32_t a = i * row + k, b = a + row;
        cloth.triangles.push_back({a, b, b + 1});
        cloth.triangles.push_back({a, b + 1, a + 1});
      }
    return {{0, shared(std::move(cloth)), Similarity::Identity()}};
  };
  return {std::move(name), kFrames, Motion::kDeforms, frame_at};
}

ContactScene knot_in_sphere(std::string name) {
  const Shape knot = shared(unit_size(make_torus_knot({.p = 3, .q = 5, .minor = 0.5}, 900, 40)));
  const Shape sphere = shared(make_bumpy_sphere(0.42, 0.15, 151, 240, 7));
  const auto frame_at = [knot, sphere](std::size_t f) -> SceneFrame {
    const double phase = kTurn * static_cast<double>(f) / kFrames;
    return {{0, knot, placed(0.05 * Vec3(std::sin(phase), 0, std::cos(phase)), {1, 2, 2}, phase)},
            {1, sphere, placed(Vec3::Zero(), {0, 1, 0.2}, 0.3 * phase)}};
  };
  return {std::move(name), kFrames, Motion::kRigid, frame_at};
}

FrameChanges changes(const SceneFrame& before, const SceneFrame& now) {
  FrameChanges changed;
  std::size_t i = 0;
  for (std::size_t k = 0; k < now.size(); ++k) {
    while (i < before.size() && before[i].id < now[k].id) changed.gone.push_back(i++);
    if (i == before.size() || before[i].id != now[k].id) {
      changed.arrived.push_back(k);
      continue;
    }
    if (before[i].shape != now[k].shape)
      changed.reshaped.push_back(k);
    else if (before[i].world_from_body.matrix() != now[k].world_from_body.matrix())
      changed.moved.push_back(k);
    ++i;
  }
  for (; i < before.size(); ++i) changed.gone.push_back(i);
  return changed;
}

Result<void> write_frame(const SceneFrame& frame, const std::filesystem::path& folder) {
  for (const PlacedBody& body : frame) {
    const TriangleMesh mesh = posed(*body.shape, body.world_from_body);
    Result<void> written = write_mesh(mesh, folder / ("body_" + std::to_string(body.id) + ".off"));
    if (!written) return written;
  }
  return {};
}

}  // namespace plimsoll::bench
