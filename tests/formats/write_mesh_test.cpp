#include <doctest/doctest.h>
#include <plimsoll/mesh_generators.h>
#include <sys/resource.h>

#include <bit>
#include <cmath>
#include <csignal>
#include <cstring>
#include <limits>

#include "core/random.h"
#include "formats/read_text.h"
#include "support/campaign.h"
#include "support/scratch_folder.h"

namespace plimsoll {
namespace {

constexpr const char* kExactEndings[] = {"ply", "obj", "off"};

bool same_bits(const Vec3& a, const Vec3& b) {
  for (int i = 0; i < 3; ++i)
    if (std::bit_cast<std::uint64_t>(a[i]) != std::bit_cast<std::uint64_t>(b[i])) return false;
  return true;
}

bool same_bits(const TriangleMesh& a, const TriangleMesh& b) {
  return a.triangles == b.triangles && a.vertices.size() == b.vertices.size() &&
         std::equal(a.vertices.begin(), a.vertices.end(), b.vertices.begin(),
                    [](const Vec3& p, const Vec3& q) { return same_bits(p, q); });
}

/// Any finite double, all exponents alike; sometimes a small integer, sometimes -0.
double any_coordinate(Random& random) {
  const auto kind = random.below(8);
  if (kind == 0) return static_cast<double>(random.below(10));
  if (kind == 1) return -0.0;
  double value = std::bit_cast<double>(random.next());
  while (!std::isfinite(value)) value = std::bit_cast<double>(random.next());
  return value;
}

TriangleMesh any_mesh(Random& random) {
  TriangleMesh mesh;
  mesh.vertices.resize(3 + random.below(20));
  for (Vec3& v : mesh.vertices)
    v = {any_coordinate(random), any_coordinate(random), any_coordinate(random)};
  mesh.triangles.resize(1 + random.below(20));
  for (Triangle& t : mesh.triangles)
    for (std::uint32_t& corner : t)
      corner = static_cast<std::uint32_t>(random.below(mesh.vertices.size()));
  return mesh;
}

TEST_CASE("PLY, OBJ and OFF bring every bit of any mesh back") {
  const test::ScratchFolder folder;
  Random random(1);
  const int cases = test::campaign(2000);
  for (int i = 0; i < cases; ++i) {
    const TriangleMesh mesh = any_mesh(random);
    for (const std::string ending : kExactEndings) {
      const auto path = folder / ("mesh." + ending);
      const Result<void> written = write_mesh(mesh, path);
      REQUIRE_MESSAGE(written, written.error().message);
      const Result<MeshFile> back = read_mesh(path);
      REQUIRE_MESSAGE(back, back.error().where, " ", back.error().message);
      REQUIRE_MESSAGE(same_bits(back->mesh, mesh), ending, " ", i);
      REQUIRE(back->notices.empty());
    }
  }
}

TEST_CASE("binary STL brings back the corners as floats and unit normals to the outside") {
  const test::ScratchFolder folder;
  const TriangleMesh mesh = make_icosphere(0.1, 2);
  const auto path = folder / "ball.stl";
  REQUIRE(write_mesh(mesh, path));
  const Result<MeshFile> back = read_mesh(path);
  REQUIRE(back);
  REQUIRE(back->mesh.triangles.size() == mesh.triangles.size());
  const std::string bytes = test::read_bytes(path);
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    Vec3 center = Vec3::Zero();
    for (std::size_t i = 0; i < 3; ++i) {
      const Vec3 corner = mesh.vertices[mesh.triangles[t][i]];
      const Vec3 read = back->mesh.vertices[back->mesh.triangles[t][i]];
      CHECK(read.cast<float>() == corner.cast<float>());
      center += corner / 3;
    }
    Eigen::Vector3f normal;
    std::memcpy(normal.data(), bytes.data() + 84 + 50 * t, 12);
    CHECK(std::abs(normal.norm() - 1) <= 1e-6);  // three floats of 6e-8 each
    // The center of a face of an icosphere of 320 faces lies within 10 degrees of its normal.
    CHECK(normal.cast<double>().dot(center.normalized()) > std::cos(0.18));
  }
}

TEST_CASE("a triangle without area, or as large as doubles go, is written with a normal or none") {
  const test::ScratchFolder folder;
  TriangleMesh mesh;
  const double huge = 3e38;  // its square overflows a float, its area's square a double
  mesh.vertices = {{0, 0, 0}, {huge, 0, 0}, {0, huge, 0}, {0, 0, 0}};
  mesh.triangles = {{0, 1, 2}, {0, 3, 1}};
  const auto path = folder / "mesh.stl";
  REQUIRE(write_mesh(mesh, path));
  const std::string bytes = test::read_bytes(path);
  Eigen::Vector3f normals[2];
  for (std::size_t t = 0; t < 2; ++t)
    std::memcpy(normals[t].data(), bytes.data() + 84 + 50 * t, 12);
  CHECK(normals[0] == Eigen::Vector3f(0, 0, 1));
  CHECK(normals[1] == Eigen::Vector3f(0, 0, 0));
}

TEST_CASE("borrowed, strided and packed meshes are written like owned ones") {
  const test::ScratchFolder folder;
  const std::vector<float> points{0, 0, 0, 9, 0.5f, 0, 0, 9, 0, 0.25f, 0, 9};
  const std::vector<std::uint32_t> indices{0, 1, 2};
  const std::vector<float> packed{0, 0, 0, 0.5f, 0, 0, 0, 0.25f, 0};
  REQUIRE(write_mesh(MeshView(std::span<const float>(points), indices, 4), folder / "a.obj"));
  REQUIRE(write_mesh(MeshView::packed(std::span<const float>(packed)), folder / "b.obj"));
  const std::string expected = "v 0 0 0\nv 0.5 0 0\nv 0 0.25 0\nf 1 2 3\n";
  CHECK(test::read_bytes(folder / "a.obj") == expected);
  CHECK(test::read_bytes(folder / "b.obj") == expected);
}

TEST_CASE("what a format cannot hold is not written") {
  const test::ScratchFolder folder;
  TriangleMesh mesh;
  mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1e39, 0}, {0, 0, 0}};
  mesh.triangles = {{0, 1, 2}};
  const auto refused = [&](const char* name, ErrorCode code, const char* found) {
    const Result<void> written = write_mesh(mesh, folder / name);
    REQUIRE_FALSE(written);
    CAPTURE(written.error().message);
    CHECK(written.error().code == code);
    CHECK(written.error().message.find(found) != std::string::npos);
    CHECK(std::filesystem::is_empty(folder.path()));
  };
  refused("mesh.stl", ErrorCode::kInvalidArgument, "vertex 2");
  refused("mesh.glb", ErrorCode::kUnsupported, ".stl");
  refused("mesh", ErrorCode::kUnsupported, ".stl");
  mesh.vertices[3].x() = std::numeric_limits<double>::quiet_NaN();  // no triangle names it
  refused("mesh.obj", ErrorCode::kInvalidArgument, "vertex 3");
  refused("mesh.off", ErrorCode::kInvalidArgument, "vertex 3");
  mesh.triangles[0][2] = 3;
  refused("mesh.ply", ErrorCode::kInvalidArgument, "vertex 3");
  mesh.triangles[0][2] = 4;
  refused("mesh.ply", ErrorCode::kInvalidArgument, "index 4");
  refused("missing/mesh.stl", ErrorCode::kInvalidArgument, "index 4");
  mesh.triangles[0][2] = 1;
  refused("missing/mesh.stl", ErrorCode::kUnreadable, "No such file");
}

