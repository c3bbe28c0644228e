// How far inner spheres carry that follow a body which bends, twists or is squeezed: what of it
// they cover, and how far off the volume is that they share with a box, beside as many spheres that
// are packed anew. Prints a CSV to stdout; README.md tells how to read it.
//
//   deforming [--cache DIR] [--only MESH] [--rounds N]
//
// Meshes are two that are made here, and a scan of --cache if it is there.
#include <plimsoll/deforming_spheres.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/mesh_io.h>
#include <plimsoll/overlap.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness.h"
#include "options.h"

namespace plimsoll::bench {
namespace {

constexpr std::size_t kSpheres = 5000;
constexpr std::size_t kCoarse = 48;  // cubes along the longest side

/// A box of 4 x 1 x 1, its faces cut into squares of 1 / 16.
TriangleMesh make_beam() {
  constexpr int kCells = 16, kLength = 4 * kCells;
  TriangleMesh mesh;
  std::map<std::array<int, 3>, std::uint32_t> known;
  const auto vertex = [&](int along, int y, int z) {
    const auto [found, is_new] =
        known.try_emplace({along, y, z}, static_cast<std::uint32_t>(mesh.vertices.size()));
    if (is_new)
      mesh.vertices.push_back(Vec3(along - kLength / 2, y - kCells / 2, z - kCells / 2) / kCells);
    return found->second;
  };
  const std::array<int, 3> cells{kLength, kCells, kCells};
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (const bool is_far : {false, true}) {
      const std::size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
      for (int i = 0; i < cells[u]; ++i)
        for (int j = 0; j < cells[v]; ++j) {
          const auto corner = [&](int di, int dj) {
            std::array<int, 3> at{};
            at[axis] = is_far ? cells[axis] : 0;
            at[u] = i + di;
            at[v] = j + dj;
            return vertex(at[0], at[1], at[2]);
          };
          Triangle low{corner(0, 0), corner(1, 0), corner(1, 1)};
          Triangle high{corner(0, 0), corner(1, 1), corner(0, 1)};
          if (!is_far) {
            std::swap(low[1], low[2]);
            std::swap(high[1], high[2]);
          }
          mesh.triangles.push_back(low);
          mesh.triangles.push_back(high);
        }
    }
  return mesh;
}

/// The body about the middle of its box at rest, its longest side along x, that side 1 long.
TriangleMesh placed(TriangleMesh mesh) {
  Box3 box;
  for (const Vec3& v : mesh.vertices) box.extend(v);
  Eigen::Index axis = 0;
  const double length = box.sizes().maxCoeff(&axis);
  for (Vec3& v : mesh.vertices) {
    const Vec3 off = (v - box.center()) / length;
    v = {off[axis], off[(axis + 1) % 3], off[(axis + 2) % 3]};
  }
  return mesh;
}

/// x runs from -1/2 to 1/2.
struct Deformation {
  const char* name;
  std::vector<double> amounts;
  std::function<Vec3(const Vec3&, double amount)> map;
};

const std::vector<Deformation>& deformations() {
  static const std::vector<Deformation> all = {
      // To an arc of that angle in all [rad].
      {"bend",
       {0.25, 0.5, 1, 2, 3},
       [](const Vec3& x, double angle) {
         const double radius = 1 / angle - x.y(), turn = angle * x.x();
         return Vec3(radius * std::sin(turn), 1 / angle - radius * std::cos(turn), x.z());
       }},
      // Of the ends against each other [rad].
      {"twist",
       {0.25, 0.5, 1, 2, 3},
       [](const Vec3& x, double angle) {
         const double c = std::cos(angle * x.x()), s = std::sin(angle * x.x());
         return Vec3(x.x(), c * x.y() - s * x.z(), s * x.y() + c * x.z());
       }},
      // The middle is so many times as wide as it was along y, and as much narrower along z.
      {"squeeze",
       {1.05, 1.1, 1.25, 1.5, 2},
       [](const Vec3& x, double times) {
         const double here = std::pow(times, std::exp(-16 * x.x() * x.x()));
         return Vec3(x.x(), x.y() * here, x.z() / here);
       }},
  };
  return all;
}

/// The box that bodies meet: one quarter of them and more lies in it.
struct Obstacle {
  SphereTree spheres;
  SolidTree exact;
  Similarity pose = Similarity::Identity();
};

Result<Obstacle> make_obstacle(const TriangleMesh& body) {
  Box3 box;
  for (const Vec3& v : body.vertices) box.extend(v);
  const Result<ClosedMesh> solid = ClosedMesh::from_triangles(make_box(box.sizes()));
  if (!solid) return solid.error();
  const Result<SpherePacking> packing = pack_spheres(*solid, {.max_count = kSpheres});
  if (!packing) return packing.error();
  const Result<SphereTree> tree = SphereTree::create(*solid, packing->spheres);
  if (!tree) return tree.error();
  Obstacle obstacle{*tree, SolidTree(MeshTree(*solid))};
  obstacle.pose.translation() = box.center() + Vec3(0.25, 0.5, 0).cwiseProduct(box.sizes());
  return obstacle;
}

/// What is wrong of the volume that the spheres share with the box, over the true one.
struct VolumeError {
  double error = NAN, bounds = NAN;  ///< Of the estimate; how far its bounds are apart.
};

VolumeError volume_error(const SphereTree& tree, const Obstacle& obstacle, double exact) {
  SphereSearch search;
  const Result<SphereVolume> shared = search.volume(tree, Similarity::Identity(), obstacle.spheres,
                                                    obstacle.pose, {.with_forces = false});
  if (!shared) return {};
  return {shared->volume / exact - 1, (shared->upper - shared->lower) / exact};
}

double milliseconds(int rounds, const std::function<void()>& work) {
  std::vector<double> seconds;
  for (int i = 0; i < rounds; ++i) seconds.push_back(time_batch({"", 1, 0, work}, 1));
  return 1e3 * median(seconds);
}

Result<void> measure(const std::string& name, const TriangleMesh& mesh, int rounds) {
  const Result<ClosedMesh> at_rest = ClosedMesh::from_triangles(mesh);
  if (!at_rest) return at_rest.error();
  const Result<SpherePacking> packing = pack_spheres(*at_rest, {.max_count = kSpheres});
  if (!packing) return packing.error();
  Result<DeformingSpheres> body = DeformingSpheres::create(*at_rest, packing->spheres);
  if (!body) return body.error();
  Result<DeformingSpheres> coarse =
      DeformingSpheres::create(*at_rest, packing->spheres, {.resolution = kCoarse});
  if (!coarse) return coarse.error();
  const Result<Obstacle> obstacle = make_obstacle(mesh);
  if (!obstacle) return obstacle.error();
  for (const Deformation& deformation : deformations())
    for (const double amount : deformation.amounts) {
      TriangleMesh moved = mesh;
      for (Vec3& v : moved.vertices) v = deformation.map(v, amount);
      const Result<ClosedMesh> solid = ClosedMesh::from_triangles(std::move(moved));
      if (!solid) return solid.error();
      Result<void> followed;
      std::optional<SphereTree> anew;
      const double ms = milliseconds(rounds, [&] { followed = body->follow(*solid); });
      if (!followed) {  // a map that folds the body turns parts of it inside out
        std::fprintf(stderr, "%s %s %g: %s\n", name.c_str(), deformation.name, amount,
                     followed.error().message.c_str());
        continue;
      }
      const double ms_coarse = milliseconds(rounds, [&] { followed = coarse->follow(*solid); });
      if (!followed) return followed.error();
      const double ms_anew = milliseconds(1, [&] {
        const Result<SpherePacking> packed = pack_spheres(*solid, {.max_count = kSpheres});
        if (const Result<SphereTree> tree =
                packed ? SphereTree::create(*solid, packed->spheres) : packed.error())
          anew = *tree;
      });
      if (!anew) return Error{ErrorCode::kInvalidArgument, "found no packing", name};
      const auto gone = static_cast<double>(body->spheres().size() - body->tree().spheres().size());
      OverlapSearch search;
      const Result<Overlap> exact = search.overlap(
          SolidTree(MeshTree(*solid)), Similarity::Identity(), obstacle->exact, obstacle->pose);
      if (!exact) return exact.error();
      const VolumeError error = volume_error(body->tree(), *obstacle, exact->volume);
      const VolumeError error_coarse = volume_error(coarse->tree(), *obstacle, exact->volume);
      const VolumeError error_anew = volume_error(*anew, *obstacle, exact->volume);
      std::printf("%s,%s,%g,%.4f,%.4f,%.4f,%.3f,%.2g,%.2g,%.2g,%.2f,%.2f,%.2f,%.3g,%.3g,%.3g\n",
                  name.c_str(), deformation.name, amount, body->tree().coverage(), anew->coverage(),
                  gone / static_cast<double>(body->spheres().size()),
                  exact->volume / body->tree().solid_volume(), error.error, error_coarse.error,
                  error_anew.error, error.bounds, error_coarse.bounds, error_anew.bounds, ms,
                  ms_coarse, ms_anew);
    }
  return {};
}

Result<void> run(const Options& options) {
  std::puts(
      "mesh,deformation,amount,coverage,coverage_anew,vanished,shared,volume_error,volume_error_48,"
      "volume_error_anew,bounds,bounds_48,bounds_anew,ms,ms_48,ms_anew");
  const auto is_wanted = [&](const char* name) {
    return options.only.empty() || options.only == name;
  };
  if (is_wanted("beam"))
    if (const Result<void> done = measure("beam", placed(make_beam()), options.rounds); !done)
      return done;
  if (is_wanted("knot"))
    if (const Result<void> done =
            measure("knot", placed(make_torus_knot({}, 400, 80)), options.rounds);
        !done)
      return done;
  if (!is_wanted("bunny00.off")) return {};
  const Result<MeshFile> bunny = read_mesh(options.cache + "/cgal/bunny00.off");
  return bunny ? measure("bunny00.off", placed(bunny->mesh), options.rounds) : Result<void>();
}

}  // namespace
}  // namespace plimsoll::bench

int main(int argc, char** argv) {
  const std::optional<plimsoll::bench::Options> options =
      plimsoll::bench::options_of(argc, argv, 5);
  return options ? plimsoll::bench::exit_code(plimsoll::bench::run(*options)) : 2;
}
