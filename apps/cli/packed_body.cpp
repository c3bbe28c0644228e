#include "packed_body.h"

#include <fmt/format.h>
#include <plimsoll/elementary.h>
#include <plimsoll/image.h>
#include <plimsoll/submersion.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

#include "failure.h"
#include "far_off.h"
#include "interruption.h"
#include "judge.h"
#include "text.h"

namespace plimsoll::cli {
namespace {

/// What is wrong with a body has the word of its status.
Failure failure_of_shape(const Error& error, const PackedBody& packed) {
  Failure failure = failure_of(error);
  failure.where = packed.body.name + (failure.where.empty() ? "" : ", " + failure.where);
  if (error.code == ErrorCode::kNotClosed && !is_sound(packed.status)) {
    failure.code = to_string(packed.status);
    failure.message = failure.message.substr(0, failure.message.find(". Either"));
  }
  return failure;
}

/// How many cubes along the longest side of a box: odd, so that the middle of a symmetric shape is
/// the center of a cube. A lattice of n cubes has room for some 0.06 n spheres.
std::size_t resolution_for(std::size_t count, const Box3& box) {
  constexpr double kFewest = 33, kMost = 129;  // along each side, where all are as long
  const double along =
      std::clamp(2.5 * elementary::cbrt(static_cast<double>(count)), kFewest, kMost);
  constexpr double kThinnest = 1e-3;  // of a cube as long as the box
  const double share = (box.sizes() / box.sizes().maxCoeff()).prod();
  const double longest = along / elementary::cbrt(share > kThinnest ? share : kThinnest);
  return 2 * static_cast<std::size_t>(std::ceil(longest / 2 - 0.5)) + 1;
}

/// In closed form where there is one; else by the image that the packing too takes the volume from.
MassProperties properties_of_shape(const PackedBody& packed, std::vector<Notice>& remarks) {
  const Body& body = packed.body;
  const Result<ShapeMass> exact = mass_properties(body.shape);
  if (exact) return exact->body.properties;
  if (exact.error().code != ErrorCode::kUnavailable) throw failure_of_shape(exact.error(), packed);
  const Result<ImageMass> measured = image_mass_properties(body.shape, {.width = 64, .height = 64});
  if (!measured) throw failure_of_shape(measured.error(), packed);
  const double volume = measured->properties.volume;
  if (!(volume > 0)) {
    const bool is_known = !is_sound(packed.status);
    throw Failure{kRejected, to_string(is_known ? packed.status : Status::kZeroVolume),
                  "found a shape without volume, expected a solid", body.name};
  }
  const double error = measured->error_estimate.volume / volume;
  remarks.push_back({"volume", fmt::format("the volume is measured by an image, to about {:.2g} of "
                                           "it: so is the coverage",
                                           error)});
  if (measured->undecided_columns > 0)
    remarks.push_back({"undecided",
                       "where a formula is negative was not decided everywhere: parts of the "
                       "volume may be missing"});
  return measured->properties;
}

PackedMass mass_of_shape(const PackedBody& packed, std::vector<Notice>& remarks) {
  const MassProperties whole = properties_of_shape(packed, remarks);
  return {whole.volume, whole.center_of_mass, whole.inertia};
}

SpherePacking pack_mesh(const ClosedMesh& solid, PackedBody& packed, Progress& progress) {
  Result<SpherePacking> packing = pack_spheres(solid, packed.options);
  if (!packing) {
    Failure failure = failure_of(packing.error());
    if (failure.where == "keep") failure.where = "--keep";
    throw failure;
  }
  if (!packing->spheres.empty()) {
    progress.begin("building the tree");
    Result<SphereTree> tree = SphereTree::create(solid, packing->spheres);
    if (!tree) {
      Failure failure = failure_of(tree.error());
      failure.where = packed.body.name;
      if (!is_sound(packed.status)) failure.code = to_string(packed.status);
      throw failure;
    }
    packed.tree = std::move(*tree);
  }
  return std::move(*packing);
}

SpherePacking pack_shape(PackedBody& packed, std::vector<Notice>& remarks) {
  if (packed.options.keep) require_mesh(packed.body, "packings of a part that is kept");
  packed.resolution = resolution_for(packed.options.max_count, bounding_box(packed.body.shape));
  Result<SpherePacking> packing =
      pack_spheres_on_lattice(packed.body.shape, *packed.resolution, packed.options);
  if (!packing) throw failure_of_shape(packing.error(), packed);
  remarks.push_back({"lattice", fmt::format("packed on a lattice, {} cubes along the longest side: "
                                            "a shape that is no mesh",
                                            *packed.resolution)});
  return std::move(*packing);
}

/// How many cubes along the longest side for a surface with so many edges that have no partner:
/// each is asked of each cube.
std::size_t resolution_for(std::size_t count, const Box3& box, std::size_t edges) {
  constexpr double kMostWork = 0x1p31;  // three minutes, on one thread
  const double longest = box.sizes().maxCoeff();
  const double cubes = kMostWork / static_cast<double>(std::max<std::size_t>(edges, 1));
  const double along = elementary::cbrt(cubes / std::max((box.sizes() / longest).prod(), 1e-3));
  return std::min(resolution_for(count, box),
                  std::max<std::size_t>(2 * static_cast<std::size_t>(along / 2) + 1, 9));
}

void pack_open_mesh(const Verdict& verdict, PackedBody& packed, std::vector<Notice>& remarks) {
  if (packed.options.keep)
    throw Failure{kRejected, to_string(packed.status),
                  fmt::format("found a mesh that is {}, expected a closed one: packings of a part "
                              "that is kept are of closed meshes alone",
                              verdict.rim_fault()),
                  packed.body.name};
  const TriangleMesh& mesh = *packed.body.mesh();
  const MeshHealth& health = *verdict.surface();
  packed.resolution = resolution_for(packed.options.max_count, bounding_box(packed.body.shape),
                                     health.unbalanced_edges);
  Result<OpenPacking> open =
      pack_spheres_in_open(*CheckedMesh::borrow(mesh), *packed.resolution, packed.options);
  if (!open)
    throw Failure{kRejected, to_string(packed.status), open.error().message, packed.body.name};
  if (!(open->solid.volume > 0))
    throw Failure{Interruption::asked().value_or(kInternalError), "interrupted",
                  "interrupted before it was known where inside is", packed.body.name};
  packed.packing = std::move(open->packing);
  packed.mass = {open->solid.volume, open->solid.center_of_mass, open->solid.inertia};
  packed.doubtful_share = open->doubtful_share;
  remarks.push_back(
      {"inside",
       fmt::format(
           "the mesh is {}: inside is where it winds more than half around the center of a "
           "cube of a lattice, {} along the longest side. {:.3g} % of what may be inside is "
           "doubtful: it winds between 1/4 and 3/4 there. The volume is that of the cubes, {:.2g} "
           "% of "
           "which the surface passes through or inside ends in: it is known to about that. Where "
           "vertices that should be one lie apart, --weld TOL closes it",
           verdict.rim_fault(), *packed.resolution, 100 * open->doubtful_share,
           100 * open->cut_share)});
}

}  // namespace

ClosedMesh solid_of(const Body& body, Status status) {
  const TriangleMesh& mesh = *body.mesh();
  const auto refusal = [&](const std::string& message) {
    return Failure{kRejected, to_string(status), message, body.name};
  };
  Result<ClosedMesh> solid = ClosedMesh::borrow(mesh);
  if (!solid) {
    // The library's advice, in terms of options. Equal vertices were made one on reading.
    constexpr std::string_view kAdvice =
        "equal vertices are stored apart: then weld() the mesh first";
    std::string message = solid.error().message;
    if (const std::size_t at = message.find(kAdvice); at != std::string::npos)
      message.replace(at, kAdvice.size(),
                      "vertices that should be one lie apart: then try --weld TOL");
    throw refusal(message);
  }
  if (status == Status::kZeroVolume) throw refusal("found a mesh without volume, expected a solid");
  return std::move(*solid);
}

PackedMass mass_of_solid(const ClosedMesh& solid, const std::optional<HalfSpace>& keep) {
  if (keep) {
    const Submersion part = submersion(solid, {-keep->normal, -keep->offset});
    return {part.volume, part.center_of_buoyancy, std::nullopt};
  }
  const MassProperties whole = mass_properties(solid);
  return {whole.volume, whole.center_of_mass, whole.inertia};
}

void require_mesh(const Body& body, const char* what) {
  if (body.mesh() != nullptr) return;
  throw Failure{
      kRejected, "unavailable",
      fmt::format("found a shape that is no mesh, expected a mesh: {} are of meshes alone", what),
      body.name};
}

const char* end_name(const PackedBody& packed) {
  switch (packed.packing.end) {
    case PackingEnd::kCount:
      return "count";
    case PackingEnd::kCoverage:
      return "coverage";
    case PackingEnd::kProtrusion:
      return "protrusion";
    case PackingEnd::kInterrupted:
      return "interrupted";
    case PackingEnd::kRadius:
      break;
  }
  return "radius";
}

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
         : packed.resolution ? "found no more room about the centers of the lattice's cubes"
                             : "found no more room for a sphere that is not tiny beside the solid";
}

