#include <fmt/format.h>

#include <cstdio>
#include <optional>
#include <utility>

#include "answer.h"
#include "commands.h"
#include "covered_body.h"
#include "file_writer.h"
#include "output.h"
#include "packed_body.h"
#include "picture_file.h"
#include "sphere_bodies.h"
#include "sphere_files.h"
#include "spheres_scene.h"
#include "text.h"

namespace plimsoll::cli {
namespace {

constexpr const char* kAbout =
    "Packs a solid with spheres that lie inside it and do not overlap, the largest first; or\n"
    "finds few spheres that contain it. SI units.";

constexpr const char* kNotes =
    R"(In a mesh each sphere is about as large as one can be that touches the surface and the spheres
before it; in a shape that is no mesh, as one can be about the center of a cube of a lattice. The
packing ends with --count spheres, or where they are the share of the solid that --until says, or
where no sphere of --min-radius is found any more; which of these is said.

coverage is the volume of the spheres over that of the solid; no point of the solid is farther from
the spheres than largest_protrusion.

--cover finds N spheres, 1 to 10000, that contain the solid and reach out of it as little as was
found: proved, by pieces of the surface and of the space inside that each lie in one sphere. No
point of a sphere is then farther from the solid than largest_protrusion; coverage is 1. They
overlap. There are fewer where one would else be smaller than --min-radius. It takes some seconds
for 64 spheres, a minute for 1000. With --keep every sphere lies at n.x >= d, or as far beyond as
the solid reaches: a side that stays free, of which the solid must keep clear a little. Of meshes
alone.

--keep without --cover packs only what lies at n.x >= d, whose plane is a wall like the surface. d
is in meters times the length of n, whatever --units says, or has a unit: 0,0,1,12.5mm. coverage,
largest_protrusion and all that is written are then of that part, which cannot be written as a tree.

A mesh that is open, torn or not turned one way is packed on such a lattice too, and the status says
so. Inside is where it winds more than half around the center of a cube (generalized winding
number), so a hole is closed to the diagonal of a cube; of what may be inside doubtful_share is
where it winds between 1/4 and 3/4: nearly 0 where a triangle is missing, 0.8 of a tube open at both
ends. The volume is that of the cubes, as far as they are in the mesh's box; it is said how much of
it is in cubes that the surface passes through. --cover, --keep and trees are
of closed meshes.

A SHAPE.json that is no mesh is packed on a lattice [Weller and Zachmann 2009], 33 to 129 cubes
along the longest side as --count needs. Every sphere is proved to lie inside. The volume of
Booleans and formulas is measured by an image. --keep, trees and pictures are of meshes alone.

--out writes the spheres: .csv (and -, which is stdout) has x,y,z,radius, the largest first; .json
has them with status, end (why: count, coverage, protrusion, radius, interrupted), coverage,
largest_protrusion, keep, the mass properties of the solid (of the part that is kept: without its
inertia, which is null) and of the spheres' union, both of density 1; of a cover also "covers":
true. For motion planners .yaml has collision_spheres as NVIDIA cuRobo reads them, and .srdf
link_sphere_approximation as MoveIt does, for a link named after the file or as --link says. Inner
spheres do not contain the solid: radii larger by largest_protrusion do, and so does a cover, with
less. As clumps of grains .liggghts has x y z radius for fix particletemplate/multisphere, .lammps a
molecule for fix rigid/small, .yade x y z radius 0 for ymport.textClumps; each has the mass, center
and inertia of the solid beside those of the spheres' union, of density 1. .ist holds the tree over
the spheres, with the mesh (SphereTree::load); bytes is what that takes in memory.

--picture draws the body and the spheres, whole and cut open, and the levels of the tree.

Exit codes: 0 done; 2 usage, or no place to write; 3 input unreadable or refused, or not available
in this version; 4 answered, but the mesh is not sound: the answer says why; 6 not enough memory or
room; 130 interrupted: the spheres found so far are answered, if there are any; 1 internal error.

Examples:
  plimsoll spheres gripper.stl --count 500 --out gripper.csv
  plimsoll spheres part.obj --until coverage=0.9 --min-radius 1mm --json
  plimsoll spheres finger.stl --units mm --cover 30 --out finger.yaml
  plimsoll spheres table.obj --keep 0,0,1,700mm --count 200 --out top.csv
  plimsoll spheres scan_with_holes.ply --count 500 --out scan.csv
  plimsoll spheres ring.json --count 2000 --json)";

struct SpheresArguments {
  BodyArguments body;
  std::optional<std::string> count, until, cover, min_radius, keep, out, link, picture;
  bool json = false;
};

void declare(CommandLine& line, SpheresArguments& arguments) {
  declare_body(line, arguments.body, false);
  line.option("--count", "N", arguments.count, "At most N spheres (20000)");
  line.option("--until", "coverage=SHARE", arguments.until, "End at a share of the solid's volume");
  line.option("--min-radius", "R", arguments.min_radius, "No sphere is smaller: [m], or as 1mm");
  line.option("--cover", "N", arguments.cover,
              "N spheres that contain the solid, in place of those inside");
  line.option("--keep", "NX,NY,NZ,D", arguments.keep,
              "Only where n.x >= d, of a mesh: d in meters, or as 12.5mm");
  line.option("--out", "FILE", arguments.out, "Write the spheres, in the format of the ending");
  line.option("--link", "NAME", arguments.link, "Name of the link in .yaml and .srdf (the file's)");
  line.option("--picture", "OUT.png", arguments.picture, "Draw the packing too");
  line.flag("--json", arguments.json, "One JSON object on stdout");
}

CoverOptions cover_options_of(const SpheresArguments& arguments) {
  for (const auto& [option, is_given] : {std::pair{"--count", arguments.count.has_value()},
                                         {"--until", arguments.until.has_value()}})
    if (is_given) throw usage_failure("it is of spheres inside, not of --cover", option);
  constexpr std::size_t kMost = 10'000;
  CoverOptions options;
  options.max_count = parse_count(*arguments.cover, "--cover", kMost);
  if (arguments.min_radius)
    options.min_radius = parse_length(*arguments.min_radius, "--min-radius");
  if (arguments.keep) options.keep = parse_half_space(*arguments.keep, "--keep");
  return options;
}

PackingOptions options_of(const SpheresArguments& arguments) {
  PackingOptions options;
  options.max_count = kDefaultSpheres;
  if (arguments.until) {
    constexpr std::string_view kName = "coverage=";
    const std::optional<double> share =
        arguments.until->starts_with(kName)
            ? parse_number(std::string_view(*arguments.until).substr(kName.size()))
            : std::nullopt;
    if (!share || !(*share > 0) || !(*share < 1))
      throw usage_failure(fmt::format("found \"{}\", expected coverage=SHARE, a share above 0 and "
                                      "below 1",
                                      printable(*arguments.until)),
                          "--until");
    options.coverage = *share;
    options.max_count = kMostSpheres;
  }
  if (arguments.count) options.max_count = parse_count(*arguments.count, "--count", kMostSpheres);
  if (arguments.min_radius)
    options.min_radius = parse_length(*arguments.min_radius, "--min-radius");
  if (arguments.keep) options.keep = parse_half_space(*arguments.keep, "--keep");
  return options;
}

PackedBody measure(const SpheresArguments& arguments, SphereFormat format) {
  const PackingOptions options = options_of(arguments);
  Progress progress;
  progress.begin("reading the mesh");
  Body body = read_body(arguments.body, "spheres");
  if (arguments.picture) require_mesh(body, "pictures of spheres");
  if (format == SphereFormat::kIst) require_mesh(body, "trees of spheres");
  PackedBody packed =
      pack_body(std::move(body), options, progress,
                format == SphereFormat::kIst ? OpenMeshes::kRefuse : OpenMeshes::kPackOnLattice);
  // Points of the solid are that far at most from those of the mesh that was packed.
  packed.packing.largest_protrusion += packed.body.vertex_error();
  if (options.keep && format == SphereFormat::kJson)
    packed.body.notices->say(packed.body.name,
                             {"inertia",
                              "the inertia of the part that is kept is not computed, "
                              "and null in the file"});
  return packed;
}

CoveredBody cover(const SpheresArguments& arguments) {
  const CoverOptions options = cover_options_of(arguments);
  Progress progress;
  progress.begin("reading the mesh");
  return cover_body(read_body(arguments.body, "spheres"), options, progress);
}

/// Of a packing, or a cover.
template <class Spheres>
ExitCode answer_with(const Spheres& spheres, const SpheresArguments& given, SphereFormat format) {
  const auto draw = [&] {
    if (given.picture)
      write_picture(picture::draw_spheres(spheres_scene(spheres), {1600, 900}), *given.picture);
  };
  if (!given.out) return answer_and_write(spheres, spheres.status, given.json, draw);
  return answer_and_write(spheres, spheres.status, given.json,
                          sphere_file(spheres, format, given.link), *given.out, draw);
}

}  // namespace

