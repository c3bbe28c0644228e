#include "sphere_set.h"

#include <fmt/format.h>
#include <plimsoll/sphere_union.h>
#include <plimsoll/version.h>

#include <filesystem>

#include "diagnosis.h"
#include "text.h"

namespace plimsoll::cli {
namespace {

std::string file_name(const SphereSet& set) {
  return set.body.name == "-" ? "standard input" : set.body.name;
}

/// What the spheres are to the solid.
std::vector<std::string> claims(const SphereSet& set) {
  const std::size_t count = set.spheres.size();
  if (set.covers)
    return {fmt::format("{} that contain{} all of the solid, which is proved",
                        counted(count, "sphere", "spheres"), count == 1 ? "s" : ""),
            fmt::format("no point of them is farther than {} m from the solid, which is proved",
                        set.largest_protrusion)};
  const char* what = set.keep ? "part of the solid that is kept" : "solid";
  std::vector<std::string> lines{fmt::format("{} that cover{} {:.4f} of the {}",
                                             counted(count, "inner sphere", "inner spheres"),
                                             count == 1 ? "s" : "", set.coverage, what)};
  if (set.doubtful_share)
    lines.push_back(fmt::format("where inside is, the mesh does not tell for {:.3g} % of it",
                                100 * *set.doubtful_share));
  else if (count > 0)
    lines.push_back(fmt::format(
        "they do not contain the {}: no point of it is farther than {} m from them, which is "
        "proved; with radii larger by that they contain it",
        what, set.largest_protrusion));
  return lines;
}

}  // namespace

PackedMass union_mass(const SphereSet& set) {
  const Result<MassProperties> all = union_mass_properties(set.spheres);
  if (!all) return {0, Vec3::Zero(), Mat3::Zero()};
  return {all->volume, all->center_of_mass, all->inertia};
}

std::string body_name(const SphereSet& set) {
  const std::string& name = set.body.name;
  return name == "-" ? "body" : std::filesystem::path(name).stem().string();
}

std::vector<std::string> provenance(const SphereSet& set) {
  std::vector<std::string> lines = claims(set);
  lines.front() = fmt::format("plimsoll {}, from {}: {}", version(), file_name(set), lines.front());
  if (!is_sound(set.status))
    lines.push_back(fmt::format("DO NOT TRUST THESE SPHERES: status {}, {}", to_string(set.status),
                                in_words(set.status)));
  return lines;
}

}  // namespace plimsoll::cli
