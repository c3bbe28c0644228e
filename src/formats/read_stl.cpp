// STL, both kinds. Triangles share no vertices; normals, names, colors and attributes are ignored.
#include <cmath>
#include <string>

#include "formats/byte_order.h"
#include "formats/readers.h"
#include "formats/stl_layout.h"
#include "formats/text_scanner.h"

namespace plimsoll {
namespace {

class AsciiReader {
 public:
  AsciiReader(const ReaderInput& input, std::string_view text) : scan_(input, text, {}) {}

  Result<MeshFile> read() {
    while (scan_.skip_to_token())
      if (!read_solid()) return std::move(error_);
    file_.resolution = scan_.digits().unit_at(largest_coordinate(file_.mesh));
    return std::move(file_);
  }

 private:
  bool read_solid() {
    if (!scan_.skip_word("solid")) return fail(scan_.unexpected("\"solid\""));
    scan_.next_line();  // its name, which may hold anything
    while (scan_.skip_to_token()) {
      if (scan_.skip_word("endsolid")) {
        scan_.next_line();
        return true;
      }
      if (!scan_.skip_word("facet")) return fail(scan_.unexpected("\"facet\" or \"endsolid\""));
      if (!read_facet()) return false;
    }
    file_.notices.push_back(
        {"cut_short", "the file ends without \"endsolid\": it may have been cut"});
    return true;
  }

  bool read_facet() {
    skip_normal();
    if (!keyword("outer") || !keyword("loop")) return false;
    for (int corner = 0; corner < 3; ++corner)
      if (!keyword("vertex") || !read_vertex()) return false;
    if (!keyword("endloop") || !keyword("endfacet")) return false;
    const auto next = static_cast<std::uint32_t>(file_.mesh.vertices.size());
    file_.mesh.triangles.push_back({next - 3, next - 2, next - 1});
    return true;
  }

  /// Some programs write words where the normal of a sliver belongs; nothing depends on it.
  void skip_normal() {
    scan_.skip_blanks();
    if (!scan_.skip_word("normal")) return;
    for (int i = 0; i < 3; ++i) {
      if (!scan_.skip_to_token() || scan_.token() == "outer") return;
      scan_.skip_token();
    }
  }

  bool read_vertex() {
    Vec3 point;
    for (int axis = 0; axis < 3; ++axis) {
      if (!scan_.skip_to_token() || !scan_.read_double(point[axis]))
        return fail(scan_.unexpected_number(std::string("the ") + "xyz"[axis] + " of a vertex"));
    }
    file_.mesh.vertices.push_back(point);
    return true;
  }

  bool keyword(const char* word) {
    if (scan_.skip_to_token() && scan_.skip_word(word)) return true;
    return fail(scan_.unexpected('"' + std::string(word) + '"'));
  }

  bool fail(Error error) {
    error_ = std::move(error);
    return false;
  }

  TextScanner scan_;
  MeshFile file_;
  Error error_;
};

Error malformed(const ReaderInput& input, const std::string& message, std::size_t byte) {
  return {ErrorCode::kMalformed, message, at_byte(input.name, byte)};
}

/// What is wrong with the size of a binary file; empty if nothing.
std::string size_fault(std::size_t size, std::uint32_t count) {
  if (count == 0 && size > kStlHeaderBytes && (size - kStlHeaderBytes) % kStlTriangleBytes == 0)
    return "found a count of 0, but " + std::to_string(size - kStlHeaderBytes) +
           " bytes of triangles follow";
  const std::uint64_t needed = stl_file_bytes(count);
  if (size >= needed) return {};
  return "found a count of " + std::to_string(count) + " triangles, which take " +
         std::to_string(needed) + " bytes; the file has " + std::to_string(size);
}

Result<MeshFile> read_binary(const ReaderInput& input) {
  const std::size_t size = input.data.size();
  if (size < kStlHeaderBytes)
    return malformed(input,
                     "found " + std::to_string(size) +
                         " bytes that do not begin with \"solid\", expected a header and "
                         "count of 84",
                     size);
  const auto count = load<std::uint32_t>(input.data.data() + kStlCountAt, std::endian::little);
  if (std::string fault = size_fault(size, count); !fault.empty())
    return malformed(input, fault, kStlCountAt);

  MeshFile file;
  file.mesh.vertices.resize(std::size_t{3} * count);
  file.mesh.triangles.resize(count);
  for (std::uint32_t t = 0; t < count; ++t) {
    const std::size_t start = kStlHeaderBytes + kStlTriangleBytes * t + kStlNormalBytes;
    for (std::size_t i = 0; i < 9; ++i) {
      const std::size_t at = start + 4 * i;
      const float coordinate = load<float>(input.data.data() + at, std::endian::little);
      if (!std::isfinite(coordinate))
        return malformed(input,
                         "found " + std::to_string(coordinate) + " in triangle " +
                             std::to_string(t) + ", expected a finite coordinate",
                         at);
      file.mesh.vertices[std::size_t{3} * t + i / 3][i % 3] = coordinate;
    }
    file.mesh.triangles[t] = {3 * t, 3 * t + 1, 3 * t + 2};
  }
  file.resolution = kFloatRounding * largest_coordinate(file.mesh);
  if (const std::size_t extra = size - stl_file_bytes(count); extra > 0)
    file.notices.push_back(
        {"passed_over", "passed over " + std::to_string(extra) + " bytes after the last triangle"});
  return file;
}

/// Headers of binary files may begin with "solid" too; text has no control characters.
bool is_text(std::string_view text) {
  constexpr std::size_t kEnough = 512;
  for (const char c : text.substr(0, kEnough))
    if (c >= 0 && c < ' ' && (c < '\t' || c > '\r')) return false;
  return true;
}

}  // namespace

bool is_whole_binary_stl(std::span<const std::byte> data) {
  if (data.size() <= kStlHeaderBytes) return false;
  const auto count = load<std::uint32_t>(data.data() + kStlCountAt, std::endian::little);
  return data.size() == stl_file_bytes(count);
}

Result<MeshFile> read_stl(const ReaderInput& input) {
  const Result<std::string_view> text = text_of(input);
  if (text && !is_whole_binary_stl(input.data)) {
    TextScanner start(input, *text, {});
    if (start.skip_to_token() && start.skip_word("solid") && is_text(*text))
      return AsciiReader(input, *text).read();
  }
  Result<MeshFile> binary = read_binary(input);
  if (!binary && !text) return text.error();
  return binary;
}

}  // namespace plimsoll
