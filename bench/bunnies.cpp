#include "bunnies.h"

#include <plimsoll/mesh_io.h>

#include <utility>

#include "cgal_meshes.h"
#include "checked.h"
#include "shared/decimate.h"

namespace plimsoll::bench {
Result<TriangleMesh> read_scan(const std::filesystem::path& cache) {
  Result<MeshFile> file = read_mesh(cache / "cgal" / "bunny00.off");
  if (!file) return file.error();
  return weld(checked(file->mesh));
}

Scenario bunny(std::string name, const std::filesystem::path& cache, std::size_t triangles,
               int splits) {
  return {std::move(name), [=]() -> Result<TriangleMesh> {
            const Result<TriangleMesh> scan = read_scan(cache);
            if (!scan) return scan.error();
            TriangleMesh mesh = simplify(*scan, triangles);
            for (int i = 0; i < splits; ++i) mesh = split_in_four(std::move(mesh));
            return mesh;
          }};
}

}  // namespace plimsoll::bench
