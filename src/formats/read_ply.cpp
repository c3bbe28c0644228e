// PLY in text and in both binary orders. Of the elements only vertex (x, y, z), face and tristrips
// (vertex_indices) are used; all others, and other properties, are passed over as declared.
#include <algorithm>
#include <array>
#include <string>

#include "core/counted.h"
#include "formats/byte_order.h"
#include "formats/ply_header.h"
#include "formats/readers.h"
#include "formats/text_scanner.h"

namespace plimsoll {
namespace {

/// Rows of text. Each has its line; what stands there beyond the declared properties is passed
/// over.
class TextRows {
 public:
  TextRows(const ReaderInput& input, std::string_view body) : scan_(input, body, {}) {}

  bool begin_row() { return scan_.skip_to_token(); }
  void end_row() {
    scan_.skip_blanks();
    if (!scan_.at_line_end() && first_excess_ == 0) first_excess_ = scan_.line_of(scan_.position());
    scan_.next_line();
  }
  bool read_number(PlyType /*type*/, double& value) {
    scan_.skip_blanks();
    return scan_.read_double(value);
  }
  /// A number of entries or an index.
  bool read_integer(PlyType /*type*/, std::uint64_t& value) {
    scan_.skip_blanks();
    return scan_.read_count(value);
  }
  /// Moves past a -1, which ends a strip.
  bool skip_mark(PlyType /*type*/) {
    scan_.skip_blanks();
    return scan_.skip_word("-1");
  }
  bool skip(PlyType /*type*/, std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) {
      scan_.skip_blanks();
      if (scan_.at_line_end()) return false;
      scan_.skip_token();
    }
    return true;
  }
  static std::size_t least_bytes(PlyType /*type*/) { return 2; }  // a digit and a blank
  /// What the text rounds coordinates to.
  [[nodiscard]] double unit_at(double largest) const { return scan_.digits().unit_at(largest); }

  [[nodiscard]] std::size_t remaining_bytes() const { return scan_.remaining_bytes(); }
  /// `Malformed`, after one of the above has failed.
  [[nodiscard]] Error unexpected(const std::string& expected) const {
    return scan_.unexpected(expected);
  }
  [[nodiscard]] Error unexpected_number(const std::string& expected) const {
    return scan_.unexpected_number(expected);
  }
  /// `Malformed` at an earlier position.
  [[nodiscard]] Error malformed(const std::string& message, const char* at) const {
    return scan_.malformed(message, at);
  }
  [[nodiscard]] const char* position() const { return scan_.position(); }
  void add_notices(std::vector<Notice>& notices) {
    if (first_excess_ != 0)
      notices.push_back(
          {"passed_over", "passed over what follows the declared properties, from line " +
                              std::to_string(first_excess_)});
    if (scan_.skip_to_token())
      notices.push_back({"passed_over", "passed over what follows the last element, from line " +
                                            std::to_string(scan_.line_of(scan_.position()))});
  }

 private:
  TextScanner scan_;
  std::size_t first_excess_ = 0;
};

template <std::endian kOrder>
class BinaryRows {
 public:
  BinaryRows(const ReaderInput& input, std::size_t start)
      : begin_(input.data.data()),
        p_(begin_ + start),
        end_(begin_ + input.data.size()),
        name_(input.name) {}

  bool begin_row() { return true; }
  void end_row() {}
  bool read_number(PlyType type, double& value) {
    if (remaining_bytes() < size_of(type)) return false;
    if (type == PlyType::kFloat32)
      value = take<float>();
    else if (type == PlyType::kFloat64)
      value = take<double>();
    else
      value = static_cast<double>(take_integer(type));
    return true;
  }
  bool read_integer(PlyType type, std::uint64_t& value) {
    if (remaining_bytes() < size_of(type)) return false;
    const std::int64_t integer = take_integer(type);
    value = static_cast<std::uint64_t>(integer);
    negative_ = integer < 0;
    return !negative_;
  }
  bool skip_mark(PlyType type) {
    if (remaining_bytes() < size_of(type)) return false;
    const std::byte* const start = p_;
    if (take_integer(type) == -1) return true;
    p_ = start;
    return false;
  }
  bool skip(PlyType type, std::uint64_t count) {
    if (count > remaining_bytes() / size_of(type)) return false;
    p_ += count * size_of(type);
    return true;
  }
  static std::size_t least_bytes(PlyType type) { return size_of(type); }
  /// What the encoding rounds coordinates to, beside their type: nothing.
  static double unit_at(double /*largest*/) { return 0; }

