#include "picture_file.h"

#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <system_error>

#include "failure.h"
#include "file_writer.h"
#include "output.h"
#include "picture/lettering.h"
#include "text.h"

namespace plimsoll::cli {

void write_png(const picture::Picture& picture, const std::string& path) {
  write_file(picture::png_file(picture), path);
}

void write_picture(const picture::Picture& picture, const std::string& path) {
  check_font();
  write_png(picture, path);
}

void check_font() {
  if (const std::optional<std::string> problem = picture::font_problem())
    print_message("plimsoll: pictures: " + *problem);
}

namespace {

// A device, which takes anything, or a folder, of which writing says that it is one.
bool is_no_file(const std::string& path) {
  std::error_code failure;
  const std::filesystem::file_status status = std::filesystem::status(path, failure);
  return std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
}

void check_ending(const std::optional<std::string>& path, const char* option, const char* ending,
                  const char* are) {
  if (!path) return;
  if (*path == "-") {
    check_stdout(path, option, is_json_expected());
    give_stdout_to_data();
  } else if (extension_of(*path) != ending && !is_no_file(*path)) {
    throw usage_failure(fmt::format("found \"{}\", expected a name that ends in {}: {}",
                                    printable(*path), ending, are),
                        option);
  }
}

}  // namespace

void check_png_name(const std::optional<std::string>& path, const char* option) {
  check_ending(path, option, ".png", "pictures are PNG");
}

void check_svg_name(const std::optional<std::string>& path, const char* option) {
  check_ending(path, option, ".svg", "plots are SVG");
}

}  // namespace plimsoll::cli
