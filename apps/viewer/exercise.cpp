#include "exercise.h"

#include <plimsoll/rotation.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace plimsoll::viewer {
namespace {

double between(double a, double b, double share) { return a + share * (b - a); }

bool can_be_held(const Stage& stage, std::size_t body) {
  return stage.hand != nullptr ? body == 0 : !stage.simulation.scene().bodies[body].is_kinematic;
}

/// A place in the window where the first body that is met is a body that can be held, or where none
/// is.
std::optional<Pointer> place_where(const Stage& stage, bool is_body) {
  const auto [width, height] = stage.window.size();
  const std::vector<Pose> poses = poses_of(stage.now);
  constexpr int kParts = 60;
  for (int k = 0; k < kParts * kParts; ++k) {
    // In rows from the middle up.
    const int row = k / kParts, column = k % kParts;
    const double x = width * (0.35 + 0.6 * column / kParts);
    const double y = height * (0.5 + 0.45 * (is_body ? -1 : 1) * row / kParts);
    const auto picked = pick(stage.camera.ray(x, y, width, height), stage.models, poses);
    const bool fits = is_body ? picked && can_be_held(stage, picked->body) : !picked;
    if (fits) return Pointer{x, y, false, false, 0};
  }
  return std::nullopt;
}

/// Whether there is an arrow at `from`, of that length and direction.
bool has_arrow(const Stage& stage, const Vec3& from, const Vec3& along) {
  return std::ranges::any_of(stage.arrows, [&](const Arrow& arrow) {
    return (arrow.from - from).norm() < 1e-9 * stage.body_size &&
           (arrow.along - along).norm() < 1e-9 * along.norm();
  });
}

/// What an arrow of a newton is long, by the arrow of a body's weight [m/N].
std::optional<double> measure_of(const Stage& stage) {
  const World& world = stage.simulation.world();
  for (std::size_t i = 0; i < stage.now.bodies.size(); ++i) {
    if (world.is_kinematic(stage.simulation.id(i))) continue;
    const double weight = stage.simulation.mass(i).mass * world.environment().gravity;
    for (const Arrow& arrow : stage.arrows)
      if (arrow.from == stage.now.bodies[i].center_of_mass && arrow.along.z() < 0)
        return -arrow.along.z() / weight;
  }
  return std::nullopt;
}

}  // namespace

Exercise::Exercise(bool haptics) {
  if (haptics) {
    add_hand();
    add_window();
    return;
  }
  add_running();
  add_water();
  add_refusals();
  add_bodies();
  add_arrows();
  add_culling();
  add_mouse();
  add_window();
}

void Exercise::drive(Stage stage, std::uint64_t frame, std::uint64_t frames) {
  const std::uint64_t each = std::max<std::uint64_t>(1, frames / acts_.size());
  const std::size_t act = std::min(static_cast<std::size_t>(frame / each), acts_.size() - 1);
  if (act != current_) {
    finish(stage);
    current_ = act;
  }
  const std::uint64_t last = act + 1 == acts_.size() ? frames - act * each : each;
  const double share =
      last > 1 ? static_cast<double>(frame - act * each) / static_cast<double>(last - 1) : 1;
  acts_[act].drive(stage, share);
}

void Exercise::finish(Stage stage) {
  if (!acts_[current_].holds(stage)) failures_.emplace_back(acts_[current_].name);
}

void Exercise::add_running() {
  const auto remember = [this](Stage& stage, double share) {
    if (share == 0) time_ = stage.now.time;
  };
  const auto went_on = [this](const Stage& stage) { return stage.now.time > time_; };
  acts_.push_back({"run", remember, went_on});
  acts_.push_back({"pause",
                   [remember](Stage& stage, double share) {
                     remember(stage, share);
                     stage.controls.is_paused = true;
                   },
                   [this](const Stage& stage) { return stage.now.time == time_; }});
  acts_.push_back({"step",
                   [remember](Stage& stage, double share) {
                     remember(stage, share);
                     stage.controls.asks_step = share == 0;
                   },
                   [this](const Stage& stage) {
                     const double passed = stage.now.time - time_;
                     return std::fabs(passed - Simulation::kStep) < 1e-9;
                   }});
  acts_.push_back({"speed",
                   [remember](Stage& stage, double share) {
                     remember(stage, share);
                     stage.controls.is_paused = false;
                     stage.controls.speed = between(0.05, 4, share);
                   },
                   went_on});
}

