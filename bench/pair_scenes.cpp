#include "pair_scenes.h"

#include <plimsoll/mesh_generators.h>
#include <plimsoll/mesh_io.h>

#include <string>
#include <utility>

#include "checked.h"
#include "shared/decimate.h"

namespace plimsoll::bench {
namespace {

namespace fs = std::filesystem;

Result<TriangleMesh> read_scan(const fs::path& path) {
  Result<MeshFile> file = read_mesh(path);
  if (!file) return file.error();
  return weld(checked(file->mesh));
}

/// The scan, made coarse to `triangles` unless that is 0, each of which is then split in four
/// `splits` times.
struct Bunny {
  std::size_t triangles = 0;
  int splits = 0;
};
constexpr Bunny k5k{.triangles = 5000}, k70k{}, k700k{.triangles = 43750, .splits = 2};

Result<TriangleMesh> read_bunny(const fs::path& cache, const Bunny& bunny) {
  Result<TriangleMesh> mesh = read_scan(cache / "cgal" / "bunny00.off");
  if (!mesh) return mesh;
  if (bunny.triangles > 0) mesh = decimate(*mesh, bunny.triangles);
  for (int i = 0; i < bunny.splits; ++i) mesh = split_in_four(std::move(*mesh));
  return mesh;
}

/// Two of the same mesh.
PairScene two(std::string name, const std::function<Result<TriangleMesh>()>& read,
              const TwoBodies& how) {
  const auto make = [=]() -> Result<ContactScene> {
    const Result<TriangleMesh> mesh = read();
    if (!mesh) return mesh.error();
    return two_bodies(name, *mesh, *mesh, how);
  };
  return {std::move(name), Question::kTwoBodies, 9, true, make};
}

PairScene bunnies(std::string name, const fs::path& cache, const Bunny& bunny,
                  const TwoBodies& how) {
  return two(std::move(name), [=] { return read_bunny(cache, bunny); }, how);
}

PairScene generated(ContactScene (*make)(std::string), std::string name) {
  return {name, Question::kTwoBodies, 9, true, [=] { return make(name); }};
}

PairScene breaking_bunny(std::string name, const fs::path& cache, bool is_all_new) {
  const auto make = [=]() -> Result<ContactScene> {
    const Result<TriangleMesh> bunny = read_bunny(cache, k70k);
    if (!bunny) return bunny.error();
    const TriangleMesh knot = make_torus_knot({.ripples = 12, .ripple_depth = 0.2}, 716, 50);
    return breaking(name, unit_size(*bunny), unit_size(knot), is_all_new);
  };
  return {std::move(name), Question::kBodies, 9, true, make};
}

PairScene crowd_of(std::string name, Crowd kind, int count) {
  const auto make = [=] { return crowd(name, kind, count); };
  return {std::move(name), Question::kBodies, 4, false, make};
}

}  // namespace

std::vector<PairScene> pair_scenes(const fs::path& cache) {
  // How far they are apart and turned decides how many pairs there are; found by trial.
  const TwoBodies deep{.distance = 0.1}, deep_deforming{.distance = 0.1, .deforms = true};
  std::vector<PairScene> all = {bunnies("bunnies_70k_rigid", cache, k70k, deep),
                                bunnies("bunnies_70k_deforming", cache, k70k, deep_deforming)};
  const auto with_pairs = [&](const char* pairs, double distance) {
    const TwoBodies how{.distance = distance, .turn = 0.1};
    all.push_back(bunnies("bunnies_70k_rigid_" + std::string(pairs), cache, k70k, how));
  };
  with_pairs("400_pairs", 0.7);
  with_pairs("800_pairs", 0.5);
  with_pairs("1700_pairs", 0.3);
  with_pairs("3600_pairs", 0.1);
  with_pairs("6900_pairs", 0.02);
  for (const bool deforms : {false, true}) {
    const std::string end = deforms ? "_deforming" : "_rigid";
    const auto add = [&](const char* size, const Bunny& bunny, TwoBodies how) {
      how.deforms = deforms;
      all.push_back(bunnies("similar_" + std::string(size) + end, cache, bunny, how));
    };
    add("5k", k5k, {.distance = 0.1});
    add("70k", k70k, {.distance = 0.55});
    add("700k", k700k, {.distance = 0.74, .turn = 0.1});
  }
  const auto add = [&](PairScene scene) { all.push_back(std::move(scene)); };
  add(breaking_bunny("breaking", cache, true));
  add(breaking_bunny("breaking_kept", cache, false));
  add({"leaves", Question::kBodies, 9, true, [] { return leaves("leaves", 150); }});
  add({"cloth", Question::kSelf, 9, true, [] { return folding_cloth("cloth", 150); }});
  for (const int count : {2500, 10000}) {
    const std::string size = count == 2500 ? "_2500" : "_10000";
    add(crowd_of("spread_few_move" + size, Crowd::kSpreadFewMove, count));
    add(crowd_of("spread_all_move" + size, Crowd::kSpreadAllMove, count));
    add(crowd_of("heap" + size, Crowd::kHeap, count));
    add(crowd_of("around_a_huge" + size, Crowd::kAroundAHuge, count));
  }
  const auto armadillo = [=] { return read_scan(cache / "cgal" / "armadillo.off"); };
  add(two("aside_armadillos_rigid", armadillo, deep));
  add(two("aside_armadillos_deforming", armadillo, deep_deforming));
  add(generated(knot_in_sphere, "aside_knot_in_sphere"));
  return all;
}

}  // namespace plimsoll::bench
