#include "render_culling.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "bodies_input.h"
#include "culling_options.h"
#include "engine_options.h"
#include "file_writer.h"
#include "json_writer.h"
#include "output.h"
#include "picture/culling_picture.h"
#include "picture_file.h"
#include "solid_input.h"
#include "text.h"
#include "work_option.h"

namespace plimsoll::cli {
namespace {

constexpr const char* kAbout =
    "Draws what culling by visibility does with several bodies: a round of views along x, y and "
    "z.\n"
    "Above what is drawn, the fattened boxes of triangles; below what each view leaves, in red.";

constexpr const char* kNotes =
    R"(Rounds are of whole bodies first, then of parts of those that are left, and go on until none leaves
any more; --round counts them all. Every other round of far looks against the axes. Few
pixels make thick boxes: they are what a pixel cannot tell apart.

Exit codes: 0 done; 2 usage, or no place to write; 3 input refused, or no OpenGL; 6 too little memory
or room, or more than --max-work; 1 internal error.

Examples:
  plimsoll render cup.off saucer.off --what culling -o culling.png
  plimsoll render scene.json --what culling --round 1 --resolution 64 -o first.png)";

constexpr int kPixels = 128;

struct RenderCullingArguments {
  BodiesArguments bodies;
  CullingArguments culling;
  std::string what, out;
  std::optional<std::string> size, round;
  bool json = false;
};

/// Counted from 0. Throws Failure before anything is drawn, where it can be no round.
std::size_t round_number(const std::optional<std::string>& given) {
  constexpr double kMost = 1e6;
  if (!given) return 0;
  const double number = parse_number(*given).value_or(0);
  if (!(number >= 1 && number <= kMost) || number != std::floor(number))
    throw usage_failure(
        fmt::format("found \"{}\", expected a whole number from 1", printable(*given)), "--round");
  return static_cast<std::size_t>(number) - 1;
}

std::vector<std::vector<std::uint32_t>> all_triangles(
    const std::vector<picture::PlacedMesh>& bodies) {
  std::vector<std::vector<std::uint32_t>> all(bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i)
    for (std::uint32_t t = 0; t < bodies[i].mesh->triangles.size(); ++t) all[i].push_back(t);
  return all;
}

/// `number` counts from 0.
picture::CullingRound round_of(std::vector<picture::PlacedMesh> bodies, const Culling& culling,
                               std::size_t number, int pixels) {
  // A round has a view along each axis, or fewer where nothing was left before the last.
  std::vector<std::pair<std::size_t, std::size_t>> rounds;
  for (std::size_t i = 0; i < culling.views.size(); ++i)
    if (culling.views[i].axis == 0)
      rounds.push_back({i, i + 1});
    else
      rounds.back().second = i + 1;
  if (rounds.empty())
    throw usage_failure("found no two bodies with triangles: there is nothing to cull");
  if (number >= rounds.size())
    throw usage_failure(fmt::format("found {}, expected 1 to {}: so many rounds there were",
                                    number + 1, rounds.size()),
                        "--round");
  const auto [begin, end] = rounds[number];
  picture::CullingRound round;
  round.before = begin == 0 ? all_triangles(bodies) : culling.views[begin - 1].surviving;
  round.bodies = std::move(bodies);
  for (std::size_t i = begin; i < end; ++i) round.views.push_back(culling.views[i]);
  const CullView& first = round.views.front();
  round.title = fmt::format("Round {} of {}: {}", number + 1, rounds.size(),
                            first.level == CullLevel::kBodies ? std::string("whole bodies")
                            : first.level == CullLevel::kParts
                                ? fmt::format("parts of {} triangles", CullOptions().part_triangles)
                                : std::string("single triangles"));
  round.caption =
      first.radius > 0
          ? fmt::format("{} x {} pixels of {:.3g} m; triangles are fattened by {:.3g} m; {}",
                        pixels, pixels, 2 * first.half_side / pixels, first.radius,
                        culling.renderer)
          : fmt::format("{} x {} pixels of {:.3g} m; triangles as they are; {}", pixels, pixels,
                        2 * first.half_side / pixels, culling.renderer);
  return round;
}

}  // namespace

bool is_culling(const Arguments& arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i)
    if (arguments[i] == "--what=culling" ||
        (arguments[i] == "--what" && i + 1 < arguments.size() && arguments[i + 1] == "culling"))
      return true;
  return false;
}

ExitCode run_render_culling(const Arguments& arguments) {
  CommandLine line("plimsoll render --what culling", kAbout, kNotes);
  RenderCullingArguments given;
  declare_bodies(line, arguments, given.bodies);
  line.option("--what", "W", given.what, "culling");
  line.option("-o", "OUT.png", given.out, "The file to write");
  line.option("--size", "WxH", given.size, "Pixels of the picture (1600x1000)");
  line.option("--method", "M", given.culling.method, "far cullide (far)");
  declare_culling(line, given.culling, kPixels);
  line.option("--within", "D", given.culling.within,
              "Keep also what is closer than D to another body [m]");
  declare_work(line, given.culling.max_work,
               "End with an error after so much drawing on the processor, in seconds (600)");
  line.option("--round", "N", given.round, "Which round to draw (1)");
  line.flag("--json", given.json, "One JSON object about the picture on stdout");
  if (!line.parse(arguments)) return kDone;
  if (given.out.empty()) throw usage_failure("found no name of a file to write", "-o");
  spare_inputs(given.out, arguments);
  check_png_name(given.out, "-o");
  const picture::PixelSize size =
      given.size ? parse_picture_size(*given.size, "--size") : picture::PixelSize{1600, 1000};
  CullingJob job = parse_culling(given.culling, kPixels);
  const std::size_t number = round_number(given.round);
  job.options.keeps_views = true;
  const auto notices = std::make_shared<Notices>("render");
  Progress progress;
  std::vector<picture::PlacedMesh> bodies = read_bodies(given.bodies, 2, notices, progress).bodies;
  std::vector<CullBody> culled;
  for (const picture::PlacedMesh& body : bodies)
    culled.push_back({checked_mesh(*body.mesh), body.world_from_mesh});
  progress.begin("culling what is seen to be apart");
  const Culling culling = cull(culled, job);
  const picture::CullingRound round =
      round_of(std::move(bodies), culling, number, job.options.resolution);
  progress.begin("drawing");
  write_picture(picture::draw_culling(round, size), given.out);
  std::size_t left = 0;
  for (const auto& of : round.views.back().surviving) left += of.size();
  JsonWriter out;
  out.begin_object(JsonWriter::Layout::kLines);
  out.member("status", "ok");
  notices->write(out);
  out.member("file", given.out);
  out.key("size");
  out.begin_array();
  out.value(static_cast<std::uint64_t>(size.width));
  out.value(static_cast<std::uint64_t>(size.height));
  out.end_array();
  out.member("rounds", static_cast<std::uint64_t>(culling.work.rounds));
  out.member("round", static_cast<std::uint64_t>(number + 1));
  out.member("left", static_cast<std::uint64_t>(left));
  out.member("renderer", culling.renderer);
  out.end_object();
  print_output(given.json
                   ? out.text() + "\n"
                   : fmt::format("{}: {}, {} left; a picture of {}x{}\n", printable(given.out),
                                 round.title, counted(left, "triangle", "triangles"), size.width,
                                 size.height));
  return kDone;
}

}  // namespace plimsoll::cli
