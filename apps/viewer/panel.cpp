#include "panel.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "cli/text.h"

namespace plimsoll::viewer {
namespace {

constexpr float kWidth = 330;  // with letters of 13 pixels
constexpr float kEdge = 8;
constexpr int kColumns = 8;  // of peels

void say(const std::string& text) { ImGui::TextUnformatted(text.c_str()); }

bool slider(const char* label, double& value, double low, double high, const char* format,
            ImGuiSliderFlags flags = 0) {
  return ImGui::SliderScalar(label, ImGuiDataType_Double, &value, &low, &high, format, flags);
}

template <class Choice>
void radio(const char* label, Choice& choice, Choice mine) {
  if (ImGui::RadioButton(label, choice == mine)) choice = mine;
}

/// The loop of the hand cannot wait.
void draw_hand(Controls& controls, const PanelFacts& facts) {
  const HandNow& hand = *facts.hand;
  if (ImGui::Button("restart (r)")) controls.asks_restart = true;
  say(fmt::format("{:.2f} s, {:.0f} ticks a second", facts.now.time, hand.rate));
  say(fmt::format("queries    {:.3g} us a tick", 1e6 * hand.query_seconds));
  say(fmt::format("felt       {:.4g} N{}", hand.felt.force.norm(),
                  hand.is_limited ? ", limited" : ""));
  say(fmt::format("contact    {:.4g} N", hand.contact.force.norm()));
  say(fmt::format("shared     {:.4g} m^3", hand.volume));
  ImGui::TextWrapped(
      "Pull the tool with the left button; the wheel meanwhile pushes it away, "
      "shift turns it.");
}

void draw_run(Controls& controls, const PanelFacts& facts) {
  if (ImGui::Button(controls.is_paused ? "run (space)" : "pause (space)"))
    controls.is_paused = !controls.is_paused;
  ImGui::SameLine();
  if (ImGui::Button("step (s)")) controls.asks_step = true;
  ImGui::SameLine();
  if (ImGui::Button("restart (r)")) controls.asks_restart = true;
  slider("speed", controls.speed, 0.05, 4, "%.2f x", ImGuiSliderFlags_Logarithmic);
  say(fmt::format("{:.2f} s, at {:.2f} x", facts.now.time, facts.pace));
}

void draw_method(Controls& controls) {
  ImGui::AlignTextToFramePadding();
  say("by:");
  for (const MethodName& choice : kMethods) {
    ImGui::SameLine();
    radio(choice.name, controls.method, choice.method);
  }
}

/// Beyond it the wave would break.
double highest_amplitude(const WaveComponent& wave) {
  return kBreakingSteepness / steepness({.amplitude = 1, .wavelength = wave.wavelength});
}

void draw_waves(WaterControls& water, double size) {
  ImGui::Checkbox("waves", &water.has_waves);
  if (!water.has_waves) return;
  WaveComponent& wave = water.wave;
  if (slider("wavelength", wave.wavelength, 0.5 * size, 30 * size, "%.2f m",
             ImGuiSliderFlags_Logarithmic))
    wave.amplitude = std::min(wave.amplitude, highest_amplitude(wave));
  slider("amplitude", wave.amplitude, 0, highest_amplitude(wave), "%.3f m");
  slider("direction", wave.direction_deg, -180, 180, "%.0f deg");
}

/// One number for all bodies, or the one that fits the size of each.
void draw_quadratic_drag(Drag& drag) {
  bool fits_each = !drag.quadratic;
  if (ImGui::Checkbox("quadratic drag 1/L, by each body's size", &fits_each)) {
    drag.quadratic.reset();
    if (!fits_each) drag.quadratic = 1;
  }
  if (drag.quadratic) slider("quadratic drag", *drag.quadratic, 0, 5, "%.2f /m");
}

void draw_water(Controls& controls, const PanelFacts& facts) {
  if (!facts.simulation.has_fluid()) return say("There is no fluid in this scene.");
  WaterControls& water = controls.water;
  const double level = facts.simulation.water().level, reach = 4 * facts.body_size;
  slider("level", water.level, level - reach, level + reach, "%.3f m");
  draw_waves(water, facts.body_size);
  ImGui::AlignTextToFramePadding();
  say("force:");
  ImGui::SameLine();
  radio("weight", water.force, FluidForce::kWeight);
  ImGui::SameLine();
  radio("pressure", water.force, FluidForce::kPressure);
  slider("linear drag", water.drag.linear, 0, 5, "%.2f /s");
  draw_quadratic_drag(water.drag);
  slider("angular drag", water.drag.angular, 0, 5, "%.2f /s");
  draw_method(controls);
}

void choose_body(Controls& controls, const std::vector<RigidBody>& bodies) {
  const auto title = [&](std::size_t i) {
    return fmt::format("{}##{}", cli::printable(bodies[i].name), i);
  };
  const std::string shown =
      controls.selected ? cli::printable(bodies[*controls.selected].name) : "none: press on one";
  if (!ImGui::BeginCombo("body", shown.c_str())) return;
  if (ImGui::Selectable("none", !controls.selected)) controls.selected.reset();
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(bodies.size()));
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      const auto index = static_cast<std::size_t>(i);
      if (ImGui::Selectable(title(index).c_str(), controls.selected == index))
        controls.selected = index;
    }
  ImGui::EndCombo();
}