  [[nodiscard]] std::size_t remaining_bytes() const { return static_cast<std::size_t>(end_ - p_); }
  [[nodiscard]] Error unexpected(const std::string& expected) const {
    return malformed("found " +
                         std::string(negative_ ? "a negative number" : "the end of the file") +
                         ", expected " + expected,
                     p_);
  }
  [[nodiscard]] Error unexpected_number(const std::string& expected) const {
    return unexpected(expected);
  }
  [[nodiscard]] Error malformed(const std::string& message, const std::byte* at) const {
    return {ErrorCode::kMalformed, message, at_byte(name_, static_cast<std::size_t>(at - begin_))};
  }
  [[nodiscard]] const std::byte* position() const { return p_; }
  void add_notices(std::vector<Notice>& notices) const {
    if (remaining_bytes() > 0)
      notices.push_back({"passed_over", "passed over " + std::to_string(remaining_bytes()) +
                                            " bytes after the last element"});
  }

 private:
  template <class T>
  T take() {
    const T value = load<T>(p_, kOrder);
    p_ += sizeof(T);
    return value;
  }
  std::int64_t take_integer(PlyType type) {
    switch (type) {
      case PlyType::kInt8:
        return take<std::int8_t>();
      case PlyType::kUint8:
        return take<std::uint8_t>();
      case PlyType::kInt16:
        return take<std::int16_t>();
      case PlyType::kUint16:
        return take<std::uint16_t>();
      case PlyType::kInt32:
        return take<std::int32_t>();
      default:
        return take<std::uint32_t>();
    }
  }

  const std::byte* begin_;
  const std::byte* p_;
  const std::byte* end_;
  std::string_view name_;
  bool negative_ = false;
};

template <class Rows>
class BodyReader {
 public:
  BodyReader(Rows rows, const PlyHeader& header) : rows_(std::move(rows)), header_(&header) {
    if (const PlyElement* vertex = header.find("vertex")) vertex_count_ = vertex->count;
  }

  Result<MeshFile> read() {
    for (const PlyElement& element : header_->elements)
      if (!element.properties.empty() && !read_element(element)) return std::move(error_);
    rows_.add_notices(file_.notices);
    if (header_->unknown_lines > 0) {
      if (!file_.notices.empty()) return Error{header_->unknown};
      file_.notices.push_back(
          {"passed_over", "passed over " + counted(header_->unknown_lines, "line", "lines") +
                              " of the header that PLY does not have: " + header_->unknown.message +
                              ", at " + header_->unknown.where});
    }
    split_folded(polygons_, file_);
    file_.resolution = resolution();
    return std::move(file_);
  }

 private:
  bool read_element(const PlyElement& element) {
    if (!is_plausible(element)) return false;
    if (element.name == "vertex") file_.mesh.vertices.reserve(element.count);
    if (element.name == "face") reserve_triangles(element);
    if (element.count > 0 && lists_vertices(element)) note_passed_over(element);
    for (row_ = 0; row_ < element.count; ++row_) {
      if (!rows_.begin_row()) return fail(rows_.unexpected(row_of(element)));
      Vec3 point = Vec3::Zero();
      for (const PlyProperty& property : element.properties)
        if (!read_property(element, property, point)) return false;
      if (element.name.size() == 6 && element.name == "vertex")
        file_.mesh.vertices.push_back(point);
      rows_.end_row();
    }
    return true;
  }

  /// Of an element that is not read, whether it lists vertices as faces do. So do lines.
  static bool lists_vertices(const PlyElement& element) {
    return element.name != "face" && element.name != "tristrips" &&
           std::any_of(element.properties.begin(), element.properties.end(),
                       [](const PlyProperty& property) {
                         return property.is_list && (property.name == "vertex_indices" ||
                                                     property.name == "vertex_index");
                       });
  }

  void note_passed_over(const PlyElement& element) {
    static constexpr std::array<std::string_view, 6> kSurfaces{"polygon",   "polygons", "triangle",
                                                               "triangles", "trifans",  "quad"};
    const bool is_surface =
        std::find(kSurfaces.begin(), kSurfaces.end(), element.name) != kSurfaces.end();
    file_.partial = file_.partial || is_surface;
    file_.notices.push_back({is_surface ? "partial" : "passed_over",
                             "passed over the element " + in_quotes(element.name) + ", whose " +
                                 counted(element.count, "row lists", "rows list") +
                                 " vertices as faces do"});
  }

