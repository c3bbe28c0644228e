// The program's window: the scene in it moves, is seen and is taken hold of.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "camera.h"
#include "controls.h"
#include "crossing_view.h"
#include "culling_view.h"
#include "exercise.h"
#include "hand.h"
#include "panel.h"
#include "peel_view.h"
#include "renderer.h"
#include "simulation.h"
#include "window.h"

namespace plimsoll::viewer {

struct ViewerOptions {
  std::optional<std::uint64_t> frames;    ///< Ends after so many, each 1/60 s of the scene.
  std::optional<std::string> screenshot;  ///< Of the last of them.
  std::optional<std::size_t> selected;    ///< Begins with that body of the scene selected.
  bool exercises = false;                 ///< Drives every control meanwhile.
  std::optional<std::size_t> culling;     ///< Begins with that view of culling, counted from 0.
  bool haptics = false;                   ///< The mouse leads the scene's first body as a tool.
};

/// What happened.
struct ViewerReport {
  std::uint64_t frames = 0;
  double frame_seconds = 0;           ///< Of all frames together.
  StepTimes steps;                    ///< The same.
  double time = 0;                    ///< Of the scene, at the end [s].
  std::vector<std::string> failures;  ///< Of the exercise.
  std::optional<HapticTimes> hand;    ///< With haptics.
  std::optional<Error> problem;       ///< Why the hand's loop ended by itself.
};

class Viewer {
 public:
  /// Throws cli::Failure where there is no display.
  Viewer(Simulation simulation, const ViewerOptions& options);

  /// Until the window is closed, or the frames are over. Throws cli::Failure.
  [[nodiscard]] ViewerReport run();

 private:
  /// What the left button took hold of: a point of a body, on the plane in which it is pulled. With
  /// haptics it is the tool, and the device goes from where it was.
  struct Hold {
    Pull pull;
    Vec3 through = Vec3::Zero();
    Vec3 from = Vec3::Zero();  // the target where the device is in `device`
    Pose device = Pose::Identity();
  };

  void frame(double seconds);
  void take_keys();
  [[nodiscard]] Pointer real_pointer() const;
  void take_pointer();
  void press();
  void pull();
  void lead(double x, double y);
  void take_hand();
  void act_on_controls();
  void act_on_world();
  void show_all();
  void look_along();
  void act_on_density();
  bool tell(const Result<void>& done);
  void look();
  void advance(double seconds);
  void peel();
  void cull();
  void draw();
  [[nodiscard]] std::vector<Touching> touching() const;
  [[nodiscard]] std::vector<Arrow> arrows_now() const;
  [[nodiscard]] std::vector<Arrow> arrows_of_hand(double meters) const;
  [[nodiscard]] Stage stage();

  ViewerOptions options_;
  Simulation simulation_;
  SceneNow now_;  // as it was drawn last
  std::vector<BodyModel> models_;
  Window window_;  // before what is made of its OpenGL
  Renderer renderer_;
  PeelView peels_;
  CullingView culling_;
  CrossingView crossings_;
  /// Of the view of culling that is shown, as the renderer takes them.
  CullingView::Boxes boxes_;
  int boxes_version_ = 0;
  std::pair<int, std::size_t> boxes_of_{0, 0};  // version of culling_, and view
  bool showed_culling_ = false;

  double body_size_ = 1;
  double heaviest_ = 1;  // of the beginning: arrows keep their measure [N]
  std::unique_ptr<Hand> hand_;
  HandNow hand_now_;
  Controls controls_;
  WaterControls water_;  // of the world
  Method method_ = Method::kExact;
  std::optional<std::size_t> shown_;  // whose density the controls have
  double density_ = 0;                // of that body
  Camera camera_;
  Pointer pointer_, before_;
  std::optional<Hold> hold_;
  bool orbits_ = false, pans_ = false;
  std::vector<Arrow> arrows_;  // of the last frame
  std::string message_;
  Exercise exercise_;
  ViewerReport report_;
  double frame_mean_ = 0, step_mean_ = 0, share_mean_ = 0, pace_mean_ = 1;
};

}  // namespace plimsoll::viewer