TEST_CASE("a file appears whole or not at all, and leaves nothing beside it") {
  const test::ScratchFolder folder;
  const TriangleMesh box = make_box({1, 1, 1});
  const auto path = folder / "box.off";
  test::write_bytes(path, "old");
  REQUIRE(write_mesh(box, path));
  CHECK(read_mesh(path));
  std::filesystem::create_directory(folder / "folder.off");
  const Result<void> written = write_mesh(box, folder / "folder.off");
  REQUIRE_FALSE(written);
  CHECK(written.error().message.find("not a regular file") != std::string::npos);
  std::filesystem::create_symlink("box.off", folder / "link.off");
  REQUIRE(write_mesh(make_box({2, 2, 2}), folder / "link.off"));
  CHECK(std::filesystem::is_symlink(folder / "link.off"));
  CHECK(read_mesh(path)->mesh.vertices[0] == make_box({2, 2, 2}).vertices[0]);
  const auto count = std::distance(std::filesystem::directory_iterator(folder.path()),
                                   std::filesystem::directory_iterator());
  CHECK(count == 3);
}

TEST_CASE("a file that cannot be completed, as on a full disk, is reported and removed") {
  const test::ScratchFolder folder;
  rlimit before{};
  REQUIRE(getrlimit(RLIMIT_FSIZE, &before) == 0);
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit small = before;
  small.rlim_cur = 1000;  // bytes in a file
  REQUIRE(setrlimit(RLIMIT_FSIZE, &small) == 0);
  const Result<void> written = write_mesh(make_icosphere(1, 3), folder / "ball.off");
  REQUIRE(setrlimit(RLIMIT_FSIZE, &before) == 0);
  std::signal(SIGXFSZ, old_handler);
  REQUIRE_FALSE(written);
  CHECK(written.error().code == ErrorCode::kUnreadable);
  CHECK(written.error().message == "cannot be written: File too large");
  CHECK(std::filesystem::is_empty(folder.path()));
}

}  // namespace
}  // namespace plimsoll
