// What panel, keys and exercise change, and the viewer acts upon.
#pragma once

#include <plimsoll/forces.h>

#include <array>
#include <cstddef>
#include <optional>

namespace plimsoll::viewer {

/// Who answers what the water does to the bodies.
enum class Method {
  kExact,
  kImage,    ///< Columns, on the processor.
  kGlImage,  ///< The same by OpenGL, in one pass.
  kGlPeel,   ///< By OpenGL, as published.
};

struct MethodName {
  Method method;
  const char* name;
};
inline constexpr std::array<MethodName, 4> kMethods{{{Method::kExact, "exact"},
                                                     {Method::kImage, "image"},
                                                     {Method::kGlImage, "OpenGL"},
                                                     {Method::kGlPeel, "peels"}}};

/// What becomes the environment of the world.
struct WaterControls {
  double level = 0;  ///< The mean height of the surface [m].
  bool has_waves = false;
  WaveComponent wave;
  FluidForce force = Environment{}.force;
  Drag drag;
};

[[nodiscard]] inline bool operator==(const WaterControls& a, const WaterControls& b) {
  const auto values = [](const WaterControls& c) {
    return std::array<double, 9>{c.level,
                                 c.has_waves ? 1.0 : 0.0,
                                 c.wave.amplitude,
                                 c.wave.wavelength,
                                 c.wave.direction_deg,
                                 c.force == FluidForce::kWeight ? 0.0 : 1.0,
                                 c.drag.linear,
                                 c.drag.quadratic.value_or(-1),
                                 c.drag.angular};
  };
  return values(a) == values(b);
}

enum class Arrows { kNone, kSelected, kAll };

struct Controls {
  bool is_paused = false;
  double speed = 1;  ///< Seconds of the scene for each second.
  WaterControls water;
  Method method = Method::kExact;
  std::optional<std::size_t> selected;
  double density = 0;  ///< Of the selected body [kg/m^3].
  Arrows arrows = Arrows::kAll;
  double arrow_length = 1;  ///< Times the usual.
  bool shows_crossings = true;
  bool shows_panel = true;
  bool shows_peels = true;
  int peel_axis = 2;
  bool shows_culling = false;  ///< In place of water and arrows.
  int culling_pixels = 64;
  std::size_t culling_view = 0;  ///< Which is shown.

  // Asked for once; the viewer clears them.
  bool asks_step = false;
  bool asks_restart = false;
  bool asks_overview = false;
  bool asks_look_along = false;  ///< The axis of the view of culling that is shown.
};

/// The mouse, whoever moves it.
struct Pointer {
  double x = 0, y = 0;  ///< From the upper left corner, in pixels of the window.
  bool left = false, right = false;
  bool turns = false;  ///< What is held, instead of moving it: the shift key.
  double wheel = 0;    ///< Clicks since the frame before, away from the hand.
};

}  // namespace plimsoll::viewer
