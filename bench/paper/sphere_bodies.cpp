#include "paper/sphere_bodies.h"

#include <plimsoll/mass_properties.h>
#include <plimsoll/mesh_io.h>
#include <plimsoll/parallel.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>
#include <utility>

#include "checked.h"
#include "distance_scenes.h"
#include "harness.h"
#include "shared/decimate.h"
#include "spheres/sphere_shares.h"
#include "water_planes.h"

namespace plimsoll::bench {
namespace {

Result<TriangleMesh> read_welded(const std::filesystem::path& path) {
  Result<MeshFile> file = read_mesh(path);
  if (!file) return file.error();
  return weld(checked(file->mesh));
}

/// A body that each plane across z cuts in a curve that winds once around the axis.
template <class Radius>
TriangleMesh make_turned(double length, int rings, int slices, const Radius& radius) {
  TriangleMesh mesh;
  mesh.vertices.emplace_back(0, 0, 0);
  for (int i = 1; i < rings; ++i) {
    const double z = length * i / rings;
    for (int k = 0; k < slices; ++k) {
      const double angle = 2 * std::numbers::pi * k / slices;
      const double r = radius(z, angle);
      mesh.vertices.emplace_back(r * std::cos(angle), r * std::sin(angle), z);
    }
  }
  mesh.vertices.emplace_back(0, 0, length);
  const auto at = [&](int ring, int slice) {
    return static_cast<std::uint32_t>(1 + (ring - 1) * slices + slice % slices);
  };
  const auto last = static_cast<std::uint32_t>(mesh.vertices.size() - 1);
  for (int k = 0; k < slices; ++k) {
    mesh.triangles.push_back({0, at(1, k + 1), at(1, k)});
    for (int i = 1; i + 1 < rings; ++i) {
      mesh.triangles.push_back({at(i, k), at(i, k + 1), at(i + 1, k + 1)});
      mesh.triangles.push_back({at(i, k), at(i + 1, k + 1), at(i + 1, k)});
    }
    mesh.triangles.push_back({at(rings - 1, k), at(rings - 1, k + 1), last});
  }
  return mesh;
}

/// From 0 to 1 between `from` and `to`, without a kink.
double smooth_step(double from, double to, double x) {
  const double t = std::clamp((x - from) / (to - from), 0.0, 1.0);
  return t * t * (3 - 2 * t);
}

/// 1, but near both ends a quarter of an ellipse down to 0.
double rounded_ends(double z, double length, double end) {
  const double inside = std::min({z, length - z, end}) / end;
  return std::sqrt(inside * (2 - inside));
}

/// The radius of |x / a|^n + |y / b|^n = 1.
double superellipse(double a, double b, double power, double angle) {
  const double x = std::abs(std::cos(angle)) / a, y = std::abs(std::sin(angle)) / b;
  return std::pow(std::pow(x, power) + std::pow(y, power), -1 / power);
}

}  // namespace

TriangleMesh make_screwdriver(int rings, int slices) {
  return make_turned(1, rings, slices, [](double z, double angle) {
    const double grooves = 0.08 * (1 - smooth_step(0.36, 0.42, z)) * std::cos(6 * angle);
    const double waist = 1 - 0.25 * smooth_step(0.3, 0.36, z) * (1 - smooth_step(0.38, 0.43, z));
    const double handle = 0.09 * waist * (1 + grooves);
    const double shaft = 0.025;
    const double blade = smooth_step(0.86, 0.96, z);
    const double tip =
        superellipse(shaft + 0.012 * blade, shaft - 0.019 * blade, 2 + 2 * blade, angle);
    const double in_shaft = smooth_step(0.43, 0.46, z);
    return ((1 - in_shaft) * handle + in_shaft * tip) * rounded_ends(z, 1, z < 0.5 ? 0.05 : 0.01);
  });
}

TriangleMesh make_torso(int rings, int slices) {
  struct Section {
    double z, a, b;
  };
  static constexpr Section kSections[] = {
      {0, 0.16, 0.11},     {0.12, 0.175, 0.12},  {0.3, 0.13, 0.095},
      {0.48, 0.165, 0.12}, {0.6, 0.2, 0.1},      {0.68, 0.06, 0.06},
      {0.73, 0.055, 0.06}, {0.81, 0.075, 0.095}, {0.9, 0.065, 0.08},
  };
  return make_turned(0.9, rings, slices, [](double z, double angle) {
    const auto* above = std::find_if(std::begin(kSections) + 1, std::end(kSections) - 1,
                                     [&](const Section& section) { return section.z >= z; });
    const Section &from = above[-1], &to = *above;
    const double part = smooth_step(from.z, to.z, z);
    return superellipse(from.a + part * (to.a - from.a), from.b + part * (to.b - from.b), 2.5,
                        angle) *
           rounded_ends(z, 0.9, 0.06);
  });
}

TriangleMesh make_egg_crate(int bumps, int steps) {
  const int side = bumps * steps;
  const auto height = [&](int i) {
    return 0.5 - 0.5 * std::cos(2 * std::numbers::pi * (i % steps) / steps);
  };
  TriangleMesh mesh;
  for (const bool is_top : {false, true})
    for (int j = 0; j <= side; ++j)
      for (int i = 0; i <= side; ++i)
        mesh.vertices.emplace_back(static_cast<double>(i) / side, static_cast<double>(j) / side,
                                   is_top ? 0.05 + 0.6 / bumps * height(i) * height(j) : 0.0);
  const auto at = [&](int i, int j, int top) {
    return static_cast<std::uint32_t>((top * (side + 1) + j) * (side + 1) + i);
  };
  const auto add = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
    mesh.triangles.push_back({a, b, c});
    mesh.triangles.push_back({a, c, d});
  };
  for (int j = 0; j < side; ++j)
    for (int i = 0; i < side; ++i) {
      add(at(i, j, 1), at(i + 1, j, 1), at(i + 1, j + 1, 1), at(i, j + 1, 1));
      add(at(i, j, 0), at(i, j + 1, 0), at(i + 1, j + 1, 0), at(i + 1, j, 0));
    }
  for (int i = 0; i < side; ++i) {
    add(at(i, 0, 0), at(i + 1, 0, 0), at(i + 1, 0, 1), at(i, 0, 1));
    add(at(i + 1, side, 0), at(i, side, 0), at(i, side, 1), at(i + 1, side, 1));
    add(at(0, i + 1, 0), at(0, i, 0), at(0, i, 1), at(0, i + 1, 1));
    add(at(side, i, 0), at(side, i + 1, 0), at(side, i + 1, 1), at(side, i, 1));
  }
  return mesh;
}

