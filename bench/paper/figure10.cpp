// [Kim2006, fig. 10]: bunny, torus and teapot, sunk to half their height, with gravity (blue, at
// the center of mass) and buoyant force (yellow, at the center of buoyancy), and beside each the
// color encoded integrands of the peels of its submerged part; last, in a blue frame, of the
// fluid's surface. Prints a picture (PPM) to stdout; bench/plots/kim2006_figure10.py makes it a
// PNG.
//
//   figure10 [--cache DIR] [--only OBJECT]
#include <plimsoll/gl_water_image.h>
#include <plimsoll/mass_properties.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/mesh_io.h>
#include <plimsoll/patches.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include "checked.h"
#include "options.h"
#include "shared/afloat.h"

namespace plimsoll::bench {
namespace {

constexpr int kFine = 3;     // samples along a side of a pixel
constexpr int kScene = 330;  // pixels along a side of the view of a body
constexpr int kTile = 150;   // and of a peel
constexpr int kGap = 12;
constexpr int kPixels = 128;    // of a peel's columns
constexpr double kRange = 0.9;  // of a scene that a body's box takes

using Color = Eigen::Vector3d;  // in [0, 1]
const Color kPaper(1, 1, 1), kWater(0.35, 0.62, 0.85), kBody(0.86, 0.74, 0.55),
    kGravity(0.1, 0.2, 0.85), kBuoyant(0.98, 0.8, 0.05), kOutline(0.15, 0.15, 0.15),
    kNothing(0.93, 0.93, 0.93), kFrame(0.7, 0.7, 0.7);

struct Picture {
  int width, height;
  std::vector<Color> pixels;

  Picture(int w, int h, const Color& color)
      : width(w),
        height(h),
        pixels(static_cast<std::size_t>(w) * static_cast<std::size_t>(h), color) {}
  Color& at(int x, int y) {
    return pixels[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                  static_cast<std::size_t>(x)];
  }
  void fill(int x0, int y0, int w, int h, const Color& color) {
    for (int y = std::max(0, y0); y < std::min(height, y0 + h); ++y)
      for (int x = std::max(0, x0); x < std::min(width, x0 + w); ++x) at(x, y) = color;
  }
};

/// From the world to (right, up, nearer), in pixels of a fine picture with its middle at 0.
Mat3 view_turn() {
  const Eigen::AngleAxisd elevation(-(90 - 16) * std::numbers::pi / 180, Vec3::UnitX());
  const Eigen::AngleAxisd turn(25 * std::numbers::pi / 180, Vec3::UnitZ());
  return (elevation * turn).toRotationMatrix();
}

/// A body about the middle of its box, in water up to z = 0.
struct Floating {
  std::string name;
  TriangleMesh mesh;
  Vec3 mass_center = Vec3::Zero();
  WaterImage wet;
  double volume = 0;
  std::vector<PeelImage> layers;
};

class Scene {
 public:
  explicit Scene(const Floating& body)
      : body_(body), picture_(kScene * kFine, kScene * kFine, kPaper) {
    const Vec3 size = bounding_box(checked(body.mesh)).sizes();
    const Vec3 half = turn_.cwiseAbs() * (size / 2);
    scale_ = kRange * kScene * kFine / 2 / std::max(half[0], half[1]);
    depths_.assign(picture_.pixels.size(), -std::numeric_limits<double>::infinity());
  }

  Picture draw() {
    draw_body();
    draw_water();
    // As long as the force; the body weighs half its volume of water.
    const double unit = 0.5 * kScene * kFine / body_.volume;
    draw_arrow(body_.mass_center, -unit * body_.volume / 2, kGravity);
    draw_arrow(body_.wet.buoyancy.center, unit * body_.wet.buoyancy.volume, kBuoyant);
    return picture_;
  }

 private:
  Vec3 on_picture(const Vec3& p) const {
    const Vec3 q = scale_ * (turn_ * p);
    return {picture_.width / 2.0 + q[0], picture_.height / 2.0 - q[1], q[2]};
  }

  void draw_body() {
    const Vec3 light = Vec3(-0.5, -0.6, 0.9).normalized();
    for (const Triangle& t : body_.mesh.triangles) {
      const Vec3 &a = body_.mesh.vertices[t[0]], &b = body_.mesh.vertices[t[1]],
                 &c = body_.mesh.vertices[t[2]];
      const Vec3 normal = (b - a).cross(c - a).normalized();
      const double bright = 0.45 + 0.55 * std::max(0.0, light.dot(normal));
      draw_triangle(on_picture(a), on_picture(b), on_picture(c), bright * kBody);
    }
  }

