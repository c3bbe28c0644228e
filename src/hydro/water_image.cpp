// Columns of a posed body by scanning its triangles, or by crossing what has none.
#include <plimsoll/shape.h>
#include <plimsoll/water_image.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "columns/columns.h"
#include "hydro/water_image_sums.h"
#include "hydro/wet_triangles.h"
#include "image/scan_triangle.h"
#include "image/shape_parts.h"
#include "mesh/trusted_mesh.h"

namespace plimsoll {
namespace {

constexpr int kMaxSide = 4096;  // pixels

/// A vertex in the lattice, and the first row and column at or after it.
struct LatticeVertex {
  Vec3 at;
  std::int32_t row, column;
};

/// A closed mesh whose vertices are about the middle of its box.
struct CenteredMesh {
  TriangleMesh mesh;
  Vec3 middle = Vec3::Zero();
  double outward = 1;         // -1 where it is turned inward
  double missing_volume = 0;  // by which it may differ from the shape that it stands for
};

CenteredMesh centered(const TriangleMesh& mesh, double deviation) {
  CenteredMesh body{weld(mesh), bounding_box(mesh).center()};
  double volume = 0, area = 0;
  for (Vec3& v : body.mesh.vertices) v -= body.middle;
  for (const Triangle& t : body.mesh.triangles) {
    const Vec3 &a = body.mesh.vertices[t[0]], &b = body.mesh.vertices[t[1]],
               &c = body.mesh.vertices[t[2]];
    volume += a.dot(b.cross(c));
    area += (b - a).cross(c - a).norm() / 2;
  }
  body.outward = volume < 0 ? -1 : 1;
  body.missing_volume = deviation * area;
  return body;
}

}  // namespace

struct WaterColumns::State {
  Shape shape;  // where no mesh stands for it
  std::optional<CenteredMesh> body;
  WaterImageOptions options;

  std::vector<Vec3> posed;  // about the middle of the body
  std::vector<LatticeVertex> vertices;
  std::vector<WaterColumn> columns;
  SurfaceSamples surface;
  Columns::Scratch scratch;
  std::vector<Span> spans;

  WaterImage measure_mesh(const Similarity& world_from_body, const SurfaceNow& surface_now);
  Result<WaterImage> measure_columns(const Similarity& world_from_body,
                                     const SurfaceNow& surface_now);

 private:
  Box3 pose(const Mat3& turn);
  void to_lattice(const WaterView& view, const Vec3& offset);
  void scan();
  [[nodiscard]] double wet_volume_of_mesh(const Lattice& lattice) const;
  void cross(const Columns& solid, const WaterView& view);
};

// Vertices relative to the middle, where they lose no digits far from the origin.
Box3 WaterColumns::State::pose(const Mat3& turn) {
  const std::vector<Vec3>& vertices_in_body = body->mesh.vertices;
  posed.resize(vertices_in_body.size());
  Box3 box;
  for (std::size_t v = 0; v < posed.size(); ++v) {
    posed[v] = turn * vertices_in_body[v];
    box.extend(posed[v]);
  }
  return box;
}

void WaterColumns::State::to_lattice(const WaterView& view, const Vec3& offset) {
  const Lattice& lattice = view.lattice;
  const double to_column = 1 / (view.scale * lattice.dx), to_row = 1 / (view.scale * lattice.dy);
  const double column0 = lattice.x0 / lattice.dx + 0.5, row0 = lattice.y0 / lattice.dy + 0.5;
  const double to_unit = 1 / view.scale;
  vertices.resize(posed.size());
  for (std::size_t v = 0; v < posed.size(); ++v) {
    const Vec3 p = posed[v] - offset;
    const Vec3 at(p[0] * to_column - column0, p[1] * to_row - row0, p[2] * to_unit);
    vertices[v] = {at, std::clamp(ceiling(at[1]), 0, lattice.height),
                   std::clamp(ceiling(at[0]), 0, lattice.width)};
  }
}

void WaterColumns::State::scan() {
  const auto width = static_cast<std::size_t>(options.width);
  for (const Triangle& t : body->mesh.triangles) {
    const LatticeVertex &a = vertices[t[0]], &b = vertices[t[1]], &c = vertices[t[2]];
    if ((a.row == b.row && b.row == c.row) || (a.column == b.column && b.column == c.column))
      continue;  // between two rows or columns of centers
    for_each_center(a.at, b.at, c.at, [&](int column, int row, double z, double sign) {
      if (row >= options.height || column >= options.width) return;
      const std::size_t i =
          static_cast<std::size_t>(row) * width + static_cast<std::size_t>(column);
      columns[i].add_face(z, surface.heights[i], sign);
    });
  }
}

double WaterColumns::State::wet_volume_of_mesh(const Lattice& lattice) const {
  std::vector<Vec3> at(vertices.size());
  std::transform(vertices.begin(), vertices.end(), at.begin(),
                 [](const LatticeVertex& v) { return v.at; });
  return body->outward * wet_volume(body->mesh.triangles, at, lattice, surface);
}

WaterImage WaterColumns::State::measure_mesh(const Similarity& world_from_body,
                                             const SurfaceNow& surface_now) {
  const Vec3 middle = world_from_body * body->middle;
  const Box3 box = pose(world_from_body.linear());
  WaterView view = water_view(box, options.width, options.height);
  const Vec3 offset = view.middle;
  view.middle += middle;
  view.rounding = rounding_of(world_from_body, body->middle);
  const bool is_dry = middle[2] + box.min()[2] > surface_now.highest() + view.rounding;
  if (is_dry || !view.has_columns()) return {};
  sample_surface(surface_now, view, surface);
  to_lattice(view, offset);
  columns.assign(surface.heights.size(), WaterColumn{});
  scan();
  WaterEstimate estimate{.is_wanted = options.has_estimate};
  if (estimate.is_wanted) estimate.known = wet_volume_of_mesh(view.lattice);
  WaterImage image = sum_columns(columns, view, surface, body->outward, estimate);
  image.volume_error += body->missing_volume * std::abs(world_from_body.linear().determinant());
  return image;
}

void WaterColumns::State::cross(const Columns& solid, const WaterView& view) {
  const Lattice& lattice = view.lattice;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const auto column = static_cast<double>(i % static_cast<std::size_t>(lattice.width));
    const auto row = static_cast<double>(i / static_cast<std::size_t>(lattice.width));
    solid.spans(view.scale * (lattice.x0 + (column + 0.5) * lattice.dx),
                view.scale * (lattice.y0 + (row + 0.5) * lattice.dy), scratch, spans);
    const double h = surface.heights[i];
    for (const Span& span : spans)
      for (const auto& [depth, sign] : {std::pair(span.enter, -1.0), std::pair(span.leave, 1.0)}) {
        const double z = depth / view.scale;
        columns[i].add_face(z, h, sign);
      }
  }
}