std::vector<Scenario> distance_bodies(const std::filesystem::path& cache) {
  return {{"armadillo_832k",
           [=]() -> Result<TriangleMesh> {
             Result<TriangleMesh> mesh = read_welded(cache / "cgal" / "armadillo.off");
             if (!mesh) return mesh.error();
             return split_in_four(split_in_four(std::move(*mesh)));
           }},
          {"dragon_871k", [=] { return read_welded(cache / "dragon" / "dragon_vrip.ply"); }}};
}

std::vector<Scenario> volume_bodies() {
  return {{"screwdriver_488k", [] { return make_screwdriver(611, 400); }},
          {"torso_470k", [] { return make_torso(590, 400); }}};
}

namespace {

template <class Pack>
Result<PackedSolid> packed_by(const Scenario& scenario, const Pack& pack) {
  Result<TriangleMesh> mesh = scenario.make();
  if (!mesh) return mesh.error();
  Result<ClosedMesh> solid = ClosedMesh::from_triangles(*mesh);
  if (!solid) return solid.error();
  double seconds = 0;
  Result<SpherePacking> packing = SpherePacking{};
  with_threads(1, [&] {
    const double start = seconds_now(1);
    packing = pack(*solid);
    seconds = seconds_now(1) - start;
  });
  if (!packing) return packing.error();
  const MassProperties mass = mass_properties(*solid);
  const double size = bounding_box(checked(*mesh)).sizes().maxCoeff();
  return PackedSolid{scenario.name,         std::move(*mesh),
                     std::move(*solid),     std::move(*packing),
                     std::abs(mass.volume), size,
                     mass.center_of_mass,   seconds};
}

}  // namespace