  [[nodiscard]] double resolution() const {
    const double largest = largest_coordinate(file_.mesh);
    const PlyElement* vertex = header_->find("vertex");
    bool has_floats = false;
    for (const PlyRole role : {PlyRole::kX, PlyRole::kY, PlyRole::kZ}) {
      const PlyProperty* axis = vertex == nullptr ? nullptr : vertex->find(role);
      has_floats = has_floats || (axis != nullptr && axis->type == PlyType::kFloat32);
    }
    return std::max(has_floats ? kFloatRounding * largest : 0, rows_.unit_at(largest));
  }

  bool read_property(const PlyElement& element, const PlyProperty& property, Vec3& point) {
    switch (property.role) {
      case PlyRole::kX:
      case PlyRole::kY:
      case PlyRole::kZ:
        if (rows_.read_number(property.type, point[static_cast<int>(property.role)])) return true;
        return fail(rows_.unexpected_number(name_of(element, property)));
      case PlyRole::kCorners:
      case PlyRole::kStrips:
        return read_corners(element, property);
      case PlyRole::kNone:
        break;
    }
    std::uint64_t count = 1;
    if (property.is_list && !rows_.read_integer(property.count_type, count))
      return fail(rows_.unexpected("the length of " + name_of(element, property)));
    if (rows_.skip(property.type, count)) return true;
    return fail(
        rows_.unexpected(std::to_string(count) + " values of " + name_of(element, property)));
  }

  /// The corners of a polygon, or those of a strip, where a -1 begins another.
  bool read_corners(const PlyElement& element, const PlyProperty& property) {
    const auto start = rows_.position();
    const bool is_strip = property.role == PlyRole::kStrips;
    std::uint64_t count = 0;
    if (!rows_.read_integer(property.count_type, count))
      return fail(rows_.unexpected("the length of " + name_of(element, property)));
    if (count < 3 && !is_strip)
      return fail(rows_.malformed("found " + std::to_string(count) +
                                      " corners, expected 3 or more " + "for " +
                                      name_of(element, property),
                                  start));
    if (file_.mesh.triangles.size() + count > file_.mesh.triangles.capacity() + 2)
      make_room(element, property, count);
    PolygonFan fan(file_.mesh.triangles);
    TriangleStrip strip(file_.mesh.triangles);
    for (std::uint64_t i = 0; i < count; ++i) {
      if (is_strip && rows_.skip_mark(property.type)) [[unlikely]] {
        strip.begin();
        continue;
      }
      const auto here = rows_.position();
      std::uint64_t vertex = 0;
      const bool found = rows_.read_integer(property.type, vertex);
      if (!found || vertex >= vertex_count_)
        return fail(bad_index(element, property, here, found, vertex, i, count));
      if (is_strip) [[unlikely]]
        strip.add_corner(static_cast<std::uint32_t>(vertex));
      else
        fan.add_corner(static_cast<std::uint32_t>(vertex));
    }
    fan.note_in(polygons_);
    return true;
  }

  /// Why the index at `here`, entry `i` of `count`, is refused: not found, or too high.
  template <class Position>
  Error bad_index(const PlyElement& element, const PlyProperty& property, Position here, bool found,
                  std::uint64_t index, std::uint64_t i, std::uint64_t count) const {
    const std::string name = name_of(element, property);
    if (found)
      return rows_.malformed("found index " + std::to_string(index) + ", expected one below " +
                                 std::to_string(vertex_count_) + ", the number of vertices, in " +
                                 name,
                             here);
    return rows_.unexpected("index " + std::to_string(i) + " of the " + std::to_string(count) +
                            " in " + name);
  }

  /// Whether the bytes that are left can hold the declared number of rows.
  bool is_plausible(const PlyElement& element) {
    std::size_t least = 0;
    for (const PlyProperty& property : element.properties)
      least += Rows::least_bytes(property.is_list ? property.count_type : property.type);
    if (element.count <= (rows_.remaining_bytes() + 1) / least) return true;
    return fail(rows_.malformed("the header declares " + std::to_string(element.count) + ' ' +
                                    in_quotes(element.name) + " of at least " +
                                    std::to_string(least) + " bytes; found " +
                                    std::to_string(rows_.remaining_bytes()),
                                rows_.position()));
  }

