// Reading a mesh from text in the test, and checking why it was refused.
#pragma once

#include <doctest/doctest.h>
#include <plimsoll/mesh_io.h>

#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::test {

inline Result<MeshFile> read_text(std::string_view text, MeshFormat format) {
  return read_mesh(std::as_bytes(std::span(text.data(), text.size())), format, "part");
}

/// Checks that `file` was refused with `code` at `where`, naming `found`.
inline void check_refused(const Result<MeshFile>& file, ErrorCode code, std::string_view where,
                          std::string_view found) {
  REQUIRE_FALSE(file);
  CAPTURE(file.error().message);
  CHECK(file.error().code == code);
  CHECK(file.error().where == where);
  CHECK(file.error().message.find(found) != std::string::npos);
}

inline void check_malformed(const Result<MeshFile>& file, std::string_view where,
                            std::string_view found) {
  check_refused(file, ErrorCode::kMalformed, where, found);
}

/// Checks that a reader said this and nothing else.
inline void check_notices(const MeshFile& file, const std::vector<Notice>& expected) {
  REQUIRE(file.notices.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CHECK(file.notices[i].code == expected[i].code);
    CHECK(file.notices[i].message == expected[i].message);
  }
}

/// Checks that `file` is one triangle (0,0,0), (1,0,0), (0,1,0), without a notice.
inline void check_unit_triangle(const Result<MeshFile>& file) {
  REQUIRE_MESSAGE(file, file.error().where, " ", file.error().message);
  CHECK(file->notices.empty());
  REQUIRE(file->mesh.triangles.size() == 1);
  const auto [a, b, c] = file->mesh.triangles[0];
  CHECK(file->mesh.vertices[a] == Vec3(0, 0, 0));
  CHECK(file->mesh.vertices[b] == Vec3(1, 0, 0));
  CHECK(file->mesh.vertices[c] == Vec3(0, 1, 0));
}

}  // namespace plimsoll::test
