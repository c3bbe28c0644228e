#include "shape/shape_reader.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/number_text.h"
#include "formats/text_scanner.h"
#include "mesh/trusted_mesh.h"

namespace plimsoll {
namespace {

constexpr std::size_t kMaxFiles = 1000;  // one document may not fill memory with others

/// Why a mesh cannot stand for the shape; empty: it can. Nobody would see a notice about it.
std::string fault_of(const MeshFile& file, bool has_scale) {
  for (const Notice& notice : file.notices)
    if (notice.code == "partial") return "found geometry that is not read: " + notice.message;
  const LengthUnit unit = file.meters_per_unit.value_or(LengthUnit{});
  const double meters = unit.numerator / unit.denominator;
  if (has_scale || meters == 1) return {};
  return "found a mesh in a unit of its own and no scale, expected one: " + to_text(meters) +
         " takes it to meters, 1 leaves its numbers";
}

}  // namespace

Shape ShapeReader::read(const JsonValue& value, int depth) {
  Shape shape;
  if (++count_ > kMaxShapeCount || depth > kMaxShapeDepth) {
    first_error_.set(ErrorCode::kResourceLimit,
                     "found more than " + std::to_string(kMaxShapeCount) +
                         " shapes or such nested deeper than " + std::to_string(kMaxShapeDepth),
                     value.path());
    return shape;
  }
  if (!value.member("shape") && value.member("bodies"))
    value.fail("found a scene, which lists bodies, expected one shape");
  const std::optional<JsonValue> kind = value.required("shape");
  if (!kind || first_error_.failed()) return shape;
  read_solid(kind->text(), *kind, value, depth, shape);
  if (first_error_.failed()) return shape;
  if (const std::optional<JsonValue> pose = value.member("pose")) read_pose(*pose, shape.pose);
  return shape;
}

void ShapeReader::read_pose(const JsonValue& value, Similarity& pose) {
  Similarity given = Similarity::Identity();
  read_matrix(value, given);
  if (first_error_.failed()) return;
  const Result<Similarity> nearest = nearest_similarity(given);
  if (!nearest) return value.fail(nearest.error().message);
  pose = *nearest;
  const double moved = (pose.matrix() - given.matrix()).cwiseAbs().maxCoeff();
  if (moved == 0) return;
  if (replaced_.count++ == 0) replaced_.first = value.path();
  replaced_.farthest = std::max(replaced_.farthest, moved);
}

std::vector<Notice> ShapeReader::notices() const {
  std::vector<Notice> notices = seam_notices_;
  if (odd_sizes_.count > 0) notices.push_back(odd_sizes_.first);
  if (odd_sizes_.count > 1) notices.back().message += " (said of the first such mesh only)";
  if (replaced_.count == 0) return notices;
  char farthest[32];
  std::snprintf(farthest, sizeof farthest, "%.2g", replaced_.farthest);
  const std::string off = " by the nearest, " + std::string(farthest) + " off in an entry";
  notices.push_back(
      {"pose", replaced_.count == 1
                   ? replaced_.first + " is no rotation times one scale; it was replaced" + off
                   : std::to_string(replaced_.count) + " matrices, the first " + replaced_.first +
                         ", are no rotations times one scale; they were replaced" + off +
                         " at most"});
  return notices;
}

void ShapeReader::read_matrix(const JsonValue& value, Similarity& pose) {
  std::array<double, 16> entries{};
  if (value.count_items() == 4) {
    std::size_t row = 0;
    value.for_each_item(
        [&](const JsonValue& item) { numbers(item, std::span(entries).subspan(4 * row++, 4)); });
  } else {
    numbers(value, entries);
  }
  if (first_error_.failed()) return;
  if (entries[12] != 0 || entries[13] != 0 || entries[14] != 0 || entries[15] != 1)
    return value.fail("found another last row, expected 0, 0, 0, 1 in a row-major 4x4 matrix");
  pose.matrix() = Eigen::Map<const Eigen::Matrix<double, 4, 4, Eigen::RowMajor>>(entries.data());
}

void ShapeReader::read_solid(std::string_view kind, const JsonValue& name, const JsonValue& value,
                             int depth, Shape& shape) {
  if (first_error_.failed()) return;
  const auto allow = [&](Keys own) {
    std::vector<std::string_view> keys{"shape"};
    keys.insert(keys.end(), own.begin(), own.end());
    keys.emplace_back("pose");
    value.allow_keys(keys);
    return !first_error_.failed();
  };
  if (kind == "box") {
    if (allow({"size"})) shape.solid = BoxSolid{vector(value, "size")};
  } else if (kind == "sphere") {
    if (allow({"radius"})) shape.solid = Sphere{number(value, "radius")};
  } else if (kind == "ellipsoid") {
    if (allow({"radii"})) shape.solid = Ellipsoid{vector(value, "radii")};
  } else if (kind == "torus") {
    if (allow({"major", "minor"}))
      shape.solid = Torus{number(value, "major"), number(value, "minor")};
  } else if (kind == "cylinder") {
    if (allow({"radius", "height"}))
      shape.solid = Cylinder{number(value, "radius"), number(value, "height")};
  } else if (kind == "capsule") {
    if (allow({"radius", "height"}))
      shape.solid = Capsule{number(value, "radius"), number(value, "height")};
  } else if (kind == "cone") {
    if (allow({"radius", "height"}))
      shape.solid = Cone{number(value, "radius"), number(value, "height")};
  } else if (kind == "mesh") {
    if (allow({"file", "scale"})) read_mesh_solid(value, shape);
  } else if (kind == "bezier") {
    if (allow({"file"})) read_bezier(value, shape);
  } else if (kind == "nurbs") {
    if (allow({"degree", "knots", "points"})) read_nurbs(value, shape);
  } else if (kind == "implicit") {
    if (allow({"expression", "bounds"})) read_implicit(value, shape);
  } else if (kind == "union" || kind == "intersection" || kind == "difference") {
    if (allow({"of"})) read_boolean(kind, value, depth, shape);
  } else {
    name.fail("found " + in_quotes(kind) +
              ", expected box, sphere, ellipsoid, torus, cylinder, capsule, cone, mesh, bezier, "
              "nurbs, implicit, union, intersection or difference");
  }
}

// ---- numbers

double ShapeReader::number(const JsonValue& object, std::string_view key) {
  const std::optional<JsonValue> value = object.required(key);
  return value ? value->number() : 0;
}

void ShapeReader::numbers(const JsonValue& array, std::span<double> numbers) {
  const std::size_t count = array.count_items();
  if (first_error_.failed()) return;
  if (count != numbers.size())
    return array.fail("found " + std::to_string(count) + " items, expected " +
                      std::to_string(numbers.size()) + " numbers");
  std::size_t i = 0;
  array.for_each_item([&](const JsonValue& item) { numbers[i++] = item.number(); });
}

Vec3 ShapeReader::vector(const JsonValue& array) {
  std::array<double, 3> xyz{};
  numbers(array, xyz);
  return {xyz[0], xyz[1], xyz[2]};
}

Vec3 ShapeReader::vector(const JsonValue& object, std::string_view key) {
  const std::optional<JsonValue> value = object.required(key);
  return value ? vector(*value) : Vec3::Zero();
}

// ---- files

std::optional<std::filesystem::path> ShapeReader::file_of(const JsonValue& object) {
  const std::optional<JsonValue> file = object.required("file");
  if (!file) return {};
  const std::string_view name = file->text();
  if (first_error_.failed()) return {};
  if (folder_.empty()) {
    file->fail_unsupported("found the file " + in_quotes(name) +
                           ", but there is no folder to look it up from");
    return {};
  }
  // Devices and pipes have no end.
  const std::filesystem::path path = folder_ / std::filesystem::path(std::string(name));
  std::error_code failure;
  if (!std::filesystem::is_regular_file(path, failure)) {
    first_error_.set(ErrorCode::kUnreadable,
                     "found " + in_quotes(path.string()) + ", which is not a file", file->path());
    return {};
  }
  if (++files_ > kMaxFiles) {
    first_error_.set(ErrorCode::kResourceLimit,
                     "found more than " + std::to_string(kMaxFiles) + " files", file->path());
    return {};
  }
  return path;
}

void ShapeReader::fail_in(const Error& error, const std::string& place) {
  const std::string before = error.where.empty() ? "" : error.where + ": ";
  first_error_.set(error.code, before + error.message, place);
}

void ShapeReader::read_mesh_solid(const JsonValue& value, Shape& shape) {
  const std::optional<std::filesystem::path> path = file_of(value);
  if (!path) return;
  const std::optional<JsonValue> given = value.member("scale");
  const double scale = given ? given->number() : 1;
  if (first_error_.failed()) return;
  if (!(scale > 0)) return given->fail("found " + given->describe() + ", expected it positive");
  MeshSolid& solid = meshes_[{path->string(), scale}];
  if (solid.mesh == nullptr) {
    Result<MeshFile> file = read_mesh(*path);
    if (!file) return fail_in(file.error(), value.path());
    if (const std::string fault = fault_of(*file, given.has_value()); !fault.empty())
      return fail_in({ErrorCode::kUnsupported, fault, path->string()}, value.path());
    Result<MeshBody> body = mesh_body(*file, {.seams = seams_});
    if (!body) return fail_in(body.error(), value.path());
    if (body->by_seam) note_seam(*body->by_seam, scale, value.path());
    if (!given && !file->meters_per_unit) note_size(body->mesh, value.path());
    solid = mesh_solid(*std::move(body), {scale, 1});
  }
  shape.solid = solid;
}

void ShapeReader::note_seam(const SeamWeld& weld, double scale, const std::string& place) {
  seam_notices_.push_back(notice_of(weld, scale));
  if (!place.empty()) seam_notices_.back().message.insert(0, place + ": ");
  if (!welded_) welded_.emplace();
  welded_->tolerance = std::max(welded_->tolerance, scale * weld.tolerance);
  welded_->farthest_move = std::max(welded_->farthest_move, scale * weld.farthest_move);
  welded_->merged += weld.merged;
  welded_->collapsed += weld.collapsed;
}

// Meshes of one document have their units in common as a rule, and one remark is enough.
void ShapeReader::note_size(const TriangleMesh& mesh, const std::string& place) {
  std::optional<Notice> notice = notice_of_size(
      bounding_box(mesh), "; \"scale\": 0.001 reads millimeters, \"scale\": 1 confirms meters",
      ", smaller than a millimeter; \"scale\": 1 confirms it");
  if (!notice || odd_sizes_.count++ > 0) return;
  if (!place.empty()) notice->message.insert(0, place + ": ");
  odd_sizes_.first = std::move(*notice);
}

void ShapeReader::read_bezier(const JsonValue& value, Shape& shape) {
  const std::optional<std::filesystem::path> path = file_of(value);
  if (!path) return;
  std::shared_ptr<const PatchSurface>& surface = surfaces_[path->string()];
  if (surface == nullptr) {
    Result<PatchSurface> read = read_bpt(*path);
    if (!read) return fail_in(read.error(), value.path());
    surface = std::make_shared<const PatchSurface>(*std::move(read));
  }
  shape.solid = PatchSolid{surface};
}

// ---- surfaces, formulas, Booleans

void ShapeReader::read_knots(const JsonValue& array, std::vector<double>& knots) {
  array.for_each_item([&](const JsonValue& item) { knots.push_back(item.number()); });
}

void ShapeReader::read_nurbs(const JsonValue& value, Shape& shape) {
  NurbsSurface surface;
  const std::optional<JsonValue> degree = value.required("degree");
  const std::optional<JsonValue> knots = degree ? value.required("knots") : std::nullopt;
  const std::optional<JsonValue> points = knots ? value.required("points") : std::nullopt;
  if (!points) return;

  std::array<int, 2> degrees{};
  read_pair(*degree, [&](const JsonValue& item, std::size_t i) {
    const std::uint64_t number = item.natural();
    if (number > kMaxPatchDegree)
      return item.fail("found the degree " + std::to_string(number) + ", expected 1 to " +
                       std::to_string(kMaxPatchDegree));
    degrees[i] = static_cast<int>(number);
  });
  surface.degree_u = degrees[0];
  surface.degree_v = degrees[1];
  read_pair(*knots, [&](const JsonValue& item, std::size_t i) {
    read_knots(item, i == 0 ? surface.knots_u : surface.knots_v);
  });
  std::size_t columns = 0;
  points->for_each_item([&](const JsonValue& row) {
    const std::size_t before = surface.points.size();
    row.for_each_item([&](const JsonValue& item) {
      std::array<double, 4> point{};
      numbers(item, point);
      surface.points.emplace_back(point[0], point[1], point[2], point[3]);
    });
    const std::size_t count = surface.points.size() - before;
    if (before == 0) columns = count;
    if (count != columns || count == 0)
      row.fail("found " + std::to_string(count) + " points, expected " +
               std::to_string(std::max<std::size_t>(columns, 1)) + " as in the first row");
  });
  if (first_error_.failed()) return;
  Result<PatchSurface> patches = to_bezier(surface);
  if (!patches) return fail_in(patches.error(), value.path());
  shape.solid = PatchSolid{std::make_shared<const PatchSurface>(*std::move(patches))};
}

void ShapeReader::read_implicit(const JsonValue& value, Shape& shape) {
  const std::optional<JsonValue> text = value.required("expression");
  const std::optional<JsonValue> bounds = text ? value.required("bounds") : std::nullopt;
  if (!bounds) return;
  const std::string_view formula = text->text();
  if (first_error_.failed()) return;
  Result<Expression> expression = Expression::parse(formula);
  if (!expression) return fail_in(expression.error(), text->path());
  if (const std::size_t count = bounds->count_items(); count != 2 && !first_error_.failed())
    return bounds->fail("found " + std::to_string(count) + " items, expected two corners");
  Box3 box;
  std::size_t i = 0;
  bounds->for_each_item(
      [&](const JsonValue& corner) { (i++ == 0 ? box.min() : box.max()) = vector(corner); });
  if (!first_error_.failed()) shape.solid = ImplicitSolid{*std::move(expression), box};
}

void ShapeReader::read_boolean(std::string_view kind, const JsonValue& value, int depth,
                               Shape& shape) {
  const std::optional<JsonValue> operands = value.required("of");
  if (!operands) return;
  Boolean boolean;
  boolean.operation = kind == "union"          ? BooleanOperation::kUnion
                      : kind == "intersection" ? BooleanOperation::kIntersection
                                               : BooleanOperation::kDifference;
  operands->for_each_item(
      [&](const JsonValue& operand) { boolean.of.push_back(read(operand, depth + 1)); });
  shape.solid = std::move(boolean);
}

}  // namespace plimsoll