void Exercise::add_water() {
  acts_.push_back({"level",
                   [](Stage& stage, double share) {
                     stage.controls.speed = 1;
                     const double reach = 4 * stage.body_size;
                     stage.controls.water.level =
                         stage.simulation.water().level + between(-reach, reach, share);
                     if (share == 1)
                       stage.controls.water.level =
                           stage.simulation.water().level + 0.25 * stage.body_size;
                   },
                   [](const Stage& stage) {
                     return stage.now.surface.mean_height() == stage.controls.water.level;
                   }});
  acts_.push_back({"waves",
                   [](Stage& stage, double share) {
                     WaveComponent& wave = stage.controls.water.wave;
                     stage.controls.water.has_waves = true;
                     wave.wavelength = stage.body_size * between(0.5, 8, share);
                     wave.amplitude = wave.wavelength / 14 * share;
                     wave.direction_deg = between(-180, 180, share);
                   },
                   [](const Stage& stage) {
                     const SurfaceNow surface = stage.now.surface;
                     return surface.highest() - surface.mean_height() > 0.3 * stage.body_size;
                   }});
  acts_.push_back({"force and drag",
                   [](Stage& stage, double share) {
                     WaterControls& water = stage.controls.water;
                     water.force = FluidForce::kPressure;
                     water.drag = {
                         .linear = 5 * share, .quadratic = 5 * share, .angular = 5 * share};
                   },
                   [](const Stage& stage) {
                     const Environment& around = stage.simulation.world().environment();
                     return around.force == FluidForce::kPressure && around.drag.linear == 5;
                   }});
  acts_.push_back({"method",
                   [this](Stage& stage, double share) {
                     is_refused_ = (is_refused_ && share > 0) || !stage.message.empty();
                     constexpr auto kCount = static_cast<double>(kMethods.size());
                     const auto index = static_cast<std::size_t>(std::lround(share * kCount));
                     stage.controls.method = kMethods[index % kMethods.size()].method;
                   },
                   [this](const Stage& stage) {
                     return !is_refused_ && stage.simulation.method() == kMethods.front().method;
                   }});
}

void Exercise::add_refusals() {
  acts_.push_back(
      {"refused water",
       [](Stage& stage, double share) {
         if (share == 0)
           stage.controls.water.wave.amplitude = std::numeric_limits<double>::quiet_NaN();
       },
       [](const Stage& stage) {
         return !stage.message.empty() && std::isfinite(stage.controls.water.wave.amplitude);
       }});
  acts_.push_back({"refused density",
                   [](Stage& stage, double share) {
                     stage.controls.water.has_waves = false;
                     if (share == 0) stage.controls.selected = 0;
                     if (share == 1) stage.controls.density = -1;
                   },
                   [](const Stage& stage) {
                     return !stage.message.empty() && stage.controls.density > 0 &&
                            stage.now.surface.is_plane();
                   }});
}

void Exercise::add_bodies() {
  acts_.push_back(
      {"each body",
       [](Stage& stage, double share) {
         const std::size_t last = stage.models.size() - 1;
         const double index = share * static_cast<double>(last);
         stage.controls.selected = static_cast<std::size_t>(std::lround(index));
         stage.controls.peel_axis = static_cast<int>(std::lround(index)) % 3;
         stage.controls.arrows = static_cast<Arrows>(std::lround(index) % 3);
       },
       [](const Stage& stage) { return stage.controls.selected == stage.models.size() - 1; }});
  acts_.push_back({"density",
                   [](Stage& stage, double share) {
                     stage.controls.arrows = Arrows::kAll;
                     stage.controls.arrow_length = between(0.1, 3, share);
                     stage.controls.density = between(10, 3000, share);
                   },
                   [](const Stage& stage) {
                     const std::size_t last = stage.models.size() - 1;
                     return std::fabs(stage.simulation.mass(last).density - 3000) < 1e-6;
                   }});
  acts_.push_back({"restart",
                   [this](Stage& stage, double share) {
                     stage.controls.arrow_length = 1;
                     if (share == 0) time_ = stage.now.time;
                     stage.controls.asks_restart = share == 0;
                   },
                   [this](const Stage& stage) { return stage.now.time < time_; }});
}

