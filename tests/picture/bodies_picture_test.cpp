// Names, legends and facts on pictures of bodies.
#include "picture/bodies_picture.h"

#include <doctest/doctest.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/sphere_tree.h>
#include <plimsoll/text.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "picture/sphere_overlap_picture.h"

namespace plimsoll::picture {
namespace {

TEST_CASE("a name loses its folders, and its middle where it is long") {
  CHECK(short_name("hulls/tug.stl") == "tug.stl");
  CHECK(short_name("-") == "standard input");
  const std::string name = short_name("a/" + std::string(40, 'b') + "cargo_hold.stl");
  CHECK(name == std::string(17, 'b') + "...rgo_hold.stl");
}

// Letters of two bytes each: cuts at odd places would leave half of one.
TEST_CASE("a name is not cut within a letter") {
  for (const std::string start : {"", "a", "ab"}) {
    std::string name = start;
    for (int i = 0; i < 30; ++i) name += "ä";
    const std::string shortened = short_name(name);
    CHECK(shortened.size() < name.size());
    CHECK(valid_utf8(shortened) == shortened);
  }
}

TEST_CASE("a scale of colors in a legend runs from its first color to its last") {
  const Color red{200, 0, 0}, green{0, 200, 0}, blue{0, 0, 200};
  const PictureLayout layout = layout_with_legend({800, 600}, 0);
  Picture picture(800, 600, kPaper);
  const std::vector<LegendEntry> legend{{red, "radius", {red, green, blue}}};
  draw_words(picture, "", legend, {}, layout, 1);
  const double size = 0.92 * layout.letter;  // of its letters: the bar is 12 long
  const int left = static_cast<int>(layout.facts.x),
            y = static_cast<int>(4.6 * layout.letter - size / 2);
  const auto at = [&](double share) {
    return picture.at(left + static_cast<int>(share * 12 * size), y);
  };
  CHECK(at(0.02).red > 180);
  CHECK(at(0.5).green > 180);
  CHECK(at(0.98).blue > 180);
  CHECK(std::abs(at(0.25).red - at(0.25).green) < 20);
  CHECK(at(1.03) == kPaper);
}

/// Two cubes of side 1, each with the one sphere that touches all its faces, half a side apart.
SphereOverlapScene two_cubes(const SphereVolume& shared) {
  const auto mesh = std::make_shared<const TriangleMesh>(make_box({1, 1, 1}));
  const Result<ClosedMesh> solid = ClosedMesh::from_triangles(*mesh);
  REQUIRE(solid);
  const std::array spheres{PlacedSphere{Vec3::Zero(), 0.5}};
  const Result<SphereTree> tree = SphereTree::create(*solid, spheres);
  REQUIRE(tree);
  Similarity beside = Similarity::Identity();
  beside.translation() = Vec3(0.5, 0, 0);
  return {{{{"a", mesh, Similarity::Identity()}, {"b", mesh, beside}}}, {*tree, *tree}, shared, ""};
}

// The facts stand below the bodies, where nothing else is drawn: so that strip is that of the words
// alone. The line above it may tinge the rows beside it.
TEST_CASE("the facts of a picture of shared volume are those of the scene, in their order") {
  constexpr PixelSize kSize{640, 400};
  const auto check = [&](const SphereVolume& shared, const std::vector<Fact>& facts) {
    const Picture drawn = draw_sphere_overlap(two_cubes(shared), kSize);
    const PictureLayout layout = layout_with_legend(kSize, facts.size());
    REQUIRE(layout.has_words);
    Picture expected(kSize.width, kSize.height, kPaper);
    draw_facts(expected, facts, layout);
    int others = 0, inked = 0;
    for (int y = static_cast<int>(layout.facts.y) + 3; y < kSize.height; ++y)
      for (int x = 0; x < kSize.width; ++x) {
        others += drawn.at(x, y) == expected.at(x, y) ? 0 : 1;
        inked += expected.at(x, y) == kPaper ? 0 : 1;
      }
    CHECK(others == 0);
    CHECK(inked > 100);
  };
  const std::string to_a = "force on A (its arrow: the direction)",
                    to_b = "force on B (its arrow: the direction)";
  SphereVolume shared;
  shared.volume = 1.5;
  shared.lower = 1.25;
  shared.upper = 1.75;
  shared.center = Vec3(0.25, 0, 0);
  shared.force_a = {-3, 0, 0};
  shared.force_b = {0, 4, 3};
  check(shared, {{"shared volume", "1.5 m^3"},
                 {"at least, at most", "1.25, 1.75 m^3"},
                 {"spheres that meet", "2"},
                 {to_a, "3 m^3"},
                 {to_b, "5 m^3"}});
  // A millionth of the volume is what floats add up to, and no direction.
  shared.is_complete = false;
  shared.force_b = {0, 0, 1e-6};
  check(shared, {{"shared volume", "1.5 m^3 (out of time: partly estimated)"},
                 {"at least, at most", "1.25, 1.75 m^3"},
                 {"spheres that meet", "2"},
                 {to_a, "3 m^3 (out of time: partly estimated)"},
                 {to_b, "1e-06 m^3 (out of time: partly estimated) (too small for an arrow)"}});
}

}  // namespace
}  // namespace plimsoll::picture
