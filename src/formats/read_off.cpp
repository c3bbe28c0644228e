// OFF: [ST][C][N]OFF in text. Texture coordinates, colors and normals are passed over.
// The counts, vertices and faces are separated by any white space, except that what follows a face
// on its line is its color, and with a prefix what follows a vertex belongs to that vertex.
#include <algorithm>
#include <cctype>
#include <string>

#include "formats/off_header.h"
#include "formats/readers.h"
#include "formats/text_scanner.h"

namespace plimsoll {
namespace {

class OffReader {
 public:
  /// With `attributes` each vertex has a line, on which more than three numbers may stand.
  OffReader(const ReaderInput& input, std::string_view text, bool attributes)
      : scan_(input, text, {.hash_comments = true}), vertex_attributes_(attributes) {}

  Result<MeshFile> read() {
    if (!read_keyword() || !read_counts() || !read_vertices() || !read_faces())
      return std::move(error_);
    file_.resolution = scan_.digits().unit_at(largest_coordinate(file_.mesh));
    return std::move(file_);
  }

 private:
  bool read_keyword() {
    if (!scan_.skip_to_token()) return fail(scan_.unexpected("OFF"));
    const std::string_view token = scan_.token();
    const OffKeyword keyword = parse_off_keyword(token);
    if (keyword.length == 0) {
      if (TextScanner::is_digit(token.front())) return true;  // some programs leave it out
      return fail(scan_.unexpected("OFF or a number of vertices"));
    }
    if (keyword.dimension_stated)
      return fail(unsupported(in_quotes(token) + ": points of other than three dimensions"));
    vertex_attributes_ = vertex_attributes_ || keyword.vertex_attributes;
    scan_.set_position(scan_.position() + keyword.length);
    scan_.skip_blanks();
    if (scan_.skip_word("binary")) return fail(unsupported("binary OFF"));
    return true;
  }

  bool read_counts() {
    if (!read_count(vertices_, "the number of vertices") ||
        !read_count(faces_, "the number of faces"))
      return false;
    skip_edge_count();
    constexpr std::size_t kVertexBytes = 6;  // "0 0 0\n"
    constexpr std::size_t kFaceBytes = 2;    // "0\n"
    return is_plausible(vertices_, kVertexBytes, "vertices") &&
           is_plausible(faces_, kFaceBytes, "faces");
  }

  bool read_count(std::uint64_t& count, const char* what) {
    if (scan_.skip_to_token() && scan_.read_count(count)) return true;
    return fail(scan_.unexpected(what));
  }

  /// The third count, of edges, means nothing; some programs leave it out. It is the next number
  /// on the line, or else alone on the next line.
  void skip_edge_count() {
    std::uint64_t edges = 0;
    scan_.skip_blanks();
    if (!scan_.at_line_end()) {
      scan_.skip_token();
      return;
    }
    const char* const start = scan_.position();
    if (scan_.skip_to_token() && scan_.read_count(edges)) {
      scan_.skip_blanks();
      if (scan_.at_line_end()) return;
    }
    scan_.set_position(start);
  }

  bool is_plausible(std::uint64_t count, std::size_t least_bytes, const char* what) {
    const std::uint64_t max_count = (scan_.remaining_bytes() + 1) / least_bytes;
    if (count <= max_count) return true;
    return fail(scan_.malformed("found a count of " + std::to_string(count) + ' ' + what +
                                    "; the " + std::to_string(scan_.remaining_bytes()) +
                                    " bytes that follow hold " + std::to_string(max_count) +
                                    " at most",
                                scan_.position()));
  }

  bool read_vertices() {
    file_.mesh.vertices.reserve(vertices_);
    for (std::uint64_t v = 0; v < vertices_; ++v) {
      Vec3 point;
      for (int axis = 0; axis < 3; ++axis)
        if (!scan_.skip_to_token() || !scan_.read_double(point[axis]))
          return fail(scan_.unexpected_number(std::string("the ") + "xyz"[axis] + " of vertex " +
                                              std::to_string(v)));
      file_.mesh.vertices.push_back(point);
      if (vertex_attributes_) scan_.next_line();
    }
    return true;
  }

