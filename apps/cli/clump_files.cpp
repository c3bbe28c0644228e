#include "clump_files.h"

#include <fmt/format.h>

#include <numbers>

#include "text.h"

namespace plimsoll::cli {
namespace {

/// xx yy zz xy xz yz
std::string tensor(const Mat3& m) {
  return fmt::format("{} {} {} {} {} {}", m(0, 0), m(1, 1), m(2, 2), m(0, 1), m(0, 2), m(1, 2));
}

std::string vector(const Vec3& x) { return fmt::format("{} {} {}", x[0], x[1], x[2]); }

std::string in_words(const PackedMass& mass) {
  return fmt::format("volume {}, center of mass {}, inertia about it (xx yy zz xy xz yz) {}",
                     mass.volume, vector(mass.center_of_mass),
                     mass.inertia ? tensor(*mass.inertia) : "not computed");
}

/// What the spheres are, and what they weigh beside the solid.
std::string comments(const SphereSet& set) {
  std::string text;
  for (const std::string& line : provenance(set)) text += "# " + printable(line) + "\n";
  text += "# SI units, and a density of 1: multiply mass and inertia by that of the material\n";
  text += fmt::format("# the solid: {}\n", in_words(set.solid));
  text += fmt::format("# the union of the spheres: {}\n", in_words(union_mass(set)));
  return text;
}

/// Under a title, a line for each sphere: its number from 1, and what row() says of it.
template <class Row>
void add_section(std::string& text, const char* title, const SphereSet& set, const Row& row) {
  text += fmt::format("\n{}\n\n", title);
  for (std::size_t k = 0; k < set.spheres.size(); ++k)
    text += fmt::format("{} {}\n", k + 1, row(set.spheres[k]));
}

}  // namespace

std::string liggghts_file(const SphereSet& set) {
  std::string text = comments(set);
  for (const PlacedSphere& sphere : set.spheres)
    text += fmt::format("{} {}\n", vector(sphere.center), sphere.radius);
  return text;
}

std::string lammps_file(const SphereSet& set) {
  std::string text = comments(set);
  text += fmt::format("\n{} atoms\n", set.spheres.size());
  if (set.solid.inertia)
    text += fmt::format("{} mass\n{} com\n{} inertia\n", set.solid.volume,
                        vector(set.solid.center_of_mass), tensor(*set.solid.inertia));
  add_section(text, "Coords", set,
              [](const PlacedSphere& sphere) { return vector(sphere.center); });
  add_section(text, "Types", set, [](const PlacedSphere&) { return 1; });
  add_section(text, "Diameters", set, [](const PlacedSphere& sphere) { return 2 * sphere.radius; });
  // Of the atoms alone: the body has the mass above.
  add_section(text, "Masses", set, [](const PlacedSphere& sphere) {
    return 4 * std::numbers::pi / 3 * sphere.radius * sphere.radius * sphere.radius;
  });
  return text;
}

std::string yade_file(const SphereSet& set) {
  std::string text = comments(set);
  for (const PlacedSphere& sphere : set.spheres)
    text += fmt::format("{} {} 0\n", vector(sphere.center), sphere.radius);
  return text;
}

}  // namespace plimsoll::cli
