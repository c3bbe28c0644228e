// The panel at the left: what can be changed, and what is known.
#pragma once

#include <string>

#include "controls.h"
#include "crossing_view.h"
#include "culling_view.h"
#include "hand.h"
#include "peel_view.h"
#include "simulation.h"

namespace plimsoll::viewer {

/// What the panel shows and does not change.
struct PanelFacts {
  const Simulation& simulation;
  const SceneNow& now;
  const PeelView& peels;
  const CullingView& culling;
  const CrossingView& crossings;
  const HandNow* hand;        ///< With haptics.
  std::string message;        ///< What was refused last; else empty.
  double frame_seconds = 0;   ///< Means over some frames.
  double step_seconds = 0;    ///< Of one step.
  double buoyancy_share = 0;  ///< Of the steps.
  double pace = 1;            ///< Seconds of the scene in a second.
  double body_size = 1;       ///< Of a body of the scene; ranges are multiples of it [m].
};

/// Takes so much of the window's width [pixels].
[[nodiscard]] double panel_width();

void draw_panel(Controls& controls, const PanelFacts& facts);

}  // namespace plimsoll::viewer
