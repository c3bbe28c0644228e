#include "picture/spheres_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "picture/ball_drawing.h"
#include "picture/bodies_picture.h"
#include "picture/lettering.h"

namespace plimsoll::picture {
namespace {

constexpr Color kGlass{120, 140, 160};
constexpr double kElevation = 24, kTurn = 28;

/// From the color of the largest radius to that of the smallest.
constexpr std::array<Color, 4> kSizes{
    {{38, 84, 160}, {46, 158, 160}, {240, 190, 84}, {214, 88, 60}}};

/// The largest radius is at 0, the smallest at 1.
Color color_of_size(double share) {
  const double place = std::clamp(share, 0.0, 1.0) * (kSizes.size() - 1);
  const auto k = std::min(static_cast<std::size_t>(place), kSizes.size() - 2);
  return mixed(kSizes[k], kSizes[k + 1], place - static_cast<double>(k));
}

/// Colors of the root's children.
Color color_of_branch(std::uint32_t branch) {
  constexpr std::array<Color, 8> kColors{{{70, 130, 200},
                                          {230, 150, 60},
                                          {100, 170, 90},
                                          {190, 90, 150},
                                          {120, 110, 200},
                                          {210, 90, 80},
                                          {80, 180, 180},
                                          {180, 160, 70}}};
  return kColors[branch % kColors.size()];
}

/// Radii on a logarithmic scale.
class SizeScale {
 public:
  explicit SizeScale(std::span<const PlacedSphere> spheres) {
    const auto [least, most] = std::minmax_element(
        spheres.begin(), spheres.end(),
        [](const PlacedSphere& a, const PlacedSphere& b) { return a.radius < b.radius; });
    least_ = least->radius;
    most_ = most->radius;
  }

  [[nodiscard]] Color color(double radius) const {
    return color_of_size(
        most_ > least_ && least_ > 0 ? std::log(most_ / radius) / std::log(most_ / least_) : 0);
  }
  [[nodiscard]] LegendEntry legend() const {
    if (!(most_ > least_) || !(least_ > 0))
      return {color(most_), fmt::format("radius {:.3g} m", most_)};
    return {color(most_),
            fmt::format("radius from {:.3g} to {:.3g} m, {:.3g} m in the middle: equal steps are "
                        "equal ratios",
                        most_, least_, std::sqrt(most_) * std::sqrt(least_)),
            {kSizes.begin(), kSizes.end()}};
  }
  [[nodiscard]] std::string words() const {
    return fmt::format("{:.3g} to {:.3g} m", least_, most_);
  }

 private:
  double least_ = 0, most_ = 0;
};

PixelSize size_of(const Rectangle& frame) {
  return {std::max(1, static_cast<int>(frame.width)), std::max(1, static_cast<int>(frame.height))};
}

void put_panel(Picture& picture, const Rectangle& frame, const Picture& panel,
               const std::string& words, double letter_size) {
  put(picture, panel, static_cast<int>(frame.x), static_cast<int>(frame.y));
  if (letter_size <= 0) return;
  const double width = lettered_width(words, letter_size);
  letter(picture, {frame.middle().x - width / 2, frame.y + frame.height + 1.3 * letter_size}, words,
         letter_size, kPale);
}

/// Which levels are drawn: the first ones, and the spheres themselves.
std::vector<std::size_t> drawn_levels(std::size_t depth) {
  constexpr std::size_t kMost = 6;
  std::vector<std::size_t> levels;
  for (std::size_t k = 0; k + 1 < kMost && k < depth; ++k) levels.push_back(k);
  levels.push_back(depth);
  return levels;
}

/// Draws a scene into panels, all seen from one side.
class SpheresPanels {
 public:
  explicit SpheresPanels(const SpheresScene& scene)
      : scene_(scene), mesh_(*scene.body.mesh), sizes_(scene.spheres) {
    const Mat3 linear = scene.body.world_from_mesh.linear();
    view_.turn = view_.turn * linear / std::cbrt(linear.determinant());
    picture::extend(box_, view_, surface_of({scene.body.name, scene.body.mesh}, kGlass));
    for (const PlacedSphere& sphere : scene.spheres) extend(box_, sphere);
    level_box_ = box_;
    if (!scene.tree) return;
    for (const std::size_t level : drawn_levels(scene.tree->depth()))
      for (const auto& [ball, branch] : scene.tree->level(level)) extend(level_box_, ball);
  }

