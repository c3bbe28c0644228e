// The types of the public interface have the size and place of their numbers and no more, whatever
// instructions a program is compiled for (tests/consumer compares layouts).
#include <doctest/doctest.h>
#include <plimsoll/types.h>

namespace plimsoll {

template <class T>
constexpr bool is_plain(std::size_t numbers) {
  return sizeof(T) == numbers * sizeof(double) && alignof(T) == alignof(double);
}

static_assert(is_plain<Vec2>(2) && is_plain<Vec3>(3) && is_plain<Vec4>(4));
static_assert(is_plain<Mat2>(4) && is_plain<Mat3>(9) && is_plain<Mat23>(6));
static_assert(is_plain<Pose>(16) && is_plain<Similarity>(16) && is_plain<Box3>(6));

TEST_CASE("types of Eigen itself become ours and back without a cast") {
  const Eigen::Matrix4d matrix = Eigen::Matrix4d::Identity() * 2;
  Similarity pose;
  pose.matrix() = matrix;
  CHECK(pose.linear() == 2 * Mat3::Identity());
  const Eigen::Vector4d aligned(1, 2, 3, 4);
  const Vec4 ours = aligned;
  const Eigen::Vector4d back = ours;
  CHECK(back == aligned);
  const Eigen::Matrix2d two = Mat2::Identity();
  CHECK(two.trace() == 2);
}

TEST_CASE("a pose applies its rotation first and then its translation, from the right") {
  Pose turn = Pose::Identity();  // a quarter about z, then 1 along x
  turn.linear() << 0, -1, 0, 1, 0, 0, 0, 0, 1;
  turn.translation() = Vec3(1, 0, 0);
  CHECK(turn * Vec3(1, 0, 0) == Vec3(1, 1, 0));
  CHECK((turn * turn) * Vec3(1, 0, 0) == turn * (turn * Vec3(1, 0, 0)));
  CHECK((turn.inverse() * turn).matrix() == Pose::Identity().matrix());
  Similarity twice(Eigen::Scaling(2.0));
  CHECK((twice * turn) * Vec3(1, 0, 0) == Vec3(2, 2, 0));
}

TEST_CASE("a box is empty until something is added") {
  Box3 box;
  CHECK(box.isEmpty());
  box.extend(Vec3(1, 2, 3));
  CHECK(!box.isEmpty());
  CHECK(box.volume() == 0);
  box.extend(Vec3(2, 0, 3.5));
  CHECK(box.min() == Vec3(1, 0, 3));
  CHECK(box.max() == Vec3(2, 2, 3.5));
}

}  // namespace plimsoll
