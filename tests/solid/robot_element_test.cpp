// The library's robot formats; tests/cli/robot_formats_test.cpp has them read by their consumers.
#include <doctest/doctest.h>
#include <plimsoll/robot_formats.h>

#include <cmath>
#include <limits>
#include <string>

namespace plimsoll {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr RobotFormat kFormats[] = {RobotFormat::kUrdf, RobotFormat::kSdf, RobotFormat::kMjcf};

MassProperties brick() {
  MassProperties mass;
  mass.volume = 6e-3;
  mass.mass = 12;
  mass.center_of_mass = {0.5, -0.0, 1e-7};
  mass.inertia = Vec3(13, 10, 5).asDiagonal();
  mass.inertia(0, 1) = mass.inertia(1, 0) = -0.25;
  return mass;
}

}  // namespace

TEST_CASE("an inertial element has the numbers in the fewest digits") {
  CHECK(*inertial_element(brick(), RobotFormat::kUrdf) ==
        "<inertial>\n"
        "  <origin xyz=\"0.5 0 1e-07\" rpy=\"0 0 0\"/>\n"
        "  <mass value=\"12\"/>\n"
        "  <inertia ixx=\"13\" ixy=\"-0.25\" ixz=\"0\" iyy=\"10\" iyz=\"0\" izz=\"5\"/>\n"
        "</inertial>");
  MassProperties large = brick();
  large.mass = 1e16;
  large.inertia *= 1e15;
  large.inertia(2, 2) = 5234567890123456;
  const Result<std::string> element = inertial_element(large, RobotFormat::kSdf);
  REQUIRE(element);
  const std::string& sdf = *element;
  CHECK(sdf.find("<mass>1e+16</mass>") != std::string::npos);
  CHECK(sdf.find("<izz>5234567890123456</izz>") != std::string::npos);
  CHECK(sdf.find("<ixx>1.3e+16</ixx>") != std::string::npos);
}

TEST_CASE("what is no rigid body is not written") {
  for (const RobotFormat format : kFormats) {
    REQUIRE(inertial_element(brick(), format));
    const auto code = [&](const MassProperties& mass) {
      const Result<std::string> element = inertial_element(mass, format);
      return element ? std::string() : std::string(to_string(element.error().code));
    };
    MassProperties bad = brick();
    bad.center_of_mass[1] = kNan;
    CHECK(code(bad) == "invalid_argument");
    bad = brick();
    bad.mass = 0;
    CHECK(code(bad) == "invalid_argument");
    bad = brick();
    bad.mass = std::numeric_limits<double>::infinity();
    CHECK(code(bad) == "invalid_argument");
    bad = brick();
    bad.inertia(0, 0) = 100;
    CHECK(code(bad) == "invalid_argument");
    bad.inertia(0, 0) = kNan;
    CHECK(code(bad) == "invalid_argument");
    // A rod without thickness has no moment about itself.
    for (int axis = 0; axis < 3; ++axis) {
      MassProperties rod = brick();
      Vec3 moments = Vec3::Constant(5);
      moments[axis] = 0;
      rod.inertia = moments.asDiagonal();
      CHECK(code(rod) == "invalid_argument");
      CHECK(inertial_element(rod, format).error().message ==
            "the sums have mass 12 kg and an inertia that no body has");
      moments[axis] = 1e-9;
      rod.inertia = moments.asDiagonal();
      CHECK(code(rod).empty());
    }
    MassProperties dust = brick();
    dust.mass = 1e-20;
    CHECK(code(dust) == (format == RobotFormat::kMjcf ? "unsupported" : ""));
  }
}

TEST_CASE("any name and any comment make a document") {
  for (const RobotFormat format : kFormats) {
    const Result<std::string> document = robot_document(
        {"a \"b\" & <c>::d\x01\xFF", brick(), {"from a--b.off", "\x1b[31m-"}}, format);
    REQUIRE(document);
    CHECK(document->starts_with("<?xml version=\"1.0\"?>\n<!-- from a- -b.off -->\n"));
    CHECK(document->find("\"a &quot;b&quot; &amp; &lt;c&gt;_d\xEF\xBF\xBD\xEF\xBF\xBD\"") !=
          std::string::npos);
    CHECK(document->find('\x1b') == std::string::npos);
    CHECK(document->ends_with(">\n"));
  }
}

TEST_CASE("names that a format keeps for itself are changed") {
  CHECK(robot_name("bunny") == "bunny");
  CHECK(robot_name("world") == "world_body");
  CHECK(robot_name("__x__") == "__x___body");
  CHECK(robot_name("") == "_body");
  CHECK(robot_name("a::b") == "a_b");
}

}  // namespace plimsoll
