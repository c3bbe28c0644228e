// Affine maps of instances: what they keep, and on which side they leave the surface.
#include "formats/placement.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "core/random.h"

namespace plimsoll {
namespace {

TEST_CASE("the orientation of a map is the sign of its determinant") {
  Random random(111);
  int mirrored = 0;
  for (int i = 0; i < 500; ++i) {
    std::array<double, 12> rows{};
    for (double& number : rows) number = random.uniform(-1, 1);
    Mat3 linear;
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) linear(r, c) = rows[static_cast<std::size_t>(4 * r + c)];
    const double determinant = linear.determinant();
    if (std::abs(determinant) < 1e-12) continue;
    CHECK(Placement(rows).orientation() == (determinant > 0 ? 1 : -1));
    mirrored += determinant < 0 ? 1 : 0;
  }
  CHECK(mirrored > 100);
}

TEST_CASE("a map after another maps as one after the other") {
  Random random(112);
  for (int i = 0; i < 100; ++i) {
    std::array<double, 12> a{}, b{};
    for (double& number : a) number = random.uniform(-2, 2);
    for (double& number : b) number = random.uniform(-2, 2);
    const Vec3 p(random.uniform(-3, 3), random.uniform(-3, 3), random.uniform(-3, 3));
    const Placement outer(a), inner(b);
    CHECK(((outer * inner)(p)-outer(inner(p))).norm() <= 1e-13);
    CHECK(((outer * Placement())(p)-outer(p)).norm() == 0);
  }
}

// The reference is taken in numbers with 11 more bits, map after map. A bound of 2^-40 of the
// largest numbers that occur, 2^13 roundings, leaves chains of six maps room and would show a lost
// factor of size.
TEST_CASE("what is placed is no farther off than said, however far from the origin") {
  Random random(113);
  using Exact = std::array<long double, 3>;
  for (int i = 0; i < 3000; ++i) {
    const Vec3 p(random.uniform(-3, 3), random.uniform(-3, 3), random.uniform(-3, 3));
    Exact exact{p.x(), p.y(), p.z()};
    Placement all;
    double reach = p.norm();
    for (std::uint64_t k = 1 + random.below(6); k-- > 0;) {
      std::array<double, 12> rows{};
      for (double& number : rows) number = random.uniform(-1, 1);
      const double shift = std::pow(10.0, random.uniform(-2, 15));
      double linear = 0;
      for (std::size_t j = 0; j < 12; ++j) {
        if (j % 4 == 3)
          rows[j] *= shift;
        else
          linear += rows[j] * rows[j];
      }
      reach = std::sqrt(linear) * reach + 2 * shift;
      Exact moved{};
      for (std::size_t r = 0; r < 3; ++r)
        moved[r] = rows[4 * r] * exact[0] + rows[4 * r + 1] * exact[1] +
                   rows[4 * r + 2] * exact[2] + rows[4 * r + 3];
      exact = moved;
      all = Placement(rows) * all;
    }
    const Vec3 placed = all(p);
    long double off = 0;
    for (std::size_t r = 0; r < 3; ++r)
      off = std::max(off, std::fabs(placed[static_cast<int>(r)] - exact[r]));
    REQUIRE(static_cast<double>(off) <= all.error(p));
    REQUIRE(all.error(p) <= 0x1p-40 * reach);
  }
}

TEST_CASE("what was rounded far from the origin stays so on the way back") {
  const auto shift = [](double x) { return Placement({1, 0, 0, x, 0, 1, 0, 0, 0, 0, 1, 0}); };
  const Placement twice({2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0});
  const Placement all = twice * (shift(-1e15) * (shift(1e15) * shift(0.3)));
  const double off = std::fabs(all(Vec3::Zero()).x() - 0.6);
  CHECK(off > 0.05);  // doubles there are eighths
  CHECK(off <= all.error(Vec3::Zero()));
  // Nothing is left of a meter, and the product has the rows of the identity.
  const Placement lost = shift(-1e17) * (shift(1e17) * shift(1));
  CHECK(lost(Vec3::Zero()) == Vec3::Zero());
  CHECK(lost.error(Vec3::Zero()) >= 1);
  CHECK((twice * lost).error(Vec3::Zero()) >= 2);
}

// A file of n bytes may describe 40 MiB + 20 n: its mesh, vertices of 24 bytes and triangles of 12,
// and what else building it takes.
TEST_CASE("a mesh may take 40 MiB and twenty times its file, and no byte more") {
  constexpr std::uint64_t kBase = 40 * 1024 * 1024;
  for (const std::uint64_t file : {0, 1, 1'000'003}) {
    const std::uint64_t limit = kBase + 20 * file;
    CHECK(is_within_limit({}, file, limit));
    CHECK_FALSE(is_within_limit({}, file, limit + 1));
    const MeshSize size{1000, 2000};
    CHECK(is_within_limit(size, file, limit - 48'000));
    CHECK_FALSE(is_within_limit(size, file, limit - 48'000 + 1));
  }
  // Indices have 32 bits, of which the largest means none.
  constexpr std::uint64_t kLongFile = std::uint64_t{1} << 40;
  CHECK(is_within_limit({0xFFFFFFFE, 0}, kLongFile));
  CHECK_FALSE(is_within_limit({0xFFFFFFFF, 0}, kLongFile));
}

TEST_CASE("sizes of many copies stop far above every limit") {
  MeshSize size = MeshSize{3, 5}.times(7);
  CHECK(size.vertices == 21);
  CHECK(size.triangles == 35);
  size += {1, 2};
  CHECK(size.vertices == 22);
  CHECK(size.triangles == 37);
  for (const MeshSize& huge : {size.times(~std::uint64_t{0}), size.times(MeshSize::kHuge)}) {
    CHECK(huge.vertices == MeshSize::kHuge);
    CHECK(huge.triangles == MeshSize::kHuge);
    MeshSize sum = huge;
    sum += huge;
    CHECK(sum.vertices == MeshSize::kHuge);
    CHECK(sum.triangles == MeshSize::kHuge);
  }
}

}  // namespace
}  // namespace plimsoll
