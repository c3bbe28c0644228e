#include "mass_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <numbers>
#include <optional>
#include <span>

#include "annotation.h"
#include "body_drawing.h"
#include "body_triangles.h"
#include "diagnosis.h"
#include "marked_defects.h"
#include "text.h"

namespace plimsoll::cli {
namespace {

constexpr Color kInside{92, 104, 116};
constexpr Color kBox{0, 90, 160};
constexpr Color kWrong{205, 20, 30};
constexpr std::array<Color, 3> kAxes{{{0, 116, 62}, {120, 40, 140}, {150, 90, 0}}};

/// A part in the world, in meters.
struct DrawnPart {
  TriangleMesh mesh;
  Color color;
  bool is_inverted = false;
  bool is_box = false;

  [[nodiscard]] DrawnSurface surface() const {
    return {&mesh, Similarity::Identity(), color, kInside, is_inverted};
  }
};

/// The box whose edges along the principal axes are sqrt(6 (I_j + I_k - I_i) / m).
struct EquivalentBox {
  Vec3 center;
  Mat3 axes;  ///< Rows.
  Vec3 half;

  [[nodiscard]] Vec3 corner(unsigned bits) const {
    Vec3 p = center;
    for (unsigned k = 0; k < 3; ++k)
      p += ((bits >> k & 1) != 0 ? half[k] : -half[k]) * axes.row(k).transpose();
    return p;
  }
};

/// Nothing where the moments are those of no body.
std::optional<EquivalentBox> equivalent_box(const MassProperties& mass) {
  const std::optional<PrincipalAxes> found = axes_of(mass);
  if (!found || !(mass.mass > 0)) return std::nullopt;
  EquivalentBox box{mass.center_of_mass, found->axes, {}};
  for (int k = 0; k < 3; ++k) {
    const double squared =
        6 * (found->moments.sum() - 2 * found->moments[k]) / mass.mass;  // of the whole edge
    if (!(squared > 0)) return std::nullopt;
    box.half[k] = std::sqrt(squared) / 2;
  }
  return box;
}

std::vector<DrawnPart> drawn_parts(const Weighing& weighing) {
  constexpr double kFlatness = 1e-3;
  std::vector<DrawnPart> parts;
  for (std::size_t p = 0; p < weighing.bodies.size(); ++p) {
    const WeighedShape& body = weighing.bodies[p];
    DrawnPart part{{}, body_color(p), weighing.report.parts[p].mass.inverted, false};
    if (body.mesh) {
      part.mesh = *body.mesh;
    } else {
      const BodyTriangles drawn = body_triangles(body.shape, kFlatness);
      part.mesh = posed(*drawn.mesh, drawn.body_from_mesh);
      part.is_box = drawn.is_box;
    }
    for (Vec3& v : part.mesh.vertices) v *= body.unit.meters();
    parts.push_back(std::move(part));
  }
  return parts;
}

/// Everything that is drawn, and where.
class MassDrawing {
 public:
  MassDrawing(const Weighing& weighing, PixelSize size)
      : report_(weighing.report),
        parts_(drawn_parts(weighing)),
        box_(equivalent_box(report_.mass)),
        marked_(marked_defects(report_, more_)) {
    for (const DrawnPart& part : parts_)
      for (const Triangle& t : part.mesh.triangles)
        for (const std::uint32_t v : t) body_.extend(part.mesh.vertices[v]);
    if (box_ && (!has_center() || box_->half.maxCoeff() > body_.diagonal().norm())) box_.reset();
    facts_ = facts_of_report();
    layout_ = layout_for(size, facts_.size());
    place();
    drawing_.emplace(size, view_, false);
  }

  Picture draw() {
    for (const DrawnPart& part : parts_) drawing_->draw(part.surface());
    Picture picture = drawing_->picture();
    if (box_) draw_box(picture);
    if (box_) draw_axes(picture);
    draw_defects(picture);
    if (has_center())
      draw_marks(picture, {{spot_of(view_, report_.mass.center_of_mass), kInk, "G"}},
                 layout_.letter);
    draw_numbers(picture);
    if (layout_.has_words) draw_words(picture);
    return picture;
  }

 private:
  /// That of a body lies in its bounds. The sums over a surface that bounds nothing may have it
  /// anywhere, or nowhere where their volume is 0; there is nothing to be seen of it then.
  [[nodiscard]] bool has_center() const {
    const Vec3& center = report_.mass.center_of_mass;
    const double rounding = 1e-9 * body_.diagonal().norm();
    return center.allFinite() && body_.exteriorDistance(center) <= rounding;
  }

