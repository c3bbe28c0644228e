// Wavefront OBJ: v and f. Texture coordinates, normals, groups, materials, points and lines are
// passed over, and so is what follows the three coordinates of a vertex (a weight, colors).
#include <algorithm>
#include <array>
#include <limits>
#include <string>

#include "core/counted.h"
#include "formats/readers.h"
#include "formats/text_scanner.h"

namespace plimsoll {
namespace {

// Statements that hold no polygons.
constexpr std::array<std::string_view, 29> kPassedOver{
    "vt",   "vn",         "vp",        "p",      "l",      "g",      "o",        "s",
    "mg",   "usemtl",     "usemap",    "mtllib", "maplib", "bevel",  "c_interp", "d_interp",
    "lod",  "shadow_obj", "trace_obj", "ctech",  "stech",  "cstype", "deg",      "bmat",
    "step", "parm",       "trim",      "hole",   "end"};

constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

class ObjReader {
 public:
  /// Faces may come before the vertices they name, so that an index can be told too high only at
  /// the end; `vertex_limit`, known in a second run, finds where.
  ObjReader(const ReaderInput& input, std::string_view text, std::uint64_t vertex_limit)
      : scan_(input, text, {.hash_comments = true, .backslash_continuation = true}),
        name_(input.name),
        vertex_limit_(vertex_limit) {}

  Result<MeshFile> read() {
    while (scan_.skip_to_token())
      if (!read_statement()) return std::move(error_);
    if (file_.mesh.triangles.empty() && surfaces_ > 0) return no_faces(first_surface_);
    if (file_.mesh.triangles.empty() && !first_curve_.empty()) return no_faces(first_curve_);
    if (unknown_ > 0) note_unknown();
    if (surfaces_ > 0) note_surfaces();
    if (highest_index_ < file_.mesh.vertices.size()) split_folded(polygons_, file_);
    file_.resolution = scan_.digits().unit_at(largest_coordinate(file_.mesh));
    return std::move(file_);
  }
  /// The highest index of a vertex that a face names.
  [[nodiscard]] std::uint64_t highest_index() const { return highest_index_; }

 private:
  bool read_statement() {
    const char* start = scan_.position();
    const bool single = scan_.is_delimiter(start + 1);
    if (*start == 'v' && single) {
      scan_.set_position(start + 1);
      if (!read_vertex()) return false;
    } else if (*start == 'f' && single) {
      scan_.set_position(start + 1);
      if (!read_face(start)) return false;
      if (!reserved_) reserve_triangles(static_cast<std::size_t>(scan_.position() - start));
    } else if (!pass_over()) {
      return false;
    }
    scan_.next_line();
    return true;
  }

  bool read_vertex() {
    Vec3 point;
    for (int axis = 0; axis < 3; ++axis) {
      scan_.skip_blanks();
      if (!scan_.read_double(point[axis]))
        return fail(scan_.unexpected_number(std::string("the ") + "xyz"[axis] + " of a vertex"));
    }
    file_.mesh.vertices.push_back(point);
    return true;
  }

  bool read_face(const char* start) {
    PolygonFan fan(file_.mesh.triangles);
    scan_.skip_blanks();
    while (!scan_.at_line_end()) {
      std::uint32_t vertex = 0;
      if (!read_corner(vertex)) return false;
      fan.add_corner(vertex);
      scan_.skip_blanks();
    }
    fan.note_in(polygons_);
    if (fan.corners() >= 3) return true;
    const std::string count =
        fan.corners() == 1 ? "1 corner" : std::to_string(fan.corners()) + " corners";
    return fail(scan_.malformed("found a face of " + count + ", expected 3 or more", start));
  }

  /// For what would be left if all that follows were faces like the first, which takes `bytes`.
  void reserve_triangles(std::size_t bytes) {
    std::vector<Triangle>& triangles = file_.mesh.triangles;
    triangles.reserve(triangles.size() * (1 + scan_.remaining_bytes() / bytes));
    reserved_ = true;
  }