  void draw_triangle(const Vec3& a, const Vec3& b, const Vec3& c, const Color& color) {
    const auto cross = [](const Vec3& p, const Vec3& q, double x, double y) {
      return (q.x() - p.x()) * (y - p.y()) - (q.y() - p.y()) * (x - p.x());
    };
    const double area = cross(a, b, c.x(), c.y());
    if (area == 0) return;
    const int x0 = std::max(0, static_cast<int>(std::min({a.x(), b.x(), c.x()})));
    const int x1 = std::min(picture_.width - 1, static_cast<int>(std::max({a.x(), b.x(), c.x()})));
    const int y0 = std::max(0, static_cast<int>(std::min({a.y(), b.y(), c.y()})));
    const int y1 = std::min(picture_.height - 1, static_cast<int>(std::max({a.y(), b.y(), c.y()})));
    for (int y = y0; y <= y1; ++y)
      for (int x = x0; x <= x1; ++x) {
        const double u = cross(b, c, x + 0.5, y + 0.5) / area,
                     v = cross(c, a, x + 0.5, y + 0.5) / area, w = 1 - u - v;
        if (u < 0 || v < 0 || w < 0) continue;
        const double z = u * a.z() + v * b.z() + w * c.z();
        double& nearest = depth(x, y);
        if (z <= nearest) continue;
        nearest = z;
        picture_.at(x, y) = color;
      }
  }

  // A square of the surface, over what is behind it.
  void draw_water() {
    const Mat3 back = turn_.transpose();
    const double reach = 0.62 * picture_.width / scale_;
    for (int y = 0; y < picture_.height; ++y)
      for (int x = 0; x < picture_.width; ++x) {
        const Vec3 at((x + 0.5 - picture_.width / 2.0) / scale_,
                      (picture_.height / 2.0 - y - 0.5) / scale_, 0);
        const Vec3 p = back * at, along = back.col(2);
        const double nearer = -p[2] / along[2];  // to z = 0
        const Vec3 q = p + nearer * along;
        if (std::fabs(q[0]) > reach || std::fabs(q[1]) > reach) continue;
        if (nearer * scale_ < depth(x, y)) continue;
        picture_.at(x, y) = 0.45 * picture_.at(x, y) + 0.55 * kWater;
      }
  }

  // Upright in the picture, `length` pixels up, over everything: an outline, then the arrow.
  void draw_arrow(const Vec3& from, double length, const Color& color) {
    const Vec3 foot = on_picture(from);
    const auto x = static_cast<int>(foot.x()), y = static_cast<int>(foot.y());
    const int sign = length > 0 ? -1 : 1;
    const int tip = static_cast<int>(std::fabs(length));
    constexpr int kShaft = 4 * kFine, kHead = 10 * kFine, kLine = kFine;
    for (const int border : {kLine, 0})
      for (int i = -border; i <= tip + border; ++i) {
        const int left = tip - i;  // to the tip
        const int half = left > 2 * kHead ? kShaft / 2 + border : (left + 2 * border) / 2;
        if (half >= 0)
          picture_.fill(x - half, y + sign * i, 2 * half + 1, 1, border > 0 ? kOutline : color);
      }
    for (int dy = -3 * kFine; dy <= 3 * kFine; ++dy)  // where it acts
      for (int dx = -3 * kFine; dx <= 3 * kFine; ++dx)
        if (dx * dx + dy * dy <= 9 * kFine * kFine) picture_.fill(x + dx, y + dy, 1, 1, kOutline);
  }

  double& depth(int x, int y) {
    return depths_[static_cast<std::size_t>(y) * static_cast<std::size_t>(picture_.width) +
                   static_cast<std::size_t>(x)];
  }

