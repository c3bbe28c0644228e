// A simulation as a series of pictures.
#pragma once

#include <plimsoll/scene.h>
#include <plimsoll/world.h>

#include <string>
#include <vector>

#include "picture/crossings.h"
#include "picture/scene_picture.h"

namespace plimsoll::cli {

class SceneRecorder {
 public:
  /// Makes the folder where it is not there. The view stays: of where the bodies are now, with some
  /// room around. Throws Failure.
  SceneRecorder(const std::string& folder, const Scene& scene, const World& world,
                picture::PixelSize size);

  /// Writes folder/frame_00000.png and so on, with the time and a bar that shows a length; where
  /// bodies touch, with what they push each other and where their surfaces cross.
  void add(const World& world);
  [[nodiscard]] std::size_t frames() const { return frames_; }

 private:
  void draw_contacts(const World& world, picture::Picture& picture);

  std::string folder_;
  picture::PixelSize size_;
  picture::ParallelView view_;
  std::vector<picture::ColoredBody> bodies_;
  std::vector<Similarity> body_from_mesh_;
  picture::Crossings crossings_;
  double heaviest_ = 1;  // weight [N]
  std::size_t frames_ = 0;
};

}  // namespace plimsoll::cli
