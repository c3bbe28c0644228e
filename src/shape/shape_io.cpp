#include <plimsoll/mesh_io.h>
#include <plimsoll/shape_io.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <exception>
#include <functional>
#include <map>
#include <new>
#include <utility>

#include "mesh/file_bytes.h"
#include "mesh/gltf_json.h"
#include "mesh/text_scanner.h"

namespace plimsoll {
namespace {

constexpr std::uint64_t kMaxDocument = std::uint64_t{64} << 20;
constexpr std::size_t kMaxFiles = 1000;  // one document may not fill memory with others
// A shape takes two levels, its object and the array it stands in; a pose or points a few more.
constexpr std::size_t kMaxJsonDepth = 2 * kMaxShapeDepth + 16;

class ShapeReader {
 public:
  ShapeReader(FirstError& first_error, const std::filesystem::path& folder)
      : first_error_(first_error), folder_(folder) {}

  Shape read(const JsonValue& value, int depth = 0) {
    Shape shape;
    if (++count_ > kMaxShapeCount || depth > kMaxShapeDepth) {
      first_error_.set(ErrorCode::kResourceLimit,
                       "found more than " + std::to_string(kMaxShapeCount) +
                           " shapes or such nested deeper than " + std::to_string(kMaxShapeDepth),
                       value.path());
      return shape;
    }
    const std::optional<JsonValue> kind = value.required("shape");
    if (!kind) return shape;
    read_solid(kind->text(), *kind, value, depth, shape);
    if (first_error_.failed()) return shape;
    if (const std::optional<JsonValue> pose = value.member("pose")) read_pose(*pose, shape.pose);
    return shape;
  }

