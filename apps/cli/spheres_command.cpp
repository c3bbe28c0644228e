#include <fmt/format.h>
#include <plimsoll/mass_properties.h>
#include <plimsoll/mesh_health.h>
#include <plimsoll/sphere_packing.h>

#include <chrono>
#include <cstdio>
#include <limits>
#include <numbers>
#include <optional>

#include "answer.h"
#include "commands.h"
#include "file_writer.h"
#include "interruption.h"
#include "output.h"
#include "solid_input.h"
#include "sphere_bodies.h"
#include "text.h"

namespace plimsoll::cli {
namespace {

constexpr const char* kAbout =
    "Packs a solid with spheres that lie inside it and do not overlap, the largest first. SI "
    "units.";

constexpr const char* kNotes =
    R"(Each sphere is about as large as one can be that touches the surface and the spheres before it. The
packing ends with --count spheres, or where they are the share of the solid that --until says, or
where no sphere of --min-radius is found any more; which of these is said.

coverage is the volume of the spheres over that of the solid; no point of the solid is farther from
the spheres than largest_protrusion.

--out writes the spheres: .csv (and -, which is stdout) has x,y,z,radius, the largest first; .json has
them with the mass properties of the solid and of all spheres together, both of density 1.

Exit codes: 0 done; 2 usage; 3 input unreadable or refused, or not available in this version; 4
answered, but the mesh is not sound: the answer says why; 6 not enough memory; 130 interrupted: the
spheres found so far are answered; 1 an output cannot be written, or internal error.

Examples:
  plimsoll spheres gripper.stl --count 500 --out gripper.csv
  plimsoll spheres part.obj --until coverage=0.9 --min-radius 1mm --json)";

struct SpheresArguments {
  BodyArguments body;
  std::optional<std::string> count, until, cover, min_radius, keep, out, picture;
  bool json = false;
};

void declare(CommandLine& line, SpheresArguments& arguments) {
  declare_body(line, arguments.body, false);
  line.option("--count", "N", arguments.count, "At most N spheres (20000)");
  line.option("--until", "coverage=SHARE", arguments.until, "End at a share of the solid's volume");
  line.option("--min-radius", "R", arguments.min_radius, "No sphere is smaller [m]");
  line.option("--cover", "N", arguments.cover, "N spheres that contain the surface instead");
  line.option("--keep", "NX,NY,NZ,D", arguments.keep, "Only where n.x >= d");
  line.option("--out", "FILE", arguments.out, "Write the spheres: .csv, .json");
  line.option("--picture", "OUT.png", arguments.picture, "Draw the packing too");
  line.flag("--json", arguments.json, "One JSON object on stdout");
}

enum class OutFormat { kCsv, kJson };

OutFormat format_of(const std::string& path) {
  if (path == "-" || path.ends_with(".csv")) return OutFormat::kCsv;
  if (path.ends_with(".json")) return OutFormat::kJson;
  for (const char* later : {".yaml", ".srdf", ".ist"})
    if (path.ends_with(later)) throw unavailable(fmt::format("files of spheres as {} are", later));
  throw usage_failure(fmt::format("found \"{}\", expected .csv or .json", printable(path)),
                      "--out");
}

PackingOptions options_of(const SpheresArguments& arguments) {
  if (arguments.cover) throw unavailable("covering spheres are");
  if (arguments.keep) throw unavailable("packings of a part of a solid are");
  if (arguments.picture) throw unavailable("pictures of packings are");
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
  return options;
}

struct SpheresReport {
  Body body;
  Status status = Status::kOk;
  MassProperties solid;
  PackingOptions options;
  SpherePacking packing;
  double build_seconds = 0;
};

std::string end_in_words(const SpheresReport& report) {
  const std::size_t count = report.packing.spheres.size();
  switch (report.packing.end) {
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
  return report.options.min_radius > 0
             ? fmt::format("found no more room for a sphere of radius {:.4g} m",
                           report.options.min_radius)
             : "found no more room for a sphere that is not tiny beside the solid";
}

SpheresReport measure(const SpheresArguments& arguments) {
  SpheresReport report;
  report.options = options_of(arguments);
  Progress progress;
  progress.begin("reading the mesh");
  report.body = read_body(arguments.body, "spheres");
  const TriangleMesh* mesh = report.body.mesh();
  if (mesh == nullptr)
    throw Failure{kRejected, "unavailable",
                  "found a shape that is no mesh, expected a mesh: other shapes are not packed in "
                  "this version",
                  report.body.name};
  const MeshHealth health = examine(checked_mesh(*mesh), {.check_self_intersections = true});
  report.status = with_missing_parts(status_of(health.status), report.body.partial);
  Result<ClosedMesh> solid = ClosedMesh::borrow(*mesh);
  if (!solid)
    throw Failure{kRejected, to_string(report.status), solid.error().message, report.body.name};
  report.solid = mass_properties(*solid);
  if (report.status == Status::kZeroVolume)
    throw Failure{kRejected, to_string(report.status),
                  "found a mesh without volume, expected a solid", report.body.name};
  const Interruption interruption;
  report.options.progress = [&](std::size_t count) {
    progress.say([&] { return fmt::format("packing: {}", counted(count, "sphere", "spheres")); });
    return !Interruption::asked();
  };
  const auto start = std::chrono::steady_clock::now();
  Result<SpherePacking> packing = pack_spheres(*solid, report.options);
  if (!packing) throw failure_of(packing.error());
  report.packing = std::move(*packing);
  report.build_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (report.packing.end != PackingEnd::kCount && report.packing.end != PackingEnd::kCoverage)
    report.body.notices->say(report.body.name, {"count", end_in_words(report)});
  return report;
}

std::string spheres_csv(const SpherePacking& packing) {
  std::string text = "x,y,z,radius\n";
  for (const InnerSphere& sphere : packing.spheres)
    text += fmt::format("{},{},{},{}\n", sphere.center[0], sphere.center[1], sphere.center[2],
                        sphere.radius);
  return text;
}

void write_mass(JsonWriter& out, const char* name, const MassProperties& mass) {
  out.key(name);
  out.begin_object();
  out.member("volume", mass.volume);
  out.member("center_of_mass", mass.center_of_mass);
  out.member("inertia", mass.inertia);
  out.end_object();
}

/// Of density 1, which the solid's has too.
MassProperties mass_of(const std::vector<InnerSphere>& spheres) {
  std::vector<WeighedBody> bodies;
  for (const InnerSphere& sphere : spheres) {
    MassProperties ball;
    const double square = sphere.radius * sphere.radius;
    ball.volume = ball.mass = 4 * std::numbers::pi / 3 * square * sphere.radius;
    ball.center_of_mass = sphere.center;
    ball.inertia = Mat3::Identity() * (0.4 * ball.mass * square);
    bodies.push_back({ball, {}});
  }
  return combined(bodies).properties;
}

std::string spheres_json(const SpheresReport& report) {
  return json_object([&](JsonWriter& out) {
    out.key("spheres");
    out.begin_array(JsonWriter::Layout::kLines);
    for (const InnerSphere& sphere : report.packing.spheres) {
      out.begin_object();
      out.member("center", sphere.center);
      out.member("radius", sphere.radius);
      out.end_object();
    }
    out.end_array();
    write_mass(out, "solid", report.solid);
    write_mass(out, "packing", mass_of(report.packing.spheres));
  });
}

std::string text_report(const SpheresReport& report) {
  const SpherePacking& packing = report.packing;
  std::string text =
      fmt::format("{}: {} - {}: {}\n", printable(report.body.name), to_string(report.status),
                  counted(packing.spheres.size(), "sphere", "spheres"), end_in_words(report));
  const auto row = [&](const char* label, const std::string& content) {
    text += fmt::format("  {:<22}{}\n", label, content);
  };
  row("coverage", fmt::format("{:.4f} of {:.6g} m^3", packing.coverage, packing.solid_volume));
  if (!packing.spheres.empty()) {
    row("radii", fmt::format("{:.6g} to {:.6g} m", packing.spheres.front().radius,
                             packing.spheres.back().radius));
    row("largest protrusion", fmt::format("{:.6g} m at most", packing.largest_protrusion));
  }
  row("packed in", fmt::format("{:.3g} s", report.build_seconds));
  return text;
}

void write_members(JsonWriter& out, const SpheresReport& report) {
  out.member("status", to_string(report.status));
  out.member("count", std::uint64_t{report.packing.spheres.size()});
  report.body.notices->write(out);
  out.member("coverage", report.packing.coverage);
  out.member("largest_protrusion", report.packing.largest_protrusion);
  out.member("build_seconds", report.build_seconds);
  out.member("bytes", std::uint64_t{report.packing.spheres.size() * sizeof(InnerSphere)});
}

}  // namespace

ExitCode run_spheres(const Arguments& arguments) {
  CommandLine line("plimsoll spheres", kAbout, kNotes);
  SpheresArguments given;
  declare(line, given);
  if (!line.parse(arguments)) return kDone;
  spare_inputs(given.out, arguments);
  const std::optional<OutFormat> format =
      given.out ? std::optional(format_of(*given.out)) : std::nullopt;
  if (given.json && given.out == "-")
    throw usage_failure("stdout takes one of them: the spheres or the report", "--json");
  const SpheresReport report = measure(given);
  if (format) {
    const std::string text =
        *format == OutFormat::kCsv ? spheres_csv(report.packing) : spheres_json(report);
    if (given.out == "-") {
      print_output(text);
      std::fputs(text_report(report).c_str(), stderr);
      return exit_code_of(report.status);
    }
    write_file(text, *given.out);
  }
  return answer(report, report.status, given.json);
}

}  // namespace plimsoll::cli
