// Tetrahedra on a small lattice, which meet in every skew way, against the winding number of every
// cell that their planes divide space into.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>

#include "core/predicates.h"
#include "solid/assembly.h"
#include "support/campaign.h"

namespace plimsoll {
namespace {

// Whole numbers below 2^31 throughout: lattice coordinates are at most 3, so normals at most 18.
using Whole = std::int64_t;
using Whole3 = Eigen::Matrix<Whole, 3, 1>;
using Tetrahedron = std::array<Whole3, 4>;

struct Plane {
  Whole3 normal;
  Whole offset;  // normal . p = offset
};

Plane plane_through(const Whole3& a, const Whole3& b, const Whole3& c) {
  const Whole3 normal = (b - a).cross(c - a);
  return {normal, normal.dot(a)};
}

Whole volume(const Tetrahedron& t) { return (t[1] - t[0]).cross(t[2] - t[0]).dot(t[3] - t[0]); }

// The planes of the faces, facing away from the opposite corner.
std::array<Plane, 4> faces_of(const Tetrahedron& t) {
  std::array<Plane, 4> faces;
  for (std::size_t i = 0; i < 4; ++i) {
    faces[i] = plane_through(t[(i + 1) % 4], t[(i + 2) % 4], t[(i + 3) % 4]);
    if (faces[i].normal.dot(t[i]) > faces[i].offset)
      faces[i] = {-faces[i].normal, -faces[i].offset};
  }
  return faces;
}

// The point at / weight, moved by an infinitesimal step along each direction, each step
// infinitesimal against the one before.
struct Sample {
  Whole3 at;
  Whole weight;  // above 0
  std::array<Whole3, 3> steps;

  [[nodiscard]] bool is_behind(const Plane& plane) const {
    Whole height = plane.normal.dot(at) - plane.offset * weight;
    for (const Whole3& step : steps)
      if (height == 0) height = plane.normal.dot(step);
    return height < 0;
  }
};

struct Extremes {
  int low = 0, high = 0;
};

void note_winding(const std::vector<Tetrahedron>& solids, const Sample& sample, Extremes& seen) {
  int winding = 0;
  for (const Tetrahedron& t : solids) {
    const auto faces = faces_of(t);
    if (std::all_of(faces.begin(), faces.end(),
                    [&](const Plane& face) { return sample.is_behind(face); }))
      winding += volume(t) > 0 ? 1 : -1;
  }
  seen = {std::min(seen.low, winding), std::max(seen.high, winding)};
}

// Every cell of an arrangement of planes has a corner, from there an edge in two planes, beside it
// a part of one of these planes, and off that the cell itself.
Extremes extremes_of_winding(const std::vector<Tetrahedron>& solids) {
  std::vector<Plane> planes;
  for (const Tetrahedron& t : solids)
    for (const Plane& face : faces_of(t)) planes.push_back(face);
  Extremes seen;
  for (const Plane& i : planes)
    for (const Plane& j : planes)
      for (const Plane& k : planes) {
        const Whole3 edge = i.normal.cross(j.normal);
        const Whole det = edge.dot(k.normal);
        if (det <= 0) continue;  // the same three in another order
        const Whole3 corner = i.offset * j.normal.cross(k.normal) +
                              j.offset * k.normal.cross(i.normal) + k.offset * edge;
        for (const Whole along : {-1, 1})
          for (const Whole aside : {-1, 1})
            for (const Whole off : {-1, 1})
              for (const Plane& face : {i, j})
                note_winding(solids,
                             {corner,
                              det,
                              {Whole3(along * edge), Whole3(aside * face.normal.cross(edge)),
                               Whole3(off * face.normal)}},
                             seen);
      }
  return seen;
}

Tetrahedron random_tetrahedron(Random& random, int size) {
  Tetrahedron t;
  do {
    for (Whole3& p : t)
      for (int k = 0; k < 3; ++k) p[k] = static_cast<Whole>(random.below(size + 1));
  } while (volume(t) == 0);
  return t;
}

TEST_CASE(
    "two tetrahedra that share a face count space once, and stacked on one side they do not") {
  const Tetrahedron t{Whole3(0, 0, 0), Whole3(2, 0, 0), Whole3(0, 2, 0), Whole3(0, 0, 2)};
  const Tetrahedron below{Whole3(0, 0, 0), Whole3(0, 2, 0), Whole3(2, 0, 0), Whole3(0, 0, -1)};
  const Tetrahedron above{Whole3(0, 0, 0), Whole3(2, 0, 0), Whole3(0, 2, 0), Whole3(1, 1, 1)};
  CHECK(extremes_of_winding({t}).high == 1);
  CHECK(extremes_of_winding({t, below}).high == 1);
  CHECK(extremes_of_winding({t, above}).high == 2);
}

TEST_CASE("tetrahedra are sound together where no cell between their planes is counted twice") {
  Random random(1);
  int sound = 0, unsound = 0;
  for (int i = 0; i < test::campaign(20000); ++i) {
    std::vector<Tetrahedron> solids(i % 4 == 0 ? 3 : 2);
    test::Assembly assembly;
    for (Tetrahedron& t : solids) {
      t = random_tetrahedron(random, 2 + i % 2);
      if (volume(t) < 0 && random.below(5) != 0) std::swap(t[2], t[3]);
      assembly.add_tetrahedron(t[0].cast<double>(), t[1].cast<double>(), t[2].cast<double>(),
                               t[3].cast<double>());
    }
    const Extremes extremes = extremes_of_winding(solids);
    const bool expected =
        (extremes.low >= 0 && extremes.high <= 1) || (extremes.low >= -1 && extremes.high <= 0);
    (expected ? sound : unsound) += 1;
    CAPTURE(i);
    const TriangleMesh mesh = assembly.welded();
    REQUIRE(test::is_sound(test::assess(mesh)) == expected);
    REQUIRE(test::is_sound(test::assess(mesh, test::Pairs::kBetweenPatches)) == expected);
  }
  CHECK(sound > test::campaign(20000) / 20);
  CHECK(unsound > test::campaign(20000) / 20);
}

}  // namespace
}  // namespace plimsoll