  /// Sixteen numbers, rows first, in one array or in four.
  void read_pose(const JsonValue& value, Eigen::Affine3d& pose) {
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

 private:
  using Keys = std::initializer_list<std::string_view>;

  void read_solid(std::string_view kind, const JsonValue& name, const JsonValue& value, int depth,
                  Shape& shape) {
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

  double number(const JsonValue& object, std::string_view key) {
    const std::optional<JsonValue> value = object.required(key);
    return value ? value->number() : 0;
  }

  /// Exactly `numbers.size()` of them.
  void numbers(const JsonValue& array, std::span<double> numbers) {
    const std::size_t count = array.count_items();
    if (first_error_.failed()) return;
    if (count != numbers.size())
      return array.fail("found " + std::to_string(count) + " items, expected " +
                        std::to_string(numbers.size()) + " numbers");
    std::size_t i = 0;
    array.for_each_item([&](const JsonValue& item) { numbers[i++] = item.number(); });
  }

  Vec3 vector(const JsonValue& array) {
    std::array<double, 3> xyz{};
    numbers(array, xyz);
    return {xyz[0], xyz[1], xyz[2]};
  }
  Vec3 vector(const JsonValue& object, std::string_view key) {
    const std::optional<JsonValue> value = object.required(key);
    return value ? vector(*value) : Vec3::Zero();
  }

  /// Sixteen numbers or four rows of four; the last is 0 0 0 1.
  // ---- files

  /// The path that "file" names; nothing and an error where there is no such file.
  std::optional<std::filesystem::path> file_of(const JsonValue& object) {
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

  void fail_in(const Error& error, const std::string& place) {
    const std::string before = error.where.empty() ? "" : error.where + ": ";
    first_error_.set(error.code, before + error.message, place);
  }

  void read_mesh_solid(const JsonValue& value, Shape& shape) {
    const std::optional<std::filesystem::path> path = file_of(value);
    if (!path) return;
    const std::optional<JsonValue> given = value.member("scale");
    const double scale = given ? given->number() : 1;
    if (first_error_.failed()) return;
    if (!(scale > 0)) return given->fail("found " + given->describe() + ", expected it positive");
    std::shared_ptr<const TriangleMesh>& mesh = meshes_[{path->string(), scale}];
    if (mesh == nullptr) {
      Result<MeshFile> file = read_mesh(*path);
      if (!file) return fail_in(file.error(), value.path());
      TriangleMesh welded = weld(file->mesh);
      for (Vec3& vertex : welded.vertices) vertex *= scale;
      mesh = std::make_shared<const TriangleMesh>(std::move(welded));
    }
    shape.solid = MeshSolid{mesh};
  }

  void read_bezier(const JsonValue& value, Shape& shape) {
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

  void read_knots(const JsonValue& array, std::vector<double>& knots) {
    array.for_each_item([&](const JsonValue& item) { knots.push_back(item.number()); });
  }

  void read_nurbs(const JsonValue& value, Shape& shape) {
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

  template <class Visit>
  void read_pair(const JsonValue& array, const Visit& visit) {
    const std::size_t count = array.count_items();
    if (first_error_.failed()) return;
    if (count != 2)
      return array.fail("found " + std::to_string(count) + " items, expected 2, for u and v");
    std::size_t i = 0;
    array.for_each_item([&](const JsonValue& item) { visit(item, i++); });
  }

  void read_implicit(const JsonValue& value, Shape& shape) {
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

  void read_boolean(std::string_view kind, const JsonValue& value, int depth, Shape& shape) {
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

  FirstError& first_error_;
  std::filesystem::path folder_;
  int count_ = 0;
  std::size_t files_ = 0;
  std::map<std::pair<std::string, double>, std::shared_ptr<const TriangleMesh>> meshes_;
  std::map<std::string, std::shared_ptr<const PatchSurface>> surfaces_;
};

/// Calls read(document, first_error) and check(what it gave) for a JSON text.
template <class Read, class Check>
auto parse_document(std::span<const std::byte> data, const std::string& name, const Read& read,
                    const Check& check)
    -> Result<decltype(read(std::declval<JsonValue>(), std::declval<FirstError&>()))> {
  if (data.size() > kMaxDocument)
    return Error{ErrorCode::kResourceLimit, "found more than 64 MB of JSON", name};
  std::string_view text(reinterpret_cast<const char*>(data.data()), data.size());
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  simdjson::dom::parser parser;
  simdjson::error_code code =
      parser.allocate(std::max<std::size_t>(text.size(), 32), kMaxJsonDepth);
  simdjson::dom::element root;
  if (code == simdjson::SUCCESS) code = parser.parse(text.data(), text.size()).get(root);
  if (code == simdjson::MEMALLOC)
    return Error{ErrorCode::kResourceLimit, "not enough memory", name};
  if (code == simdjson::DEPTH_ERROR)
    return Error{ErrorCode::kResourceLimit,
                 "found shapes nested deeper than " + std::to_string(kMaxShapeDepth), name};
  if (code != simdjson::SUCCESS)
    return Error{ErrorCode::kMalformed,
                 std::string("found no JSON: ") + simdjson::error_message(code), name};

  FirstError first_error(name);
  auto found = read(JsonValue(root, first_error), first_error);
  if (first_error.failed()) return first_error.error();
  if (const Result<void> sound = check(found); !sound) {
    const bool limit = sound.error().code == ErrorCode::kResourceLimit;
    first_error.set(limit ? ErrorCode::kResourceLimit : ErrorCode::kMalformed,
                    sound.error().message, sound.error().where);
    return first_error.error();
  }
  return found;
}

Result<Shape> parse_shape(std::span<const std::byte> data, const std::string& name,
                          const std::filesystem::path& folder) {
  return parse_document(
      data, name,
      [&](const JsonValue& root, FirstError& first_error) {
        return ShapeReader(first_error, folder).read(root);
      },
      check_shape);
}

Result<Eigen::Affine3d> parse_pose(std::span<const std::byte> data, const std::string& name) {
  return parse_document(
      data, name,
      [&](const JsonValue& root, FirstError& first_error) {
        Eigen::Affine3d pose = Eigen::Affine3d::Identity();
        ShapeReader(first_error, {}).read_pose(root, pose);
        return pose;
      },
      check_pose);
}

/// What `parse` gives, or the error that it threw for want of memory.
template <class Parse>
auto guarded(const std::string& name, const Parse& parse) -> decltype(parse()) {
  try {
    return parse();
  } catch (const std::bad_alloc&) {
    return Error{ErrorCode::kResourceLimit, "not enough memory", name};
  } catch (const std::exception& exception) {
    return Error{ErrorCode::kUnreadable, exception.what(), name};
  }
}

}  // namespace

Result<Shape> read_shape(const std::filesystem::path& path) {
  const std::string name = path.string();
  const Result<FileBytes> bytes = read_file(path, kMaxDocument);
  if (!bytes) return bytes.error();
  return read_shape(bytes->span(), name, path.has_parent_path() ? path.parent_path() : ".");
}

Result<Shape> read_shape(std::span<const std::byte> text, const std::string& name,
                         const std::filesystem::path& folder) {
  return guarded(name, [&] { return parse_shape(text, name, folder); });
}

Result<Eigen::Affine3d> read_pose(const std::filesystem::path& path) {
  const Result<FileBytes> bytes = read_file(path, kMaxDocument);
  if (!bytes) return bytes.error();
  return read_pose(bytes->span(), path.string());
}

Result<Eigen::Affine3d> read_pose(std::span<const std::byte> text, const std::string& name) {
  return guarded(name, [&] { return parse_pose(text, name); });
}

}  // namespace plimsoll