Result<PackedSolid> packed(const Scenario& scenario, std::size_t count) {
  return packed_by(
      scenario, [&](const ClosedMesh& solid) { return pack_spheres(solid, {.max_count = count}); });
}

Result<PackedSolid> packed_on_lattice(const Scenario& scenario, std::size_t resolution) {
  return packed_by(scenario, [&](const ClosedMesh& solid) {
    return pack_spheres_on_lattice(solid, resolution, {.max_count = std::size_t{1} << 24});
  });
}

namespace {

std::span<const PlacedSphere> first_spheres(const PackedSolid& body, std::size_t count) {
  return std::span(body.packing.spheres).first(std::min(count, body.packing.spheres.size()));
}

}  // namespace

Result<TimedTree> tree_of(const PackedSolid& body, std::size_t count, std::size_t resolution) {
  double seconds = 0;
  std::optional<Result<SphereTree>> tree;
  with_threads(1, [&] {
    const double start = seconds_now(1);
    tree = SphereTree::create(body.solid, first_spheres(body, count), {.resolution = resolution});
    seconds = seconds_now(1) - start;
  });
  if (!*tree) return tree->error();
  return TimedTree{std::move(**tree), seconds};
}

Result<PackedTrees> trees_of(const PackedSolid& body, std::size_t count, std::size_t resolution) {
  const std::span<const PlacedSphere> spheres = first_spheres(body, count);
  Result<TimedTree> tree = tree_of(body, count, resolution);
  if (!tree) return tree.error();
  if (resolution == 0) resolution = share_resolution(spheres.size());
  Result<SphereShares> shares = share_solid(body.solid, spheres, resolution);
  if (!shares) return shares.error();
  const auto hierarchy = [&](SecondaryRadii radii) {
    return make_sphere_hierarchy(spheres, shares->shares, radii, 4);
  };
  SphereHierarchy by_shares = hierarchy(SecondaryRadii::kShares);
  SphereHierarchy as_published = hierarchy(SecondaryRadii::kPublished);
  const double coverage = tree->tree.coverage();
  return PackedTrees{spheres.size(),
                     coverage,
                     std::move(*tree),
                     std::move(*shares),
                     std::move(by_shares),
                     std::move(as_published),
                     BalledTriangles(body.solid)};
}

std::vector<OverlapPose> overlap_poses(const PackedSolid& body, const PackedTrees& trees,
                                       const std::vector<double>& shares, int each,
                                       std::uint64_t seed) {
  constexpr int kBisections = 30;
  Random random(seed);
  SphereSearch search;
  const auto volume = [&](const Similarity& pose) {
    const Result<SphereVolume> found =
        search.volume(trees.tree(), Similarity::Identity(), trees.tree(), pose,
                      {.with_bounds = false, .with_forces = false});
    return found ? found->volume : 0;
  };
  std::vector<OverlapPose> poses;
  for (const double share : shares)
    for (int i = 0; i < each; ++i) {
      const Vec3 axis = random.direction(), direction = random.direction();
      const Mat3 turn =
          Eigen::AngleAxisd(2 * std::numbers::pi * random.number(), axis).toRotationMatrix();
      const auto shifted = [&](double way) {
        return pose_about(body.center, turn, body.center + way * direction);
      };
      double low = 0, high = 2 * body.size;
      for (int k = 0; k < kBisections; ++k) {
        const double middle = (low + high) / 2;
        const bool is_deep = volume(shifted(middle)) > share * body.volume;
        (is_deep ? low : high) = middle;
      }
      poses.push_back({share, shifted(low)});
    }
  return poses;
}

}  // namespace plimsoll::bench
