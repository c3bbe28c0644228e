// Files and formats: what is common to all readers.
#include <doctest/doctest.h>
#include <sys/stat.h>

#include <cstring>
#include <thread>

#include "formats/file_bytes.h"
#include "formats/read_text.h"
#include "support/scratch_folder.h"

namespace plimsoll {
namespace {

using test::check_refused;
using test::write_bytes;

const std::string kObj = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
const std::string kOff = "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
const std::string kPly =
    "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
    "property float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n"
    "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";

/// 80 bytes of `header`, one triangle of zeros.
std::string binary_stl(const std::string& header) {
  std::string bytes = header;
  bytes.resize(84 + 50, '\0');
  bytes[80] = 1;
  return bytes;
}

TEST_CASE("the name of a format is its ending, in any case, with or without what precedes it") {
  CHECK(mesh_format_from_name("part.stl") == MeshFormat::kStl);
  CHECK(mesh_format_from_name("a.b/part.v2.OBJ") == MeshFormat::kObj);
  CHECK(mesh_format_from_name(".Ply") == MeshFormat::kPly);
  CHECK(mesh_format_from_name("off") == MeshFormat::kOff);
  CHECK(mesh_format_from_name("3mf") == MeshFormat::k3mf);
  for (const char* name :
       {"", ".", "part", "part.stl.gz", "part.stlx", "stl/part", "a.obj/", "ob j"})
    CHECK_FALSE(mesh_format_from_name(name));
  for (const MeshFormat format :
       {MeshFormat::kStl, MeshFormat::kObj, MeshFormat::kPly, MeshFormat::kOff, MeshFormat::kGltf,
        MeshFormat::kGlb, MeshFormat::k3mf})
    CHECK(mesh_format_from_name(to_string(format)) == format);
}

TEST_CASE("a file is what its content says for certain, then what its name says") {
  const test::ScratchFolder folder;
  const auto format_of = [&](const char* name, const std::string& bytes) {
    write_bytes(folder / name, bytes);
    const Result<MeshFile> file = read_mesh(folder / name);
    REQUIRE_MESSAGE(file, file.error().where, " ", file.error().message);
    return file->format;
  };
  CHECK(format_of("part.obj", kObj) == MeshFormat::kObj);
  CHECK(format_of("part.obj", kPly) == MeshFormat::kPly);
  CHECK(format_of("part.stl", kPly) == MeshFormat::kPly);
  CHECK(format_of("part.stl", "\xEF\xBB\xBF" + kOff) == MeshFormat::kOff);
  CHECK(format_of("part.ply", "\n  C" + kOff) == MeshFormat::kOff);
  CHECK(format_of("part.off", kOff.substr(4)) == MeshFormat::kOff);
  CHECK(format_of("part", kOff) == MeshFormat::kOff);
  CHECK(format_of("part", kPly) == MeshFormat::kPly);
  CHECK(format_of("part.dat", binary_stl("made by hand")) == MeshFormat::kStl);
  CHECK(format_of("part.stl", binary_stl("OFF the shelf")) == MeshFormat::kStl);
  CHECK(format_of("part.stl", binary_stl("ply\n")) == MeshFormat::kStl);
}

TEST_CASE("a file of no format that is read is refused by what it is") {
  const test::ScratchFolder folder;
  const auto refused = [&](const char* name, const std::string& bytes, ErrorCode code,
                           const char* found) {
    write_bytes(folder / name, bytes);
    check_refused(read_mesh(folder / name), code, (folder / name).string(), found);
  };
  refused("part.3ds", kObj, ErrorCode::kUnsupported, "none of .stl");
  refused("part", kObj, ErrorCode::kUnsupported, "none of .stl");
  refused("part.stl.gz", "\x1F\x8B\x08", ErrorCode::kUnsupported, "gunzip");
  refused("part.obj", "", ErrorCode::kMalformed, "empty");
  refused("part.3ds", "", ErrorCode::kMalformed, "empty");
}

TEST_CASE("what is left of a failed download, and files of other programs, are named") {
  const test::ScratchFolder folder;
  const auto said = [&](const std::string& name, const std::string& bytes,
                        const std::string& what) {
    const auto path = folder.path() / name;
    write_bytes(path, bytes);
    check_refused(read_mesh(path), ErrorCode::kUnsupported, path.string(), what);
  };
  const std::string pointer =
      "version https://git-lfs.example/spec/v1\noid sha256:4d7a\nsize 12345\n";
  for (const char* name : {"a.stl", "a.obj", "a.ply", "a.off", "a.gltf", "a.glb", "a.3mf", "a"}) {
    said(name, pointer, "found a git-lfs pointer, which stands for a file");
    said(name, "\n <!DOCTYPE HTML>\n<html></html>\n", "found a page of HTML");
    said(name, "<HTML>" + std::string(200, ' '), "found a page of HTML");
  }
  said("a.obj", "ISO-10303-21;\nHEADER;\n", "found a STEP file");
  said("a.stl", "<?xml version=\"1.0\"?>\n<COLLADA>", "found XML (COLLADA");
}

TEST_CASE("text of another format than the name says is told") {
  const auto said = [](const std::string& text, MeshFormat format, const char* what) {
    const auto file = test::read_text(text, format);
    REQUIRE_FALSE(file);
    CAPTURE(file.error().message);
    CHECK(file.error().message.find(what) != std::string::npos);
  };
  const std::string stl = "solid a\nfacet\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n";
  said(kObj, MeshFormat::kStl,
       "; the text looks like obj, not stl: rename the file, or name the format that it has");
  said(kObj, MeshFormat::kOff, "; the text looks like obj, not off");
  said("# a comment\n" + kObj, MeshFormat::kPly, "; the text looks like obj, not ply");
  said(stl, MeshFormat::kOff, "; the text looks like stl, not off");
  said(stl, MeshFormat::kObj, "; the text looks like stl, not obj");
  said("{\"asset\": {\"version\": \"2.0\"}}", MeshFormat::kGlb,
       "; the text looks like gltf, not glb");
  const auto own = test::read_text("v 0 0 zero\n", MeshFormat::kObj);
  REQUIRE_FALSE(own);
  CHECK(own.error().message.find("looks like") == std::string::npos);
}

TEST_CASE("a format that the caller states is not second-guessed") {
  check_refused(test::read_text(kPly, MeshFormat::kOff), ErrorCode::kMalformed, "part:1",
                "\"ply\"");
  check_refused(test::read_text("", MeshFormat::kOff), ErrorCode::kMalformed, "part", "empty");
}

TEST_CASE("a file that cannot be read is refused with the reason") {
  const test::ScratchFolder folder;
  const auto refused = [&](const std::filesystem::path& path, const char* found) {
    check_refused(read_mesh(path), ErrorCode::kUnreadable, path.string(), found);
  };
  refused(folder / "missing.stl", "No such file");
  refused(folder.path(), "it is a directory");
  refused(folder / "missing" / "part.stl", "No such file");
  refused("", "No such file");
  std::filesystem::create_symlink("loop.stl", folder / "loop.stl");
  refused(folder / "loop.stl", "symbolic links");
}

TEST_CASE("a file of more than 8 GiB is refused before it is read") {
  const test::ScratchFolder folder;
  const auto path = folder / "huge.stl";
  write_bytes(path, "solid");
  std::error_code failure;
  std::filesystem::resize_file(path, (std::uintmax_t{8} << 30) + 1, failure);  // with holes
  if (failure) return;  // a file system without sparse files
  check_refused(read_mesh(path), ErrorCode::kResourceLimit, path.string(), "8589934592 bytes");
}

TEST_CASE("a pipe is read like a file") {
  const test::ScratchFolder folder;
  const auto path = folder / "pipe.obj";
  REQUIRE(mkfifo(path.c_str(), 0600) == 0);
  std::string vertices;
  for (int i = 0; i < 50'000; ++i) vertices += "v 1 2 3\n";  // more than a pipe holds at once
  std::thread writer([&] { write_bytes(path, vertices + kObj); });
  const Result<MeshFile> file = read_mesh(path);
  writer.join();
  REQUIRE(file);
  CHECK(file->mesh.vertices.size() == 50'003);
}

TEST_CASE("a pipe is read up to its own limit, which is not that of a file") {
  const test::ScratchFolder folder;
  const auto path = folder / "pipe.obj";
  REQUIRE(mkfifo(path.c_str(), 0600) == 0);
  const auto with_limit = [&](std::uint64_t max_stream_bytes) {
    std::thread writer([&] { write_bytes(path, kObj); });
    Result<FileBytes> bytes = read_file(path, kMaxFileBytes, max_stream_bytes);
    writer.join();
    return bytes;
  };
  REQUIRE(with_limit(kObj.size()));
  const Result<FileBytes> cut = with_limit(kObj.size() - 1);
  REQUIRE_FALSE(cut);
  CHECK(cut.error().code == ErrorCode::kResourceLimit);
  CHECK(cut.error().message.find("a device or pipe") != std::string::npos);
  write_bytes(folder / "file.obj", kObj);
  CHECK(read_file(folder / "file.obj", kMaxFileBytes, 1));
}

TEST_CASE("text may begin with a byte order mark of UTF-8, but not be UTF-16") {
  using namespace std::string_view_literals;
  test::check_unit_triangle(test::read_text("\xEF\xBB\xBF" + kObj, MeshFormat::kObj));
  for (const std::string_view text : {"\xFF\xFEv\0 \0"sv, "\xFE\xFF\0v\0 "sv, "v\0 \0001\0"sv,
                                      "\0v\0 \0001"sv, "v\0\0\0 \0\0\0"sv})
    for (const MeshFormat format : {MeshFormat::kObj, MeshFormat::kOff, MeshFormat::kPly})
      check_refused(test::read_text(text, format), ErrorCode::kUnsupported, "part: byte 0",
                    "UTF-16");
}

TEST_CASE("blanks and tabs may stand around every number of a table, and nowhere else") {
  const auto read = [](const std::string& row) {
    const std::string text = "x,y,z\n" + row;
    return read_points(std::as_bytes(std::span(text.data(), text.size())), "table");
  };
  for (const std::string blank : {" ", "\t", " \t  "})
    for (unsigned places = 0; places < 64; ++places) {
      CAPTURE(places);
      std::string row;
      for (unsigned k = 0; k < 6; ++k) {
        if (k == 2 || k == 4) row += ',';
        if ((places >> k & 1U) != 0) row += blank;
        if (k % 2 == 0) row += k == 0 ? "1.5" : k == 2 ? "-2" : "3e2";
      }
      const Result<std::vector<Vec3>> points = read(row + "\n\n \t\n" + row);
      REQUIRE_MESSAGE(points, points.error().message);
      CHECK(*points == std::vector<Vec3>{{1.5, -2, 300}, {1.5, -2, 300}});
    }
  for (const std::string row :
       {"1,2", "1,2,", ",2,3", "1,,3", "1, ,3", "1,2,3,", "1,2,3,4", "1 2,3", "1,2 3,4", "1,2,3 4",
        "1,- 2,3", "1;2;3", "1,2,nan", "1,2,1e999"}) {
    CAPTURE(row);
    const Result<std::vector<Vec3>> points = read("7,8,9\n" + row);
    REQUIRE_FALSE(points);
    CHECK(points.error().code == ErrorCode::kMalformed);
    CHECK(points.error().where == "table:3");
    CHECK(points.error().message.find(row) != std::string::npos);
    CHECK(points.error().message.find("expected three finite numbers") != std::string::npos);
  }
}

}  // namespace
}  // namespace plimsoll
