#include "picture/mass_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <span>

#include "picture/annotation.h"
#include "picture/body_drawing.h"

namespace plimsoll::picture {
namespace {

constexpr Color kInside{92, 104, 116};
constexpr Color kBox{0, 90, 160};
constexpr Color kWrong{205, 20, 30};
constexpr std::array<Color, 3> kAxes{{{0, 116, 62}, {120, 40, 140}, {150, 90, 0}}};

DrawnSurface surface_of(const WeighedPart& part, std::size_t number) {
  return {&part.mesh, Similarity::Identity(), body_color(number), kInside, part.is_inverted};
}

/// Everything that is drawn, and where.
class MassDrawing {
 public:
  MassDrawing(const MassScene& scene, PixelSize size)
      : scene_(scene), layout_(layout_for(size, scene.facts.size())) {
    for (std::size_t p = 0; p < scene.parts.size(); ++p)
      surfaces_.push_back(surface_of(scene.parts[p], p));
    place();
    drawing_.emplace(size, view_, false);
  }

  Picture draw() {
    for (const DrawnSurface& surface : surfaces_) drawing_->draw(surface);
    Picture picture = drawing_->picture();
    if (scene_.box) draw_box(picture, *scene_.box);
    if (scene_.box) draw_axes(picture, *scene_.box);
    draw_wrong(picture);
    if (scene_.center_of_mass)
      draw_marks(picture, {{spot_of(view_, *scene_.center_of_mass), kInk, "G"}}, layout_.letter);
    draw_numbers(picture);
    if (layout_.has_words) draw_words(picture);
    return picture;
  }

 private:
  [[nodiscard]] static Vec3 axis_end(const EquivalentBox& box, int axis, double way) {
    const double beyond = 0.12 * box.half.maxCoeff();
    return box.center + way * (box.half[axis] + beyond) * box.axes.row(axis).transpose();
  }

  /// Fits all that is drawn into its frame, with room for letters.
  void place() {
    constexpr double kElevation = 24, kTurn = 28;
    view_ = view_from(kElevation, kTurn);
    Box3 seen;
    for (const DrawnSurface& surface : surfaces_) extend(seen, view_, surface);
    if (seen.isEmpty()) seen = Box3(Vec3(0, 0, 0));
    if (const auto& box = scene_.box) {
      for (unsigned corner = 0; corner < 8; ++corner)
        seen.extend(Vec3(view_.turn * box->corner(corner)));
      for (int axis = 0; axis < 3; ++axis)
        for (const double way : {-1.0, 1.0})
          seen.extend(Vec3(view_.turn * axis_end(*box, axis, way)));
    }
    fit(view_, seen, layout_.body, 4 * layout_.letter);
  }

  void draw_box(Picture& picture, const EquivalentBox& box) const {
    for (unsigned corner = 0; corner < 8; ++corner)
      for (const unsigned bit : {1u, 2u, 4u})
        if ((corner & bit) == 0)
          drawing_->line(picture, box.corner(corner), box.corner(corner | bit), 1.6, kBox);
  }

  void draw_axes(Picture& picture, const EquivalentBox& box) const {
    constexpr std::array<const char*, 3> kNames{"I", "II", "III"};
    const double size = layout_.letter;
    for (int axis = 0; axis < 3; ++axis) {
      const auto k = static_cast<std::size_t>(axis);
      const Vec3 end = axis_end(box, axis, 1), start = axis_end(box, axis, -1);
      drawing_->line(picture, start, end, 2.4, kAxes[k]);
      const Spot from = spot_of(view_, start), to = spot_of(view_, end);
      const double length = std::max(std::hypot(to.x - from.x, to.y - from.y), 1e-9);
      const Spot name{to.x + 1.1 * size * (to.x - from.x) / length,
                      to.y + 1.1 * size * (to.y - from.y) / length};
      letter_on(picture, {name.x - lettered_width(kNames[k], size) / 2, name.y + size / 2},
                kNames[k], size, kAxes[k], kPaper);
    }
  }

  [[nodiscard]] const Vec3& vertex(const WrongPlace& wrong, std::size_t i) const {
    return scene_.parts[wrong.part].mesh.vertices[wrong.loop[i % wrong.loop.size()]];
  }

  void draw_wrong(Picture& picture) const {
    for (const WrongPlace& wrong : scene_.wrong)
      for (std::size_t i = 0; i < wrong.loop.size(); ++i)
        drawing_->line(picture, vertex(wrong, i), vertex(wrong, i + 1), 3, kWrong);
  }

  /// The highest point of a large hole, in the picture; the middle of anything else.
  [[nodiscard]] Spot place_of(const WrongPlace& wrong, bool is_large) const {
    if (!is_large) return spot_of(view_, wrong.at);
    Spot place = spot_of(view_, vertex(wrong, 0));
    for (std::size_t i = 1; i < wrong.loop.size(); ++i) {
      const Spot at = spot_of(view_, vertex(wrong, i));
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
    for (const WrongPlace& wrong : scene_.wrong) {
      const bool is_large = wrong.rim_length * view_.scale > 12 * radius;
      const Spot at = place_of(wrong, is_large);
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

  void draw_words(Picture& picture) const {
    draw_scale(picture, view_.scale, layout_.body, layout_.letter);
    draw_facts(picture, scene_.facts, layout_);
    const Rectangle& frame = layout_.facts;
    letter_within(picture, {frame.x, 2.4 * layout_.letter}, scene_.title, 1.15 * layout_.letter,
                  frame.width, kInk);
    letter_within(picture, {frame.x, 4.2 * layout_.letter}, scene_.remark, 0.92 * layout_.letter,
                  frame.width, scene_.is_sound ? kPale : kWrong);
  }

  const MassScene& scene_;
  PictureLayout layout_;
  std::vector<DrawnSurface> surfaces_;
  ParallelView view_;
  std::optional<BodyDrawing> drawing_;
};

}  // namespace

Vec3 EquivalentBox::corner(unsigned bits) const {
  Vec3 p = center;
  for (unsigned k = 0; k < 3; ++k)
    p += ((bits >> k & 1) != 0 ? half[k] : -half[k]) * axes.row(k).transpose();
  return p;
}

std::optional<EquivalentBox> equivalent_box(const MassProperties& mass) {
  if (!mass.inertia.allFinite() || !(mass.mass > 0)) return std::nullopt;
  const PrincipalAxes found = principal_axes(mass.inertia);
  EquivalentBox box{mass.center_of_mass, found.axes, {}};
  for (int k = 0; k < 3; ++k) {
    const double squared =
        6 * (found.moments.sum() - 2 * found.moments[k]) / mass.mass;  // of the whole edge
    if (!(squared > 0)) return std::nullopt;
    box.half[k] = std::sqrt(squared) / 2;
  }
  return box;
}

Picture draw_mass(const MassScene& scene, PixelSize size) {
  return MassDrawing(scene, size).draw();
}

}  // namespace plimsoll::picture
