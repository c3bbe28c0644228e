// `plimsoll render --what waterline`.
#pragma once

#include <optional>
#include <string>

#include "floating_input.h"
#include "picture/picture.h"

namespace plimsoll::cli {

struct WaterlineArguments {
  FloatingArguments floating;
  std::optional<std::string> plane;  ///< The water, or
                                     ///< the body floats by its mass or density.
};

struct WaterlinePicture {
  picture::Picture picture;
  Status status = Status::kOk;       ///< Of the mesh.
  std::shared_ptr<Notices> notices;  ///< What was said about it.
};

/// Throws Failure.
[[nodiscard]] WaterlinePicture render_waterline(const WaterlineArguments& arguments,
                                                picture::PixelSize size);

}  // namespace plimsoll::cli