  /// For as many triangles as faces: exact if there are no other polygons.
  void reserve_triangles(const PlyElement& element) {
    const PlyProperty* corners = element.find(PlyRole::kCorners);
    if (corners == nullptr) return;
    const std::size_t face_bytes =
        Rows::least_bytes(corners->count_type) + 3 * Rows::least_bytes(corners->type);
    file_.mesh.triangles.reserve(
        std::min<std::uint64_t>(element.count, (rows_.remaining_bytes() + 1) / face_bytes));
  }

  /// Reserves for this polygon or strip of `count` corners and all that follow. Corners of one byte
  /// become triangles of twelve: a vector that doubled would take three times that. In text they
  /// are longer.
  void make_room(const PlyElement& element, const PlyProperty& corners, std::uint64_t count) {
    if (header_->is_text) return;
    std::uint64_t triangles = file_.mesh.triangles.size();
    Rows ahead = rows_;
    const PlyProperty* property = &corners;
    const PlyProperty* const end = element.properties.data() + element.properties.size();
    for (std::uint64_t row = row_; ahead.skip(property->type, count);) {
      const bool makes_triangles =
          property->role == PlyRole::kCorners || property->role == PlyRole::kStrips;
      if (makes_triangles && count > 2) triangles += count - 2;
      if (++property == end) {
        property = element.properties.data();
        if (++row == element.count) break;
      }
      count = 1;
      if (property->is_list && !ahead.read_integer(property->count_type, count)) break;
    }
    file_.mesh.triangles.reserve(triangles);
  }

  [[nodiscard]] std::string row_of(const PlyElement& element) const {
    return element.name + ' ' + std::to_string(row_) + " of " + std::to_string(element.count);
  }
  [[nodiscard]] std::string name_of(const PlyElement& element, const PlyProperty& property) const {
    return in_quotes(property.name) + " of " + row_of(element);
  }

  bool fail(Error error) {
    error_ = std::move(error);
    return false;
  }

  Rows rows_;
  const PlyHeader* header_;
  MeshFile file_;
  Polygons polygons_;
  std::uint64_t vertex_count_ = 0;
  std::uint64_t row_ = 0;
  Error error_;
};

/// Whether the header declares what a mesh needs.
Result<void> check_header(const PlyHeader& header, std::string_view name) {
  const auto malformed = [&](const char* message) {
    return Error{ErrorCode::kMalformed, message, std::string(name) + ": header"};
  };
  const PlyElement* face = header.find("face");
  const PlyElement* strips = header.find("tristrips");
  const bool has_faces = face != nullptr && face->count > 0;
  const bool has_strips = strips != nullptr && strips->count > 0;
  if (!has_faces && !has_strips)
    return Error{ErrorCode::kNoSolid, "found no faces, expected triangles, polygons or strips",
                 std::string(name) + ": header"};
  if (has_faces && face->find(PlyRole::kCorners) == nullptr)
    return malformed("found no list vertex_indices in the element face");
  if (has_strips && strips->find(PlyRole::kStrips) == nullptr)
    return malformed("found no list vertex_indices in the element tristrips");
  const PlyElement* vertex = header.find("vertex");
  if (vertex == nullptr) return malformed("found no element vertex");
  for (const PlyRole role : {PlyRole::kX, PlyRole::kY, PlyRole::kZ})
    if (vertex->find(role) == nullptr)
      return malformed("found no properties x, y and z in the element vertex");
  return {};
}

Result<MeshFile> read_body(const ReaderInput& input, std::string_view body,
                           const PlyHeader& header) {
  if (const Result<void> checked = check_header(header, input.name); !checked)
    return checked.error();
  if (header.is_text) return BodyReader(TextRows(input, body), header).read();
  const std::size_t start = input.data.size() - body.size();
  if (header.order == std::endian::little)
    return BodyReader(BinaryRows<std::endian::little>(input, start), header).read();
  return BodyReader(BinaryRows<std::endian::big>(input, start), header).read();
}

}  // namespace

Result<MeshFile> read_ply(const ReaderInput& input) {
  const Result<std::string_view> text = text_of(input);
  if (!text) return text.error();
  const Result<PlyHeader> header = read_ply_header(input, *text);
  if (!header) return header.error();
  Result<MeshFile> file = read_body(input, text->substr(header->size), *header);
  // A line that was passed over is the likelier fault than what then does not fit.
  if (!file && header->unknown_lines > 0) return header->unknown;
  return file;
}

}  // namespace plimsoll
