// From a file to a body: seams that are closed and seams that stay; how far vertices are from where
// they belong, in rational arithmetic.
#include <doctest/doctest.h>
#include <plimsoll/mass_properties.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/mesh_health.h>
#include <plimsoll/shape_io.h>
#include <plimsoll/submersion.h>

#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <cstdio>
#include <string>

#include "support/approx.h"
#include "support/campaign.h"
#include "support/checked.h"
#include "support/gltf_builder.h"
#include "support/random_mesh.h"
#include "support/scratch_folder.h"
#include "support/shared_meshes.h"

namespace plimsoll {
namespace {

using Rational = boost::multiprecision::cpp_rational;

/// A binary STL of a cube whose first triangle has one corner `gap` lower than the others have it.
std::string seamed_stl(float size, float gap) {
  const TriangleMesh cube = make_box({size, size, size});
  std::string bytes(80, '\0');
  bytes += test::bytes_of<std::uint32_t>(cube.triangles.size());
  for (std::size_t t = 0; t < cube.triangles.size(); ++t) {
    bytes += test::bytes_of<float>(0, 0, 0);
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3& v = cube.vertices[cube.triangles[t][k]];
      // make_box is centered: from 0 on there are numbers near 0, which the gap does not vanish in.
      const Vec3 corner = v + Vec3::Constant(size / 2);
      const bool is_off = t == 0 && k == 0;
      bytes += test::bytes_of<float>(corner.x(), corner.y(), corner.z() - (is_off ? gap : 0));
    }
    bytes += std::string(2, '\0');
  }
  return bytes;
}

MeshFile read(const std::string& bytes, MeshFormat format) {
  Result<MeshFile> file = read_mesh(std::as_bytes(std::span(bytes)), format, "part");
  REQUIRE_MESSAGE(file, file.error().where, " ", file.error().message);
  return *std::move(file);
}

MeshFile file_of(TriangleMesh mesh, double resolution = 0) {
  MeshFile file;
  file.mesh = std::move(mesh);
  file.resolution = resolution;
  return file;
}

MeshBody body_of(const MeshFile& file, const WeldOptions& options = {}) {
  Result<MeshBody> body = mesh_body(file, options);
  REQUIRE(body);
  return *std::move(body);
}

MeshStatus status_of(const MeshBody& body) { return examine(test::checked(body.mesh)).status; }

TEST_CASE("a seam of an STL that floats may have opened is closed, a wider one is not") {
  for (const float size : {1e-3F, 0.37F, 1.0F, 250.0F}) {
    for (const double gap : {3.9e-18, 1e-12, 5e-8, 1.1e-7}) {
      CAPTURE(gap);
      const MeshFile file =
          read(seamed_stl(size, static_cast<float>(gap * size)), MeshFormat::kStl);
      CHECK(file.resolution == 0x1p-23 * size);
      const MeshBody body = body_of(file);
      CHECK(status_of(body) == MeshStatus::kOk);
      REQUIRE(body.by_seam);
      CHECK(body.by_seam->merged == 1);
      CHECK(body.by_seam->tolerance <= 0x1p-22 * size);
      // By the least of tolerances that are halves of each other.
      CHECK(body.by_seam->farthest_move == test::approx(gap * size).epsilon(1e-6));
      CHECK(body.by_seam->tolerance > body.by_seam->farthest_move);
      CHECK(body.by_seam->tolerance <= 2 * body.by_seam->farthest_move);
      CHECK(body.vertex_error == body.by_seam->farthest_move);

      const MeshBody kept = body_of(file, {.seams = Seams::kKeep});
      CHECK(status_of(kept) == MeshStatus::kOpen);
      CHECK_FALSE(kept.by_seam);
      CHECK(kept.vertex_error == 0);
    }
    // 1.4 units along one axis would be near enough if they were shared out to three.
    for (const float gap : {1.7e-7F, 3e-7F}) {
      const MeshFile wide = read(seamed_stl(size, gap * size), MeshFormat::kStl);
      CHECK(status_of(body_of(wide)) == MeshStatus::kOpen);
      CHECK_FALSE(body_of(wide).by_seam);
    }
    const MeshFile wide = read(seamed_stl(size, 3e-7F * size), MeshFormat::kStl);
    // A tolerance that is asked for closes it, and is counted apart.
    const MeshBody asked = body_of(wide, {.tolerance = 4e-7 * size});
    CHECK(status_of(asked) == MeshStatus::kOk);
    CHECK(asked.by_tolerance->merged == 1);
    CHECK_FALSE(asked.by_seam);
    CHECK(asked.vertex_error == test::approx(3e-7 * size).epsilon(1e-3));
    // One that is too narrow leaves the rest to what the file rounds.
    const MeshFile narrow = read(seamed_stl(size, 1e-7F * size), MeshFormat::kStl);
    CHECK(body_of(narrow, {.tolerance = 1e-12 * size}).by_seam);
  }
}

/// A text STL of a cube whose first triangle has one corner `units` of the sixth decimal from where
/// the others have it.
std::string seamed_text(const Eigen::Vector3i& units) {
  std::string text = "solid cube\n";
  const TriangleMesh cube = make_box({1, 1, 1});
  bool is_first = true;
  for (const Triangle& triangle : cube.triangles) {
    text += "facet normal 0 0 0\nouter loop\n";
    for (const std::uint32_t corner : triangle) {
      text += "vertex";
      for (int k = 0; k < 3; ++k) {
        char number[32];
        const int moved = is_first ? units[k] : 0;
        std::snprintf(number, sizeof number, " %.6f", cube.vertices[corner][k] + 1e-6 * moved);
        text += number;
      }
      is_first = false;
      text += '\n';
    }
    text += "endloop\nendfacet\n";
  }
  return text + "endsolid cube\n";
}

// Rounding acts on each coordinate: a vertex halfway between two decimals in x, y and z has eight
// places to be in.
TEST_CASE("a seam of a unit in each coordinate is closed, and of more in one is not") {
  for (int x = -2; x <= 2; ++x)
    for (int y = -2; y <= 2; ++y)
      for (int z = -2; z <= 2; ++z) {
        const Eigen::Vector3i units(x, y, z);
        if (units.isZero()) continue;
        CAPTURE(units.transpose());
        const MeshBody body = body_of(read(seamed_text(units), MeshFormat::kStl));
        const bool is_rounding = units.cwiseAbs().maxCoeff() == 1;
        CHECK(body.by_seam.has_value() == is_rounding);
        CHECK(status_of(body) == (is_rounding ? MeshStatus::kOk : MeshStatus::kOpen));
        if (is_rounding)
          CHECK(body.vertex_error == test::approx(1e-6 * units.cast<double>().norm()));
      }
}

TEST_CASE("a closed body keeps every vertex, however near to others") {
  const MeshFile file = file_of(make_box({1, 1, 1e-9}), 1e-6);
  const MeshBody body = body_of(file);
  CHECK(body.mesh.vertices.size() == 8);
  CHECK_FALSE(body.by_seam);
  CHECK(body.vertex_error == 0);
}

TEST_CASE("a hole is no seam, and coarse decimals close nothing") {
  MeshFile file = file_of(make_box({1, 1, 1}), 1e-6);
  file.mesh.triangles.pop_back();
  CHECK(status_of(body_of(file)) == MeshStatus::kOpen);
  // A unit of the last digit is as long as an edge: all corners would be one.
  std::string off =
      "OFF\n8 5 0\n0 0 0\n1 0 0\n0 1 0\n1 1 0\n0 0 1\n1 0 1\n0 1 1\n1 1 1\n"
      "4 4 5 7 6\n4 0 1 5 4\n4 2 6 7 3\n4 0 4 6 2\n4 1 3 7 5\n";
  CHECK(read(off, MeshFormat::kOff).resolution == 0);  // whole numbers are exact
  off.replace(off.find("1 1 1"), 5, "1. 1 1");
  const MeshFile open = read(off, MeshFormat::kOff);
  CHECK(open.resolution == 1);
  CHECK(body_of(open).mesh.vertices.size() == 8);
  CHECK(status_of(body_of(open)) == MeshStatus::kOpen);
}

TEST_CASE("decimals one unit apart are a seam, two are none") {
  for (const auto& [off_by_one, merged] :
       {std::pair("1.000001", 1), {"0.999999", 1}, {"1.000002", 0}}) {
    CAPTURE(off_by_one);
    std::string off = "OFF\n9 6 0\n0.000000 0 0\n1.000000 0 0\n0 1.000000 0\n1.000000 1.000000 0\n";
    off += "0 0 1.000000\n1.000000 0 1.000000\n0 1.000000 1.000000\n1.000000 1.000000 1.000000\n";
    off += std::string("1.000000 1.000000 ") + off_by_one + "\n";
    off += "4 0 2 3 1\n4 4 5 8 6\n4 0 1 5 4\n4 2 6 7 3\n4 0 4 6 2\n4 1 3 7 5\n";
    const MeshBody body = body_of(read(off, MeshFormat::kOff));
    CHECK(status_of(body) == (merged == 1 ? MeshStatus::kOk : MeshStatus::kOpen));
    CHECK(body.by_seam.has_value() == (merged == 1));
  }
}

// The STL has 288 corners that are up to 2.8e-16 apart, the PLY the same solid with floats of its
// own.
TEST_CASE("a part of a CAD system that comes apart by 1e-16 is the solid of its closed twin") {
  if (!test::has_shared_data()) return;
  const Result<MeshFile> parts =
      read_mesh(test::shared_data() / "meshes" / "trimesh" / "featuretype.STL");
  REQUIRE(parts);
  const MeshBody body = body_of(*parts);
  CHECK(status_of(body) == MeshStatus::kOk);
  REQUIRE(body.by_seam);
  CHECK(body.by_seam->merged == 288);
  CHECK(body.vertex_error < 1e-15);
  const TriangleMesh twin = test::load("meshes/trimesh/featuretype.ply");
  CHECK(body.mesh.vertices.size() == twin.vertices.size());
  CHECK(mass_properties(test::checked(body.mesh)).volume ==
        test::approx(mass_properties(test::checked(twin)).volume).epsilon(1e-7));
}

TEST_CASE("tolerances that are no numbers or below 0 are refused") {
  const MeshFile file = file_of(make_box({1, 1, 1}));
  for (const double tolerance : {-1.0, std::nan(""), HUGE_VAL})
    CHECK_FALSE(mesh_body(file, {.tolerance = tolerance}));
}

// ---- how far vertices are moved

/// |a - b|^2 as it is.
Rational squared_distance(const Rational (&a)[3], const Vec3& b) {
  Rational sum = 0;
  for (int i = 0; i < 3; ++i) sum += (a[i] - Rational(b[i])) * (a[i] - Rational(b[i]));
  return sum;
}

Rational squared(double x) { return Rational(x) * Rational(x); }

TEST_CASE("no vertex is farther from where its unit takes it than is said") {
  Random random(1);
  const LengthUnit units[] = {{1, 1},       {1, 1000}, {127, 5000}, {381, 1250},
                              {1, 1000000}, {4, 1},    {0.1, 1},    {1e-3, 1}};
  for (int n = 0; n < test::campaign(400); ++n) {
    const LengthUnit& unit = units[random.below(std::size(units))];
    MeshBody body;
    body.mesh = test::random_closed_mesh(random);
    const MeshSolid solid = mesh_solid(body, unit);
    const Rational factor = Rational(unit.numerator) / Rational(unit.denominator);
    double farthest = 0;
    for (std::size_t v = 0; v < body.mesh.vertices.size(); ++v) {
      Rational there[3];
      for (int i = 0; i < 3; ++i) there[i] = factor * Rational(body.mesh.vertices[v][i]);
      const Rational off = squared_distance(there, solid.mesh->vertices[v]);
      CHECK(off <= squared(solid.vertex_error));
      farthest = std::max(farthest, std::sqrt(static_cast<double>(off)));
    }
    CHECK((solid.vertex_error == 0) ==
          (unit.denominator == 1 && unit.numerator != 0.1 && unit.numerator != 1e-3));
    // It is no guess: some vertex comes near it.
    CHECK(solid.vertex_error <= 40 * farthest + 1e-300);
  }
}

TEST_CASE("no vertex is farther from where a pose takes it than is said") {
  Random random(2);
  for (int n = 0; n < test::campaign(400); ++n) {
    const auto mesh = std::make_shared<const TriangleMesh>(test::random_closed_mesh(random));
    const double size = std::pow(10.0, random.uniform(-3, 9));
    const Similarity pose =
        test::random_similarity(random, size, std::pow(10.0, random.uniform(-3, 3)));
    const MeshSolid there = posed(MeshSolid{mesh}, pose);
    for (std::size_t v = 0; v < mesh->vertices.size(); ++v) {
      Rational exact[3];
      for (int i = 0; i < 3; ++i) {
        exact[i] = Rational(pose(i, 3));
        for (int j = 0; j < 3; ++j)
          exact[i] += Rational(pose(i, j)) * Rational(mesh->vertices[v][j]);
      }
      CHECK(squared_distance(exact, there.mesh->vertices[v]) <= squared(there.vertex_error));
    }
  }
  const MeshSolid box{std::make_shared<const TriangleMesh>(make_box({1, 1, 1})), 0.25};
  CHECK(posed(box, Similarity::Identity()).vertex_error == 0.25);
  CHECK(posed(box, Similarity(Eigen::Scaling(2.0))).vertex_error ==
        test::approx(0.5).epsilon(1e-7));
}

// ---- answers

/// Six times the signed volume, as it is.
Rational volume_x6(const std::vector<std::array<Rational, 3>>& vertices,
                   const std::vector<Triangle>& triangles) {
  Rational sum = 0;
  for (const auto& [i, j, k] : triangles) {
    const auto &a = vertices[i], &b = vertices[j], &c = vertices[k];
    sum += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
           a[2] * (b[0] * c[1] - b[1] * c[0]);
  }
  return sum;
}

TEST_CASE("volumes of what a unit has rounded are within their bounds, wet and whole") {
  Random random(3);
  for (int n = 0; n < test::campaign(200); ++n) {
    MeshFile file = file_of(test::random_shape(random));
    const Vec3 offset = std::pow(10.0, random.uniform(-1, 10)) * test::random_vector(random);
    for (Vec3& v : file.mesh.vertices) v += offset;
    const MeshBody body = body_of(file);
    const MeshSolid solid = mesh_solid(body, {1, 1000});
    std::vector<std::array<Rational, 3>> exact;
    for (const Vec3& v : body.mesh.vertices)
      exact.push_back({Rational(v.x()) / 1000, Rational(v.y()) / 1000, Rational(v.z()) / 1000});
    const Rational volume = abs(volume_x6(exact, body.mesh.triangles)) / 6;
    const auto is_within = [&](double found, double bound) {
      return !std::isfinite(bound) || abs(Rational(found) - volume) <= Rational(bound);
    };
    const Shape shape{solid};
    const Result<ShapeMass> mass = mass_properties(shape);
    REQUIRE(mass);
    CHECK(is_within(mass->body.properties.volume, mass->body.error.volume));
    const Result<Submersion> wet = submersion(shape, {{0, 0, 1}, 1e8});
    REQUIRE(wet);
    CHECK(is_within(wet->volume, wet->volume_error));
    if (offset.norm() < 1e6) CHECK(wet->volume_error < 1e-15);  // of a few millimeters, cubed
  }
}

// The cube of 1 mm at 1e9 mm: its doubles are 1e-7 of its size apart in meters.
TEST_CASE("a millimeter at a thousand kilometers has the bound that its doubles ask for") {
  MeshFile file = file_of(make_box({1, 1, 1}));
  for (Vec3& v : file.mesh.vertices) v += Vec3::Constant(1e9 + 0.5);
  const Shape shape{mesh_solid(body_of(file), {1, 1000})};
  const Result<Submersion> wet = submersion(shape, {{0, 0, 1}, 1e7});
  REQUIRE(wet);
  CHECK(std::fabs(wet->volume - 1e-9) <= wet->volume_error);
  CHECK(wet->volume_error <= 1e-12);
  CHECK(wet->volume_error >= 1e-16);
}

TEST_CASE("a mesh file in a SHAPE.json keeps its rounding and closes its seams") {
  const test::ScratchFolder folder;
  test::write_bytes(folder / "seam.stl", seamed_stl(1, 5e-8F));
  test::GltfPieces far;
  far.nodes = R"([{"mesh": 0, "translation": [1e9, 0.1, 0], "rotation": [0, 0, 0.6, 0.8]}])";
  test::write_bytes(folder / "far.glb", test::glb(far));
  const auto read_text = [&](const std::string& text, Seams seams) {
    Result<ShapeFile> file =
        read_shape(std::as_bytes(std::span(text)), "part.json", folder.path(), seams);
    REQUIRE_MESSAGE(file, file.error().where, " ", file.error().message);
    return *std::move(file);
  };
  const std::string both = R"({"shape": "union", "of": [
      {"shape": "mesh", "file": "seam.stl", "scale": 2}, {"shape": "mesh", "file": "far.glb"}]})";
  const ShapeFile closed = read_text(both, Seams::kWeld);
  REQUIRE(closed.welded);
  CHECK(closed.welded->merged == 1);
  CHECK(closed.welded->farthest_move == test::approx(1e-7).epsilon(1e-6));
  REQUIRE(closed.notices.size() == 1);
  CHECK(closed.notices[0].code == "weld");
  CHECK(closed.notices[0].message.find("of[0]: 1 vertex that is up to 1e-07 m") !=
        std::string::npos);
  const auto& operands = std::get<Boolean>(closed.shape.solid).of;
  const auto& seam = std::get<MeshSolid>(operands[0].solid);
  CHECK(seam.mesh->vertices.size() == 8);
  CHECK(seam.vertex_error == test::approx(1e-7).epsilon(1e-6));
  CHECK(std::get<MeshSolid>(operands[1].solid).vertex_error > 1e-7);
  // What both sweep: of the cube 24 m^2 and more, of the tetrahedron 2 m^2.
  CHECK(swept_volume(closed.shape) > 24e-7);
  CHECK(swept_volume(closed.shape) < 1e-4);

  const ShapeFile kept = read_text(both, Seams::kKeep);
  CHECK_FALSE(kept.welded);
  CHECK(kept.notices.empty());
  CHECK(
      std::get<MeshSolid>(std::get<Boolean>(kept.shape.solid).of[0].solid).mesh->vertices.size() ==
      9);
}

}  // namespace
}  // namespace plimsoll
