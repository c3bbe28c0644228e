#include <fmt/format.h>
#include <fmt/ranges.h>
#include <plimsoll/parallel.h>
#include <plimsoll/version.h>

#include <CLI/CLI.hpp>

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
constexpr const char* kNoGl = "not available in this version";

std::string info_text() {
  return fmt::format(
      "plimsoll  {}\n"
      "compiler  {}\n"
      "SIMD      {} (of {})\n"
      "threads   {}\n"
      "GL        unavailable: {}\n",
      version(), kCompiler, simd_level(), fmt::join(simd_levels(), ", "), thread_limit(), kNoGl);
}

std::string info_json() {
  JsonWriter out;
  out.begin_object(JsonWriter::Layout::kLines);
  out.member("version", version());
  out.member("compiler", kCompiler);
  out.member("simd_level", simd_level());
  out.key("simd_levels");
  out.begin_array();
  for (const std::string& level : simd_levels()) out.value(level);
  out.end_array();
  out.member("threads", static_cast<std::uint64_t>(thread_limit()));
  out.key("gl");
  out.begin_object();
  out.null_member("vendor");
  out.null_member("renderer");
  out.null_member("version");
  out.member("unavailable", kNoGl);
  out.end_object();
  out.end_object();
  return out.text() + "\n";
}

}  // namespace

ExitCode run_info(const Arguments& arguments) {
  CLI::App app("What this build of Plimsoll is and what it found on this machine.",
               "plimsoll info");
  bool json = false;
  app.add_flag("--json", json, "One JSON object");
  if (!parse_arguments(app, arguments)) return kDone;
  print_output(json ? info_json() : info_text());
  return kDone;
}

}  // namespace plimsoll::cli