  /// v, v/vt, v//vn or v/vt/vn. Only v is used.
  bool read_corner(std::uint32_t& vertex) {
    const char* const start = scan_.position();
    const char* p = start;
    const bool relative = p != scan_.end() && *p == '-';
    if (relative) ++p;
    std::uint64_t index = 0;
    const char* const digits = p;
    p = parse_digits(p, scan_.end(), index);
    if (p - digits > kMaxIndexDigits) index = kNoLimit;
    if (p == digits || !skip_attributes(p))
      return fail(scan_.unexpected("a corner as v, v/vt, v//vn or v/vt/vn"));
    const std::uint64_t known = file_.mesh.vertices.size();
    if (index == 0 || (relative ? index > known : index > vertex_limit_ || index > kMaxIndex))
      return fail(no_such_vertex(relative));
    index = relative ? known - index : index - 1;
    highest_index_ = std::max(highest_index_, index);
    vertex = static_cast<std::uint32_t>(index);
    scan_.set_position(p);
    return true;
  }

  /// Moves `p` over /vt, //vn or /vt/vn to the end of the corner. Some programs leave out the
  /// numbers but not the slashes.
  bool skip_attributes(const char*& p) const {
    for (int slashes = 0; slashes < 2 && p != scan_.end() && *p == '/'; ++slashes) {
      ++p;
      if (p != scan_.end() && *p == '-') ++p;
      while (p != scan_.end() && TextScanner::is_digit(*p)) ++p;
    }
    return scan_.is_delimiter(p);
  }

  [[nodiscard]] Error no_such_vertex(bool relative) const {
    if (relative)
      return scan_.unexpected("an index that counts back among the " +
                              std::to_string(file_.mesh.vertices.size()) + " vertices before it");
    if (vertex_limit_ == kNoLimit)
      return scan_.unexpected("an index from 1 to the number of vertices, or from -1 back");
    return scan_.unexpected("an index from 1 to " + std::to_string(vertex_limit_) +
                            ", the number of vertices");
  }

  bool pass_over() {
    const std::string_view keyword = scan_.token();
    if (keyword == "surf") {
      if (surfaces_++ == 0) first_surface_ = keyword;
      return true;
    }
    if (std::find(kPassedOver.begin(), kPassedOver.end(), keyword) != kPassedOver.end())
      return true;
    const bool printable =
        std::all_of(keyword.begin(), keyword.end(), [](char c) { return c > ' ' && c <= '~'; });
    if (keyword.empty() || !printable) return fail(scan_.unexpected("a statement in plain text"));
    if (unknown_++ == 0) first_unknown_ = keyword;
    if (first_curve_.empty() && keyword.starts_with("curv")) first_curve_ = keyword;
    return true;
  }

  [[nodiscard]] Error no_faces(std::string_view free_form) const {
    return {ErrorCode::kUnsupported,
            "found free-form geometry (" + in_quotes(free_form) +
                ") and no faces, expected faces: save it as a mesh",
            at_line(name_, scan_.line_of(free_form.data()))};
  }

  void note_unknown() {
    file_.notices.push_back(
        {"passed_over", "passed over " +
                            counted(unknown_, "statement that is", "statements that are") +
                            " not read, the first " + in_quotes(first_unknown_) + " in line " +
                            std::to_string(scan_.line_of(first_unknown_.data()))});
  }

  void note_surfaces() {
    file_.partial = true;
    file_.notices.push_back(
        {"partial", "passed over " + counted(surfaces_, "free-form surface", "free-form surfaces") +
                        " (surf), the first in line " +
                        std::to_string(scan_.line_of(first_surface_.data())) +
                        ": only faces are measured"});
  }

  bool fail(Error error) {
    error_ = std::move(error);
    return false;
  }

  static constexpr std::ptrdiff_t kMaxIndexDigits = 18;
  static constexpr std::uint64_t kMaxIndex = std::numeric_limits<std::uint32_t>::max();

  TextScanner scan_;
  std::string_view name_;
  MeshFile file_;
  Polygons polygons_;
  bool reserved_ = false;
  std::uint64_t vertex_limit_;
  std::uint64_t highest_index_ = 0;
  std::size_t unknown_ = 0;
  std::string_view first_unknown_;
  std::size_t surfaces_ = 0;
  std::string_view first_surface_;
  std::string_view first_curve_;
  Error error_;
};

}  // namespace

Result<MeshFile> read_obj(const ReaderInput& input) {
  const Result<std::string_view> text = text_of(input);
  if (!text) return text.error();
  ObjReader reader(input, *text, kNoLimit);
  Result<MeshFile> file = reader.read();
  if (!file || file->mesh.triangles.empty()) return file;
  const std::size_t vertices = file->mesh.vertices.size();
  if (reader.highest_index() < vertices) return file;
  file = Error{};  // gives its memory back
  return ObjReader(input, *text, vertices).read();
}

}  // namespace plimsoll