  const Floating& body_;
  Mat3 turn_ = view_turn();
  double scale_ = 1;
  Picture picture_;
  std::vector<double> depths_;
};

// Mid gray is zero, full and none the largest magnitude in any of the layers.
void draw_layer(const Floating& body, const PeelImage& layer, int x0, int y0, Picture& picture) {
  Vec3 largest = Vec3::Zero();
  for (const PeelImage& image : body.layers)
    for (std::size_t i = 0; i < image.targets[0].size(); ++i)
      if (i % 4 < 3)
        largest[static_cast<long>(i % 4)] = std::max(
            largest[static_cast<long>(i % 4)], static_cast<double>(std::fabs(image.targets[0][i])));
  // At the proportions of the body, seen from above.
  const Vec3 size = bounding_box(checked(body.mesh)).sizes();
  const double pixel = std::max(size[0], size[1]) / kTile;
  for (int y = 0; y < kTile; ++y)
    for (int x = 0; x < kTile; ++x) {
      const double u = 0.5 + (x + 0.5 - kTile / 2.0) * pixel / size[0];
      const double v = 0.5 + (kTile / 2.0 - y - 0.5) * pixel / size[1];
      if (u < 0 || u >= 1 || v < 0 || v >= 1) continue;
      const auto i = 4 * (static_cast<std::size_t>(v * kPixels) * kPixels +
                          static_cast<std::size_t>(u * kPixels));
      if (layer.targets[1][i + 3] == 0) continue;
      Color& color = picture.at(x0 + x, y0 + y);
      for (std::size_t k = 0; k < 3; ++k)
        color[static_cast<long>(k)] = 0.5 + 0.5 * static_cast<double>(layer.targets[0][i + k]) /
                                                largest[static_cast<long>(k)];
    }
}

void paste_smoothed(const Picture& fine, int x0, int y0, Picture& picture) {
  for (int y = 0; y < fine.height / kFine; ++y)
    for (int x = 0; x < fine.width / kFine; ++x) {
      Color sum = Color::Zero();
      for (int i = 0; i < kFine * kFine; ++i)
        sum += fine.pixels[static_cast<std::size_t>((kFine * y + i / kFine) * fine.width +
                                                    kFine * x + i % kFine)];
      picture.at(x0 + x, y0 + y) = sum / (kFine * kFine);
    }
}

Result<Floating> afloat(std::string name, TriangleMesh mesh, GlWaterImage& gl) {
  Floating body;
  body.name = std::move(name);
  body.mesh = centered(std::move(mesh));
  const MassProperties mass = mass_properties(checked(body.mesh));
  body.mass_center = mass.center_of_mass;
  body.volume = mass.volume;
  const Result<GlMeshId> id = gl.upload(checked(body.mesh));
  if (!id) return id.error();
  const SurfaceNow now = *FreeSurface().at(0, 9.80665);
  GlWaterOptions options;
  options.image.width = options.image.height = kPixels;
  Result<WaterImage> wet = gl.measure(GlWaterBody{*id}, now, options);
  if (!wet) return wet.error();
  body.wet = *wet;
  Result<std::vector<PeelImage>> layers = gl.peels(GlWaterBody{*id}, now, options);
  if (!layers) return layers.error();
  body.layers = std::move(*layers);
  return body;
}

Result<std::vector<Floating>> bodies(const Options& options) {
  const Result<MeshFile> scan = read_mesh(options.cache + "/cgal/bunny00.off");
  if (!scan) return scan.error();
  TriangleMesh bunny = weld(checked(scan->mesh));
  for (Vec3& v : bunny.vertices) v = Vec3(v[0], -v[2], v[1]);  // its ears upward
  const Result<GlContext> context = GlContext::create();
  if (!context) return context.error();
  Result<GlWaterImage> gl = GlWaterImage::create(*context);
  if (!gl) return gl.error();
  TriangleMesh torus = make_torus(1, 0.4, 96, 48);
  for (Vec3& v : torus.vertices)
    v = Eigen::AngleAxisd(55 * std::numbers::pi / 180, Vec3(1, 0.3, 0).normalized()) * v;
  const std::pair<const char*, TriangleMesh> meshes[] = {
      {"bunny", bunny}, {"torus", torus}, {"teapot", make_teapot(16)}};
  std::vector<Floating> all;
  for (const auto& [name, mesh] : meshes) {
    if (!options.only.empty() && options.only != name) continue;
    Result<Floating> body = afloat(name, mesh, *gl);
    if (!body) return body.error();
    all.push_back(std::move(*body));
  }
  return all;
}

void print_ppm(const Picture& picture) {
  std::printf("P6\n%d %d\n255\n", picture.width, picture.height);
  for (const Color& color : picture.pixels)
    for (const double channel : {color[0], color[1], color[2]})
      std::putchar(static_cast<int>(std::lround(255 * std::clamp(channel, 0.0, 1.0))));
}

int main(int argc, char** argv) {
  const std::optional<Options> options = options_of(argc, argv);
  if (!options) return 2;
  const Result<std::vector<Floating>> all = bodies(*options);
  if (!all) {
    std::fprintf(stderr, "figure10: %s %s\n", all.error().where.c_str(),
                 all.error().message.c_str());
    return 1;
  }
  std::size_t peels = 0;
  for (const Floating& body : *all) peels = std::max(peels, body.layers.size());
  Picture picture(kScene + static_cast<int>(peels) * (kTile + kGap) + 2 * kGap,
                  static_cast<int>(all->size()) * (kScene + kGap) + kGap, kPaper);
  int y = kGap;
  for (const Floating& body : *all) {
    std::fprintf(stderr, "figure10: %s: %zu peels, %.3g of it under water\n", body.name.c_str(),
                 body.layers.size() - 1, body.wet.buoyancy.volume / body.volume);
    paste_smoothed(Scene(body).draw(), kGap, y, picture);
    int x = kGap + kScene + kGap;
    const int top = y + (kScene - kTile) / 2;
    for (const PeelImage& layer : body.layers) {
      const bool is_surface = &layer == &body.layers.back();
      picture.fill(x - 2, top - 2, kTile + 4, kTile + 4, is_surface ? kWater : kFrame);
      picture.fill(x, top, kTile, kTile, kNothing);
      draw_layer(body, layer, x, top, picture);
      x += kTile + kGap;
    }
    y += kScene + kGap;
  }
  print_ppm(picture);
  return 0;
}

}  // namespace
}  // namespace plimsoll::bench

int main(int argc, char** argv) { return plimsoll::bench::main(argc, argv); }