void draw_crossings(Controls& controls, const CrossingView& crossings) {
  ImGui::Checkbox("curves where surfaces cross (i)", &controls.shows_crossings);
  if (!controls.shows_crossings || crossings.count() == 0) return;
  say(fmt::format("{:.4g} m, of {} of {}", crossings.length(), crossings.followed(),
                  cli::counted(crossings.count(), "contact", "contacts")));
  if (!crossings.problem().empty()) ImGui::TextWrapped("%s", crossings.problem().c_str());
}

void draw_body(Controls& controls, const PanelFacts& facts) {
  const Simulation& simulation = facts.simulation;
  choose_body(controls, simulation.scene().bodies);
  ImGui::AlignTextToFramePadding();
  say("arrows:");
  ImGui::SameLine();
  radio("all", controls.arrows, Arrows::kAll);
  ImGui::SameLine();
  radio("selected", controls.arrows, Arrows::kSelected);
  ImGui::SameLine();
  radio("none", controls.arrows, Arrows::kNone);
  if (controls.arrows != Arrows::kNone)
    slider("arrow length", controls.arrow_length, 0.1, 10, "%.2f x", ImGuiSliderFlags_Logarithmic);
  draw_crossings(controls, facts.crossings);
  if (!controls.selected || facts.hand != nullptr) return;
  const double fluid = std::max(1.0, simulation.world().environment().fluid_density);
  slider("density", controls.density, 0.01 * fluid, 4 * fluid, "%.1f kg/m^3",
         ImGuiSliderFlags_Logarithmic);
  const MassProperties mass = simulation.mass(*controls.selected);
  const double wet = facts.now.bodies[*controls.selected].buoyancy.volume;
  say(fmt::format("mass       {:.5g} kg", mass.mass));
  say(fmt::format("volume     {:.5g} m^3", mass.volume));
  say(fmt::format("submerged  {:.5g} m^3, {:.1f} %", wet, 100 * wet / mass.volume));
  if (simulation.scene().bodies[*controls.selected].is_kinematic) say("It is fixed.");
}

constexpr const char* kTerms[3][3] = {
    {"ac", "bc", "cc/2"}, {"aac", "abc", "acc/2"}, {"bbc", "bcc/2", "ccc/3"}};
const ImVec4 kChannelInks[3] = {{0.75f, 0, 0, 1}, {0, 0.47f, 0, 1}, {0, 0, 0.8f, 1}};

/// The integrands in the colors of the channels that show them.
void draw_row_title(std::size_t target, int axis, double range) {
  for (std::size_t k = 0; k < 3; ++k) {
    std::string term = kTerms[target][k];
    for (char& letter : term)
      if (letter >= 'a' && letter <= 'c')
        letter = static_cast<char>('x' + (axis + 1 + (letter - 'a')) % 3);
    ImGui::TextColored(kChannelInks[k], "%s", term.c_str());
    ImGui::SameLine();
  }
  say(fmt::format("up to {:.2g}", range));
}

void draw_tiles(const PeelView& peels, int axis) {
  // ImGui takes textures as pointers, whatever they are.
  const auto texture = reinterpret_cast<ImTextureID>(static_cast<std::uintptr_t>(peels.texture()));
  const float gap = ImGui::GetStyle().ItemSpacing.x;
  const auto columns = static_cast<float>(std::min(peels.count(), kColumns));
  const float room = (ImGui::GetContentRegionAvail().x - (columns - 1) * gap) / columns;
  const auto width = static_cast<float>(peels.tile().width);
  const auto height = static_cast<float>(peels.tile().height);
  const float scale = std::min(room / width, 6 * ImGui::GetFontSize() / height);
  const ImVec2 small(std::max(1.0f, scale * width), std::max(1.0f, scale * height));
  for (int target = 0; target < 3; ++target) {
    const auto row = static_cast<std::size_t>(target);
    draw_row_title(row, axis, peels.ranges()[row]);
    for (int peel = 0; peel < peels.count(); ++peel) {
      if (peel % kColumns != 0) ImGui::SameLine(0, gap);
      const auto [u0, v0, u1, v1] = peels.corners(peel, target);
      ImGui::Image(texture, small, {u0, v0}, {u1, v1});
      if (!ImGui::IsItemHovered()) continue;
      ImGui::BeginTooltip();
      say(fmt::format("peel {} of {}", peel + 1, peels.count()));
      ImGui::Image(texture, {width, height}, {u0, v0}, {u1, v1});
      ImGui::EndTooltip();
    }
  }
}

