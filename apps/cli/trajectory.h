// The trajectory of a simulation as CSV: a row for each body and output step.
#pragma once

#include <plimsoll/scene.h>

#include <string>
#include <vector>

#include "file_writer.h"

namespace plimsoll::cli {

class Trajectory {
 public:
  /// Throws Failure where the file cannot be written.
  Trajectory(const std::string& path, const Scene& scene);

  /// A row for each body, in the order of the scene, under `time` [s].
  void add(const World& world, double time);
  /// The file is complete.
  void finish() { file_.finish(); }

 private:
  FileStream file_;
  std::vector<std::string> names_;
  std::vector<Eigen::Quaterniond> turns_;  // as last written: -q is the same turn as q
};

}  // namespace plimsoll::cli
