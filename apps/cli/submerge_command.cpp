#include <fmt/format.h>
#include <plimsoll/elementary.h>
#include <plimsoll/gl_water_image.h>
#include <plimsoll/image.h>
#include <plimsoll/mass_properties.h>
#include <plimsoll/mesh_health.h>
#include <plimsoll/submersion.h>
#include <plimsoll/water_image.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>

#include "answer.h"
#include "commands.h"
#include "engine_options.h"
#include "far_off.h"
#include "floating_input.h"
#include "judge.h"
#include "mass_report.h"
#include "reports.h"
#include "solid_input.h"
#include "text.h"
#include "work_option.h"

namespace plimsoll::cli {
namespace {

constexpr const char* kAbout =
    "Measures the part of a solid that is under water: its volume and the center of buoyancy, the\n"
    "wetted area, and the waterplane with its second moments. SI units, world coordinates.";

constexpr const char* kNotes =
    R"(The water is { p : n.p <= d } in the world, after --pose; n points out of the water and need not
be a unit vector. A face in the plane is wet; the waterplane closes the wetted surface. Its second
moments are about its center, along the two axes that are given with them.

An open mesh, such as a hull without a deck, is answered as long as its rim is dry: rim_lowest is the
height of the rim's lowest point over the water.

Meshes and primitives are measured exactly. --method image sums columns along the water's normal, or
along the axis of the world that --axis names: volume and center of buoyancy of any shape, with an
estimate of the error instead of a bound. With --backend gl --algorithm peel the passes are those
that were published: it needs triangles, is wrong where shells overlap or faces coincide, and has no
estimate for the center. Formulas may take about half a minute of one processor for an image, and
more is refused (exit 6).

Exit codes: 0 done; 2 usage; 3 input unreadable or refused, or not available in this version; 4
answered, but the mesh is not sound: the answer says why; 6 a limit of time or memory; 1 internal
error.

Examples:
  plimsoll submerge hull.stl --plane 0,0,1,1.25
  plimsoll submerge part.obj --units mm --plane 0,0.3,1,0 --pose @part_pose.json --json)";

struct SubmergeArguments {
  BodyArguments body;
  std::optional<std::string> plane;
  std::string method = "exact";
  EngineArguments engine;
  std::optional<std::string> max_work;
  bool json = false;
};

struct SubmergeReport {
  std::string name;
  std::shared_ptr<Notices> notices;
  Status status = Status::kOk;
  Submersion wet;
  Verdict verdict;
  std::optional<double> rim_lowest;
  std::optional<ImageReport> image;    // then volume_error is an estimate, and there are no areas
  std::optional<double> center_error;  // of an image that sums, estimated [m], each coordinate
};

bool is_finite(const Submersion& wet) {
  return std::isfinite(wet.volume) && std::isfinite(wet.wetted_area) &&
         std::isfinite(wet.volume_error) && wet.waterplane.second_moments.allFinite();
}

void declare(CommandLine& line, SubmergeArguments& arguments) {
  declare_body(line, arguments.body);
  line.option("--plane", "NX,NY,NZ,D", arguments.plane,
              "The water: { p : n.p <= D }, D [m], or as 10mm");
  line.option("--method", "M", arguments.method, "exact image (exact)");
  declare_engine(line, arguments.engine,
                 "Columns run along x y z of the world (the water's normal)");
  declare_work(line, arguments.max_work, "Most work of examining the mesh, in seconds (16)");
  line.flag("--json", arguments.json, "One JSON object on stdout");
}

/// How the image is made, and along what its columns run.
struct WetImage {
  EngineOptions engine;
  bool is_along_world = false;  ///< Along an axis of the world; else along the water's normal.
};

/// Nothing for --method exact.
std::optional<WetImage> checked_method(const SubmergeArguments& arguments) {
  const std::optional<EngineOptions> engine = image_engine(arguments.method, arguments.engine);
  if (!engine) return std::nullopt;
  const bool is_along_world = arguments.engine.axis.has_value();
  if (is_along_world && engine->algorithm == ImageAlgorithm::kPeel)
    throw usage_failure("peels are seen along the water's normal", "--axis");
  return WetImage{*engine, is_along_world};
}

/// Throws Failure for shapes that have no exact integrals.
Submersion exact_submersion(const Shape& shape, const WaterPlane& water, const std::string& name) {
  const Result<Submersion> wet = submersion(shape, water);
  if (wet) return *wet;
  Failure failure = failure_of(wet.error());
  if (wet.error().code == ErrorCode::kUnavailable)
    failure.message =
        "patches, formulas and Booleans have no exact integrals under a plane: --method image "
        "measures them";
  failure.where = name;
  throw failure;
}

// Patches become triangles that the image can hardly tell from them.
Shape without_patches(const Shape& shape, const EngineOptions& engine) {
  if (!std::holds_alternative<PatchSolid>(shape.solid)) return shape;
  ImageOptions image;
  image.width = engine.width;
  image.height = engine.height;
  Result<std::optional<ShapeMesh>> drawn = triangles_to_draw(shape, image);
  if (!drawn) throw failure_of(drawn.error());
  return {MeshSolid{std::make_shared<const TriangleMesh>(std::move((*drawn)->mesh)),
                    (*drawn)->deviation}};
}

void judge_wet(const Shape& shape, const WaterPlane& water, bool partial,
               const HealthOptions& health, SubmergeReport& report) {
  report.verdict = judge(report.name, shape, partial, health);
  const Verdict& verdict = report.verdict;
  say_faulty_parts(report.name, verdict, *report.notices);
  report.status = status_in_water(verdict, shape, water);
  const auto* solid = std::get_if<MeshSolid>(&shape.solid);
  if (solid != nullptr && verdict.has_rim() && verdict.surface()->boundary_edges > 0)
    report.rim_lowest = rim_height(checked_mesh(*solid->mesh), water);
}

struct Drawn {
  TriangleMesh mesh;
  double deviation = 0;  // of the volume
};

Drawn drawn_triangles(const Shape& shape, const EngineOptions& engine) {
  ImageOptions image;
  image.width = engine.width;
  image.height = engine.height;
  Result<std::optional<ShapeMesh>> flat = triangles_to_draw(shape, image);
  if (!flat) throw failure_of(flat.error());
  if (!*flat)
    throw failure_of({ErrorCode::kUnavailable,
                      "formulas and Booleans have columns but no triangles to peel: --algorithm "
                      "additive --backend cpu measures them",
                      "--algorithm peel"});
  const double area = examine(checked_mesh((*flat)->mesh)).surface_area;
  return {std::move((*flat)->mesh), (*flat)->deviation * area};
}

template <class T>
T checked(Result<T> result) {
  if (!result) throw failure_of(result.error());
  return std::move(*result);
}

// As published: the water's depth, peels under it, and its surface where they say.
void submerge_by_peels(const Shape& shape, const WaterPlane& water, const EngineOptions& engine,
                       SubmergeReport& report) {
  const ShapeInWater seen = checked(in_water_frame(shape, water));
  const Drawn drawn = drawn_triangles(seen.shape, engine);
  const GlContext context = checked(GlContext::create());
  GlWaterImage gl = checked(GlWaterImage::create(context));
  const GlWaterBody body{checked(gl.upload(checked_mesh(drawn.mesh))), Similarity::Identity()};
  GlWaterOptions options;
  options.image.width = engine.width;
  options.image.height = engine.height;
  options.algorithm = ImageAlgorithm::kPeel;
  const SurfaceNow surface = checked(FreeSurface().at(0, 0));
  const WaterImage image = checked(gl.measure(body, surface, options));
  report.image = {"gl",        context.info().renderer, "peel", engine.width, engine.height,
                  image.peels, image.fragments};
  report.wet.volume = image.buoyancy.volume;
  report.wet.volume_error = image.volume_error + drawn.deviation;
  report.wet.center_of_buoyancy = seen.world_from_water * image.buoyancy.center;
  if (image.unbalanced_columns > 0)
    report.notices->say(
        report.name,
        {"unbalanced_peels",
         fmt::format("in {} columns the peels do not balance: the surface is open, shells overlap, "
                     "or faces coincide; --algorithm additive sums them all",
                     image.unbalanced_columns)});
}

void submerge_by_image(const Shape& shape, const WaterPlane& water, const WetImage& image,
                       SubmergeReport& report) {
  ShapeInWater wet = checked(wet_columns(without_patches(shape, image.engine), water));
  if (image.is_along_world) {  // turned, not moved: so no digits are lost far from the origin
    const Mat3 turn = wet.world_from_water.linear();
    wet.shape.pose = Similarity(turn) * wet.shape.pose;
    wet.world_from_water.linear().setIdentity();
  }
  PartReport part;
  part.name = report.name;
  ImageMeter(image.engine, *report.notices).measure(wet.shape, {}, part);
  report.image = part.image;
  report.wet.volume = part.mass.volume;
  report.wet.volume_error = std::fabs(part.error.volume);
  report.wet.center_of_buoyancy = wet.world_from_water * part.mass.center_of_mass;
  report.center_error = wet.world_from_water.linear().cwiseAbs().rowwise().sum().maxCoeff() *
                        part.error.center_of_mass;
  if (part.undecided) report.status = std::min(report.status, Status::kTolerance);
}

// The volume of the whole body, wet and dry.
struct Whole {
  double volume = 0, error = 0;
  [[nodiscard]] bool is_empty() const { return volume == 0 && error == 0; }
};

Whole whole_volume(const Shape& shape, const std::optional<WetImage>& image) {
  if (const Result<ShapeMass> exact = mass_properties(shape))
    return {exact->body.properties.volume, exact->body.error.volume};
  ImageOptions options;
  options.width = image->engine.width;
  options.height = image->engine.height;
  const ImageMass found = checked(image_mass_properties(shape, options));
  const Whole whole{found.properties.volume, found.error_estimate.volume};
  const bool is_nothing = found.undecided_columns == 0 && found.unbalanced_columns == 0 &&
                          whole.volume == 0 && shows_nothing(whole.error, bounding_box(shape));
  return is_nothing ? Whole{} : whole;
}

// An image, and a body whose vertices were welded, tell the first digit of the wet volume, all else
// six of them; or what is not told is next to nothing of the body.
Status reached(const Submersion& wet, const Body& body, const Shape& shape,
               const std::optional<WetImage>& image) {
  const double enough = image || body.is_welded ? 0.1 : 0x1p-20;
  constexpr double kNothing = 1e-2;
  if (body.is_lost || !is_finite(wet)) return Status::kTolerance;
  if (wet.volume > 0 && wet.volume_error <= enough * wet.volume) return Status::kOk;
  const Whole whole = whole_volume(shape, image);
  if (whole.is_empty()) return Status::kZeroVolume;
  return wet.volume_error <= enough * kNothing * whole.volume ? Status::kOk : Status::kTolerance;
}

SubmergeReport submerge(const Body& body, const WaterPlane& water,
                        const std::optional<WetImage>& image, const HealthOptions& health) {
  SubmergeReport report;
  report.name = body.name;
  report.notices = body.notices;
  Shape shape = body.shape;
  if (auto* solid = std::get_if<MeshSolid>(&shape.solid))
    *solid = posed(*solid, body.pose);
  else
    shape.pose = body.pose * shape.pose;
  judge_wet(image ? without_patches(shape, image->engine) : shape, water, body.partial, health,
            report);
  if (image && image->engine.algorithm == ImageAlgorithm::kPeel)
    submerge_by_peels(shape, water, image->engine, report);
  else if (image)
    submerge_by_image(shape, water, *image, report);
  else
    report.wet = exact_submersion(shape, water, body.name);
  if (has_bound(report.status))
    report.status = std::min(report.status, reached(report.wet, body, shape, image));
  if (image && report.status == Status::kTolerance && report.wet.volume == 0 && !body.is_lost)
    say_missed(report.name, *report.image, report.wet.volume_error, *report.notices);
  if (report.status == Status::kZeroVolume) report.wet.volume_error = 0;
  return report;
}

/// null where there is nothing whose center it would be.
void write_center(JsonWriter& out, const char* name, const Vec3& center, double measure) {
  if (measure == 0)
    out.null_member(name);
  else
    out.member(name, center);
}

void write_waterplane(JsonWriter& out, const WaterSection& section) {
  out.key("waterplane");
  out.begin_object();
  out.member("area", section.area);
  write_center(out, "center", section.center, section.area);
  out.rows_member("second_moments", section.second_moments);
  out.rows_member("axes", section.axes);
  out.end_object();
}

void write_members(JsonWriter& out, const SubmergeReport& report) {
  const Submersion& wet = report.wet;
  out.member("status", to_string(report.status));
  out.member("method", report.image ? "image" : "exact");
  report.notices->write(out);
  out.member("volume", wet.volume);
  write_center(out, "center_of_buoyancy", wet.center_of_buoyancy, wet.volume);
  if (report.image) {
    out.null_member("wetted_area");
    out.key("waterplane");
    out.begin_object();
    for (const char* name : {"area", "center", "second_moments", "axes"}) out.null_member(name);
    out.end_object();
  } else {
    out.member("wetted_area", wet.wetted_area);
    write_waterplane(out, wet.waterplane);
  }
  out.member("rim_lowest", report.rim_lowest);
  const auto write_error = [&](const char* name, bool known) {
    if (!known) return out.null_member(name);
    out.key(name);
    out.begin_object();
    out.member("volume", wet.volume_error);
    out.end_object();
  };
  write_error("error_bound", !report.image && has_bound(report.status));
  write_error("error_estimate", report.image.has_value());
  write_image(out, report.image);
}

std::string numbers(const Vec3& v, double certain) {
  return fmt::format("{} {} {}", certain_digits(v[0], certain), certain_digits(v[1], certain),
                     certain_digits(v[2], certain));
}

std::string text_report(const SubmergeReport& report) {
  const Submersion& wet = report.wet;
  const double size = elementary::cbrt(std::max(std::fabs(wet.volume), wet.volume_error));
  const double certain = 1e-9 * size;
  std::string text = heading_in_water(report.name, report.status, report.verdict);
  const auto row = [&](const char* label, const std::string& content) {
    text += fmt::format("  {:<22}{}\n", label, content);
  };
  row("submerged volume",
      fmt::format("{} m^3, {} {:.2g}", certain_digits(wet.volume, wet.volume_error),
                  report.image ? "off by an estimated" : "no farther off than", wet.volume_error));
  row("center of buoyancy",
      wet.volume == 0 ? "none: the body is dry"
      : report.center_error
          ? fmt::format("{} m, off by an estimated {:.2g}",
                        numbers(wet.center_of_buoyancy, *report.center_error), *report.center_error)
          : numbers(wet.center_of_buoyancy, certain) + " m");
  if (report.image) return text;
  row("wetted area", fmt::format("{:.9g} m^2", wet.wetted_area));
  row("waterplane area", fmt::format("{:.9g} m^2", wet.waterplane.area + 0.0));  // no -0
  if (wet.waterplane.area != 0) {
    const WaterSection& section = wet.waterplane;
    row("  center", numbers(section.center, certain) + " m");
    row("  second moments",
        fmt::format("uu {:.9g}, uv {:.9g}, vv {:.9g} m^4", section.second_moments(0, 0),
                    section.second_moments(0, 1), section.second_moments(1, 1)));
    row("  along u", numbers(section.axes.row(0).transpose(), 1e-9));
    row("  along v", numbers(section.axes.row(1).transpose(), 1e-9));
  }
  if (report.rim_lowest)
    row("lowest of the rim", fmt::format("{:.9g} m {} the water", std::fabs(*report.rim_lowest),
                                         *report.rim_lowest > 0 ? "over" : "under"));
  return text;
}

}  // namespace

ExitCode run_submerge(const Arguments& arguments) {
  CommandLine line("plimsoll submerge", kAbout, kNotes);
  SubmergeArguments given;
  declare(line, given);
  if (!line.parse(arguments)) return kDone;
  const HealthOptions health = examination(given.max_work);
  const WaterPlane water = parse_plane(given.plane);
  const std::optional<WetImage> image = checked_method(given);
  const Body body = read_body(given.body, "submerge");
  remark_if_far(water, "--plane", bounding_box(body.shape).transformed(body.pose), body.name,
                *body.notices);
  remark_if_far(body.pose, bounding_box(body.shape), body.name, *body.notices);
  const SubmergeReport report = submerge(body, water, image, health);
  return answer(report, report.status, given.json);
}

}  // namespace plimsoll::cli