void draw_peels(Controls& controls, const PeelView& peels) {
  ImGui::Checkbox("of the body, along", &controls.shows_peels);
  constexpr const char* kAxes[] = {"x", "y", "z"};
  for (int axis = 0; axis < 3; ++axis) {
    ImGui::SameLine();
    radio(kAxes[axis], controls.peel_axis, axis);
  }
  if (!controls.shows_peels) return;
  if (!controls.selected) return say("none is selected");
  if (!peels.problem().empty()) return ImGui::TextWrapped("%s", peels.problem().c_str());
  if (peels.count() > 0) draw_tiles(peels, controls.peel_axis);
}

std::string words_of(CullLevel level) {
  if (level == CullLevel::kTriangles) return "single triangles";
  return level == CullLevel::kBodies
             ? "whole bodies"
             : fmt::format("parts of {} triangles", CullOptions().part_triangles);
}

void draw_culling(Controls& controls, const CullingView& culling) {
  ImGui::Checkbox("its views, by FAR (c)", &controls.shows_culling);
  if (!controls.shows_culling) return;
  double pixels = controls.culling_pixels;
  slider("pixels", pixels, CullOptions::kMinResolution, 512, "%.0f", ImGuiSliderFlags_Logarithmic);
  controls.culling_pixels = static_cast<int>(std::lround(pixels));
  if (!culling.problem().empty()) return ImGui::TextWrapped("%s", culling.problem().c_str());
  if (culling.views().empty()) return;
  const std::size_t shown = std::min(controls.culling_view, culling.views().size() - 1);
  const CullView& view = culling.views()[shown];
  if (ImGui::Button("back (b)") && controls.culling_view > 0) --controls.culling_view;
  ImGui::SameLine();
  if (ImGui::Button("next (n)")) ++controls.culling_view;
  ImGui::SameLine();
  if (ImGui::Button("look along it (l)")) controls.asks_look_along = true;
  say(fmt::format("view {} of {}: {} {}, round {} of", shown + 1, culling.views().size(),
                  view.is_backward ? "against" : "along", static_cast<char>('x' + view.axis),
                  view.round + 1));
  say(words_of(view.level));
  say(fmt::format("{} triangles, {} left (red)", culling.count_before(shown),
                  culling.count_after(shown)));
  say(fmt::format("a pixel is {:.3g} m, fattened by {:.3g} m",
                  2 * view.half_side / controls.culling_pixels, view.radius));
}

void draw_times(const PanelFacts& facts) {
  say(fmt::format("frame     {:.1f} ms, {:.0f} a second", 1e3 * facts.frame_seconds,
                  1 / std::max(1e-9, facts.frame_seconds)));
  say(fmt::format("step      {:.3f} ms for {:g} ms", 1e3 * facts.step_seconds,
                  1e3 * Simulation::kStep));
  say(fmt::format("buoyancy  {:.0f} % of it", 100 * facts.buoyancy_share));
  if (facts.peels.seconds() > 0)
    say(fmt::format("peels     {:.1f} ms", 1e3 * facts.peels.seconds()));
  if (facts.culling.seconds() > 0)
    say(fmt::format("culling   {:.1f} ms", 1e3 * facts.culling.seconds()));
}

float width_now() { return kWidth * ImGui::GetFontSize() / 13; }

bool section(const char* title) {
  return ImGui::CollapsingHeader(title, ImGuiTreeNodeFlags_DefaultOpen);
}

}  // namespace

double panel_width() { return width_now() + kEdge; }

void draw_panel(Controls& controls, const PanelFacts& facts) {
  const float height = ImGui::GetIO().DisplaySize.y - 2 * kEdge;
  ImGui::SetNextWindowPos({kEdge, kEdge}, ImGuiCond_Always);
  ImGui::SetNextWindowSize({width_now(), std::max(40.0f, height)}, ImGuiCond_Always);
  ImGui::Begin("Plimsoll", &controls.shows_panel,
               ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove);
  ImGui::PushItemWidth(0.58f * width_now());
  if (!facts.message.empty()) {
    ImGui::PushStyleColor(ImGuiCol_Text, {0.75f, 0.1f, 0.05f, 1});
    ImGui::TextWrapped("%s", facts.message.c_str());
    ImGui::PopStyleColor();
  }
  if (facts.hand != nullptr) {
    if (section("Hand")) draw_hand(controls, facts);
  } else {
    draw_run(controls, facts);
    if (section("Times")) draw_times(facts);
    if (section("Water")) draw_water(controls, facts);
  }
  if (section("Bodies")) draw_body(controls, facts);
  if (section("Culling")) draw_culling(controls, facts.culling);
  if (section("Peels")) draw_peels(controls, facts.peels);
  ImGui::PopItemWidth();
  ImGui::End();
}

}  // namespace plimsoll::viewer