  bool read_faces() {
    for (std::uint64_t f = 0; f < faces_; ++f) {
      const std::size_t before = scan_.remaining_bytes();
      if (!read_face(f)) return false;
      if (f == 0) reserve_triangles(before - scan_.remaining_bytes());
    }
    split_folded(polygons_, file_);
    if (scan_.skip_to_token())
      file_.notices.push_back({"passed_over", "passed over what follows the last face, from line " +
                                                  std::to_string(scan_.line_of(scan_.position()))});
    return true;
  }

  /// For as many faces as are left, where all are like the first, which takes `bytes`.
  void reserve_triangles(std::size_t bytes) {
    std::vector<Triangle>& triangles = file_.mesh.triangles;
    triangles.reserve(triangles.size() *
                      std::min<std::uint64_t>(faces_, 1 + (scan_.remaining_bytes() + 1) / bytes));
  }

  bool read_face(std::uint64_t face) {
    std::uint64_t corners = 0;
    scan_.skip_to_token();
    const char* const start = scan_.position();
    if (!scan_.read_count(corners) || corners < 3) {
      scan_.set_position(start);
      return fail(
          scan_.unexpected("the number of corners, 3 or more, of face " + std::to_string(face)));
    }
    PolygonFan fan(file_.mesh.triangles);
    for (std::uint64_t i = 0; i < corners; ++i) {
      std::uint64_t vertex = 0;
      scan_.skip_to_token();
      const char* const here = scan_.position();
      if (!scan_.read_count(vertex) || vertex >= vertices_) {
        scan_.set_position(here);
        return fail(missing_corner(face, corners));
      }
      fan.add_corner(static_cast<std::uint32_t>(vertex));
    }
    fan.note_in(polygons_);
    scan_.next_line();
    return true;
  }

  [[nodiscard]] Error missing_corner(std::uint64_t face, std::uint64_t corners) const {
    return scan_.unexpected("an index below " + std::to_string(vertices_) +
                            ", the number of vertices, for each of the " + std::to_string(corners) +
                            " corners of face " + std::to_string(face));
  }

  [[nodiscard]] Error unsupported(const std::string& what) const {
    return {ErrorCode::kUnsupported, "found " + what + ", expected OFF in text",
            scan_.malformed({}, scan_.position()).where};
  }

  bool fail(Error error) {
    error_ = std::move(error);
    return false;
  }

  TextScanner scan_;
  MeshFile file_;
  Polygons polygons_;
  bool vertex_attributes_;
  std::uint64_t vertices_ = 0;
  std::uint64_t faces_ = 0;
  Error error_;
};

}  // namespace

OffKeyword parse_off_keyword(std::string_view text) {
  OffKeyword keyword;
  std::size_t p = 0;
  for (const std::string_view prefix : {"ST", "C", "N"}) {
    if (!text.substr(p).starts_with(prefix)) continue;
    p += prefix.size();
    keyword.vertex_attributes = true;
  }
  for (const std::string_view prefix : {"4", "n"}) {
    if (!text.substr(p).starts_with(prefix)) continue;
    p += prefix.size();
    keyword.dimension_stated = true;
  }
  if (!text.substr(p).starts_with("OFF")) return {};
  p += 3;
  // "OFF8 6 12" is found in the wild.
  if (p < text.size() && std::isgraph(static_cast<unsigned char>(text[p])) != 0 && text[p] != '#' &&
      !TextScanner::is_digit(text[p]))
    return {};
  keyword.length = p;
  return keyword;
}

Result<MeshFile> read_off(const ReaderInput& input) {
  const Result<std::string_view> text = text_of(input);
  if (!text) return text.error();
  Result<MeshFile> file = OffReader(input, *text, false).read();
  if (file && file->notices.empty()) return file;
  // Some programs write colors or normals but leave the C or N of COFF and NOFF out.
  Result<MeshFile> with_attributes = OffReader(input, *text, true).read();
  if (!with_attributes || !with_attributes->notices.empty()) return file;
  with_attributes->notices.push_back(
      {"passed_over",
       "the vertices have more than three numbers each, which the keyword (COFF, NOFF) does not "
       "say: "
       "passed over all after the third"});
  return with_attributes;
}

}  // namespace plimsoll