void Exercise::add_arrows() {
  acts_.push_back({"arrows of weight",
                   [](Stage& stage, double) {
                     stage.controls.arrows = Arrows::kAll;
                     stage.controls.arrow_length = 2;
                   },
                   [](const Stage& stage) {
                     const std::optional<double> measure = measure_of(stage);
                     if (!measure) return false;
                     const World& world = stage.simulation.world();
                     for (std::size_t i = 0; i < stage.now.bodies.size(); ++i) {
                       const double weight =
                           stage.simulation.mass(i).mass * world.environment().gravity;
                       if (has_arrow(stage, stage.now.bodies[i].center_of_mass,
                                     Vec3(0, 0, -*measure * weight)) ==
                           world.is_kinematic(stage.simulation.id(i)))
                         return false;
                     }
                     return true;
                   }});
  acts_.push_back({"no arrows",
                   [this](Stage& stage, double share) {
                     stage.controls.arrows = share < 1 ? Arrows::kNone : Arrows::kAll;
                     stage.controls.arrow_length = 1;
                     if (share < 1) is_bare_ = stage.arrows.empty();
                   },
                   [this](const Stage& stage) { return is_bare_ && !stage.arrows.empty(); }});
}

void Exercise::add_culling() {
  acts_.push_back({"views of culling",
                   [](Stage& stage, double share) {
                     stage.controls.shows_culling = true;
                     stage.controls.culling_pixels = 32;
                     const std::size_t count = stage.culling.views().size();
                     if (count == 0) return;
                     const double index = share * static_cast<double>(count - 1);
                     stage.controls.culling_view = static_cast<std::size_t>(std::lround(index));
                     stage.controls.asks_look_along = true;
                   },
                   [](const Stage& stage) {
                     const std::size_t count = stage.culling.views().size();
                     return count > 0 && stage.controls.is_paused &&
                            stage.controls.culling_view == count - 1 &&
                            stage.culling.count_after(count - 1) < stage.culling.count_before(0);
                   }});
  acts_.push_back({"no views of culling",
                   [](Stage& stage, double) {
                     stage.controls.shows_culling = false;
                     stage.controls.is_paused = false;
                     stage.controls.asks_overview = true;
                   },
                   [](const Stage& stage) { return !stage.controls.is_paused; }});
}

void Exercise::add_mouse() {
  acts_.push_back({"drag a body",
                   [this](Stage& stage, double share) {
                     if (share == 0) {
                       start_ = place_where(stage, true).value_or(Pointer{});
                       stage.pointer = start_;
                       stage.pointer.left = true;
                       stage.controls.selected.reset();
                       return;
                     }
                     if (start_.left || !stage.controls.selected) return;
                     if (!stage.pointer.left) return;
                     if (stage.pointer.x == start_.x) {
                       body_ = *stage.controls.selected;
                       center_ = stage.now.bodies[body_].center_of_mass;
                     }
                     stage.pointer.x = start_.x + 200;
                     stage.pointer.left = share < 1;
                   },
                   [this](const Stage& stage) {
                     const Vec3 now = stage.now.bodies[body_].center_of_mass;
                     return stage.controls.selected == body_ &&
                            (now - center_).dot(stage.camera.right()) > 0.1 * stage.body_size;
                   }});
  acts_.push_back({"orbit",
                   [this](Stage& stage, double share) {
                     if (share == 0) {
                       camera_ = stage.camera;
                       start_ = place_where(stage, false).value_or(Pointer{});
                     }
                     stage.pointer = start_;
                     stage.pointer.x += 500 * share;
                     stage.pointer.y += 800 * share;
                     stage.pointer.left = share < 1;
                   },
                   [this](const Stage& stage) {
                     return std::fabs(stage.camera.heading - camera_.heading) > 0.5 &&
                            stage.camera.fall > camera_.fall;
                   }});
  acts_.push_back({"pan and zoom",
                   [this](Stage& stage, double share) {
                     if (share == 0) camera_ = stage.camera;
                     stage.pointer = {.x = 300 * share,
                                      .y = 200 * share,
                                      .left = false,
                                      .right = share < 1,
                                      .wheel = share < 0.7 ? 3.0 : -3.0};
                   },
                   [this](const Stage& stage) {
                     return (stage.camera.target - camera_.target).norm() > 0 &&
                            stage.camera.distance != camera_.distance;
                   }});
  acts_.push_back({"overview",
                   [](Stage& stage, double share) {
                     stage.pointer = {};
                     stage.controls.asks_overview = share == 1;
                   },
                   [this](const Stage& stage) {
                     return std::fabs(stage.camera.distance -
                                      Camera::kOverview * stage.camera.size) < 1e-9;
                   }});
}

