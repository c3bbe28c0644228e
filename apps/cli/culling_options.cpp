#include "culling_options.h"

#include <fmt/format.h>
#include <plimsoll/gl_culling.h>

#include <cmath>

#include "failure.h"
#include "input.h"
#include "text.h"

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
    const std::string& given = *arguments.resolution;
    const std::size_t x = given.find('x');
    const std::optional<double> width = parse_number(given.substr(0, x));
    const std::optional<double> height =
        x == given.npos ? width : parse_number(given.substr(x + 1));
    constexpr int kFewest = CullOptions::kMinResolution, kMost = CullOptions::kMaxResolution;
    if (!width || width != height || !(*width >= kFewest && *width <= kMost) ||
        *width != std::floor(*width))
      throw usage_failure(
          fmt::format("found \"{}\", expected one whole number from {} to {}: views are square",
                      printable(given), kFewest, kMost),
          "--resolution");
    job.options.resolution = static_cast<int>(*width);
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
    job.options.within = parse_positive(*arguments.within, "--within");
  }
  return job;
}

Culling cull(std::span<const CullBody> bodies, const CullingJob& job) {
  const auto value = [](auto result) {
    if (!result) throw failure_of(result.error());
    return std::move(*result);
  };
  if (!job.on_gl) return value(cull_by_scanline(bodies, job.options));
  // Whoever has no OpenGL can do without it.
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
