// The trajectory of a simulation as CSV: a row for each body and output step.
#pragma once

#include <plimsoll/scene.h>
#include <plimsoll/world.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "file_writer.h"

namespace plimsoll::cli {

class Trajectory {
 public:
  /// `path` may be "-", standard output. Throws Failure where it cannot be written.
  Trajectory(const std::string& path, const Scene& scene);

  /// A row for each body, in the order of the scene, under `time` [s]. Precondition: the bodies of
  /// the scene. False where standard output
  /// has no reader any more.
  bool add(const World& world, double time);
  /// The file is complete.
  void finish() {
    if (file_) file_->finish();
  }

 private:
  bool write(std::string_view text);

  std::optional<FileStream> file_;  // absent: standard output
  std::vector<std::string> names_;
  std::vector<Eigen::Quaterniond> turns_;  // as last written: -q is the same turn as q
};

}  // namespace plimsoll::cli