  [[nodiscard]] Vec3 axis_end(int axis, double way) const {
    const double beyond = 0.12 * box_->half.maxCoeff();
    return box_->center + way * (box_->half[axis] + beyond) * box_->axes.row(axis).transpose();
  }

  /// Fits all that is drawn into its frame, with room for letters.
  void place() {
    constexpr double kElevation = 24, kTurn = 28;
    view_ = view_from(kElevation, kTurn);
    Box3 seen(Vec3(0, 0, 0));
    if (!body_.isEmpty()) seen.setEmpty();
    for (const DrawnPart& part : parts_) extend(seen, view_, part.surface());
    if (box_)
      for (unsigned corner = 0; corner < 8; ++corner)
        seen.extend(Vec3(view_.turn * box_->corner(corner)));
    if (box_)
      for (int axis = 0; axis < 3; ++axis)
        for (const double way : {-1.0, 1.0}) seen.extend(Vec3(view_.turn * axis_end(axis, way)));
    fit(view_, seen, layout_.body, 4 * layout_.letter);
  }

  void draw_box(Picture& picture) const {
    for (unsigned corner = 0; corner < 8; ++corner)
      for (const unsigned bit : {1u, 2u, 4u})
        if ((corner & bit) == 0)
          drawing_->line(picture, box_->corner(corner), box_->corner(corner | bit), 1.6, kBox);
  }

  void draw_axes(Picture& picture) const {
    constexpr std::array<const char*, 3> kNames{"I", "II", "III"};
    const double size = layout_.letter;
    for (int axis = 0; axis < 3; ++axis) {
      const auto k = static_cast<std::size_t>(axis);
      const Vec3 end = axis_end(axis, 1), start = axis_end(axis, -1);
      drawing_->line(picture, start, end, 2.4, kAxes[k]);
      const Spot from = spot_of(view_, start), to = spot_of(view_, end);
      const double length = std::max(std::hypot(to.x - from.x, to.y - from.y), 1e-9);
      const Spot name{to.x + 1.1 * size * (to.x - from.x) / length,
                      to.y + 1.1 * size * (to.y - from.y) / length};
      letter_on(picture, {name.x - lettered_width(kNames[k], size) / 2, name.y + size / 2},
                kNames[k], size, kAxes[k], kPaper);
    }
  }

  void draw_defects(Picture& picture) const {
    for (const MarkedDefect& defect : marked_) {
      const TriangleMesh& mesh = parts_[defect.part].mesh;
      std::vector<std::uint32_t> loop;
      if (defect.rim != nullptr)
        loop = defect.rim->vertices;
      else
        loop.assign(mesh.triangles[defect.triangle].begin(), mesh.triangles[defect.triangle].end());
      for (std::size_t i = 0; i < loop.size(); ++i)
        drawing_->line(picture, mesh.vertices[loop[i]], mesh.vertices[loop[(i + 1) % loop.size()]],
                       3, kWrong);
    }
  }

  /// The highest point of a large hole, in the picture; the middle of anything else.
  [[nodiscard]] Spot place_of(const MarkedDefect& defect, bool is_large) const {
    Spot place = spot_of(view_, defect.at);
    if (!is_large) return place;
    place.y = kAlways;
    for (const std::uint32_t v : defect.rim->vertices) {
      const Spot at = spot_of(view_, parts_[defect.part].mesh.vertices[v]);
      if (at.y < place.y) place = at;
    }
    return place;
  }

  /// Where a disc of that radius covers none that is drawn: up and to the right of `at`, or on
  /// rings around it.
  static Spot free_place(const Spot& at, double radius, std::span<const Spot> taken) {
    constexpr int kWays = 16, kRings = 8;
    const double least = 2.2 * radius;
    Spot place;
    for (int ring = 0; ring < kRings; ++ring)
      for (int way = 0; way < kWays; ++way) {
        const double far = (2.7 + 1.2 * ring) * radius;
        const double turn = std::numbers::pi * (0.25 + 2.0 * way / kWays);
        place = {at.x + far * std::cos(turn), at.y - far * std::sin(turn)};
        const auto is_near = [&](const Spot& other) {
          return std::hypot(place.x - other.x, place.y - other.y) < least;
        };
        if (std::none_of(taken.begin(), taken.end(), is_near)) return place;
      }
    return place;
  }

