// Shapes and poses within a JSON document: SHAPE.json and whatever holds shapes.
#pragma once

#include <plimsoll/shape.h>
#include <plimsoll/shape_io.h>

#include <array>
#include <filesystem>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/json_value.h"

namespace plimsoll {

/// Reads the values of one document. What is wrong is in the FirstError; files that the document
/// names are looked up from `folder`, and none are where it is empty.
class ShapeReader {
 public:
  ShapeReader(FirstError& first_error, const std::filesystem::path& folder,
              Seams seams = Seams::kWeld)
      : first_error_(first_error), folder_(folder), seams_(seams) {}

  /// An object with "shape".
  Shape read(const JsonValue& value, int depth = 0);
  /// Sixteen numbers, rows first, in one array or in four, as they are there.
  void read_matrix(const JsonValue& value, Similarity& pose);
  /// The nearest_similarity of such a matrix.
  void read_pose(const JsonValue& value, Similarity& pose);
  /// What there is to say about the poses and meshes read so far.
  [[nodiscard]] std::vector<Notice> notices() const;
  /// Of the meshes read so far, as ShapeFile has it.
  [[nodiscard]] const std::optional<SeamWeld>& welded() const { return welded_; }

  double number(const JsonValue& object, std::string_view key);
  /// Exactly `numbers.size()` of them.
  void numbers(const JsonValue& array, std::span<double> numbers);
  Vec3 vector(const JsonValue& array);
  Vec3 vector(const JsonValue& object, std::string_view key);

 private:
  using Keys = std::initializer_list<std::string_view>;

  void read_solid(std::string_view kind, const JsonValue& name, const JsonValue& value, int depth,
                  Shape& shape);
  /// The path that "file" names; nothing and an error where there is no such file.
  std::optional<std::filesystem::path> file_of(const JsonValue& object);
  /// The error of a file or a formula, at the place that names it.
  void fail_in(const Error& error, const std::string& place);
  void read_mesh_solid(const JsonValue& value, Shape& shape);
  void note_seam(const SeamWeld& weld, double scale, const std::string& place);
  void note_size(const TriangleMesh& mesh, const std::string& place);
  void read_bezier(const JsonValue& value, Shape& shape);

  void read_knots(const JsonValue& array, std::vector<double>& knots);
  void read_nurbs(const JsonValue& value, Shape& shape);
  template <class Visit>
  void read_pair(const JsonValue& array, const Visit& visit) {
    const std::size_t count = array.count_items();
    if (first_error_.failed()) return;
    if (count != 2)
      return array.fail("found " + std::to_string(count) + " items, expected 2, for u and v");
    std::size_t i = 0;
    array.for_each_item([&](const JsonValue& item) { visit(item, i++); });
  }
  void read_implicit(const JsonValue& value, Shape& shape);
  void read_boolean(std::string_view kind, const JsonValue& value, int depth, Shape& shape);

  FirstError& first_error_;
  std::filesystem::path folder_;
  int count_ = 0;
  std::size_t files_ = 0;
  struct {
    std::size_t count = 0;
    std::string first;    // its place
    double farthest = 0;  // that an entry moved
  } replaced_;            // matrices that were no poses
  Seams seams_;
  std::optional<SeamWeld> welded_;
  std::vector<Notice> seam_notices_;
  struct {
    std::size_t count = 0;
    Notice first;
  } odd_sizes_;  // meshes that are probably not in meters
  std::map<std::pair<std::string, double>, MeshSolid> meshes_;
  std::map<std::string, std::shared_ptr<const PatchSurface>> surfaces_;
};

}  // namespace plimsoll
