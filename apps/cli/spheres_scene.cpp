#include "spheres_scene.h"

#include <fmt/format.h>

#include <variant>

#include "diagnosis.h"
#include "failure.h"
#include "picture/bodies_picture.h"
#include "text.h"

namespace plimsoll::cli {

namespace {

std::string faults(Status status) {
  return is_sound(status) ? "" : fmt::format(" (of a mesh, {})", in_words(status));
}

}  // namespace

picture::SpheresScene spheres_scene(const PackedBody& packed) {
  const Body& body = packed.body;
  require_mesh(body, "pictures of spheres");
  if (packed.packing.spheres.empty())
    throw Failure{kUnsound, "no_spheres", "found no spheres, expected one to draw", body.name};
  std::string title = fmt::format("{}: {} inside{}", picture::short_name(body.name),
                                  counted(packed.packing.spheres.size(), "sphere", "spheres"),
                                  packed.options.keep ? " the part that is kept" : "");
  title += faults(packed.status);
  return {{body.name, std::get<MeshSolid>(body.shape.solid).mesh, body.pose},
          packed.packing.spheres,
          false,
          packed.tree,
          std::move(title),
          packed.packing.coverage,
          packed.packing.largest_protrusion,
          packed.mass.center_of_mass,
          packed.options.keep};
}

picture::SpheresScene spheres_scene(const CoveredBody& covered) {
  const Body& body = covered.body;
  const SphereCover& cover = covered.cover;
  return {{body.name, std::get<MeshSolid>(body.shape.solid).mesh, body.pose},
          cover.spheres,
          true,
          std::nullopt,
          fmt::format("{} in {}{}", picture::short_name(body.name),
                      counted(cover.spheres.size(), "sphere", "spheres"), faults(covered.status)),
          1,
          cover.largest_protrusion,
          covered.mass.center_of_mass,
          covered.options.keep};
}

}  // namespace plimsoll::cli
