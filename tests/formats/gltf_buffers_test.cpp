// Buffers come from the document, from files beside it, and from nowhere else.
#include <doctest/doctest.h>
#include <plimsoll/mesh_io.h>
#include <sys/stat.h>

#include <filesystem>
#include <string>

#include "formats/read_text.h"
#include "formats/scene_checks.h"
#include "formats/uri.h"
#include "support/gltf_builder.h"
#include "support/scratch_folder.h"

namespace plimsoll {
namespace {

using test::GltfPieces;

/// A folder with the folders "scene" and "scene/parts" in it.
class Folder {
 public:
  Folder() { std::filesystem::create_directories(scratch_ / "scene/parts"); }
  void write(const std::string& name, const std::string& content) const {
    test::write_bytes(scratch_ / name, content);
  }
  [[nodiscard]] std::filesystem::path operator/(const std::string& name) const {
    return scratch_ / name;
  }

 private:
  test::ScratchFolder scratch_;
};

Result<MeshFile> read_beside(const std::string& text, const std::filesystem::path& directory) {
  return read_mesh(std::as_bytes(std::span(text)), MeshFormat::kGltf, "part", directory);
}

std::string document(const std::string& uri, int length = 72) {
  GltfPieces pieces;
  pieces.buffers = R"([{"byteLength": )" + std::to_string(length) + R"(, "uri": ")" + uri + "\"}]";
  return test::gltf_json(pieces);
}

std::string base64(const std::string& bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < 3; ++k)
      bits = bits << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0);
    for (std::size_t k = 0; k < 4; ++k)
      text += i + k <= bytes.size() ? kDigits[bits >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

TEST_CASE("base64 comes back byte for byte, whole or with a short last group") {
  std::string bytes;
  for (int i = 0; i < 259; ++i) {
    const std::string uri = "data:application/octet-stream;base64," + base64(bytes);
    std::vector<std::byte> decoded;
    CHECK(decode_data_uri(uri, decoded).empty());
    CHECK(std::string(reinterpret_cast<const char*>(decoded.data()), decoded.size()) == bytes);
    bytes += static_cast<char>(37 * i);
  }
}

TEST_CASE("a buffer may be embedded, and must then hold what it states") {
  const std::string data = base64(test::tetrahedron_bytes());
  const auto read = [](const std::string& uri, int length = 72) {
    return test::read_text(document(uri, length), MeshFormat::kGltf);
  };
  CHECK(read("data:application/octet-stream;base64," + data).has_value());
  CHECK(read("DATA:application/gltf-buffer;BASE64," + data).has_value());
  const auto check = [&](const std::string& uri, const char* message) {
    CAPTURE(uri);
    test::check_error(read(uri), ErrorCode::kMalformed, "buffers[0].uri", message);
  };
  test::check_error(read("data:;base64," + data, 73), ErrorCode::kMalformed, "buffers[0].uri",
                    "found 72 bytes");
  check("data:;base64," + data.substr(0, 93), "ends within a byte");
  check("data:;base64," + data.substr(0, 92) + "-_==", "the character \"-\" at byte 92");
  check("data:text/plain,abc", "expected one in base64");
  check("data:;base64", "without a comma");
}

TEST_CASE("a buffer may be a file in the document's directory or below") {
  const Folder folder;
  const std::filesystem::path scene = folder / "scene";
  folder.write("scene/a b.bin", test::tetrahedron_bytes() + "more");
  folder.write("scene/parts/c.bin", test::tetrahedron_bytes());
  for (const char* uri : {"a b.bin", "a%20b.bin", "./a%20b.bin", "parts/c.bin", "parts//c.bin"})
    CHECK_MESSAGE(read_beside(document(uri), scene).has_value(), uri);

  folder.write("scene/whole.gltf", document("parts/c.bin"));
  CHECK(read_mesh(scene / "whole.gltf").has_value());
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(scene);  // a name without a directory is beside itself
  CHECK(read_mesh("whole.gltf").has_value());
  std::filesystem::current_path(before);
}

TEST_CASE("a buffer outside the document's directory is refused, however it is named") {
  const Folder folder;
  const std::filesystem::path scene = folder / "scene";
  folder.write("secret.bin", test::tetrahedron_bytes());
  folder.write("scene/inside.bin", test::tetrahedron_bytes());
  std::filesystem::create_symlink("../secret.bin", scene / "link.bin");
  std::filesystem::create_directory_symlink("..", scene / "up");
  std::filesystem::create_symlink("inside.bin", scene / "inner-link.bin");
  const std::string absolute = (folder / "secret.bin").string();
  const auto check = [&](const std::string& uri, const char* message) {
    CAPTURE(uri);
    test::check_error(read_beside(document(uri), scene), ErrorCode::kUnsupported, "buffers[0].uri",
                      message);
  };
  check("../secret.bin", "climbs out");
  check("parts/../../secret.bin", "climbs out");
  check("%2e%2e/secret.bin", "climbs out");
  check("parts/%2E%2e/inside.bin", "climbs out");
  check("..", "climbs out");
  check(absolute, "absolute path");
  check("/%2e./secret.bin", "absolute path");
  check("file://" + absolute, "scheme \"file\"");
  check("http://example.org/a.bin", "scheme \"http\"");
  check("C:inside.bin", "scheme \"C\"");
  check("..%5Csecret.bin", "backslash");
  check("link.bin", "a link that leads out");
  check("up/secret.bin", "a link that leads out");
  CHECK(read_beside(document("inner-link.bin"), scene).has_value());
}

TEST_CASE("a buffer that is missing, short or no file is refused") {
  const Folder folder;
  const std::filesystem::path scene = folder / "scene";
  folder.write("scene/short.bin", "12345");
  REQUIRE(mkfifo((scene / "pipe").c_str(), 0600) == 0);
  const auto read = [&](const std::string& uri) { return read_beside(document(uri), scene); };
  test::check_error(read("none.bin"), ErrorCode::kUnreadable, "buffers[0].uri", "\"none.bin\"");
  test::check_error(read("parts"), ErrorCode::kUnreadable, "buffers[0].uri", "not a regular file");
  test::check_error(read("pipe"), ErrorCode::kUnreadable, "buffers[0].uri", "not a regular file");
  test::check_error(read("short.bin"), ErrorCode::kMalformed, "short.bin",
                    "found 5 bytes in the file");
  test::check_error(read(""), ErrorCode::kUnsupported, "buffers[0].uri", "empty URI");
  test::check_error(read("a%2"), ErrorCode::kMalformed, "buffers[0].uri", "two hex digits");
  test::check_error(read("a%00b"), ErrorCode::kMalformed, "buffers[0].uri", "zero byte");
  test::check_error(test::read_text(document("short.bin"), MeshFormat::kGltf),
                    ErrorCode::kUnsupported, "buffers[0].uri", "without a directory");
}

TEST_CASE("a buffer that holds no positions and no indices is not looked for") {
  GltfPieces pieces;
  pieces.buffers =
      R"([{"byteLength": 72}, {"byteLength": 9, "uri": "http://example.org/texture.bin"}])";
  CHECK(test::read_text(test::glb(pieces), MeshFormat::kGlb).has_value());
}

TEST_CASE("an index out of range in an external buffer is found as in an embedded one") {
  const Folder folder;
  std::string bytes = test::tetrahedron_bytes();
  bytes[20] = 4;
  folder.write("scene/a.bin", bytes);
  test::check_error(read_beside(document("a.bin"), folder / "scene"), ErrorCode::kMalformed,
                    "accessors[0], element 10", "found index 4");
}

}  // namespace
}  // namespace plimsoll