PackedBody pack_body(Body body, const PackingOptions& options, Progress& progress,
                     OpenMeshes open) {
  PackedBody packed;
  packed.body = std::move(body);
  packed.options = options;
  if (options.keep)
    remark_if_far({options.keep->normal, options.keep->offset}, "--keep",
                  bounding_box(packed.body.shape), packed.body.name, *packed.body.notices);
  std::vector<Notice> remarks;
  const Verdict verdict = judge(packed.body.name, packed.body.shape, packed.body.partial,
                                {.check_self_intersections = true});
  packed.status = verdict.status();
  const Interruption interruption;
  packed.options.progress = [&](std::size_t count) {
    progress.say([&] {
      return count == 0 ? std::string("asking where inside is")
                        : fmt::format("packing: {}", counted(count, "sphere", "spheres"));
    });
    return !Interruption::asked();
  };
  const bool is_open = open == OpenMeshes::kPackOnLattice && verdict.has_rim();
  std::optional<ClosedMesh> solid;
  if (packed.body.mesh() != nullptr && !is_open) solid = solid_of(packed.body, packed.status);
  if (!is_open)
    packed.mass = solid ? mass_of_solid(*solid, options.keep) : mass_of_shape(packed, remarks);
  const auto start = std::chrono::steady_clock::now();
  if (is_open)
    pack_open_mesh(verdict, packed, remarks);
  else
    packed.packing = solid ? pack_mesh(*solid, packed, progress) : pack_shape(packed, remarks);
  packed.options.progress = {};
  packed.build_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (options.keep)
    remarks.push_back({"keep", fmt::format("coverage and largest protrusion are those of the part "
                                           "that is kept, {:.6g} m^3",
                                           packed.packing.solid_volume)});
  say_faulty_parts(packed.body.name, verdict, *packed.body.notices);
  for (const Notice& remark : remarks) packed.body.notices->say(packed.body.name, remark);
  if (packed.packing.end != PackingEnd::kCount && packed.packing.end != PackingEnd::kCoverage)
    packed.body.notices->say(packed.body.name, {"count", end_in_words(packed)});
  return packed;
}

}  // namespace plimsoll::cli
