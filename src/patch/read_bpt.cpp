// BPT: Bezier patches in text [Holmes2003]. Numbers are separated by any white space.
#include <plimsoll/patches.h>

#include <cmath>
#include <exception>
#include <new>
#include <string>
#include <utility>

#include "formats/file_bytes.h"
#include "formats/text_scanner.h"

namespace plimsoll {
namespace {

class BptReader {
 public:
  BptReader(const ReaderInput& input, std::string_view text)
      : scan_(input, text, {.hash_comments = true}) {}

  Result<PatchSurface> read() {
    if (read_all()) return std::move(surface_);
    return std::move(error_);
  }

 private:
  bool read_all() {
    std::uint64_t count = 0;
    if (!scan_.skip_to_token() || !scan_.read_count(count))
      return fail(scan_.unexpected("the number of patches"));
    if (count == 0)
      return fail({ErrorCode::kNoSolid, "found no patch, expected the surface of a solid",
                   scan_.malformed({}, scan_.position()).where});
    constexpr std::size_t kPatchBytes = 28;  // "1 1\n" and four points "0 0 0\n"
    const std::uint64_t max_count = (scan_.remaining_bytes() + 1) / kPatchBytes;
    if (count > max_count)
      return fail(scan_.malformed("found a count of " + std::to_string(count) + " patches; the " +
                                      std::to_string(scan_.remaining_bytes()) +
                                      " bytes that follow hold " + std::to_string(max_count) +
                                      " at most",
                                  scan_.position()));
    surface_.patches.reserve(count);
    for (std::uint64_t patch = 0; patch < count; ++patch)
      if (!read_patch(patch)) return false;
    if (scan_.skip_to_token())
      return fail(scan_.unexpected("the end of the file after " + std::to_string(count) +
                                   " patches of points x y z"));
    return true;
  }

  bool read_patch(std::uint64_t number) {
    BezierPatch patch;
    if (!read_degree(patch.degree_u, "u", number) || !read_degree(patch.degree_v, "v", number))
      return false;
    const auto rows = static_cast<std::size_t>(patch.degree_u) + 1;
    const auto columns = static_cast<std::size_t>(patch.degree_v) + 1;
    patch.points.resize(rows * columns);
    for (std::size_t j = 0; j < columns; ++j)
      for (std::size_t i = 0; i < rows; ++i)
        if (!read_point(patch.points[i * columns + j], j * rows + i, number)) return false;
    surface_.patches.push_back(std::move(patch));
    return true;
  }

  bool read_degree(int& degree, const char* direction, std::uint64_t patch) {
    std::uint64_t value = 0;
    scan_.skip_to_token();
    const char* const start = scan_.position();
    if (!scan_.read_count(value) || value < 1 || value > kMaxPatchDegree) {
      scan_.set_position(start);
      return fail(scan_.unexpected(std::string("the degree in ") + direction + " of patch " +
                                   std::to_string(patch) + ", from 1 to " +
                                   std::to_string(kMaxPatchDegree)));
    }
    degree = static_cast<int>(value);
    return true;
  }

  bool read_point(WeightedPoint& point, std::size_t number, std::uint64_t patch) {
    point.w() = 1;
    for (int axis = 0; axis < 3; ++axis) {
      scan_.skip_to_token();
      const char* const start = scan_.position();
      const auto expected = [&] {
        return std::string("the ") + "xyz"[axis] + " of point " + std::to_string(number) +
               " of patch " + std::to_string(patch);
      };
      if (!scan_.read_double(point[axis])) return fail(scan_.unexpected_number(expected()));
      if (std::abs(point[axis]) > kMaxPatchNumber)
        return fail(scan_.malformed("found " + expected() + " beyond 2^200", start));
    }
    return true;
  }

  bool fail(Error error) {
    error_ = std::move(error);
    return false;
  }

  TextScanner scan_;
  PatchSurface surface_;
  Error error_;
};

/// Calls `read` and turns what it throws into an Error.
template <class Read>
Result<PatchSurface> without_exceptions(const std::string& name, const Read& read) {
  try {
    return read();
  } catch (const std::bad_alloc&) {
    return Error{ErrorCode::kResourceLimit, "not enough memory", name};
  } catch (const std::exception& exception) {
    return Error{ErrorCode::kUnreadable, exception.what(), name};
  }
}

}  // namespace

Result<PatchSurface> read_bpt(std::span<const std::byte> data, const std::string& name) {
  return without_exceptions(name, [&]() -> Result<PatchSurface> {
    if (data.empty()) return Error{ErrorCode::kMalformed, "the file is empty", name};
    const ReaderInput input{data, name, {}};
    const Result<std::string_view> text = text_of(input);
    if (!text) return text.error();
    return BptReader(input, *text).read();
  });
}

Result<PatchSurface> read_bpt(const std::filesystem::path& path) {
  const std::string name = path.string();
  return without_exceptions(name, [&]() -> Result<PatchSurface> {
    const Result<FileBytes> bytes = read_file(path);
    if (!bytes) return bytes.error();
    return read_bpt(bytes->span(), name);
  });
}

}  // namespace plimsoll
