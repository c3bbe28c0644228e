// The program's window: the scene in it moves, is seen and is taken hold of.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "camera.h"
#include "controls.h"
#include "culling_view.h"
#include "exercise.h"
#include "panel.h"
#include "peel_view.h"
#include "renderer.h"
#include "simulation.h"
#include "window.h"

namespace plimsoll::viewer {

struct ViewerOptions {
  std::optional<std::uint64_t> frames;    ///< Ends after so many, each 1/60 s of the scene.
  std::optional<std::string> screenshot;  ///< Of the last of them.
  bool exercises = false;                 ///< Drives every control meanwhile.
  std::optional<std::size_t> culling;     ///< Begins with that view of culling, counted from 0.
};

/// What happened.
struct ViewerReport {
  std::uint64_t frames = 0;
  double frame_seconds = 0;           ///< Of all frames together.
  StepTimes steps;                    ///< The same.
  double time = 0;                    ///< Of the scene, at the end [s].
  std::vector<std::string> failures;  ///< Of the exercise.
};

class Viewer {
 public:
  /// Throws cli::Failure where there is no display.
  Viewer(Simulation simulation, const ViewerOptions& options);

  /// Until the window is closed, or the frames are over. Throws cli::Failure.
  [[nodiscard]] ViewerReport run();

 private:
  /// What the left button took hold of: a point of a body, on the plane in which it is pulled.
  struct Hold {
    Pull pull;
    Vec3 through = Vec3::Zero();
  };

  void frame(double seconds);
  void take_keys();
  [[nodiscard]] Pointer real_pointer() const;
  void take_pointer();
  void press();
  void act_on_controls();
  void show_all();
  void look_along();
  void act_on_density();
  bool tell(const Result<void>& done);
  void advance(double seconds);
  void peel();
  void cull();
  void draw();
  [[nodiscard]] std::vector<Pose> poses() const;
  [[nodiscard]] std::vector<Arrow> arrows() const;
  [[nodiscard]] Stage stage();

  ViewerOptions options_;
  Simulation simulation_;
  std::vector<BodyModel> models_;
  Window window_;  // before what is made of its OpenGL
  Renderer renderer_;
  PeelView peels_;
  CullingView culling_;
  /// Of the view of culling that is shown, as the renderer takes them.
  CullingView::Boxes boxes_;
  int boxes_version_ = 0;
  std::pair<int, std::size_t> boxes_of_{0, 0};  // version of culling_, and view
  bool showed_culling_ = false;

  double body_size_ = 1;
  double heaviest_ = 1;  // of the beginning: arrows keep their measure [N]
  Controls controls_;
  WaterControls water_;  // of the world
  Method method_ = Method::kExact;
  std::optional<std::size_t> shown_;  // whose density the controls have
  double density_ = 0;                // of that body
  Camera camera_;
  Pointer pointer_, before_;
  std::optional<Hold> hold_;
  bool orbits_ = false, pans_ = false;
  std::string message_;
  Exercise exercise_;
  ViewerReport report_;
  double frame_mean_ = 0, step_mean_ = 0, share_mean_ = 0, pace_mean_ = 1;
};

}  // namespace plimsoll::viewer
