// Loading meshes by Plimsoll and others, side by side in one process; README.md tells how to read
// the figures. Prints a CSV to stdout, and to stderr what it does.
//
//   loading [--cache DIR] [--rounds N]
#include <plimsoll/mesh_io.h>
#include <tiny_obj_loader.h>

#include <assimp/scene.h>
#include <assimp/Importer.hpp>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "harness.h"
#include "options.h"

namespace plimsoll::bench {
namespace {

using Load = std::function<std::size_t(const std::string& path)>;  // returns the triangles

std::size_t load_with_plimsoll(const std::string& path) {
  const Result<MeshFile> file = read_mesh(path);
  return file ? file->mesh.triangles.size() : 0;
}

// As read, without the post-processing steps that it offers.
std::size_t load_with_assimp(const std::string& path) {
  Assimp::Importer importer;
  const aiScene* scene = importer.ReadFile(path, 0);
  std::size_t triangles = 0;
  for (unsigned m = 0; scene != nullptr && m < scene->mNumMeshes; ++m)
    triangles += scene->mMeshes[m]->mNumFaces;
  return triangles;
}

std::size_t load_with_tinyobjloader(const std::string& path) {
  tinyobj::ObjReader reader;
  if (!reader.ParseFromFile(path)) return 0;
  std::size_t triangles = 0;
  for (const tinyobj::shape_t& shape : reader.GetShapes())
    triangles += shape.mesh.num_face_vertices.size();
  return triangles;
}

struct Loader {
  std::string name;
  Load load;
};

// Times all loaders on one file; each must find as many triangles as Plimsoll does.
bool run(const std::string& scenario, const std::string& path, const std::vector<Loader>& loaders,
         int rounds) {
  const std::size_t triangles = load_with_plimsoll(path);
  std::fprintf(stderr, "%s: %s, %zu triangles\n", scenario.c_str(), path.c_str(), triangles);
  std::vector<Row> rows;
  for (const Loader& loader : loaders) {
    const std::size_t found = loader.load(path);
    if (found == 0 || found != triangles) {
      std::fprintf(stderr, "%s: found %zu triangles, should be %zu\n", loader.name.c_str(), found,
                   triangles);
      return false;
    }
    rows.push_back({loader.name, 1, 0, [=] { static_cast<void>(loader.load(path)); }});
  }
  print_rows(scenario, triangles, rows, time_interleaved(rows, rounds));
  return true;
}

struct Scenario {
  std::string name, file;
  std::vector<Loader> loaders;
};

int main(int argc, char** argv) {
  const std::optional<Options> options = options_of(argc, argv);
  if (!options) return 2;
  const Loader ours{"ours", load_with_plimsoll};
  const Loader assimp{"assimp", load_with_assimp};
  const Loader tiny{"tinyobjloader", load_with_tinyobjloader};
  const std::vector<Scenario> scenarios = {
      {"dragon_ply", "/dragon/dragon_vrip.ply", {ours, assimp}},
      {"bunny_obj", "/glmark2/bunny.obj", {ours, assimp, tiny}},
  };
  print_load();
  print_header();
  int measured = 0;
  for (const Scenario& scenario : scenarios) {
    if (!options->only.empty() && options->only != scenario.name) continue;
    if (!run(scenario.name, options->cache + scenario.file, scenario.loaders, options->rounds))
      return 1;
    ++measured;
  }
  print_load();
  if (measured > 0) return 0;
  std::fprintf(stderr, "no scenario is called '%s'\n", options->only.c_str());
  return 2;
}

}  // namespace
}  // namespace plimsoll::bench

int main(int argc, char** argv) { return plimsoll::bench::main(argc, argv); }
