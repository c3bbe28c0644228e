// Drives every control through its range, and looks whether it does what it says: for tests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "body_models.h"
#include "camera.h"
#include "controls.h"
#include "crossing_view.h"
#include "culling_view.h"
#include "hand.h"
#include "renderer.h"
#include "simulation.h"
#include "window.h"

namespace plimsoll::viewer {

/// What hands reach, and what eyes see.
struct Stage {
  Controls& controls;
  Camera& camera;
  Pointer& pointer;
  Window& window;
  const Simulation& simulation;
  const SceneNow& now;
  const std::vector<BodyModel>& models;
  const CullingView& culling;
  const CrossingView& crossings;
  std::span<const Arrow> arrows;
  const HandNow* hand;  ///< With haptics.
  const std::string& message;
  double body_size;
};

class Exercise {
 public:
  explicit Exercise(bool haptics = false);

  /// Before the frame of that number is made. The acts share `frames` evenly.
  void drive(Stage stage, std::uint64_t frame, std::uint64_t frames);
  void finish(Stage stage);
  [[nodiscard]] const std::vector<std::string>& failures() const { return failures_; }
  [[nodiscard]] std::size_t act_count() const { return acts_.size(); }

 private:
  struct Act {
    const char* name;
    /// `share` grows from 0 to 1 over the frames of the act.
    std::function<void(Stage&, double share)> drive;
    std::function<bool(const Stage&)> holds;  // after its last frame
  };

  void add_running();
  void add_water();
  void add_refusals();
  void add_bodies();
  void add_arrows();
  void add_culling();
  void add_mouse();
  void add_window();
  void add_hand();
  void add_drag(const char* name, std::function<void(Stage&, double share)> drag,
                std::function<bool(const Stage&)> holds);

  std::vector<Act> acts_;
  std::size_t current_ = 0;
  std::vector<std::string> failures_;

  // What acts remember from their first frame on.
  double time_ = 0;
  bool is_refused_ = false, is_bare_ = false;
  Camera camera_;
  std::size_t body_ = 0;
  Vec3 center_ = Vec3::Zero();
  Pose pose_ = Pose::Identity();
  Pointer start_;
};

}  // namespace plimsoll::viewer
