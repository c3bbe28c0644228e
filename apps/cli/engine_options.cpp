#include "engine_options.h"

#include <fmt/format.h>

#include <cmath>

#include "failure.h"
#include "input.h"
#include "output.h"
#include "text.h"

namespace plimsoll::cli {
namespace {

int parse_pixels(std::string_view text, const std::string& all, const char* option, int least) {
  constexpr double kMaxPixels = 16384;
  const std::optional<double> number = parse_number(text);
  if (!number || *number != std::floor(*number) || *number < least || *number > kMaxPixels)
    throw usage_failure(fmt::format("found \"{}\", expected N or WxH, each {} to {} pixels",
                                    printable(all), least, static_cast<int>(kMaxPixels)),
                        option);
  return static_cast<int>(*number);
}

}  // namespace

void declare_engine(CommandLine& line, EngineArguments& arguments, const char* columns) {
  line.option("--resolution", "N", arguments.resolution, "Pixels of the image: N or WxH (256)");
  line.option("--axis", "A", arguments.axis, columns);
  line.option("--backend", "B", arguments.backend, "Of the image: cpu gl (cpu)");
  line.option("--algorithm", "A", arguments.algorithm, "Of the image: additive peel (additive)");
}

picture::PixelSize parse_pixel_size(const std::string& text, const char* option, int least) {
  const std::size_t x = text.find('x');
  const int width = parse_pixels(std::string_view(text).substr(0, x), text, option, least);
  if (x == std::string::npos) return {width, width};
  return {width, parse_pixels(std::string_view(text).substr(x + 1), text, option, least)};
}

picture::PixelSize parse_picture_size(const std::string& text, const char* option) {
  // Four samples of a color and a depth for each pixel, what Cairo draws on, and the file.
  constexpr double kPixelBytes = 4 * (3 + sizeof(double)) + 4 + 4;
  constexpr double kMaxBytes = 0x1p31;
  const picture::PixelSize size = parse_pixel_size(text, option);
  const double bytes = kPixelBytes * size.width * size.height;
  if (bytes > kMaxBytes)
    throw failure_of(
        {ErrorCode::kResourceLimit,
         fmt::format("found {}x{} pixels, which take {:.1f} GB to draw, expected {:.1f} "
                     "GB or less, {:.0f} million pixels",
                     size.width, size.height, bytes / 1e9, kMaxBytes / 1e9,
                     kMaxBytes / kPixelBytes / 1e6),
         option});
  return size;
}

EngineOptions checked_engine(const EngineArguments& arguments) {
  EngineOptions options;
  if (arguments.resolution) {
    const picture::PixelSize size = parse_pixel_size(*arguments.resolution, "--resolution");
    options.width = size.width;
    options.height = size.height;
  }
  if (arguments.axis)
    options.axis = static_cast<int>(parse_choice(*arguments.axis, {"x", "y", "z"}, "--axis"));
  if (arguments.backend)
    options.on_gl = parse_choice(*arguments.backend, {"cpu", "gl"}, "--backend") == 1;
  if (arguments.algorithm)
    options.algorithm = parse_choice(*arguments.algorithm, {"additive", "peel"}, "--algorithm") == 1
                            ? ImageAlgorithm::kPeel
                            : ImageAlgorithm::kAdditive;
  if (options.algorithm == ImageAlgorithm::kPeel && !options.on_gl)
    throw failure_of({ErrorCode::kUnavailable,
                      "the processor has no depth buffer to peel by: --backend gl peels",
                      "--algorithm peel"});
  return options;
}

std::optional<EngineOptions> image_engine(const std::string& method,
                                          const EngineArguments& arguments) {
  if (parse_choice(method, {"exact", "image"}, "--method") == 1) return checked_engine(arguments);
  if (arguments.any())
    throw usage_failure("--resolution, --axis, --backend and --algorithm are of --method image",
                        "--method");
  return std::nullopt;
}

void say_missed(const std::string& name, const ImageReport& image, double missed,
                Notices& notices) {
  notices.say(name, {"missed", fmt::format("no column of {}x{} pixels meets it, and it may have up "
                                           "to {:.2g} m^3; a higher --resolution may show it",
                                           image.width, image.height, missed)});
}

GlImageEngine& ImageMeter::gl() {
  if (engine_) return *engine_;
  Result<GlContext> context = GlContext::create();
  if (!context) throw failure_of(context.error());
  context_ = std::move(*context);
  Result<GlImageEngine> engine = GlImageEngine::create(*context_);
  if (!engine) throw failure_of(engine.error());
  engine_ = std::move(*engine);
  return *engine_;
}

void ImageMeter::measure(const Shape& shape, ImageOptions image, PartReport& part) {
  image.width = options_.width;
  image.height = options_.height;
  image.axis = options_.axis;
  Result<ImageMass> found = Error{};
  ImageReport report{"cpu", "processor", "additive", image.width, image.height, 0, 0};
  if (options_.on_gl) {
    GlImageOptions options;
    options.image = image;
    options.algorithm = options_.algorithm;
    found = gl().mass_properties(shape, options);
    if (!found && found.error().code == ErrorCode::kUnavailable && found.error().where == "shape")
      throw failure_of({ErrorCode::kUnavailable,
                        "formulas and Booleans have columns but no triangles to draw: --backend "
                        "cpu measures them",
                        "--backend gl"});
    report.backend = "gl";
    report.renderer = context_->info().renderer;
    report.algorithm = options_.algorithm == ImageAlgorithm::kPeel ? "peel" : "additive";
  } else {
    found = image_mass_properties(shape, image);
  }
  if (!found) throw failure_of(found.error());
  report.passes = found->passes;
  report.fragments = found->fragments;
  part.mass = found->properties;
  part.error = found->error_estimate;
  part.estimated = true;
  part.image = report;
  const auto say = [&](const char* code, const std::string& message) {
    notices_.say(part.name, {code, message});
  };
  if (found->undecided_columns > 0) {
    part.undecided = true;
    say("columns",
        fmt::format("{} columns of a formula met the limit of work: parts of the body may be "
                    "missing",
                    found->undecided_columns));
  }
  if (found->unbalanced_columns > 0) {
    part.undecided = true;
    say("not_closed",
        fmt::format("{} columns cross a mesh in it that bounds no solid: weigh that mesh alone to "
                    "see what is wrong",
                    found->unbalanced_columns));
  }
  if (found->unseen_pixels > 0)
    say("thin_parts",
        fmt::format("in {} of {}x{} pixels there may be parts thinner than they are; the estimate "
                    "allows for them, a higher --resolution may show them",
                    found->unseen_pixels, report.width, report.height));
  if (options_.algorithm == ImageAlgorithm::kPeel && found->unbalanced_rows > 0)
    say("unbalanced_peels",
        fmt::format("in {} rows the peels do not balance: the surface is open, or faces coincide, "
                    "of which peel finds one only; --algorithm additive finds all",
                    found->unbalanced_rows));
}

}  // namespace plimsoll::cli
