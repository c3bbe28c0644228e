#include "contact_laws.h"

#include <plimsoll/mesh_generators.h>
#include <plimsoll/parallel.h>
#include <plimsoll/rotation.h>
#include <plimsoll/world.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <memory>
#include <numbers>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "got.h"
#include "harness.h"
#include "support/revolved.h"

namespace plimsoll::bench {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;

/// A tool that goes round a closed path in a body that stays, [m].
struct LawPath {
  const char* name;
  TriangleMesh tool, other;
  std::function<Pose(double share)> pose;  ///< Of shares from 0 to 1; both ends are one.
  /// The right push, but for a factor that is the same all along; nothing where it is not known.
  std::function<std::optional<Vec3>(double share)> right;
};

Pose at(const Vec3& place, const Vec3& turn = Vec3::Zero()) {
  Pose pose = Pose::Identity();
  if (turn.norm() > 0)
    pose.linear() = Eigen::AngleAxisd(turn.norm(), turn.normalized()).toRotationMatrix();
  pose.translation() = place;
  return pose;
}

TriangleMesh shifted(TriangleMesh mesh, const Vec3& by) {
  for (Vec3& vertex : mesh.vertices) vertex += by;
  return mesh;
}

std::optional<Vec3> not_known(double) { return std::nullopt; }

/// There and back: 0, 1, 0.
double there_and_back(double share) { return 1 - std::fabs(1 - 2 * share); }

/// A cube goes into a face, leans one way there, aside, and comes back by another way.
LawPath leaning_cube() {
  return {"cube leans on a face", make_box({0.1, 0.1, 0.1}),
          shifted(make_box({0.4, 0.4, 0.1}), {0, 0, -0.05}),
          [](double share) {
            const double c = std::cos(kTurn * share), s = std::sin(kTurn * share);
            return at({0.02 * s, 0.01 * c, 0.05 - 0.002 + 0.0015 * c},
                      {0.02 * s, 0.03 * (1 - c), 0});
          },
          not_known};
}

/// A path of the kind of [WellerEtAl2010]. At the same depth the force is the same.
LawPath sliding_cone() {
  TriangleMesh cone = make_cone(0.04, 0.08, 64);  // its tip is up
  for (Vec3& vertex : cone.vertices) vertex = Vec3(vertex.x(), -vertex.y(), -vertex.z());
  double tip = 0;
  for (const Vec3& vertex : cone.vertices) tip = std::min(tip, vertex.z());
  return {
      "cone slides over a block", cone, shifted(make_box({0.4, 0.2, 0.1}), {0, 0, -0.05}),
      [tip](double share) { return at({-0.1 + 0.2 * there_and_back(share), 0.013, -tip - 0.01}); },
      [](double) { return std::optional(Vec3(0, 0, 1)); }};
}

/// A ball goes round a block, as deep in its faces all along; no force is known at the edges.
LawPath ball_round_block() {
  constexpr double kRadius = 0.03, kDepth = 0.002, kHalf = 0.1;
  const auto side_of = [](double share) { return static_cast<int>(4 * share) % 4; };
  const auto turned = [side_of](double share, const Vec3& v) {
    return Vec3(Eigen::AngleAxisd(kTurn / 4 * side_of(share), Vec3::UnitZ()) * v);
  };
  // Straight from corner to corner, with the ball's middle beyond the edges for a moment.
  constexpr double kOut = kHalf + kRadius - kDepth;
  return {"ball goes round a block", make_icosphere(kRadius, 4), make_box({0.2, 0.2, 0.2}),
          [=](double share) {
            const double along = 4 * share - std::floor(4 * share);
            return at(turned(share, {kOut, kOut * (2 * along - 1), 0.013}));
          },
          [=](double share) -> std::optional<Vec3> {
            const double along = kOut * (2 * (4 * share - std::floor(4 * share)) - 1);
            if (std::fabs(along) > kHalf - kRadius) return std::nullopt;
            return turned(share, Vec3::UnitX());
          }};
}

/// A ball goes round in an ellipse across the edge of a block: no part of the path mirrors another.
LawPath ball_at_edge() {
  constexpr double kRadius = 0.03, kHalf = 0.1;
  return {"ball goes round at an edge", make_icosphere(kRadius, 4), make_box({0.2, 0.2, 0.2}),
          [=](double share) {
            const double c = std::cos(kTurn * share), s = std::sin(kTurn * share);
            return at({kHalf + kRadius * (0.55 + 0.3 * c),
                       kHalf + kRadius * (0.35 + 0.3 * s + 0.2 * c), 0.013});
          },
          not_known};
}

/// A cube rests 2 mm deep on a floor and comes up to a wall, into it by as much, and back.
LawPath cube_in_corner() {
  constexpr double kDepth = 0.002, kSide = 0.1;
  TriangleMesh floor = shifted(make_box({0.6, 0.4, 0.1}), {0, 0, -0.05});
  // One body: the wall stands on the floor without touching it, by a gap that the cube bridges.
  const TriangleMesh wall = shifted(make_box({0.1, 0.4, 0.3}), {0.25, 0, 0.1501});
  const auto first = static_cast<std::uint32_t>(floor.vertices.size());
  floor.vertices.insert(floor.vertices.end(), wall.vertices.begin(), wall.vertices.end());
  for (const Triangle& t : wall.triangles)
    floor.triangles.push_back({first + t[0], first + t[1], first + t[2]});
  return {"cube in a corner", make_box({kSide, kSide, kSide}), floor,
          [](double share) {
            return at({0.2 - kSide / 2 + kDepth * there_and_back(share), 0, kSide / 2 - kDepth});
          },
          [](double share) { return std::optional(Vec3(-there_and_back(share), 0, 1)); }};
}

/// A pin rolls round in a hole that is wider by 2 mm, 0.5 mm deep in its wall.
LawPath pin_in_hole() {
  constexpr double kRadius = 0.02, kGap = 0.001, kDepth = 0.0005;
  constexpr std::uint32_t kSlices = 256;
  const auto out = [](double share) {
    return Vec3(std::cos(kTurn * share), std::sin(kTurn * share), 0);
  };
  return {"pin rolls in a hole", make_cylinder(kRadius, 0.1, kSlices),
          test::washer(kRadius + kGap, 3 * kRadius, 0.04, kSlices),
          [out](double share) { return at((kGap + kDepth) * out(share), {0, 0, 1e-3}); },
          [out](double share) { return std::optional(Vec3(-out(share))); }};
}

struct Felt {
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero();  // about the tool's origin
  double seconds = 0;
};

/// Puts the tool at each pose, and asks what it feels there.
class Feeler {
 public:
  Feeler(const LawPath& path, const ContactLaw& law) : world_(made(path, law)) {}