Result<WaterImage> WaterColumns::State::measure_columns(const Similarity& world_from_body,
                                                        const SurfaceNow& surface_now) {
  Shape posed_shape = shape;
  posed_shape.pose = world_from_body * shape.pose;
  const Box3 box = bounding_box(posed_shape);
  if (box.isEmpty()) return WaterImage{};
  WaterView view = water_view(box, options.width, options.height);
  view.rounding = rounding_of(world_from_body, shape.pose.translation());
  const bool is_dry = box.min()[2] > surface_now.highest() + view.rounding;
  if (is_dry || !view.has_columns()) return WaterImage{};
  posed_shape.pose.translation() -= view.middle;
  Result<Columns> solid = Columns::of(posed_shape, 2, 1);
  if (!solid) return WaterImage{};  // so far away that its size is lost
  solid->limit_work();
  sample_surface(surface_now, view, surface);
  columns.assign(surface.heights.size(), WaterColumn{});
  scratch.unbalanced = scratch.undecided = 0;
  cross(*solid, view);
  if (solid->is_exhausted()) return Columns::exhausted();
  // Not where the body is lowest, but it is nowhere deeper.
  const double highest = *std::max_element(surface.heights.begin(), surface.heights.end());
  const double bottom = (box.min()[2] - view.middle[2]) / view.scale;
  WaterImage image = sum_columns(columns, view, surface, 1,
                                 {.is_wanted = options.has_estimate, .deepest = highest - bottom});
  const Vec3 size = box.sizes();
  const double area = 2 * (size[0] * size[1] + size[1] * size[2] + size[2] * size[0]);
  image.volume_error += solid->deviation() * area;
  image.unbalanced_columns += static_cast<std::size_t>(scratch.unbalanced);
  image.undecided_columns = static_cast<std::size_t>(scratch.undecided);
  return image;
}

WaterColumns::WaterColumns(std::unique_ptr<State> state) : state_(std::move(state)) {}
WaterColumns::WaterColumns(WaterColumns&&) noexcept = default;
WaterColumns& WaterColumns::operator=(WaterColumns&&) noexcept = default;
WaterColumns::~WaterColumns() = default;

Result<WaterColumns> WaterColumns::create(const Shape& shape, const WaterImageOptions& options) {
  if (Result<void> usable =
          check_resolution(options.width, options.height, kMaxSide, "water image options");
      !usable)
    return usable.error();
  if (Result<void> usable = check_shape(shape); !usable) return usable.error();
  const Box3 box = bounding_box(shape);
  const double size = box.isEmpty() ? 0 : box.sizes().maxCoeff();
  constexpr double kLargest = 1e60;  // fifth powers fit a double
  if (!(size >= 1 / kLargest && size <= kLargest))
    return Error{ErrorCode::kInvalidArgument,
                 "found nothing, or a body less than 1e-60 or more than 1e60 across", "shape"};
  auto state = std::make_unique<State>();
  state->shape = shape;
  state->options = options;
  if (std::holds_alternative<MeshSolid>(shape.solid) ||
      std::holds_alternative<PatchSolid>(shape.solid)) {
    const double pixel = size / std::max(options.width, options.height);
    Result<std::optional<ShapeMesh>> flat = to_triangles(shape, kFlatness * pixel);
    if (!flat) return flat.error();
    state->body = centered((*flat)->mesh, (*flat)->deviation);
  }
  return WaterColumns(std::move(state));
}

Result<WaterImage> WaterColumns::measure(const Similarity& world_from_body,
                                         const SurfaceNow& surface) {
  const Result<Similarity> pose = nearest_similarity(world_from_body);
  if (!pose) return Error{pose.error().code, pose.error().message, "world_from_body"};
  if (state_->body) return state_->measure_mesh(*pose, surface);
  return state_->measure_columns(*pose, surface);
}

Result<WaterImage> water_image(const Shape& shape, const SurfaceNow& surface,
                               const WaterImageOptions& options) {
  Result<WaterColumns> columns = WaterColumns::create(shape, options);
  if (!columns) return columns.error();
  return columns->measure(Similarity::Identity(), surface);
}

}  // namespace plimsoll
