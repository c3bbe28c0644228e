#include <doctest/doctest.h>
#include <plimsoll/shape.h>

#include <cmath>
#include <limits>

#include "core/random.h"

namespace plimsoll {
namespace {

Mat3 random_rotation(Random& random) {
  Eigen::Quaterniond turn(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1),
                          random.uniform(-1, 1));
  return turn.normalized().toRotationMatrix();
}

double distance_from_rotation(const Mat3& m) {
  return (m.transpose() * m - Mat3::Identity()).cwiseAbs().maxCoeff();
}

TEST_CASE("a pose that is one to 1e-9 stays as it is, bit by bit") {
  Random random(1);
  for (int round = 0; round < 100; ++round) {
    Similarity pose = Similarity::Identity();
    pose.linear() = std::pow(10, random.uniform(-3, 3)) * random_rotation(random);
    pose.translation() = Vec3(random.uniform(-5, 5), 1, 2);
    const Result<Similarity> nearest = nearest_similarity(pose);
    REQUIRE(nearest);
    CHECK(nearest->matrix() == pose.matrix());
  }
}

// A float holds 24 bits, so that each entry of a rotation is off by 2^-25 at most; five decimals
// leave 5e-6. The nearest rotation is then no farther from the true one than the rounding of nine
// entries together, 3 times that of one.
TEST_CASE(
    "a rotation of floats or of few decimals becomes orthonormal, and close to the true one") {
  Random random(2);
  for (int round = 0; round < 200; ++round) {
    const double scale = round % 2 == 0 ? 1 : std::pow(10, random.uniform(-6, 6));
    const Mat3 rotation = random_rotation(random);
    Similarity pose = Similarity::Identity();
    const bool is_float = round % 3 == 0;
    pose.linear() = rotation.unaryExpr([&](double x) {
      return is_float ? static_cast<double>(static_cast<float>(x)) : std::round(x * 1e5) / 1e5;
    }) * scale;
    const Result<Similarity> nearest = nearest_similarity(pose);
    REQUIRE(nearest);
    CHECK(check_pose(*nearest));
    const double found_scale = std::cbrt(nearest->linear().determinant());
    const double rounding = is_float ? 0x1p-25 : 5e-6;
    CHECK(std::fabs(found_scale / scale - 1) <= 3 * rounding);
    CHECK(distance_from_rotation(nearest->linear() / found_scale) <= 1e-14);
    CHECK((nearest->linear() / found_scale - rotation).norm() <= 2 * 3 * rounding);
  }
}

TEST_CASE("what is no rotation is refused, and said how far it is from one") {
  const auto refused = [](const Mat3& linear) {
    Similarity pose = Similarity::Identity();
    pose.linear() = linear;
    const Result<Similarity> nearest = nearest_similarity(pose);
    REQUIRE(!nearest);
    CHECK(nearest.error().code == ErrorCode::kInvalidArgument);
    return nearest.error().message;
  };
  CHECK(refused(Vec3(1, 1, -1).asDiagonal()).find("reflection") != std::string::npos);
  CHECK(refused(Vec3(1, 1, 0).asDiagonal()).find("found a") != std::string::npos);
  CHECK(refused(Mat3::Zero()).find("zeros") != std::string::npos);
  const std::string stretched = refused(Vec3(1, 1, 1.001).asDiagonal());
  CHECK(stretched.find("expected a rotation times one positive scale") != std::string::npos);
  CHECK(stretched.find("found a matrix that is 0.00066") != std::string::npos);
  CHECK(stretched.find(" away from the nearest one") != std::string::npos);
  CHECK(refused(Mat3::Constant(std::numeric_limits<double>::quiet_NaN())).find("not finite") !=
        std::string::npos);
}

TEST_CASE("a pose without scale refuses one, and forgets what rounding left of it") {
  Similarity pose = Similarity::Identity();
  pose.linear() = 1.00002 * Mat3::Identity();
  const Result<Pose> nearest = nearest_pose(pose);
  REQUIRE(nearest);
  CHECK((nearest->linear() - Mat3::Identity()).cwiseAbs().maxCoeff() <= 1e-15);
  pose.linear() = 1.01 * Mat3::Identity();
  CHECK(!nearest_pose(pose));
}

}  // namespace
}  // namespace plimsoll
