// The engine options of the image method, wherever a command offers it.
#pragma once

#include <plimsoll/gl_image.h>
#include <plimsoll/shape.h>

#include <memory>
#include <optional>
#include <string>

#include "command_line.h"
#include "mass_report.h"
#include "picture/picture.h"

namespace plimsoll::cli {

/// As given on the command line.
struct EngineArguments {
  std::optional<std::string> resolution;
  std::optional<std::string> axis;
  std::optional<std::string> backend;
  std::optional<std::string> algorithm;

  [[nodiscard]] bool any() const { return resolution || axis || backend || algorithm; }
};

/// `columns`: the axes that columns may run along, and in brackets the one that they do.
void declare_engine(CommandLine& line, EngineArguments& arguments,
                    const char* columns = "Columns of the image run along x y z (z)");

/// The same, checked.
struct EngineOptions {
  int width = 256;
  int height = 256;
  int axis = 2;
  bool on_gl = false;
  ImageAlgorithm algorithm = ImageAlgorithm::kAdditive;
};

/// "N" or "WxH", as `option` has it, each `least` pixels or more. Throws Failure (usage).
[[nodiscard]] picture::PixelSize parse_pixel_size(const std::string& text, const char* option,
                                                  int least = 1);

/// The same of a picture that is drawn on the processor, which takes some 50 bytes for each pixel.
/// Throws Failure, also (resource limit) beyond 2^31 bytes.
[[nodiscard]] picture::PixelSize parse_picture_size(const std::string& text, const char* option);

/// Throws Failure (usage).
[[nodiscard]] EngineOptions checked_engine(const EngineArguments& arguments);

/// The engine of `method` "image", checked; nothing for "exact", which takes no engine options.
/// Throws Failure (usage).
[[nodiscard]] std::optional<EngineOptions> image_engine(const std::string& method,
                                                        const EngineArguments& arguments);

/// Says that no column met the body, of whose volume `missed` may be there [m^3].
void say_missed(const std::string& name, const ImageReport& image, double missed, Notices& notices);

/// Measures by image, on the processor or, from the first use on, with an OpenGL context of its
/// own.
class ImageMeter {
 public:
  ImageMeter(const EngineOptions& options, Notices& notices)
      : options_(options), notices_(notices) {}

  /// Fills what an image tells into `part`; `unit` and density as in `image`. Says what an
  /// image may have missed. Throws Failure.
  void measure(const Shape& shape, ImageOptions image, PartReport& part);

  /// The engine on OpenGL. Throws Failure where there is none.
  GlImageEngine& gl();

 private:
  EngineOptions options_;
  Notices& notices_;
  std::optional<GlContext> context_;
  std::optional<GlImageEngine> engine_;
};

}  // namespace plimsoll::cli
