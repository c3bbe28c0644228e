// Two bodies asked by their inner spheres.
#pragma once

#include <plimsoll/sphere_tree.h>

#include <array>
#include <optional>
#include <string>

#include "mass_report.h"
#include "output.h"
#include "solid_input.h"

namespace plimsoll::cli {

/// --spheres and --budget-us of commands that ask spheres.
struct SphereArguments {
  std::string method = "exact";
  std::optional<std::string> spheres, budget;
};
void declare_spheres(CommandLine& line, SphereArguments& arguments, const char* methods);

/// Whether --method is spheres. Throws Failure (usage) where an option of the other is given.
[[nodiscard]] bool asks_spheres(const SphereArguments& arguments);

struct SphereBodies {
  std::array<Body, 2> bodies;
  std::optional<SphereTree> trees[2];
  Status status = Status::kOk;

  [[nodiscard]] const SphereTree& a() const { return *trees[0]; }
  [[nodiscard]] const SphereTree& b() const { return *trees[1]; }
};

/// "NX,NY,NZ,D": where n.x >= d. Throws Failure (usage).
[[nodiscard]] HalfSpace parse_half_space(const std::string& text, const char* option);

/// Packs both; one packing where they are the same mesh. Throws Failure, for open meshes too.
[[nodiscard]] SphereBodies pack_bodies(std::array<Body, 2> bodies, const SphereArguments& arguments,
                                       Progress& progress);

/// The mesh of the body. Throws Failure where it is another shape; `asked`: "distance".
[[nodiscard]] const TriangleMesh& mesh_of(const Body& body, const char* asked);

/// --budget-us in seconds; infinite where it is not given. Throws Failure (usage).
[[nodiscard]] double budget_of(const SphereArguments& arguments);

inline constexpr std::size_t kDefaultSpheres = 20'000, kMostSpheres = 10'000'000;

}  // namespace plimsoll::cli