  [[nodiscard]] const SizeScale& sizes() const { return sizes_; }
  [[nodiscard]] double scale(const Rectangle& frame) const { return fitted(box_, frame, 0).scale; }

  [[nodiscard]] Picture all_spheres(const Rectangle& frame) const {
    const ParallelView view = fitted(box_, frame, 0);
    return body_with_spheres(BallDrawing(size_of(frame), view), part());
  }

  /// The half behind the center of mass.
  [[nodiscard]] Picture cut_open(const Rectangle& frame) const {
    const HalfSpace half = far_half();
    HalfSpace just_inside =
        half;  // lines on the border itself are shown or not as they are rounded
    just_inside.offset += 1e-6 * box_.diagonal().norm();
    return body_with_spheres(BallDrawing(size_of(frame), fitted(box_, frame, 0), half),
                             scene_.covers ? std::optional(just_inside) : part());
  }

  /// All levels have the scale at which the largest balls fit.
  /// Precondition: there is a tree.
  [[nodiscard]] Picture level(std::size_t depth, const Rectangle& frame) const {
    BallDrawing drawing(size_of(frame), fitted(level_box_, frame, 4));
    for (const auto& [ball, branch] : scene_.tree->level(depth))
      drawing.draw(ball, depth == 0 ? kRule : color_of_branch(branch));
    drawing.draw_outline(mesh_, kInk);
    return drawing.picture(kPaper);
  }

 private:
  void extend(Box3& box, const PlacedSphere& ball) const {
    const Vec3 middle = view_.turn * ball.center;
    box.extend(Vec3(middle.array() - ball.radius));
    box.extend(Vec3(middle.array() + ball.radius));
  }

  /// The view in which a box of turned coordinates fits into a panel.
  [[nodiscard]] ParallelView fitted(const Box3& box, const Rectangle& frame, double room) const {
    ParallelView view = view_;
    fit(view, box, {0, 0, frame.width, frame.height}, room);
    return view;
  }

  /// Beyond the plane through the center of mass, across an axis of the mesh, of which most is
  /// seen: the area of its box in that plane, foreshortened.
  [[nodiscard]] HalfSpace far_half() const {
    Box3 box;
    for (const Triangle& t : mesh_.triangles)
      for (const std::uint32_t v : t) box.extend(mesh_.vertices[v]);
    const Vec3 size = box.sizes().cwiseMax(1e-9 * box.sizes().maxCoeff());
    Eigen::Index axis = 0;
    view_.turn.row(2).transpose().cwiseQuotient(size).cwiseAbs().maxCoeff(&axis);
    const Vec3 normal = Vec3::Unit(axis) * (view_.turn(2, axis) > 0 ? -1 : 1);
    return {normal, normal.dot(scene_.center_of_mass)};
  }

  /// That is packed, if not all is.
  [[nodiscard]] std::optional<HalfSpace> part() const {
    return scene_.covers ? std::nullopt : scene_.keep;
  }

  [[nodiscard]] Picture body_with_spheres(BallDrawing drawing,
                                          const std::optional<HalfSpace>& section) const {
    for (const PlacedSphere& sphere : scene_.spheres)
      drawing.draw(sphere, sizes_.color(sphere.radius));
    drawing.draw_surface(mesh_, kGlass);
    drawing.draw_outline(mesh_, kPale);
    if (section) drawing.draw_section(mesh_, *section, kStrong);
    return drawing.picture(kPaper);
  }