std::string text_report(const PackedBody& packed) {
  const SpherePacking& packing = packed.packing;
  std::string text =
      fmt::format("{}: {} - {}: {}\n", printable(packed.body.name), to_string(packed.status),
                  counted(packing.spheres.size(), "sphere", "spheres"), end_in_words(packed));
  const auto row = [&](const char* label, const std::string& content) {
    text += fmt::format("  {:<22}{}\n", label, content);
  };
  row("coverage", fmt::format("{:.4f} of {:.6g} m^3{}", packing.coverage, packing.solid_volume,
                              packed.options.keep ? ", the part that is kept" : ""));
  if (!packing.spheres.empty()) {
    row("radii", fmt::format("{:.6g} to {:.6g} m", packing.spheres.front().radius,
                             packing.spheres.back().radius));
    row("largest protrusion", fmt::format("{:.6g} m at most", packing.largest_protrusion));
  }
  if (packed.doubtful_share)
    row("doubtful", fmt::format("{:.4f} of what may be inside", *packed.doubtful_share));
  if (packed.tree)
    row("tree", fmt::format("{:.4g} MB", 1e-6 * static_cast<double>(packed.tree->memory())));
  row("built in", fmt::format("{:.3g} s", packed.build_seconds));
  return text;
}

void write_members(JsonWriter& out, const PackedBody& packed) {
  out.member("status", to_string(packed.status));
  out.member("count", std::uint64_t{packed.packing.spheres.size()});
  packed.body.notices->write(out);
  out.member("coverage", packed.packing.coverage);
  out.member("largest_protrusion", packed.packing.largest_protrusion);
  out.member("build_seconds", packed.build_seconds);
  out.member("bytes", std::uint64_t{packed.tree ? packed.tree->memory() : 0});
  out.member("end", end_name(packed));
  out.member("solid_volume", packed.packing.solid_volume);
  if (packed.resolution)
    out.member("resolution", std::uint64_t{*packed.resolution});
  else
    out.null_member("resolution");
  out.member("doubtful_share", packed.doubtful_share.value_or(0));
}

ExitCode run_spheres(const Arguments& arguments) {
  CommandLine line("plimsoll spheres", kAbout, kNotes);
  SpheresArguments given;
  declare(line, given);
  if (!line.parse(arguments)) return kDone;
  check_png_name(given.picture, "--picture");
  check_apart(given.out, given.picture, "--picture");
  spare_inputs(given.out, arguments);
  spare_inputs(given.picture, arguments);
  const SphereFormat format = given.out ? sphere_format_of(*given.out) : SphereFormat::kCsv;
  if (given.keep && given.out && format == SphereFormat::kIst)
    throw unavailable("trees of a part of a solid are");
  if (given.cover && format == SphereFormat::kIst)
    throw unavailable("trees over spheres that cover a solid are");
  if (given.link && format != SphereFormat::kYaml && format != SphereFormat::kSrdf)
    throw usage_failure("it is of --out .yaml and .srdf", "--link");
  if (given.link && given.link->empty())
    throw usage_failure("found an empty name, expected that of a link", "--link");
  check_stdout(given.out, "--out", given.json);
  if (given.cover) return answer_with(cover(given), given, format);
  return answer_with(measure(given, format), given, format);
}

}  // namespace plimsoll::cli