  Felt feel(const Pose& pose) {
    const BodyId tool = world_.ids().front();
    got(world_.set_state(tool, pose, Vec3::Zero(), Vec3::Zero()), "a pose");
    const double before = world_.contact_seconds();
    got(world_.step(1e-9), "a step");
    Felt felt;
    felt.seconds = world_.contact_seconds() - before;
    for (const BodyContact& contact : world_.contacts()) {
      const double sign = contact.a == tool ? 1 : -1;
      felt.force += sign * contact.force;
      felt.torque +=
          sign * (contact.torque + (contact.center - pose.translation()).cross(contact.force));
    }
    return felt;
  }

 private:
  static World made(const LawPath& path, const ContactLaw& law) {
    Environment nothing;
    nothing.gravity = nothing.fluid_density = 0;
    RigidBody tool, other;
    tool.shape = {MeshSolid{std::make_shared<const TriangleMesh>(path.tool)}};
    other.shape = {MeshSolid{std::make_shared<const TriangleMesh>(path.other)}};
    tool.density = other.density = 1000;
    tool.pose = path.pose(0);
    other.is_kinematic = true;
    World world = got(World::create(nothing, std::vector{tool, other}), path.name);
    got(world.set_contact(law), path.name);
    return world;
  }
  World world_;
};

void print_row(const LawPath& path, const char* name, const ContactLaw& law) {
  constexpr int kPoses = 2000;
  Feeler feeler(path, law);
  std::vector<double> sizes, angles, seconds;
  double work = 0, most = 0;
  Felt last;
  Pose from = Pose::Identity();
  for (int i = 0; i <= kPoses; ++i) {
    const double share = static_cast<double>(i % kPoses) / kPoses;
    const Pose to = path.pose(share);
    const Felt felt = feeler.feel(to);
    seconds.push_back(1e6 * felt.seconds);
    if (i > 0) {
      const Vec3 way = to.translation() - from.translation();
      const Vec3 turn = rotation_vector(to.linear() * from.linear().transpose());
      const Vec3 force = (last.force + felt.force) / 2, torque = (last.torque + felt.torque) / 2;
      work += force.dot(way) + torque.dot(turn);
      most += force.norm() * way.norm() + torque.norm() * turn.norm();
    }
    if (const std::optional<Vec3> right = path.right(share)) {
      sizes.push_back(felt.force.norm() / right->norm());
      angles.push_back(360 / kTurn *
                       std::atan2(felt.force.cross(*right).norm(), felt.force.dot(*right)));
    }
    last = felt;
    from = to;
  }
  std::printf("%s,%s,%.4g,%.3g", path.name, name, median(seconds),
              most > 0 ? std::fabs(work) / most : 0);
  if (sizes.empty())
    std::printf(",,,\n");
  else
    std::printf(",%.3g,%.3g,%.3g\n", median(angles), quantile(angles, 0.99),
                quantile(sizes, 0.99) / quantile(sizes, 0.01) - 1);
}

}  // namespace

int laws() {
  std::puts("path,law,step_us,work_round,angle_deg,angle_99_deg,size_spread");
  const ContactLaw exact{.stiffness = 1e9, .damping = 0, .friction = 0};
  ContactLaw lesser = exact, volume = exact, spheres = exact, few = exact, on_surface = exact;
  lesser.method = ContactMethod::kLesserDepth;
  volume.method = ContactMethod::kVolume;
  spheres.method = few.method = ContactMethod::kSpheres;
  spheres.spheres = 50'000;
  few.spheres = 2'000;
  on_surface = few;
  on_surface.exact_fixed = true;
  with_threads(1, [&] {
    for (const LawPath& path : {leaning_cube(), sliding_cone(), ball_round_block(), ball_at_edge(),
                                cube_in_corner(), pin_in_hole()}) {
      print_row(path, "exact", exact);
      print_row(path, "lesser depth", lesser);
      print_row(path, "volume", volume);
      print_row(path, "spheres 2000", few);
      print_row(path, "spheres 50000", spheres);
      print_row(path, "spheres 2000 on the surface", on_surface);
    }
  });
  return 0;
}

}  // namespace plimsoll::bench
