#include "picture_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string>

#include "failure.h"
#include "file_writer.h"
#include "output.h"
#include "picture/lettering.h"

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

void check_ending(const std::optional<std::string>& path, const char* option, const char* ending,
                  const char* are) {
  if (!path) return;
  if (*path == "-")
    throw usage_failure("pictures and plots are written to files, not to standard output", option);
  std::string found = std::filesystem::path(*path).extension().string();
  std::transform(found.begin(), found.end(), found.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (!found.empty() && found != ending)
    throw usage_failure(
        fmt::format("found \"{}\", expected a name that ends in {}: {}", *path, ending, are),
        option);
}

}  // namespace

void check_png_name(const std::optional<std::string>& path, const char* option) {
  check_ending(path, option, ".png", "pictures are PNG");
}

void check_svg_name(const std::optional<std::string>& path, const char* option) {
  check_ending(path, option, ".svg", "plots are SVG");
}

}  // namespace plimsoll::cli
