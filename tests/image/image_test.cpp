// Meshes by their image on the processor, against counting by hand, closed forms and the exact
// sums.
#include <doctest/doctest.h>
#include <plimsoll/image.h>
#include <plimsoll/mass_properties.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/parallel.h>

#include <cmath>
#include <limits>
#include <tuple>

#include "image/scanline.h"
#include "support/approx.h"
#include "support/checked.h"
#include "support/mesh_parts.h"

namespace plimsoll {
namespace {

constexpr double kGoldenVolume = 1.0338136287;
constexpr std::size_t kGoldenFragments = 64084;

ImageMass measured(const TriangleMesh& mesh, const ImageOptions& options) {
  Result<ImageMass> result = image_mass_properties(test::checked(MeshView(mesh)), options);
  REQUIRE_MESSAGE(result, result.error().message);
  return *result;
}

TriangleMesh moved(TriangleMesh mesh, const Mat3& turn, const Vec3& offset) {
  for (Vec3& v : mesh.vertices) v = turn * v + offset;
  return mesh;
}

// The paper's rule by hand: for every triangle and every pixel center in it, sgn(n_z) z and its
// moments [Kim2006, eq. (4), (6)]. In long double, without spans or closed forms.
VolumeMoments counted(const TriangleMesh& mesh, const View& view) {
  const Lattice& l = view.lattice;
  VolumeMoments sum;
  for (const Triangle& t : mesh.triangles) {
    Vec3 p[3];
    for (int k = 0; k < 3; ++k)
      p[k] = to_view(mesh.vertices[t[static_cast<std::size_t>(k)]],
                     view.world_from_view.translation(), 1 / view.scale(), view.axis);
    const double area = (p[1].x() - p[0].x()) * (p[2].y() - p[0].y()) -
                        (p[1].y() - p[0].y()) * (p[2].x() - p[0].x());
    if (area == 0) continue;
    for (int i = 0; i < l.width; ++i)
      for (int j = 0; j < l.height; ++j) {
        const double x = l.x0 + (i + 0.5) * l.dx;
        const double y = l.y0 + (j + 0.5) * l.dy;
        double z = 0;
        bool inside = true;
        for (int k = 0; k < 3; ++k) {
          const Vec3& a = p[(k + 1) % 3];
          const Vec3& b = p[(k + 2) % 3];
          const double w = ((a.x() - x) * (b.y() - y) - (a.y() - y) * (b.x() - x)) / area;
          inside = inside && w >= 0;
          z += w * p[k].z();
        }
        if (!inside) continue;
        const double s = (area > 0 ? 1 : -1) * l.dx * l.dy;
        const Vec3 first(x * z, y * z, z * z / 2);
        Mat3 second;
        second << x * x * z, x * y * z, x * z * z / 2, x * y * z, y * y * z, y * z * z / 2,
            x * z * z / 2, y * z * z / 2, z * z * z / 3;
        sum = sum + VolumeMoments{s * z, s * first, s * second};
      }
  }
  return sum;
}

// Only rounding differs: some 1e5 terms of at most 1, each to 1e-15.
TEST_CASE("rows of pixel centers add up to the sum over all pixels by hand") {
  for (const TriangleMesh& mesh : {moved(make_box({1, 0.7, 0.4}), test::some_turn(), {3, -2, 5}),
                                   moved(make_torus(1, 0.4, 20, 12), test::some_turn(), {0, 0, 0}),
                                   make_bumpy_sphere(1, 0.3, 15, 20)})
    for (int axis = 0; axis < 3; ++axis) {
      ImageOptions options;
      options.width = 37;
      options.height = 23;
      options.axis = axis;
      options.coverage = Coverage::kPixelCenter;
      options.margin = 0.1;
      options.shift_u = 0.3;
      const View view = *view_of(bounding_box(test::checked(mesh)), options);
      const VolumeMoments by_hand = counted(mesh, view);
      const RowImage image =
          scan_rows(mesh, lattice_vertices(mesh, view), view.lattice, Coverage::kPixelCenter);
      TenMoments sum{};
      for (const TenMoments& row : image.rows)
        for (std::size_t k = 0; k < 10; ++k) sum[k] += row[k] * view.lattice.dy;
      const VolumeMoments found = to_volume_moments(sum);
      CHECK(std::abs(found.volume - by_hand.volume) <= 1e-12);
      CHECK((found.first - by_hand.first).norm() <= 1e-12);
      CHECK((found.second - by_hand.second).norm() <= 1e-12);
    }
}

// The corners lie on one line through whole columns and rows. The two ends of a row's section are
// then one point, which rounding may set on two sides of a center.
TEST_CASE("a triangle seen edge-on covers no pixel center and adds nothing") {
  constexpr Lattice kLattice{160, 160, 0.25, -0.5, 0.125, 0.0625};
  for (int p = 0; p < 12; ++p)
    for (int q = 0; q < 12; ++q)
      for (int middle = 0; middle <= 12; ++middle) {
        const std::vector<Vec3> along = {
            {0, 0, 1}, {1.0 * middle * p, 1.0 * middle * q, 3}, {12.0 * p, 12.0 * q, -2}};
        const TriangleMesh mesh = {along, {{0, 1, 2}, {2, 0, 1}, {1, 0, 2}, {2, 1, 0}}};
        for (const Coverage coverage : {Coverage::kExact, Coverage::kPixelCenter}) {
          const RowImage image = scan_rows(mesh, along, kLattice, coverage);
          CHECK(image.fragments == 0);
          bool is_empty = true;
          for (const TenMoments& row : image.rows)
            for (const double term : row) is_empty = is_empty && term == 0;
          CHECK(is_empty);
        }
      }
}

// The volume to a rounding in each row. Second moments along the rows' normal are sampled, by the
// midpoint rule: short by h^2 / 12, of rows h = 1.2 5 / n apart.
TEST_CASE("walls parallel to the view cost nothing, wherever the lattice lies") {
  for (const int n : {7, 16, 33, 256})
    for (const double shift : {-0.4, 0.0, 0.3}) {
      ImageOptions options;
      options.width = options.height = n;
      options.margin = 0.2;
      options.shift_u = options.shift_v = shift;
      for (int axis = 0; axis < 3; ++axis) {
        options.axis = axis;
        const ImageMass box = measured(make_box({2, 3, 5}), options);
        CHECK(std::abs(box.properties.volume - 30) <= n * 0x1p-53 * 30);
        CHECK(std::abs(box.properties.inertia(0, 0) - 85) <= 30 * 1.2 * 5 * 1.2 * 5 / 12 / (n * n));
        // 128 roundings of the image's own box are allowed for (image_mass.cpp).
        CHECK(box.error_estimate.volume <= 129 * 0x1p-53 * 30 * 1.2 * 1.2);
      }
    }
}

// Only where rows lie tells in the second moment along their normal: a shift along them changes it
// by rounding, one across them by what the midpoint rule loses at the two ends.
TEST_CASE("a shift along the rows leaves them where they are, one across them does not") {
  ImageOptions options;
  options.width = options.height = 16;
  options.margin = 0.2;
  const auto moment = [&](double along, double across) {
    options.shift_u = along;
    options.shift_v = across;
    return measured(make_box({2, 3, 5}), options).properties.inertia(0, 0);
  };
  const double here = moment(0, 0);
  CHECK(std::abs(moment(0.3, 0) - here) <= 1e-13 * here);
  CHECK(std::abs(moment(0, 0.3) - here) >= 1e-6 * here);
}

// The image is 5 % wider than the box, which so covers 30 or 31 centers along each side, of w =
// 32 / 1.05: least is off who is short along one and long along the other, most who is long along
// both.
TEST_CASE("at pixel centers the same walls cost up to half a pixel on each side") {
  ImageOptions options;
  options.width = options.height = 32;
  options.coverage = Coverage::kPixelCenter;
  options.margin = 0.05;
  options.shift_u = 0.37;
  const ImageMass box = measured(make_box({2, 3, 5}), options);
  const double error = std::abs(box.properties.volume - 30);
  const double w = 32 / 1.05;
  CHECK(error >= 30 * (30 * 31 / (w * w) - 1) - 1e-12);
  CHECK(error <= 30 * (31 * 31 / (w * w) - 1) + 1e-12);
  CHECK(error <= box.error_estimate.volume);
}

// A smooth body's error is the lattice's: below the estimate, and falling by n^-1.5 or faster. The
// last is checked over a factor of 16, with a factor of 4 for the chance of where pixels fall.
TEST_CASE("the error of a smooth body falls at least as n^-1.5") {
  const TriangleMesh mesh = moved(make_icosphere(1, 5), test::some_turn(), {0, 0, 0});
  const double exact = mass_properties(test::checked(mesh)).volume;
  for (const Coverage coverage : {Coverage::kExact, Coverage::kPixelCenter}) {
    double first = 0;
    for (const int n : {16, 64, 256}) {
      ImageOptions options;
      options.width = options.height = n;
      options.coverage = coverage;
      const double error = std::abs(measured(mesh, options).properties.volume - exact) / exact;
      if (n == 16) first = error;
      CHECK(error <= 4 * std::max(first, 1e-3) * std::pow(16.0 / n, 1.5));
    }
  }
}

// The vertices themselves are rounded by 2^-53 of up to 3e6 m along each axis; moving a surface of
// 16 m^2 by so much moves its volume by the product. The image adds nothing.
TEST_CASE("a mesh a million sizes from the origin loses nothing") {
  const double moved_by = std::sqrt(3) * 3e6 * 0x1p-53 * 16;
  const TriangleMesh here = moved(make_torus(1, 0.4, 60, 30), test::some_turn(), {0, 0, 0});
  const TriangleMesh there = moved(here, Mat3::Identity(), {1e6, -2e6, 3e6});
  const ImageMass a = measured(here, {});
  const ImageMass b = measured(there, {});
  CHECK(std::abs(a.properties.volume - b.properties.volume) <= moved_by);
  CHECK((a.properties.inertia - b.properties.inertia).norm() <= 1.4 * 1.4 * moved_by);
  CHECK((b.properties.center_of_mass - a.properties.center_of_mass - Vec3(1e6, -2e6, 3e6)).norm() <=
        moved_by);
}

TEST_CASE("a body turned inward is measured as if turned outward, and says so") {
  TriangleMesh mesh = make_sphere(1, 10, 20);
  for (Triangle& t : mesh.triangles) std::swap(t[1], t[2]);
  const ImageMass inward = measured(mesh, {});
  const ImageMass outward = measured(make_sphere(1, 10, 20), {});
  CHECK(inward.properties.inverted);
  CHECK(inward.properties.volume == outward.properties.volume);
}

// The factor is rounded once for each power.
TEST_CASE("a body scaled by k has k^3 the volume and k^5 the inertia, and so have its errors") {
  const TriangleMesh mesh = moved(make_cone(1, 2, 17), test::some_turn(), {0, 0, 0});
  const ImageMass one = measured(mesh, {});
  ImageOptions in_mm;
  in_mm.unit = {1, 1000};
  const ImageMass small = measured(mesh, in_mm);
  constexpr double kRounded = 16 * 0x1p-53;
  CHECK(small.properties.volume == test::approx(1e-9 * one.properties.volume).epsilon(kRounded));
  CHECK(small.properties.inertia(0, 0) ==
        test::approx(1e-15 * one.properties.inertia(0, 0)).epsilon(kRounded));
  CHECK(small.error_estimate.volume ==
        test::approx(1e-9 * one.error_estimate.volume).epsilon(kRounded));
  CHECK(small.error_estimate.inertia ==
        test::approx(1e-15 * one.error_estimate.inertia).epsilon(kRounded));
}

TEST_CASE("a given mass is the mass, and the density follows") {
  ImageOptions options;
  options.mass = 12;
  const ImageMass body = measured(make_box({2, 3, 5}), options);
  CHECK(body.properties.mass == 12);
  CHECK(body.properties.density == test::approx(0.4).epsilon(256 * 0x1p-53));  // rows
}

// The middle of such a box cannot be told from its faces, and no vertex may leave the lattice: the
// address sanitizer would say so. Its sides are exact; a rounding in each of 256 rows is left.
TEST_CASE("a box as thin as its coordinates are exact keeps within the lattice") {
  for (int thin = 0; thin < 3; ++thin)
    for (const double ulps : {1.0, 2.0, 3.0, 7.0}) {
      TriangleMesh box = make_box({2, 2, 2});
      for (Vec3& v : box.vertices) {
        v += Vec3::Constant(1e6);
        v[thin] = v[thin] < 1e6 ? 1 : 1 + ulps * 0x1p-52;
      }
      for (int axis = 0; axis < 3; ++axis) {
        ImageOptions options;
        options.axis = axis;
        const ImageMass body = measured(box, options);
        CHECK(body.properties.volume == test::approx(4 * ulps * 0x1p-52).epsilon(256 * 0x1p-53));
      }
    }
}

TEST_CASE("a mesh without extent along a row or column has no volume") {
  const TriangleMesh flat = {{{0, 0, 0}, {1, 0, 0}, {0, 0, 1}}, {{0, 1, 2}, {0, 2, 1}}};
  for (int axis = 0; axis < 3; ++axis) {
    ImageOptions options;
    options.axis = axis;
    CHECK(measured(flat, options).properties.volume == 0);
  }
}

TEST_CASE("options out of range are refused by name") {
  const TriangleMesh box = make_box({1, 1, 1});
  for (const auto& [width, axis, margin, shift] : {std::tuple{0, 2, 0.0, 0.0},
                                                   {20000, 2, 0.0, 0.0},
                                                   {16, 3, 0.0, 0.0},
                                                   {16, 2, -1.0, 0.0},
                                                   {16, 2, 0.1, 3.0}}) {
    ImageOptions options;
    options.width = width;
    options.axis = axis;
    options.margin = margin;
    options.shift_u = shift;
    const Result<ImageMass> refused = image_mass_properties(test::checked(MeshView(box)), options);
    REQUIRE(!refused);
    CHECK(refused.error().code == ErrorCode::kInvalidArgument);
  }
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  for (const double bad : {-1.0, kInfinity, kNaN}) {
    CHECK(!image_mass_properties(test::checked(MeshView(box)), {.mass = bad}));
    CHECK(!image_mass_properties(test::checked(MeshView(box)), {.density = bad}));
  }
  CHECK(!image_mass_properties(test::checked(MeshView(box)), {.density = 0}));
  const TriangleMesh huge = make_box({1e308, 1e308, 1e308});
  CHECK(!image_mass_properties(test::checked(MeshView(huge)), {}));
}

// Golden: a change shows here first. The tolerance is that of other compilers' square roots of
// vertices, not of the sums.
TEST_CASE("a known body keeps its numbers") {
  const ImageMass knot = measured(make_torus_knot({}, 200, 24), {});
  CHECK(knot.properties.volume == test::approx(kGoldenVolume).epsilon(1e-6));
  CHECK(knot.fragments == kGoldenFragments);
}

TEST_CASE("the numbers are the same for any number of threads") {
  const TriangleMesh mesh = make_bumpy_sphere(1, 0.3, 200, 400);
  ImageMass results[2];
  with_threads(1, [&] { results[0] = measured(mesh, {}); });
  with_threads(4, [&] { results[1] = measured(mesh, {}); });
  CHECK(results[0].properties.volume == results[1].properties.volume);
  CHECK(results[0].properties.inertia == results[1].properties.inertia);
  CHECK(results[0].error_estimate.volume == results[1].error_estimate.volume);
}

}  // namespace
}  // namespace plimsoll
