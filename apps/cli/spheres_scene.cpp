#include "spheres_scene.h"

#include <fmt/format.h>

#include <filesystem>
#include <variant>

#include "diagnosis.h"
#include "failure.h"
#include "text.h"

namespace plimsoll::cli {

picture::SpheresScene spheres_scene(const PackedBody& packed) {
  const Body& body = packed.body;
  require_mesh(body, "pictures of spheres");
  if (!packed.tree)
    throw Failure{kUnsound, "no_spheres", "found no spheres, expected one to draw", body.name};
  const std::string file =
      body.name == "-" ? "standard input" : std::filesystem::path(body.name).filename().string();
  std::string title = fmt::format("{}: {} inside{}", file,
                                  counted(packed.packing.spheres.size(), "sphere", "spheres"),
                                  packed.options.keep ? " the part that is kept" : "");
  if (!is_sound(packed.status)) title += fmt::format(" (of a mesh, {})", in_words(packed.status));
  return {{body.name, std::get<MeshSolid>(body.shape.solid).mesh, body.pose},
          *packed.tree,
          std::move(title),
          packed.packing.coverage,
          packed.packing.largest_protrusion,
          packed.mass.center_of_mass,
          packed.options.keep};
}

}  // namespace plimsoll::cli
