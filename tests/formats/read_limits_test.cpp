// No file makes a reader take more than 64 MB + 40 times its size in memory, or 1 s per MB: the
// worst that could be thought of, per format.
#include <doctest/doctest.h>
#include <plimsoll/mesh_health.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "formats/long_text.h"
#include "formats/read_text.h"
#include "support/campaign.h"
#include "support/checked.h"
#include "support/heap_peak.h"
#include "support/processor_time.h"
#include "support/sanitizers.h"

namespace plimsoll {
namespace {

using test::kBytes;
using test::repeat;

std::string ply(const std::string& format, const std::string& declarations) {
  return "ply\nformat " + format + " 1.0\n" + declarations + "end_header\n";
}

const std::string kBytePoint =
    "element vertex 1\nproperty char x\nproperty char y\nproperty char z\n";
const std::string kThree = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";

// Sanitizers take twenty times as long to cut polygons.
constexpr std::size_t kCrossingBytes = test::kTimed ? kBytes : kBytes / 8;

// Examining triangles that cross takes most of the time: the quick run examines the first of them.
constexpr std::size_t kExamined = test::kTimed ? 250'000 : 1'000;

/// A PLY of 256^bytes points, 2,048 at most, and polygons of up to that many corners among them, in
/// an order without sense: nearly all outlines cross themselves.
std::string crossing_polygons(std::size_t corners, int bytes) {
  std::string points, polygons;
  std::uint32_t state = 1;
  const auto any_byte = [&state] {
    state = state * 1664525u + 1013904223u;
    return static_cast<char>(state >> 24);
  };
  const int point_count = bytes == 1 ? 256 : 2048;
  for (int i = 0; i < 2 * point_count; ++i)
    points += i % 2 == 0 ? std::string(1, '\0') : std::string{any_byte(), any_byte()};
  const std::size_t count = kCrossingBytes / (corners * static_cast<std::size_t>(bytes) + 1);
  for (std::size_t i = 0; i < count; ++i) {
    polygons += static_cast<char>(corners);
    for (std::size_t k = 0; k < corners; ++k) {
      if (bytes == 2) polygons += static_cast<char>(any_byte() & 7);
      polygons += any_byte();
    }
  }
  return ply("binary_big_endian", "element vertex " + std::to_string(point_count) + "\n" +
                                      kBytePoint.substr(17) + "element face " +
                                      std::to_string(count) + "\nproperty list uchar " +
                                      (bytes == 1 ? "uchar" : "ushort") + " vertex_indices\n") +
         points + polygons;
}

/// The outline of a comb: `corners` of them.
std::string comb(std::size_t corners) {
  std::string points, face = "f";
  for (std::size_t i = 0; i < corners; ++i) {
    const std::size_t x = i + 2 < corners ? i + 1 : i + 2 == corners ? i : 0;
    points += "v " + std::to_string(x) +
              (i + 2 >= corners ? " -1 0\n"
               : i % 2 == 0     ? " 9 0\n"
                                : " 0 0\n");
    face += ' ' + std::to_string(i + 1);
  }
  return points + face + '\n';
}

struct Case {
  const char* what;
  MeshFormat format;
  std::string bytes;
};

/// Files whose memory or time per byte is as high as the format allows.
std::vector<Case> dense_files() {
  const std::string points(3, '\0');
  // A polygon of as many corners as there are bytes, each of them one byte.
  std::string one_polygon =
      ply("binary_big_endian",
          kBytePoint + "element face 1\nproperty list int uchar vertex_indices\n") +
      points;
  for (const int shift : {24, 16, 8, 0}) one_polygon += static_cast<char>(kBytes >> shift & 0xFF);
  one_polygon += std::string(kBytes, '\0');
  return {
      {"OBJ vertices", MeshFormat::kObj, repeat("v 0 0 0\n")},
      {"OBJ polygon", MeshFormat::kObj, kThree + "f " + repeat("1 ")},
      {"OBJ triangles", MeshFormat::kObj, kThree + repeat("f 1 1 1\n")},
      {"OBJ comb", MeshFormat::kObj, comb(kBytes / 20)},
      {"OBJ unknown statements", MeshFormat::kObj, repeat("x\n")},
      {"OBJ comments", MeshFormat::kObj, repeat("#\\\n")},
      {"OBJ empty lines", MeshFormat::kObj, repeat("\n")},
      {"OBJ one continued line", MeshFormat::kObj, repeat("\\\n")},
      {"OBJ continued comments", MeshFormat::kObj, repeat("x # \\\n")},
      {"OBJ backslashes", MeshFormat::kObj, "vn" + repeat(" \\")},
      {"OBJ long word", MeshFormat::kObj, repeat("a")},
      {"OBJ long number", MeshFormat::kObj, "v " + repeat("1")},
      {"OBJ long fraction", MeshFormat::kObj, "v 0." + repeat("0")},
      {"OBJ long exponent", MeshFormat::kObj, "v 1e" + repeat("0")},
      {"OBJ 20-digit numbers", MeshFormat::kObj, repeat("v .12345678901234567891 0 1e-310\n")},
      {"OBJ index too high at the end", MeshFormat::kObj,
       repeat("f 1 1 1\n") + "v 0 0 0\nf 1 1 9\n"},
      {"OFF vertices", MeshFormat::kOff, "OFF 600000 0 0\n" + repeat("0 0 0\n")},
      {"OFF polygon", MeshFormat::kOff, "OFF 1 1 0\n0 0 0\n2000000 " + repeat("0 ")},
      {"OFF triangles", MeshFormat::kOff, "OFF 1 500000 0\n0 0 0\n" + repeat("3 0 0 0\n")},
      {"OFF comments", MeshFormat::kOff, "OFF" + repeat("#\n")},
      {"PLY polygon of bytes", MeshFormat::kPly, one_polygon},
      {"PLY quadrangles of bytes", MeshFormat::kPly,
       ply("binary_big_endian", kBytePoint + "element face 800000\nproperty list uchar uchar "
                                             "vertex_indices\n") +
           points + repeat(std::string("\4\0\0\0\0", 5))},
      {"PLY crossing quadrangles of bytes", MeshFormat::kPly, crossing_polygons(4, 1)},
      {"PLY crossing polygons of 20 bytes", MeshFormat::kPly, crossing_polygons(20, 1)},
      {"PLY crossing polygons of 250 bytes", MeshFormat::kPly, crossing_polygons(250, 1)},
      {"PLY crossing quadrangles of two bytes", MeshFormat::kPly, crossing_polygons(4, 2)},
      {"PLY crossing polygons of 250 words", MeshFormat::kPly, crossing_polygons(250, 2)},
      {"PLY points of bytes", MeshFormat::kPly,
       ply("binary_big_endian", "element vertex 1333000\n" + kBytePoint.substr(17) +
                                    "element face 1\nproperty list uchar uchar vertex_index\n") +
           repeat("abc") + std::string("\3\0\1\2", 4)},
      {"PLY text points", MeshFormat::kPly,
       ply("ascii", "element vertex 666666\n" + kBytePoint.substr(17) +
                        "element face 1\nproperty list uchar uchar vertex_index\n") +
           repeat("0 0 0\n")},
      {"PLY elements", MeshFormat::kPly, ply("ascii", repeat("element a 0\n"))},
      {"PLY properties", MeshFormat::kPly,
       ply("ascii", "element a 1\n" + repeat("property int a\n"))},
      {"PLY vertex elements", MeshFormat::kPly,
       ply("ascii", "element vertex 1\n" + repeat("property int a\n") + "property int x\n")},
      {"PLY empty lists", MeshFormat::kPly,
       ply("binary_little_endian", "element a 4000000\nproperty list uchar double b\n" +
                                       kBytePoint +
                                       "element face 1\nproperty list uchar uchar vertex_index\n") +
           std::string(kBytes + 7, '\0')},
      {"PLY comments", MeshFormat::kPly, "ply\n" + repeat("comment\n")},
      {"STL facets", MeshFormat::kStl,
       "solid\n" +
           repeat("facet outer loop vertex 0 0 0 vertex 0 0 0 vertex 0 0 0 endloop endfacet\n")},
      {"STL solids", MeshFormat::kStl, repeat("solid\nendsolid\n")},
      {"STL blanks", MeshFormat::kStl, "solid\n" + repeat(" ")},
      {"STL binary", MeshFormat::kStl,
       std::string(80, ' ') + std::string("\x80\x38\x01\0", 4) + std::string(50 * 80'000, '\0')},
  };
}

TEST_CASE(
    "no file takes more than 64 MB and 40 times its size to read and examine, or 1 s per MB") {
  for (const Case& file : dense_files()) {
    CAPTURE(std::string(file.what));
    test::reset_heap_peak();
    const double start = test::processor_seconds();
    Result<MeshFile> result = test::read_text(file.bytes, file.format);
    const double seconds = test::processor_seconds() - start;
    TriangleMesh mesh = result ? std::move(result->mesh) : TriangleMesh();
    if (!test::is_full_run() && mesh.triangles.size() > kExamined) mesh.triangles.resize(kExamined);
    const std::size_t triangles = mesh.triangles.size();
    const MeshHealth health = result ? examine(test::checked(mesh)) : MeshHealth();
    const std::size_t size = file.bytes.size();
    // read_mesh(path) holds the file as well.
    CHECK(test::heap_peak() + size <= (std::size_t{64} << 20) + 40 * size);
    if (test::kTimed) CHECK(seconds <= 1e-6 * static_cast<double>(size));
    CHECK(health.triangles == triangles);
    if (!result) CHECK(result.error().message.size() < 300);
  }
}

// A vector that doubles would take 36 bytes for each corner; triangles take 12.
TEST_CASE("a PLY polygon of one-byte corners takes the memory of its triangles") {
  const std::string list = "element face 1\nproperty list int uchar vertex_indices\n";
  const std::uint32_t corners = (1u << 22) + 100;
  std::string file = ply("binary_big_endian", kBytePoint + list) + std::string(3, '\0');
  for (const int shift : {24, 16, 8, 0}) file += static_cast<char>(corners >> shift & 0xFF);
  file += std::string(corners, '\0');
  test::reset_heap_peak();
  // One vertex is too few for them, which is seen when they are read.
  test::check_refused(test::read_text(file, MeshFormat::kPly), ErrorCode::kNoSolid, "part",
                      "found 4194402 triangles between 1 vertex,");
  CHECK(test::heap_peak() < std::size_t{20} * corners);
}

// Eight times the square of the vertices named and 65,536 more may be read; others do not count.
TEST_CASE("triangles that name too few vertices over and over are no solid") {
  const auto of = [](std::size_t triangles) {
    std::string file = kThree + "v 0 0 1\n" + "v 5 5 5\nv 6 6 6\nv 7 7 7\n";
    for (std::size_t i = 0; i < triangles / 4; ++i) file += "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
    return test::read_text(file, MeshFormat::kObj);
  };
  CHECK(of(65536 + 8 * 4 * 4).has_value());
  test::check_refused(of(65536 + 8 * 4 * 4 + 4), ErrorCode::kNoSolid, "part",
                      "found 65668 triangles between 4 vertices");
}

// 16 times the corners take 16 log(320,000) / log(20,000) = 20 times the time, if it grows as n log
// n, and 256 times if as n^2. The caches take another factor of up to 2.
TEST_CASE("the time to cut a polygon grows little faster than its corners") {
  if (!test::kTimed) return;
  const auto seconds = [](std::size_t corners) {
    const std::string file = comb(corners);
    double least = HUGE_VAL;
    for (int run = 0; run < 3; ++run) {
      const double start = test::processor_seconds();
      const Result<MeshFile> result = test::read_text(file, MeshFormat::kObj);
      least = std::min(least, test::processor_seconds() - start);
      REQUIRE(result);
      CHECK(result->notices.empty());
    }
    return least;
  };
  CHECK(seconds(320'000) < 60 * seconds(20'000));
}

// The allowance of 64 MB would hide a reserve of up to that size for a file of a few bytes.
TEST_CASE("a count that a small file declares takes no memory") {
  const auto peak_of = [](MeshFormat format, const std::string& bytes) {
    test::reset_heap_peak();
    const bool loaded = test::read_text(bytes, format).has_value();
    CHECK_FALSE(loaded);
    return test::heap_peak();
  };
  constexpr std::size_t kSmall = 20'000;
  CHECK(peak_of(MeshFormat::kOff, "OFF 4000000000 1 0\n0 0 0\n") < kSmall);
  CHECK(peak_of(MeshFormat::kOff, "OFF 1 4000000000 0\n0 0 0\n3 0 0 0\n") < kSmall);
  CHECK(peak_of(MeshFormat::kOff, "OFF 1 1 0\n0 0 0\n4000000000 0 0 0\n") < kSmall);
  const std::string face = "element face 4000000000\nproperty list uint uint vertex_indices\n";
  const std::string vertices = "element vertex 4000000000\n" + kBytePoint.substr(17);
  for (const char* format : {"ascii", "binary_little_endian"}) {
    CHECK(peak_of(MeshFormat::kPly, ply(format, vertices + face) + "0 0 0\n") < kSmall);
    CHECK(peak_of(MeshFormat::kPly, ply(format, kBytePoint + face) + "0 0 0\n3 0 0 0\n") < kSmall);
  }
  CHECK(peak_of(MeshFormat::kStl, std::string(80, ' ') + "\xFF\xFF\xFF\x7F") < kSmall);
}

// The sanitizers need more address space than any limit that a reader could reach.
TEST_CASE("where memory ends, reading ends with an error" *
          doctest::skip(test::kAddressSanitizer || test::kThreadSanitizer)) {
  const std::string file = repeat("v 0 0 0\n", 64 << 20) + "f 1 2 3\n";
  rlimit before{};
  REQUIRE(getrlimit(RLIMIT_AS, &before) == 0);
  rlimit small = before;
  small.rlim_cur = 300 << 20;  // the program and the text take half of it
  REQUIRE(setrlimit(RLIMIT_AS, &small) == 0);
  const Result<MeshFile> result = test::read_text(file, MeshFormat::kObj);
  REQUIRE(setrlimit(RLIMIT_AS, &before) == 0);
  test::check_refused(result, ErrorCode::kResourceLimit, "part", "not enough memory");
}

}  // namespace
}  // namespace plimsoll