  /// White on a red disc; beside what is smaller than the disc.
  void draw_numbers(Picture& picture) const {
    const double size = 0.8 * layout_.letter, radius = 1.05 * size;
    std::vector<Spot> places;
    for (const MarkedDefect& defect : marked_) {
      const bool is_large = defect.rim != nullptr && defect.rim->length * view_.scale > 12 * radius;
      const Spot at = place_of(defect, is_large);
      places.push_back(is_large ? at : free_place(at, radius, places));
      if (!is_large) stroke(picture, at, places.back(), 1.6, kWrong);
    }
    for (std::size_t i = 0; i < places.size(); ++i) {
      const Spot& place = places[i];
      disc(picture, place, radius + 1.5, kPaper);
      disc(picture, place, radius, kWrong);
      const std::string number = fmt::format("{}", i + 1);
      letter(picture, {place.x - lettered_width(number, size) / 2, place.y + size / 2}, number,
             size, kPaper);
    }
  }

  [[nodiscard]] std::vector<Fact> facts_of_report() const {
    const MassProperties& mass = report_.mass;
    const MassError& error = report_.error;
    std::vector<Fact> facts{
        {"volume", certain_digits(mass.volume, error.volume) + " m\xb3"},
        {"mass", certain_digits(mass.mass, error.volume * mass.density) + " kg"}};
    // Four digits, and none of what is far below those of the body.
    const auto shown = [&](int axis) {
      const double x = mass.center_of_mass[axis];
      return std::abs(x) < 1e-6 * body_.diagonal().norm() ? 0 : x;
    };
    if (mass.center_of_mass.allFinite())
      facts.emplace_back("center of mass G, m",
                         fmt::format("{:.4g}, {:.4g}, {:.4g}", shown(0), shown(1), shown(2)));
    if (box_)
      facts.emplace_back("box of that mass and moments, m",
                         fmt::format("{:.4g} x {:.4g} x {:.4g}", 2 * box_->half[0],
                                     2 * box_->half[1], 2 * box_->half[2]));
    facts.emplace_back("density", certain_digits(mass.density, 0) + " kg/m\xb3");
    if (const std::optional<PrincipalAxes> axes = axes_of(mass)) {
      constexpr std::array<const char*, 3> kNames{"moment about I", "moment about II",
                                                  "moment about III"};
      for (std::size_t k = 0; k < 3; ++k)
        facts.emplace_back(kNames[k], certain_digits(axes->moments[static_cast<int>(k)],
                                                     moment_bound(*axes, error)) +
                                          " kg m\xb2");
    }
    return facts;
  }

  void draw_words(Picture& picture) const {
    draw_scale(picture, view_.scale, layout_.body, layout_.letter);
    draw_facts(picture, facts_, layout_);
    const Spot at{layout_.facts.x, 2.4 * layout_.letter};
    const double size = 1.15 * layout_.letter;
    const std::string name =
        report_.is_assembly()
            ? fmt::format("assembly of {} parts", report_.parts.size())
            : std::filesystem::path(report_.parts.front().name).filename().string();
    letter_within(picture, at, name == "-" ? "standard input" : name, size, layout_.facts.width,
                  kInk);
    std::string word;
    if (!is_sound(report_.status))
      word = fmt::format("{}: {}", to_string(report_.status), in_words(report_.status));
    if (more_) word += fmt::format("; the first {} places are marked", marked_.size());
    if (std::any_of(parts_.begin(), parts_.end(), [](const DrawnPart& p) { return p.is_box; }))
      word +=
          fmt::format("{}drawn as its bounds, for it has no triangles", word.empty() ? "" : "; ");
    letter_within(picture, {at.x, at.y + 1.8 * layout_.letter}, word, 0.92 * layout_.letter,
                  layout_.facts.width, is_sound(report_.status) ? kPale : kWrong);
  }

  const MassReport& report_;
  std::vector<DrawnPart> parts_;
  Box3 body_;
  std::optional<EquivalentBox> box_;
  bool more_ = false;
  std::vector<MarkedDefect> marked_;
  std::vector<Fact> facts_;
  PictureLayout layout_;
  View view_;
  std::optional<BodyDrawing> drawing_;
};

}  // namespace

Picture draw_mass(const Weighing& weighing, PixelSize size) {
  return MassDrawing(weighing, size).draw();
}

}  // namespace plimsoll::cli
