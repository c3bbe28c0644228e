#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "answer.h"
#include "commands.h"
#include "engine_options.h"
#include "file_writer.h"
#include "input.h"
#include "json_writer.h"
#include "judge.h"
#include "mass_scene.h"
#include "output.h"
#include "picture/peel_picture.h"
#include "picture_file.h"
#include "render_culling.h"
#include "render_waterline.h"
#include "reports.h"
#include "solid_input.h"
#include "sphere_bodies.h"
#include "spheres_scene.h"
#include "text.h"

namespace plimsoll::cli {
namespace {

constexpr const char* kAbout =
    "Draws, without a display, what the engines work with, as a PNG file.\n"
    "mass: a body with its center of mass, its principal axes and the box of its mass and "
    "moments;\n"
    "where it is not sound its defects, numbered as in the report of plimsoll mass.\n"
    "peels: the layers of the surface, as depth peeling finds them, in the colors of the terms\n"
    "whose sums are volume, center of mass and inertia. Needs OpenGL 3.3.\n"
    "waterline: a body in the water, the cut at the waterline from above, the centers of mass "
    "(G),\n"
    "buoyancy (B) and flotation (F), and the metacenter (M).\n"
    "spheres: the spheres that plimsoll spheres packs into a body, whole and cut open, and the\n"
    "levels of the tree over them.\n"
    "culling: what a round of plimsoll pairs --method far draws of several bodies, and leaves; it "
    "has\n"
    "options of its own: plimsoll render --what culling --help.";

constexpr const char* kNotes =
    R"(Of peels: one column for each peel, the one nearest to the eye first, eight at most side by side;
one row for each group of three terms, drawn as red, green and blue. A term t of a row whose largest
magnitude is m has the brightness 127 + 127 t / m: mid gray is zero, and white, which no term
reaches, is where the peel has no surface. The eye looks against the axis.

--resolution N gives the longer side of the body's box N pixels and the other as many as make them
square. A pixel becomes a square of whole pixels in the picture; in a picture of --size those below
are scaled down to what fits. 64 peels are drawn at most, fewer above 800x800: beyond that the
command is refused, and nothing is written.

Of a waterline: --plane NX,NY,NZ,D is the water { p : n.p <= D } over the body as --pose puts it;
with --mass or --density instead the body floats in the stable pose nearest to --up, as `plimsoll
float --picture` draws it. --com is its center of mass, in the file's frame.

Of spheres: --pose turns the body in the picture; lengths stay the mesh's. The cut is across that
axis of the mesh where most of it is seen. With --keep the plane of the part is drawn in red.

Exit codes: 0 done; 2 usage, or no place to write; 3 input refused, or no OpenGL; 4 the mesh is not
sound, or nothing was written because the body has no peels, seen so, or sinks; 6 too many peels,
too little memory or room; 1 internal error.

Examples:
  plimsoll render bunny.off --what peels -o peels.png
  plimsoll render teapot.json --what peels -o peels.png --axis y --resolution 128 --size 1200x800
  plimsoll render hull.stl --what waterline --density 400 -o afloat.png)";

constexpr int kMaxPeels = 64;
constexpr double kMaxBytes = 0x1p31;  // of the peels, in floats

struct RenderArguments {
  std::string what;
  std::string out;
  std::optional<std::string> size;
  WaterlineArguments waterline;  // with the MESH, whatever is drawn
  EngineArguments engine;
  std::optional<std::string> spheres, count, min_radius, keep;
  bool json = false;
};

// The arguments, checked.
struct RenderJob {
  PartArgument part;
  Reading reading{.notices = std::make_shared<Notices>("render"), .units_matter = false};
  bool partial = false;  // MeshFile::partial, once it is read
  std::string out;
  std::optional<picture::PixelSize> size;
  EngineOptions engine;
  bool square_pixels = true;  // `engine.width` is that of the longer side.
};

void declare(CommandLine& line, RenderArguments& arguments) {
  declare_floating(line, arguments.waterline.floating, true);
  line.option("--what", "W", arguments.what, "mass peels waterline culling spheres");
  line.option("-o", "OUT.png", arguments.out, "The file to write");
  line.option("--size", "WxH", arguments.size,
              "Pixels of the picture: N or WxH (peels: as needed; else 1600x900)");
  line.option("--plane", "NX,NY,NZ,D", arguments.waterline.plane,
              "Waterline: the water { p : n.p <= D }, D [m], or as 10mm");
  line.option("--resolution", "N", arguments.engine.resolution,
              "Pixels of each peel: N or WxH (256)");
  line.option("--axis", "A", arguments.engine.axis, "Peels: the eye looks against x y z (z)");
  line.option("--count", "N", arguments.count, "Spheres: how many at most (5000)");
  line.option("--spheres", "N", arguments.spheres, "Spheres: the same");
  line.option("--min-radius", "R", arguments.min_radius,
              "Spheres: no smaller ones: [m], or as 1mm");
  line.option("--keep", "NX,NY,NZ,D", arguments.keep, "Spheres: only where n.x >= d, in the mesh");
  line.flag("--json", arguments.json, "One JSON object about the picture on stdout");
}

void check_what(const std::string& what) {
  if (what == "mass" || what == "peels" || what == "waterline" || what == "spheres") return;
  throw usage_failure(
      fmt::format("found \"{}\", expected mass, peels, waterline, culling or spheres", what),
      "--what");
}

void check_input(RenderJob& job, const RenderArguments& arguments) {
  const FloatingArguments& floating = arguments.waterline.floating;
  if (floating.body.pose || floating.body.units || floating.mass || floating.density ||
      floating.com || floating.rho || floating.up || arguments.waterline.plane)
    throw usage_failure(
        "--pose, --units, --mass, --density, --com, --rho, --up and --plane are of waterline",
        "--what");
  job.part.name = as_given(floating.body.mesh);
  if (job.part.name.empty()) throw usage_failure("found no MESH, expected one");
  set_weld(job.reading, floating.body.weld);
  set_input_format(job.reading, floating.body.input_format, {&job.part, 1});
}

void check_output(const RenderArguments& arguments) {
  if (arguments.what.empty())
    throw usage_failure("found none, expected mass, peels, waterline, culling or spheres",
                        "--what");
  check_what(arguments.what);
  if (arguments.what != "spheres")
    for (const auto& [given, option] :
         {std::pair(&arguments.spheres, "--spheres"), std::pair(&arguments.count, "--count"),
          std::pair(&arguments.min_radius, "--min-radius"), std::pair(&arguments.keep, "--keep")})
      if (*given) throw usage_failure("it is of --what spheres", option);
  if (arguments.spheres && arguments.count)
    throw usage_failure("--spheres and --count are one: say it once", "--count");
  if (arguments.out.empty()) throw usage_failure("found no name of a file to write", "-o");
}

RenderJob checked_peels(const RenderArguments& arguments) {
  RenderJob job;
  check_input(job, arguments);
  job.out = arguments.out;
  if (arguments.size) job.size = parse_picture_size(*arguments.size, "--size");
  EngineArguments engine = arguments.engine;
  engine.backend = "gl";
  engine.algorithm = "peel";
  job.engine = checked_engine(engine);
  job.square_pixels = !engine.resolution || engine.resolution->find('x') == std::string::npos;
  return job;
}

Shape read_body(RenderJob& job) {
  if (is_shape(job.part.name)) return read_shape_of(job.part.name, job.reading).shape;
  SolidFile file = read_solid(job.part, job.reading);
  job.partial = file.partial;
  return {mesh_solid(std::move(file.body))};
}

Failure no_peels(const RenderJob& job) {
  return {kUnsound, "no_peels",
          fmt::format("found no peels: along {} the body is flat or seen edge-on, or falls between "
                      "the pixels; another --axis or a higher --resolution may show it",
                      static_cast<char>('x' + job.engine.axis)),
          job.part.name};
}

// The lattice over the body's box; throws Failure where that has no area or no depth.
void set_resolution(RenderJob& job, const Box3& box) {
  EngineOptions& engine = job.engine;
  const Vec3 size = box.sizes();
  if (!(size.minCoeff() > 0)) throw no_peels(job);
  if (!job.square_pixels) return;
  const double across = size[(engine.axis + 1) % 3];
  const double up = size[(engine.axis + 2) % 3];
  const double pixels = engine.width / std::max(across, up);
  engine.width = std::max(1, static_cast<int>(std::lround(across * pixels)));
  engine.height = std::max(1, static_cast<int>(std::lround(up * pixels)));
}

TriangleMesh triangles_of(const Shape& shape, const RenderJob& job) {
  ImageOptions image;
  image.width = job.engine.width;
  image.height = job.engine.height;
  image.axis = job.engine.axis;
  Result<std::optional<ShapeMesh>> drawn = triangles_to_draw(shape, image);
  if (!drawn) throw failure_of(drawn.error());
  if (!*drawn)
    throw failure_of({ErrorCode::kUnavailable,
                      "formulas and Booleans have columns but no triangles to draw",
                      job.part.name});
  return std::move((*drawn)->mesh);
}

int max_peels(const EngineOptions& engine) {
  constexpr double kBytes = 3 * (4 * sizeof(float));  // of a pixel: three textures of four channels
  const double each = kBytes * engine.width * engine.height;
  return static_cast<int>(std::min<double>(kMaxPeels, std::floor(kMaxBytes / each)));
}

struct DrawnPeels {
  std::vector<PeelImage> peels;
  ImageReport report;
};

DrawnPeels peel(const TriangleMesh& mesh, const RenderJob& job) {
  const EngineOptions& engine = job.engine;
  Result<GlContext> context = GlContext::create();
  if (!context) throw failure_of(context.error());
  Result<GlImageEngine> drawer = GlImageEngine::create(*context);
  if (!drawer) throw failure_of(drawer.error());
  GlImageOptions options;
  options.image.width = engine.width;
  options.image.height = engine.height;
  options.image.axis = engine.axis;
  options.algorithm = ImageAlgorithm::kPeel;
  options.max_peels = max_peels(engine);
  if (options.max_peels < 1)
    throw failure_of({ErrorCode::kResourceLimit,
                      fmt::format("found {}x{} pixels, expected 6000x6000 or fewer", engine.width,
                                  engine.height),
                      "--resolution"});
  Result<std::vector<PeelImage>> peels = drawer->peels(checked_mesh(mesh), options);
  if (!peels && peels.error().where == "peel")
    throw failure_of({ErrorCode::kResourceLimit,
                      fmt::format("found more than {} peels, the most that are drawn at {}x{}",
                                  options.max_peels, engine.width, engine.height),
                      job.part.name});
  if (!peels) throw failure_of(peels.error());
  if (peels->empty()) throw no_peels(job);
  ImageReport report{"gl",          context->info().renderer,        "peel", engine.width,
                     engine.height, static_cast<int>(peels->size()), 0};
  for (const PeelImage& image : *peels)
    for (std::size_t k = 3; k < image.targets[1].size(); k += 4)
      report.fragments += image.targets[1][k] != 0 ? 1 : 0;
  return {std::move(*peels), report};
}

// In each column of a closed surface as many faces look to the eye as away from it.
std::size_t unbalanced_columns(const std::vector<PeelImage>& peels) {
  std::size_t count = 0;
  for (std::size_t k = 3; k < peels.front().targets[2].size(); k += 4) {
    double sum = 0;
    for (const PeelImage& peel : peels) sum += peel.targets[2][k];
    count += sum != 0 ? 1 : 0;
  }
  return count;
}

void write_pair(JsonWriter& out, const char* name, int first, int second) {
  out.key(name);
  out.begin_array();
  out.value(static_cast<std::uint64_t>(first));
  out.value(static_cast<std::uint64_t>(second));
  out.end_array();
}

std::string json_report(const RenderJob& job, const picture::PeelPicture& drawn,
                        const ImageReport& image, Status status) {
  JsonWriter out;
  out.begin_object(JsonWriter::Layout::kLines);
  out.member("status", to_string(status));
  job.reading.notices->write(out);
  out.member("file", job.out);
  write_pair(out, "size", drawn.picture.width(), drawn.picture.height());
  out.member("peels", static_cast<std::uint64_t>(image.passes));
  write_image(out, image);
  out.array_member("ranges", drawn.ranges);
  out.key("tiles");
  out.begin_object();
  const picture::PeelTiles& tiles = drawn.tiles;
  write_pair(out, "size", tiles.size.width, tiles.size.height);
  out.member("columns", static_cast<std::uint64_t>(tiles.columns));
  write_pair(out, "first", tiles.x, tiles.y);
  write_pair(out, "step", tiles.step_x, tiles.step_y);
  out.member("band_step", static_cast<std::uint64_t>(tiles.band_step));
  out.end_object();
  out.end_object();
  return out.text() + "\n";
}

std::string text_report(const RenderJob& job, const picture::PeelPicture& drawn,
                        const ImageReport& image) {
  return fmt::format("{}: {} of {}x{} pixels, seen along {}; a picture of {}x{} by {}\n",
                     printable(job.out),
                     counted(static_cast<std::size_t>(image.passes), "peel", "peels"), image.width,
                     image.height, static_cast<char>('x' + job.engine.axis), drawn.picture.width(),
                     drawn.picture.height(), image.renderer);
}

ExitCode draw_peels_of(const RenderArguments& given) {
  RenderJob job = checked_peels(given);
  const Shape shape = read_body(job);
  const Status status = judge(job.part.name, shape, job.partial).status();
  const Box3 box = bounding_box(shape);
  set_resolution(job, box);
  const DrawnPeels drawn = peel(triangles_of(shape, job), job);
  const Result<picture::PeelPicture> picture =
      picture::draw_peels(drawn.peels, job.engine.axis, job.size);
  if (!picture && picture.error().code == ErrorCode::kInvalidArgument)
    throw usage_failure(picture.error().message, "--size");
  if (!picture) throw failure_of({picture.error().code, picture.error().message, "--size"});
  write_picture(picture->picture, job.out);
  if (const std::size_t count = unbalanced_columns(drawn.peels); count > 0)
    job.reading.notices->say(
        job.part.name,
        {"unbalanced_peels",
         fmt::format("in {} columns of pixels the peels do not balance: the surface is open, or "
                     "faces coincide, of which peel finds one only",
                     count)});
  print_output(given.json ? json_report(job, *picture, drawn.report, status)
                          : text_report(job, *picture, drawn.report));
  return exit_code_of(status);
}

// What is said of a picture of a body in a given number of pixels.
ExitCode report_picture(const RenderArguments& given, const picture::Picture& picture,
                        Status status, const Notices& notices) {
  JsonWriter out;
  out.begin_object(JsonWriter::Layout::kLines);
  out.member("status", to_string(status));
  notices.write(out);
  out.member("file", given.out);
  write_pair(out, "size", picture.width(), picture.height());
  out.end_object();
  print_output(given.json ? out.text() + "\n"
                          : fmt::format("{}: a picture of {}x{}\n", printable(given.out),
                                        picture.width(), picture.height()));
  return exit_code_of(status);
}

picture::PixelSize picture_size(const RenderArguments& given) {
  if (given.engine.any()) throw usage_failure("--resolution and --axis are of peels", "--what");
  return given.size ? parse_picture_size(*given.size, "--size") : picture::PixelSize{1600, 900};
}

ExitCode draw_waterline_of(const RenderArguments& given) {
  const WaterlinePicture drawn = render_waterline(given.waterline, picture_size(given));
  write_picture(drawn.picture, given.out);
  const ExitCode code = report_picture(given, drawn.picture, drawn.status, *drawn.notices);
  if (code != kDone)
    print_message(fmt::format("plimsoll render: {}: {}: do not trust the picture",
                              printable(given.waterline.floating.body.mesh),
                              to_string(drawn.status)));
  return code;
}

MassJob checked_mass(const RenderArguments& arguments) {
  const FloatingArguments& floating = arguments.waterline.floating;
  if (floating.body.pose || floating.com || floating.rho || floating.up ||
      arguments.waterline.plane)
    throw usage_failure("--pose, --com, --rho, --up and --plane are of waterline", "--what");
  if (floating.mass && floating.density)
    throw usage_failure("--density and --mass exclude each other");
  MassJob job;
  job.reading.notices = std::make_shared<Notices>("render");
  job.offers_image = false;
  job.parts.push_back({as_given(floating.body.mesh), std::nullopt});
  if (job.parts.front().name.empty()) throw usage_failure("found no MESH, expected one");
  set_unit(job.reading, floating.body.units);
  set_weld(job.reading, floating.body.weld);
  set_input_format(job.reading, floating.body.input_format, job.parts);
  if (floating.density) job.density = parse_positive(*floating.density, "--density");
  if (floating.mass) job.mass = parse_positive(*floating.mass, "--mass");
  return job;
}

ExitCode draw_mass_of(const RenderArguments& given) {
  const picture::PixelSize size = picture_size(given);
  const Weighing weighing = weigh(checked_mass(given));
  const picture::Picture picture = picture::draw_mass(mass_scene(weighing), size);
  write_picture(picture, given.out);
  return report_picture(given, picture, weighing.report.status, *weighing.report.notices);
}

ExitCode draw_spheres_of(const RenderArguments& given) {
  const FloatingArguments& floating = given.waterline.floating;
  if (floating.mass || floating.density || floating.com || floating.rho || floating.up ||
      given.waterline.plane)
    throw usage_failure("--mass, --density, --com, --rho, --up and --plane are not of spheres",
                        "--what");
  const picture::PixelSize size = picture_size(given);
  constexpr std::size_t kDrawnSpheres = 5000;
  PackingOptions options;
  options.max_count = kDrawnSpheres;
  if (given.count) options.max_count = parse_count(*given.count, "--count", kMostSpheres);
  if (given.spheres) options.max_count = parse_count(*given.spheres, "--spheres", kMostSpheres);
  if (given.min_radius) options.min_radius = parse_length(*given.min_radius, "--min-radius");
  if (given.keep) options.keep = parse_half_space(*given.keep, "--keep");
  const PackedBody packed = [&] {
    Progress progress;
    progress.begin("reading the mesh");
    Body body = read_body(floating.body, "render");
    require_mesh(body, "pictures of spheres");
    return pack_body(std::move(body), options, progress);
  }();
  const picture::Picture picture = picture::draw_spheres(spheres_scene(packed), size);
  write_picture(picture, given.out);
  return report_picture(given, picture, packed.status, *packed.body.notices);
}

}  // namespace

ExitCode run_render(const Arguments& arguments) {
  if (is_culling(arguments)) return run_render_culling(arguments);
  CommandLine line("plimsoll render", kAbout, kNotes);
  RenderArguments given;
  declare(line, given);
  if (!line.parse(arguments)) return kDone;
  check_output(given);
  spare_inputs(given.out, arguments);
  check_png_name(given.out, "-o");
  if (given.what == "mass") return draw_mass_of(given);
  if (given.what == "spheres") return draw_spheres_of(given);
  return given.what == "waterline" ? draw_waterline_of(given) : draw_peels_of(given);
}

}  // namespace plimsoll::cli
