#include "packed_body.h"

#include <fmt/format.h>
#include <plimsoll/mesh_health.h>

#include <chrono>
#include <utility>

#include "failure.h"
#include "interruption.h"
#include "text.h"

namespace plimsoll::cli {
namespace {

ClosedMesh solid_of(PackedBody& packed) {
  const TriangleMesh* mesh = packed.body.mesh();
  if (mesh == nullptr)
    throw Failure{kRejected, "unavailable",
                  "found a shape that is no mesh, expected a mesh: other shapes are not packed in "
                  "this version",
                  packed.body.name};
  const MeshHealth health = examine(checked_mesh(*mesh), {.check_self_intersections = true});
  packed.status = with_missing_parts(status_of(health.status), packed.body.partial);
  const auto refusal = [&](const std::string& message) {
    return Failure{kRejected, to_string(packed.status), message, packed.body.name};
  };
  Result<ClosedMesh> solid = ClosedMesh::borrow(*mesh);
  if (!solid) throw refusal(solid.error().message);
  if (packed.status == Status::kZeroVolume)
    throw refusal("found a mesh without volume, expected a solid");
  return std::move(*solid);
}

}  // namespace

std::string end_in_words(const PackedBody& packed) {
  const std::size_t count = packed.packing.spheres.size();
  switch (packed.packing.end) {
    case PackingEnd::kCount:
      return "as many spheres as asked for";
    case PackingEnd::kCoverage:
      return "the share of the solid that was asked for";
    case PackingEnd::kProtrusion:
      return "the protrusion that was asked for";
    case PackingEnd::kInterrupted:
      return fmt::format("interrupted after {}", counted(count, "sphere", "spheres"));
    case PackingEnd::kRadius:
      break;
  }
  return packed.options.min_radius > 0
             ? fmt::format("found no more room for a sphere of radius {:.4g} m",
                           packed.options.min_radius)
             : "found no more room for a sphere that is not tiny beside the solid";
}

PackedBody pack_body(Body body, const PackingOptions& options, Progress& progress) {
  PackedBody packed;
  packed.body = std::move(body);
  packed.options = options;
  const ClosedMesh solid = solid_of(packed);
  packed.solid = mass_properties(solid);
  const Interruption interruption;
  packed.options.progress = [&](std::size_t count) {
    progress.say([&] { return fmt::format("packing: {}", counted(count, "sphere", "spheres")); });
    return !Interruption::asked();
  };
  const auto start = std::chrono::steady_clock::now();
  Result<SpherePacking> packing = pack_spheres(solid, packed.options);
  if (!packing) {
    Failure failure = failure_of(packing.error());
    if (failure.where == "keep") failure.where = "--keep";
    throw failure;
  }
  packed.packing = std::move(*packing);
  packed.options.progress = {};
  if (!packed.packing.spheres.empty()) {
    progress.begin("building the tree");
    Result<SphereTree> tree = SphereTree::create(solid, packed.packing.spheres);
    if (!tree) throw failure_of(tree.error());
    packed.tree = std::move(*tree);
  }
  packed.build_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (options.keep)
    packed.body.notices->say(
        packed.body.name,
        {"keep", fmt::format("coverage and largest protrusion are those of the part that is kept, "
                             "{:.6g} m^3",
                             packed.packing.solid_volume)});
  if (packed.packing.end != PackingEnd::kCount && packed.packing.end != PackingEnd::kCoverage)
    packed.body.notices->say(packed.body.name, {"count", end_in_words(packed)});
  return packed;
}

}  // namespace plimsoll::cli
