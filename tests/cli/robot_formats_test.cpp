// The robot formats, read back by the consumers' own parsers. The numbers expected are those of the
// library for the same mesh: the program computes the same bits.
#include <doctest/doctest.h>
#include <plimsoll/mass_properties.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/mesh_io.h>
#include <sys/wait.h>
#include <urdf_parser/urdf_parser.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <sdf/sdf.hh>
#include <string>
#include <vector>

#include "support/approx.h"
#include "support/checked.h"

namespace plimsoll {
namespace {

struct Run {
  int exit_code;
  std::string output;
};

Run run_program(const std::filesystem::path& mesh, const std::string& options) {
  const std::string command =
      std::string("'") + PLIMSOLL_PROGRAM + "' mass '" + mesh.string() + "' " + options;
  FILE* pipe = popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  Run run{0, {}};
  std::array<char, 4096> block{};
  while (const std::size_t count = fread(block.data(), 1, block.size(), pipe))
    run.output.append(block.data(), count);
  run.exit_code = WEXITSTATUS(pclose(pipe));
  return run;
}

// A folder for the meshes of one test.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "plimsoll-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::filesystem::path write(const TriangleMesh& mesh, const std::string& name) const {
    const std::filesystem::path path = path_ / name;
    REQUIRE(write_mesh(mesh, path));
    return path;
  }

 private:
  std::filesystem::path path_;
};

TriangleMesh moved(TriangleMesh mesh, double scale, const Vec3& offset) {
  const Mat3 turn = Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  for (Vec3& vertex : mesh.vertices) vertex = scale * (turn * vertex) + offset;
  return mesh;
}

struct Case {
  std::string name;
  TriangleMesh mesh;
};

// Sizes of robots' parts and beyond; none has a tensor with a zero in it.
std::vector<Case> cases() {
  const TriangleMesh box = make_box({1, 2, 3});
  const TriangleMesh knot = make_torus_knot({}, 60, 8);
  return {{"box.ply", moved(box, 1, {0, 0, 0})},
          {"world.ply", moved(box, 1e-3, {0.1, 0.2, -0.3})},
          {"__far__.ply", moved(box, 0.1, {1e4, -2e4, 3e4})},
          {"a \"b\" & <c>::d.ply", moved(knot, 1, {0, 0, 0})},
          {"gr\xC3\xBCn.ply", moved(knot, 1e3, {5, 6, 7})},
          {"plate.ply", moved(make_box({1, 1, 1e-4}), 1, {1, 2, 3})}};
}

MassProperties expected_of(const TriangleMesh& mesh) {
  MassOptions options;
  options.density = 2700;
  return mass_properties(test::checked(weld(test::checked(mesh))), options);
}

std::string document_of(const Folder& folder, const Case& part, const std::string& format) {
  const Run run = run_program(folder.write(part.mesh, part.name),
                              "--density 2700 --units m --format " + format);
  REQUIRE(run.exit_code == 0);
  return run.output;
}

// urdfdom reads each number as the nearest double, so all of them come back bit by bit.
TEST_CASE("urdfdom reads back the numbers that were written") {
  const Folder folder;
  for (const Case& part : cases()) {
    CAPTURE(part.name);
    const MassProperties expected = expected_of(part.mesh);
    const urdf::ModelInterfaceSharedPtr model = urdf::parseURDF(document_of(folder, part, "urdf"));
    REQUIRE(model);
    REQUIRE(model->links_.size() == 1);
    const urdf::Inertial& read = *model->getRoot()->inertial;
    CHECK(read.mass == expected.mass);
    CHECK(Vec3(read.origin.position.x, read.origin.position.y, read.origin.position.z) ==
          expected.center_of_mass);
    double roll = 1, pitch = 1, yaw = 1;
    read.origin.rotation.getRPY(roll, pitch, yaw);
    CHECK(Vec3(roll, pitch, yaw) == Vec3::Zero());
    Mat3 inertia;
    inertia << read.ixx, read.ixy, read.ixz, read.ixy, read.iyy, read.iyz, read.ixz, read.iyz,
        read.izz;
    CHECK(inertia == expected.inertia);
  }
}

Mat3 matrix(const ignition::math::Matrix3d& m) {
  Mat3 copy;
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 3; ++column)
      copy(row, column) = m(static_cast<std::size_t>(row), static_cast<std::size_t>(column));
  return copy;
}

const sdf::Link* first_link(const sdf::Root& root) {
  REQUIRE(root.Model() != nullptr);
  REQUIRE(root.Model()->LinkCount() == 1);
  return root.Model()->LinkByIndex(0);
}

TEST_CASE("libsdformat reads back the numbers that were written") {
  const Folder folder;
  for (const Case& part : cases()) {
    CAPTURE(part.name);
    const MassProperties expected = expected_of(part.mesh);
    sdf::Root root;
    for (const sdf::Error& error : root.LoadSdfString(document_of(folder, part, "sdf")))
      FAIL(error.Message());
    const ignition::math::Inertiald& read = first_link(root)->Inertial();
    const ignition::math::Vector3d& center = read.Pose().Pos();
    CHECK(read.MassMatrix().Mass() == expected.mass);
    CHECK(Vec3(center.X(), center.Y(), center.Z()) == expected.center_of_mass);
    CHECK(read.Pose().Rot() == ignition::math::Quaterniond::Identity);
    CHECK(matrix(read.MassMatrix().Moi()) == expected.inertia);
  }
}

// For a rod along (1, 1, 0) the integral of x y is positive, so its entry ixy is negative; taken
// the other way round, the axis of the smallest moment would be (1, -1, 0).
TEST_CASE("the axis of a slanting rod is its own in each consumer") {
  TriangleMesh rod = make_box({10, 0.1, 0.2});
  for (Vec3& v : rod.vertices) v = Vec3(v.x() - v.y(), v.x() + v.y(), v.z());
  const Folder folder;
  const Case part{"rod.ply", rod};
  const urdf::ModelInterfaceSharedPtr model = urdf::parseURDF(document_of(folder, part, "urdf"));
  REQUIRE(model);
  CHECK(model->getRoot()->inertial->ixy < 0);
  sdf::Root root;
  REQUIRE(root.LoadSdfString(document_of(folder, part, "sdf")).empty());
  const ignition::math::MassMatrix3d mass = first_link(root)->Inertial().MassMatrix();
  const ignition::math::Vector3d moments = mass.PrincipalMoments();
  const auto axes = matrix(ignition::math::Matrix3d(mass.PrincipalAxesOffset()));
  int smallest = 0;
  Vec3(moments[0], moments[1], moments[2]).minCoeff(&smallest);
  // The consumer's own diagonalization is good to some 1e-8.
  CHECK(std::abs(axes.col(smallest).dot(Vec3(1, 1, 0).normalized())) ==
        test::approx(1).epsilon(1e-6));
}

}  // namespace
}  // namespace plimsoll
