#include <fmt/format.h>
#include <fmt/ranges.h>
#include <plimsoll/gl.h>
#include <plimsoll/parallel.h>
#include <plimsoll/version.h>

#include "commands.h"
#include "json_writer.h"
#include "output.h"

namespace plimsoll::cli {
namespace {

#if defined(__clang__)
constexpr const char* kCompiler = __VERSION__;
#else
constexpr const char* kCompiler = "GCC " __VERSION__;
#endif

std::string gl_text() {
  const Result<GlContext> context = GlContext::create();
  if (!context) return "unavailable: " + context.error().message;
  const GlInfo& info = context->info();
  return fmt::format("{}\n          {}, by the {}", info.renderer, info.version,
                     info.is_hardware ? "graphics hardware" : "processor");
}

std::string info_text() {
  return fmt::format(
      "plimsoll  {}\n"
      "compiler  {}\n"
      "SIMD      {} (of {})\n"
      "threads   {}\n"
      "GL        {}\n",
      version(), kCompiler, simd_level(), fmt::join(simd_levels(), ", "), thread_limit(),
      gl_text());
}

std::string info_json() {
  JsonWriter out;
  out.begin_object(JsonWriter::Layout::kLines);
  out.member("version", version());
  out.member("compiler", kCompiler);
  out.member("simd_level", simd_level());
  out.array_member("simd_levels", simd_levels());
  out.member("threads", static_cast<std::uint64_t>(thread_limit()));
  out.key("gl");
  out.begin_object();
  if (const Result<GlContext> context = GlContext::create(); context) {
    out.member("vendor", context->info().vendor);
    out.member("renderer", context->info().renderer);
    out.member("version", context->info().version);
    out.null_member("unavailable");
  } else {
    out.null_member("vendor");
    out.null_member("renderer");
    out.null_member("version");
    out.member("unavailable", context.error().message);
  }
  out.end_object();
  out.end_object();
  return out.text() + "\n";
}

}  // namespace

ExitCode run_info(const Arguments& arguments) {
  CommandLine line("plimsoll info",
                   "What this build of Plimsoll is and what it found on this machine.");
  bool json = false;
  line.flag("--json", json, "One JSON object");
  if (!line.parse(arguments)) return kDone;
  print_output(json ? info_json() : info_text());
  return kDone;
}

}  // namespace plimsoll::cli
