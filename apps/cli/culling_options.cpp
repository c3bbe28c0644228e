#include "culling_options.h"

#include <fmt/format.h>
#include <plimsoll/gl_culling.h>

#include "engine_options.h"
#include "failure.h"
#include "input.h"
#include "text.h"
#include "work_option.h"

namespace plimsoll::cli {

void declare_culling(CommandLine& line, CullingArguments& arguments, int pixels) {
  line.option("--resolution", "N", arguments.resolution,
              fmt::format("Of far and cullide: pixels of a view ({})", pixels).c_str());
  line.option("--backend", "B", arguments.backend,
              "Of far: gl, or cpu, the processor; cullide has gl alone (gl)");
}

CullingJob parse_culling(const CullingArguments& arguments, int pixels) {
  CullingJob job;
  job.options.resolution = pixels;
  if (arguments.method == "cullide")
    job.options.method = CullMethod::kCullide;
  else if (arguments.method != "far")
    throw usage_failure(
        fmt::format("found \"{}\", expected far or cullide", printable(arguments.method)),
        "--method");
  if (arguments.resolution) {
    const picture::PixelSize size =
        parse_pixel_size(*arguments.resolution, "--resolution", CullOptions::kMinResolution);
    if (size.width != size.height)
      throw usage_failure(fmt::format("found {}x{}, expected one number: views are square",
                                      size.width, size.height),
                          "--resolution");
    job.options.resolution = size.width;
  }
  if (arguments.backend) {
    if (*arguments.backend != "gl" && *arguments.backend != "cpu")
      throw usage_failure(
          fmt::format("found \"{}\", expected gl or cpu", printable(*arguments.backend)),
          "--backend");
    job.on_gl = *arguments.backend == "gl";
  }
  const bool is_cullide = job.options.method == CullMethod::kCullide;
  if (is_cullide && !job.on_gl)
    throw usage_failure("CULLIDE is what OpenGL draws: cpu is of --method far", "--backend");
  if (arguments.within) {
    if (is_cullide) throw usage_failure("CULLIDE fattens nothing: it has no distance", "--within");
    job.options.within = parse_length(*arguments.within, "--within");
  }
  constexpr double kPerPixel = 0.002;  // [us]; CullOptions::max_pixels
  if (const std::optional<double> work = parse_work(arguments.max_work))
    job.options.max_pixels = *work / kPerPixel;
  return job;
}

Culling cull(std::span<const CullBody> bodies, const CullingJob& job) {
  const auto value = [](auto result) {
    if (result) return std::move(*result);
    Error error = result.error();
    if (error.where == "max_pixels") error.where = "--max-work";
    throw failure_of(error);
  };
  if (!job.on_gl) return value(cull_by_scanline(bodies, job.options));
  // FAR runs on the processor too; an error for want of OpenGL says so.
  const auto on_gl = [&](auto result) {
    if (!result && result.error().code == ErrorCode::kUnavailable &&
        job.options.method == CullMethod::kFar) {
      Error error = result.error();
      error.message += "; --backend cpu needs no OpenGL";
      throw failure_of(error);
    }
    return value(std::move(result));
  };
  const GlContext context = on_gl(GlContext::create());
  GlCulling culling = on_gl(GlCulling::create(context));
  return value(culling.cull(bodies, job.options));
}

}  // namespace plimsoll::cli