  const SpheresScene& scene_;
  const TriangleMesh& mesh_;
  SizeScale sizes_;
  ParallelView view_ = view_from(kElevation, kTurn);
  Box3 box_, level_box_;  // of the body, and of the balls of its levels, turned as they are seen
};

std::string level_in_words(const SphereTree& tree, std::size_t level) {
  const std::size_t count = tree.level(level).size();
  if (level == tree.depth())
    return fmt::format("level {}: the {}", level, count == 1 ? "sphere" : "spheres");
  return fmt::format("level {}: {} {}", level, count, count == 1 ? "ball" : "balls");
}

void draw_levels(Picture& picture, const SpheresPanels& panels, const SphereTree& tree,
                 const Rectangle& row, double letter_size) {
  const std::vector<std::size_t> levels = drawn_levels(tree.depth());
  const double width = row.width / static_cast<double>(levels.size());
  for (std::size_t k = 0; k < levels.size(); ++k) {
    const Rectangle frame{row.x + width * static_cast<double>(k), row.y, width,
                          row.height - 2 * letter_size};
    put_panel(picture, frame, panels.level(levels[k], frame), level_in_words(tree, levels[k]),
              letter_size);
  }
}

/// "z >= 0.7 m" for an axis, else "0.6 x - 0.8 y >= 0.7 m".
std::string in_words(const HalfSpace& half_space) {
  const double length = half_space.normal.stableNorm();
  std::string text;
  for (const Eigen::Index k : {0, 1, 2}) {
    const double share = half_space.normal[k] / length;
    if (share == 0) continue;
    const char* sign = share < 0 ? "-" : text.empty() ? "" : "+";
    text += text.empty() ? sign : fmt::format(" {} ", sign);
    if (std::fabs(share) != 1) text += fmt::format("{:.3g} ", std::fabs(share));
    text += static_cast<char>('x' + k);
  }
  return fmt::format("{} >= {:.4g} m", text, half_space.offset / length);
}

std::vector<Fact> facts_of(const SpheresScene& scene, const SizeScale& sizes) {
  const std::string what = scene.keep && !scene.covers ? "part" : "solid";
  std::vector<Fact> facts;
  if (scene.keep)
    facts.emplace_back(scene.covers ? "the spheres keep to" : "the part that is packed",
                       in_words(*scene.keep));
  facts.emplace_back("share of the " + what + " in the spheres",
                     fmt::format("{:.4f}", scene.coverage));
  facts.emplace_back("radii", sizes.words());
  facts.emplace_back(scene.covers ? "farthest point of them from the solid"
                                  : "farthest point of the " + what + " from them",
                     fmt::format("{:.3g} m at most", scene.largest_protrusion));
  if (scene.tree)
    facts.emplace_back("the tree takes",
                       fmt::format("{:.3g} MB", 1e-6 * static_cast<double>(scene.tree->memory())));
  return facts;
}

}  // namespace

Picture draw_spheres(const SpheresScene& scene, PixelSize size) {
  const SpheresPanels panels(scene);
  const std::vector<Fact> facts = facts_of(scene, panels.sizes());
  const PictureLayout layout = layout_with_legend(size, facts.size());
  Picture picture(size.width, size.height, kPaper);
  if (!layout.has_words) {
    put_panel(picture, layout.body, panels.all_spheres(layout.body), {}, 0);
    return picture;
  }
  const double letter_size = 0.92 * layout.letter, gap = layout.letter;
  const Rectangle& body = layout.body;
  const double levels = scene.tree ? 0.34 * body.height : 0,
               large = body.height - levels - 3 * letter_size;
  const Rectangle left{body.x, body.y, (body.width - gap) / 2, large};
  const Rectangle right{body.x + left.width + gap, body.y, left.width, large};
  put_panel(picture, left, panels.all_spheres(left),
            scene.covers ? "the spheres, with the body in them" : "the spheres in the body",
            letter_size);
  put_panel(picture, right, panels.cut_open(right), "cut open through the center of mass",
            letter_size);
  if (scene.tree)
    draw_levels(picture, panels, *scene.tree,
                {body.x, body.y + large + 2.6 * letter_size, body.width, levels}, letter_size);
  PictureLayout words = layout;
  words.body = left;
  std::vector<LegendEntry> legend{panels.sizes().legend()};
  if (scene.covers)
    legend.push_back({kStrong, "where the cut meets the body"});
  else if (scene.keep)
    legend.push_back({kStrong, "where the plane of the part cuts the body"});
  draw_words(picture, scene.title, legend, facts, words, panels.scale(left));
  return picture;
}

}  // namespace plimsoll::picture