/// Takes the tool, drags as `drag` says, and lets go before the last frame.
void Exercise::add_drag(const char* name, std::function<void(Stage&, double share)> drag,
                        std::function<bool(const Stage&)> holds) {
  acts_.push_back({name,
                   [this, drag = std::move(drag)](Stage& stage, double share) {
                     if (share == 0) {
                       start_ = place_where(stage, true).value_or(Pointer{});
                       pose_ = stage.now.bodies.front().pose;
                     }
                     stage.pointer = start_;
                     stage.pointer.left = share < 1;
                     if (share > 0) drag(stage, share);
                   },
                   std::move(holds)});
}

void Exercise::add_hand() {
  acts_.push_back(
      {"the loop ticks",
       [this](Stage& stage, double share) {
         if (share == 0) time_ = stage.now.time;
       },
       [this](const Stage& stage) { return stage.now.time > time_ && stage.hand->ticks > 0; }});
  const auto way = [this](const Stage& stage) {
    return Vec3(stage.now.bodies.front().pose.translation() - pose_.translation());
  };
  // A part of the way is enough: something may hold the tool up a little.
  add_drag(
      "lead the tool",
      [this](Stage& stage, double share) {
        stage.pointer.y = start_.y - 100 * std::min(1.0, 2 * share);
      },
      [way](const Stage& stage) {
        return way(stage).dot(stage.camera.up()) > 0.1 * stage.body_size;
      });
  add_drag(
      "push the tool away",
      [](Stage& stage, double share) { stage.pointer.wheel = share < 0.5 ? 2 : 0; },
      [way](const Stage& stage) {
        return way(stage).dot(stage.camera.forward()) > 0.1 * stage.body_size;
      });
  add_drag(
      "pull the tool back",
      [](Stage& stage, double share) { stage.pointer.wheel = share < 0.5 ? -2 : 0; },
      [way](const Stage& stage) {
        return way(stage).dot(stage.camera.forward()) < -0.1 * stage.body_size;
      });
  add_drag(
      "turn the tool",
      [this](Stage& stage, double share) {
        stage.pointer.turns = true;
        stage.pointer.x = start_.x + 100 * std::min(1.0, 2 * share);
      },
      [this, way](const Stage& stage) {
        const Mat3 turn = stage.now.bodies.front().pose.linear() * pose_.linear().transpose();
        return std::fabs(rotation_vector(turn).norm() - 1) < 0.1 &&
               way(stage).norm() < 0.1 * stage.body_size;
      });
  acts_.push_back({"restart",
                   [this](Stage& stage, double share) {
                     if (share == 0) time_ = stage.now.time;
                     stage.controls.asks_restart = share == 0;
                   },
                   [this](const Stage& stage) { return stage.now.time < time_; }});
  // For a scene with a body below the tool.
  acts_.push_back({"press on another body",
                   [this](Stage& stage, double share) {
                     if (share == 0) start_ = place_where(stage, true).value_or(Pointer{});
                     stage.pointer = start_;
                     stage.pointer.left = true;
                     const double down = 300 * std::min(1.0, 2 * share);
                     stage.pointer.y = start_.y + down;
                   },
                   [this](const Stage& stage) {
                     const std::optional<double> measure = measure_of(stage);
                     if (stage.now.contacts.empty() || !measure) return false;
                     const BodyContact& contact = stage.now.contacts.front();
                     const double sign = contact.a == stage.simulation.id(0) ? 1 : -1;
                     return has_arrow(stage, contact.center, *measure * sign * contact.force) &&
                            stage.hand->contact.force.norm() > 0 &&
                            stage.hand->felt.force.norm() > 0 && stage.hand->volume > 0 &&
                            stage.crossings.length() > 0;
                   }});
}

void Exercise::add_window() {
  acts_.push_back({"panel",
                   [](Stage& stage, double share) { stage.controls.shows_panel = share > 0.5; },
                   [](const Stage& stage) { return stage.controls.shows_panel; }});
  const auto resize = [](Stage& stage, double share) {
    static constexpr std::array<picture::PixelSize, 6> kSizes{
        {{1, 1}, {1900, 1100}, {7, 900}, {900, 7}, {320, 200}, {1280, 800}}};
    const double index = share * static_cast<double>(kSizes.size() - 1);
    const picture::PixelSize wanted = kSizes[static_cast<std::size_t>(index)];
    const picture::PixelSize now = stage.window.size();
    if (now.width != wanted.width || now.height != wanted.height) stage.window.resize(wanted);
  };
  const auto is_back = [](const Stage& stage) {
    return stage.window.size().width == 1280 && stage.window.size().height == 800;
  };
  acts_.push_back({"resize", resize, [](const Stage&) { return true; }});
  acts_.push_back({"the end", [](Stage&, double) {}, is_back});
}

}  // namespace plimsoll::viewer
