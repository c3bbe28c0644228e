#include "viewer.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <thread>

#include "cli/failure.h"
#include "cli/picture_file.h"
#include "cli/text.h"
#include "picture/force_measure.h"

namespace plimsoll::viewer {
namespace {

constexpr picture::PixelSize kSize{1280, 800};
constexpr double kFrame = 1.0 / 60;   // where the clock does not say [s]
constexpr double kMostSeconds = 0.1;  // of steps in a frame, so that the window answers
constexpr picture::Color kGravity{40, 90, 220}, kBuoyancy{250, 205, 40}, kSpring{70, 70, 70},
    kContact{190, 40, 170}, kLeft{205, 50, 40}, kCulled{150, 165, 185}, kFelt{20, 140, 70},
    kCrossing{215, 35, 25};

double size_of(const std::vector<BodyModel>& models) {
  std::vector<double> sizes;
  for (const BodyModel& model : models)
    sizes.push_back((model.body_from_mesh.linear() * model.box.sizes()).norm());
  if (sizes.empty()) return 1;
  const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
  std::nth_element(sizes.begin(), middle, sizes.end());
  return *middle > 0 ? *middle : 1;
}

/// With room for what bodies do when they are let go.
Camera camera_for(const std::vector<BodyModel>& models, const SceneNow& now, double body_size) {
  Box3 box = bounding_box(models, poses_of(now));
  if (box.isEmpty()) box.extend(Vec3::Zero());
  const Vec3 room = 0.5 * body_size * Vec3::Ones();
  return overview(Box3(box.min() - room, box.max() + room));
}

std::string in_words(const Error& error) {
  return cli::printable(error.where.empty() ? error.message : error.where + ": " + error.message);
}

Arrows after(Arrows arrows) {
  return arrows == Arrows::kAll        ? Arrows::kSelected
         : arrows == Arrows::kSelected ? Arrows::kNone
                                       : Arrows::kAll;
}

/// Of the last values, the newest most; 0 before the first.
void follow(double& mean, double value) { mean += (mean == 0 ? 1 : 0.1) * (value - mean); }

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

Viewer::Viewer(Simulation simulation, const ViewerOptions& options)
    : options_(options),
      simulation_(std::move(simulation)),
      now_(simulation_.now()),
      models_(make_models(simulation_.world(), simulation_.scene().bodies)),
      window_(kSize, "Plimsoll", !options.frames),
      renderer_(models_),
      body_size_(size_of(models_)),
      heaviest_(picture::heaviest_weight(simulation_.world())),
      camera_(camera_for(models_, now_, body_size_)),
      exercise_(options.haptics) {
  controls_.method = method_ = simulation_.method();
  controls_.water = water_ = simulation_.water();
  if (options.culling) {
    controls_.shows_culling = true;
    controls_.culling_view = *options.culling;
  }
  if (!controls_.water.has_waves) {  // what they begin with when they are turned on
    controls_.water.wave.wavelength = 5 * body_size_;
    controls_.water.wave.amplitude = 0.15 * body_size_;
    water_ = controls_.water;
  }
  if (options_.haptics) take_hand();
  if (options.selected) controls_.selected = options.selected;
}

void Viewer::take_hand() {
  hand_.reset();
  hold_.reset();
  message_.clear();
  Result<World> world = simulation_.make_world(simulation_.method());
  if (!world) throw cli::failure_of(world.error());
  Result<std::unique_ptr<Hand>> hand = Hand::take(*std::move(world), body_size_);
  if (!hand) throw cli::failure_of(hand.error());
  hand_ = *std::move(hand);
  controls_.selected = 0;
  look();
}

Stage Viewer::stage() {
  return {controls_,
          camera_,
          pointer_,
          window_,
          simulation_,
          now_,
          models_,
          culling_,
          crossings_,
          arrows_,
          hand_ ? &hand_now_ : nullptr,
          message_,
          body_size_};
}

ViewerReport Viewer::run() {
  const auto is_over = [&] {
    return window_.is_closed() || (options_.frames && report_.frames >= *options_.frames);
  };
  auto last = std::chrono::steady_clock::now();
  while (!is_over()) {
    const double passed = seconds_since(last);
    last = std::chrono::steady_clock::now();
    frame(options_.frames ? kFrame : std::min(passed, 0.25));
    if (options_.frames && hand_)  // which goes on in real time
      std::this_thread::sleep_until(last + std::chrono::duration<double>(kFrame));
    const double took = seconds_since(last);
    report_.frame_seconds += took;
    follow(frame_mean_, took);
  }
  if (options_.exercises) exercise_.finish(stage());
  report_.failures = exercise_.failures();
  report_.time = now_.time;
  if (!hand_) return report_;
  Result<HapticTimes> times = hand_->let_go();
  if (times)
    report_.hand = *std::move(times);
  else
    report_.problem = times.error();
  return report_;
}

void Viewer::frame(double seconds) {
  window_.begin_frame();
  if (options_.exercises)
    exercise_.drive(stage(), report_.frames, *options_.frames);
  else
    pointer_ = real_pointer();
  peel();  // before the panel says which parts of the texture it shows
  cull();
  if (controls_.shows_panel)
    draw_panel(controls_,
               {simulation_, now_, peels_, culling_, crossings_, hand_ ? &hand_now_ : nullptr,
                message_, frame_mean_, step_mean_, share_mean_, pace_mean_, body_size_});
  take_keys();
  take_pointer();
  act_on_controls();
  advance(seconds);
  look();
  draw();
  window_.end_frame();
  ++report_.frames;
  if (options_.screenshot && report_.frames == options_.frames)
    cli::write_png(window_.picture(), *options_.screenshot);
  window_.show();
}

void Viewer::take_keys() {
  for (const char key : window_.keys()) {
    if (key == ' ' && !hand_) controls_.is_paused = !controls_.is_paused;
    if (key == 'S' && !hand_) controls_.asks_step = true;
    if (key == 'R') controls_.asks_restart = true;
    if (key == 'F') controls_.asks_overview = true;
    if (key == 'W' && !hand_) controls_.water.has_waves = !controls_.water.has_waves;
    if (key == 'A') controls_.arrows = after(controls_.arrows);
    if (key == 'I') controls_.shows_crossings = !controls_.shows_crossings;
    if (key == 'C') controls_.shows_culling = !controls_.shows_culling;
    if (key == 'N') ++controls_.culling_view;
    if (key == 'B' && controls_.culling_view > 0) --controls_.culling_view;
    if (key == 'L') controls_.asks_look_along = true;
    if (key == 'P') controls_.shows_panel = !controls_.shows_panel;
    if (key == '\x1b') controls_.selected.reset();
    if (key == 'Q') window_.close();
  }
}

/// Over the panel the buttons are the panel's, but for what began outside.
Pointer Viewer::real_pointer() const {
  const ImGuiIO& io = ImGui::GetIO();
  Pointer pointer;
  pointer.x = ImGui::IsMousePosValid() ? io.MousePos.x : before_.x;
  pointer.y = ImGui::IsMousePosValid() ? io.MousePos.y : before_.y;
  pointer.left = io.MouseDown[0] && (before_.left || !io.WantCaptureMouse);
  pointer.right = io.MouseDown[1] && (before_.right || !io.WantCaptureMouse);
  pointer.wheel = io.WantCaptureMouse ? 0 : io.MouseWheel;
  pointer.turns = io.KeyShift;
  return pointer;
}

void Viewer::press() {
  const auto [width, height] = window_.size();
  const Ray ray = camera_.ray(pointer_.x, pointer_.y, width, height);
  const std::optional<Picked> picked = plimsoll::viewer::pick(ray, models_, poses_of(now_));
  orbits_ = !picked;
  if (!picked) return;
  controls_.selected = picked->body;
  if (hand_ && picked->body != 0) return;  // it holds the tool alone
  const Pose pose = now_.bodies[picked->body].pose;
  hold_ = Hold{{simulation_.id(picked->body), pose.inverse() * picked->point, picked->point},
               picked->point,
               picked->point,
               hand_now_.device};
}

/// The target follows the mouse on the plane through `through` that faces the eye.
void Viewer::pull() {
  const auto [width, height] = window_.size();
  const Ray ray = camera_.ray(pointer_.x, pointer_.y, width, height);
  const Vec3 facing = camera_.forward();
  const double along = (hold_->through - ray.origin).dot(facing) / ray.direction.dot(facing);
  hold_->pull.target = ray.origin + along * ray.direction;
}

/// The device goes with the target, or is turned by so many pixels; the wheel pushes it away.
void Viewer::lead(double x, double y) {
  constexpr double kTurn = 0.01;   // [rad] a pixel
  constexpr double kClick = 0.05;  // of a body's size
  const Vec3 before = hold_->pull.target;
  hold_->through += kClick * pointer_.wheel * body_size_ * camera_.forward();
  pull();
  if (pointer_.turns) {
    hold_->from += hold_->pull.target - before;
    hold_->device.linear() = Eigen::AngleAxisd(kTurn * x, camera_.up()) *
                             Eigen::AngleAxisd(kTurn * y, camera_.right()) * hold_->device.linear();
  }
  Pose device = hold_->device;
  device.translation() += hold_->pull.target - hold_->from;
  hand_->lead_to(device);
}

void Viewer::take_pointer() {
  const auto [width, height] = window_.size();
  camera_.aside = controls_.shows_panel ? std::min(0.5, panel_width() / std::max(1, width)) : 0;
  const double x = pointer_.x - before_.x, y = pointer_.y - before_.y;
  if (pointer_.left && !before_.left) press();
  if (!pointer_.left) {
    hold_.reset();
    orbits_ = false;
  }
  if (orbits_ && before_.left) camera_.orbit(x, y);
  if (pointer_.right && before_.right) camera_.pan(x, y, height);
  if (pointer_.wheel != 0 && !(hand_ && hold_)) camera_.zoom(pointer_.wheel);
  if (hold_ && hand_) lead(x, y);
  if (hold_ && !hand_) pull();
  before_ = pointer_;
}

/// Shows why something was refused; what is done takes that away.
bool Viewer::tell(const Result<void>& done) {
  message_ = done ? std::string() : in_words(done.error());
  return done.has_value();
}

void Viewer::show_all() {
  const double aside = camera_.aside;
  camera_ = camera_for(models_, now_, body_size_);
  camera_.aside = aside;
}

void Viewer::act_on_density() {
  if (controls_.selected != shown_) {
    shown_ = controls_.selected;
    if (shown_) controls_.density = density_ = simulation_.mass(*shown_).density;
  }
  if (!shown_ || controls_.density == density_) return;
  if (tell(simulation_.set_density(*shown_, controls_.density)))
    density_ = controls_.density;
  else
    controls_.density = density_;
}

void Viewer::act_on_controls() {
  if (hand_) {
    if (controls_.asks_restart) take_hand();
    controls_.asks_restart = false;
  } else {
    act_on_world();
  }
  if (controls_.asks_overview) show_all();
  if (controls_.asks_look_along) look_along();
  controls_.asks_overview = controls_.asks_look_along = false;
  // Its views are of one moment.
  if (controls_.shows_culling && !showed_culling_) controls_.is_paused = true;
  showed_culling_ = controls_.shows_culling;
}

void Viewer::act_on_world() {
  if (!(controls_.water == water_)) {
    if (tell(simulation_.set_water(controls_.water)))
      water_ = controls_.water;
    else
      controls_.water = water_;
  }
  if (controls_.method != method_) {
    if (tell(simulation_.set_method(controls_.method)))
      method_ = controls_.method;
    else
      controls_.method = method_;
  }
  act_on_density();
  if (std::exchange(controls_.asks_restart, false)) (void)tell(simulation_.restart());
}

void Viewer::look() {
  if (!hand_) {
    now_ = simulation_.now();
    return;
  }
  now_ = hand_->scene();
  hand_now_ = hand_->now();
}

void Viewer::advance(double seconds) {
  if (hand_) {
    if (const std::optional<Error> problem = hand_->problem())
      message_ = "stopped: " + in_words(*problem);
    return;
  }
  const bool once = std::exchange(controls_.asks_step, false);
  if (controls_.is_paused && !once) return;
  const std::optional<Pull> pull = hold_ ? std::optional(hold_->pull) : std::nullopt;
  // So many frames end at the same time of the scene, however long they take.
  const double limit = options_.frames ? std::numeric_limits<double>::infinity() : kMostSeconds;
  const Result<StepTimes> done = controls_.is_paused
                                     ? simulation_.step_once(pull)
                                     : simulation_.advance(controls_.speed * seconds, limit, pull);
  if (!done) {
    message_ = "stopped: " + in_words(done.error());
    controls_.is_paused = true;
    return;
  }
  report_.steps.steps += done->steps;
  report_.steps.seconds += done->seconds;
  report_.steps.buoyancy += done->buoyancy;
  if (seconds > 0) follow(pace_mean_, done->steps * Simulation::kStep / seconds);
  if (done->steps == 0) return;
  follow(step_mean_, done->seconds / done->steps);
  follow(share_mean_, done->buoyancy / done->seconds);
}

void Viewer::peel() {
  if (!controls_.shows_peels || !controls_.shows_panel || !controls_.selected) return;
  const std::size_t i = *controls_.selected;
  peels_.update(i, models_[i], now_.bodies[i].pose, controls_.peel_axis);
}

void Viewer::cull() {
  if (!controls_.shows_culling) return;
  culling_.update(models_, poses_of(now_), controls_.culling_pixels);
  if (culling_.views().empty()) return;
  controls_.culling_view = std::min(controls_.culling_view, culling_.views().size() - 1);
  const std::pair now{culling_.version(), controls_.culling_view};
  if (now == boxes_of_) return;
  boxes_of_ = now;
  boxes_ = culling_.boxes(controls_.culling_view);
  ++boxes_version_;
}

/// Turns the view to where the view of culling that is shown looks.
void Viewer::look_along() {
  if (!controls_.shows_culling || culling_.views().empty()) return;
  const CullView& view = culling_.views()[controls_.culling_view];
  const double back = view.is_backward ? std::numbers::pi : 0;
  camera_.heading = back + (view.axis == 1 ? std::numbers::pi / 2 : 0);
  camera_.fall = view.axis != 2 ? 0 : view.is_backward ? 1.5 : -1.5;
}

std::vector<Touching> Viewer::touching() const {
  std::map<BodyId, std::size_t> places;
  for (std::size_t i = 0; i < models_.size(); ++i) places[simulation_.id(i)] = i;
  std::vector<Touching> touching;
  for (const BodyContact& contact : now_.contacts)
    touching.push_back({places.at(contact.a), places.at(contact.b), contact.depth});
  return touching;
}

/// What the hand feels, where it is, and the spring from the tool to there.
std::vector<Arrow> Viewer::arrows_of_hand(double meters) const {
  const BodyState& tool = now_.bodies.front();
  const Vec3 device = hand_now_.device * (tool.pose.inverse() * tool.center_of_mass);
  return {{tool.center_of_mass, device - tool.center_of_mass, kSpring},
          {device, meters * hand_now_.felt.force, kFelt}};
}

std::vector<Arrow> Viewer::arrows_now() const {
  std::vector<Arrow> arrows;
  const World& world = simulation_.world();
  const Environment& around = world.environment();
  const double meters = 1.6 * body_size_ * controls_.arrow_length / heaviest_;  // for a newton
  const auto is_shown = [&](std::size_t body) {
    return !world.is_kinematic(simulation_.id(body)) &&
           (controls_.arrows == Arrows::kAll ||
            (controls_.arrows == Arrows::kSelected && controls_.selected == body));
  };
  std::vector<BodyId> shown;
  for (std::size_t i = 0; i < world.body_count(); ++i) {
    if (!is_shown(i)) continue;
    shown.push_back(simulation_.id(i));
    const BodyState& state = now_.bodies[i];
    const double pressure = around.fluid_density * around.gravity;
    const Vec3 lift = around.force == FluidForce::kPressure ? state.buoyancy.lift
                                                            : Vec3(0, 0, state.buoyancy.volume);
    arrows.push_back({state.center_of_mass,
                      Vec3(0, 0, -meters * simulation_.mass(i).mass * around.gravity), kGravity});
    arrows.push_back({state.buoyancy.center, meters * pressure * lift, kBuoyancy});
  }
  const auto push_on = [&](BodyId body, const Vec3& at, const Vec3& force) {
    if (std::ranges::find(shown, body) != shown.end())
      arrows.push_back({at, meters * force, kContact});
  };
  for (const BodyContact& contact : now_.contacts) {
    push_on(contact.a, contact.center, contact.force);
    push_on(contact.b, contact.center, -contact.force);
  }
  if (hand_) {
    for (const Arrow& arrow : arrows_of_hand(meters)) arrows.push_back(arrow);
  } else if (hold_) {
    const Vec3 grip = world.body(hold_->pull.body)->pose * hold_->pull.grip;
    arrows.push_back({grip, hold_->pull.target - grip, kSpring});
  }
  return arrows;
}

void Viewer::draw() {
  const std::vector<Pose> now = poses_of(now_);
  constexpr double kThickness = 0.012;  // of a body's size
  const bool crosses = controls_.shows_crossings && !controls_.shows_culling;
  crossings_.update(models_, now, crosses ? touching() : std::vector<Touching>{},
                    kThickness * body_size_);
  Frame frame{models_, now, controls_.selected, nullptr, {}, {}};
  arrows_.clear();
  std::vector<Overlay> overlays;
  if (controls_.shows_culling && !culling_.views().empty()) {
    overlays = {{&boxes_.left, kLeft, boxes_version_}, {&boxes_.culled, kCulled, boxes_version_}};
  } else {
    arrows_ = arrows_now();
    if (simulation_.has_fluid()) frame.surface = &now_.surface;
    if (!crossings_.mesh().triangles.empty())
      overlays.push_back({&crossings_.mesh(), kCrossing, crossings_.version(), true});
  }
  frame.arrows = arrows_;
  frame.overlays = overlays;
  renderer_.draw(frame, camera_, window_.framebuffer(), body_size_);
}

}  // namespace plimsoll::viewer
