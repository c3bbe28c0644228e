// Newell's teapot.
//
// Of the 306 published control points [Crow1987] all that matters is below. Rim, body, bottom and
// lid have four-fold symmetry: a row of control points is a quarter circle (r, 0), (r, k), (k, r),
// (0, r) at one height. Handle and spout are symmetric in y: a row is (x1, 0), (x1, w), (x2, w),
// (x2, 0) in x and y at two heights.
#include <plimsoll/patches.h>

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "patch/tessellate.h"

namespace plimsoll {
namespace {

constexpr std::size_t kPatchCount = 32;

struct QuarterCircle {
  double radius, tangent, height;
};

// From the rim's inside over and down to the middle of the bottom; three steps make a patch.
constexpr std::array<QuarterCircle, 13> kBody{{{1.4, 0.784, 2.4},
                                               {1.3375, 0.749, 2.53125},
                                               {1.4375, 0.805, 2.53125},
                                               {1.5, 0.84, 2.4},
                                               {1.75, 0.98, 1.875},
                                               {2, 1.12, 1.35},
                                               {2, 1.12, 0.9},
                                               {2, 1.12, 0.45},
                                               {1.5, 0.84, 0.225},
                                               {1.5, 0.84, 0.15},
                                               {1.5, 0.84, 0.075},
                                               {1.425, 0.798, 0},
                                               {0, 0, 0}}};

// From the top of the knob to the edge.
constexpr std::array<QuarterCircle, 7> kLidProfile{{{0, 0, 3.15},
                                                    {0.8, 0.45, 3.15},
                                                    {0, 0, 2.85},
                                                    {0.2, 0.112, 2.7},
                                                    {0.4, 0.224, 2.55},
                                                    {1.3, 0.728, 2.55},
                                                    {1.3, 0.728, 2.4}}};

struct HalfRing {
  double x1, z1, x2, z2, width;
};

// From the upper end to the lower one; 1 is the side toward the body.
constexpr std::array<HalfRing, 7> kHandleRings{{{-1.6, 2.025, -1.5, 2.25, 0.3},
                                                {-2.3, 2.025, -2.5, 2.25, 0.3},
                                                {-2.7, 2.025, -3, 2.25, 0.3},
                                                {-2.7, 1.8, -3, 1.8, 0.3},
                                                {-2.7, 1.575, -3, 1.35, 0.3},
                                                {-2.5, 1.125, -2.65, 0.9375, 0.3},
                                                {-2, 0.9, -1.9, 0.6, 0.3}}};

// From the foot to the tip and into it; 1 is the upper side.
constexpr std::array<HalfRing, 7> kSpoutRings{{{1.7, 1.425, 1.7, 0.6, 0.66},
                                               {2.6, 1.425, 3.1, 0.825, 0.66},
                                               {2.3, 2.1, 2.4, 2.025, 0.25},
                                               {2.7, 2.4, 3.3, 2.4, 0.25},
                                               {2.8, 2.475, 3.525, 2.49375, 0.25},
                                               {2.9, 2.475, 3.45, 2.5125, 0.15},
                                               {2.8, 2.4, 3.2, 2.4, 0.15}}};

using Row = std::array<Vec3, 4>;

Row row_of(const QuarterCircle& arc, int quarter) {
  Row row{{{arc.radius, 0, arc.height},
           {arc.radius, arc.tangent, arc.height},
           {arc.tangent, arc.radius, arc.height},
           {0, arc.radius, arc.height}}};
  for (int i = 0; i < quarter; ++i)
    for (Vec3& p : row) p = {0 - p.y(), p.x(), p.z()};  // without a negative zero
  return row;
}

// The half toward +y runs from side 1 to side 2, that toward -y back.
Row row_of(const HalfRing& ring, int half) {
  const double width = half == 0 ? ring.width : -ring.width;
  const Vec3 one{ring.x1, 0, ring.z1}, two{ring.x2, 0, ring.z2}, aside{0, width, 0};
  if (half == 0) return {one, one + aside, two + aside, two};
  return {two, two + aside, one + aside, one};
}

void append(BezierPatch& patch, const Row& row) {
  for (const Vec3& p : row) patch.points.push_back({p.x(), p.y(), p.z(), 1});
}

template <class Rings>
void add_bands(PatchSurface& surface, const Rings& rings, int parts) {
  for (std::size_t first = 0; first + 1 < rings.size(); first += 3) {
    for (int part = 0; part < parts; ++part) {
      BezierPatch patch{3, 3, {}};
      for (std::size_t i = first; i <= first + 3; ++i) append(patch, row_of(rings[i], part));
      surface.patches.push_back(std::move(patch));
    }
  }
}

BezierPatch ruled(const Row& from, const Row& to) {
  BezierPatch patch{1, 3, {}};
  append(patch, from);
  append(patch, to);
  return patch;
}

Row middle_of(const HalfRing& ring) {
  const Vec3 middle{(ring.x1 + ring.x2) / 2, 0, (ring.z1 + ring.z2) / 2};
  return {middle, middle, middle, middle};
}

}  // namespace

PatchSurface teapot() {
  PatchSurface surface;
  add_bands(surface, kBody, 4);
  add_bands(surface, kHandleRings, 2);
  add_bands(surface, kSpoutRings, 2);
  add_bands(surface, kLidProfile, 4);
  return surface;
}

PatchSurface closed_teapot() {
  PatchSurface surface = teapot();
  for (int quarter = 0; quarter < 4; ++quarter)
    surface.patches.push_back(
        ruled(row_of(kLidProfile.back(), quarter), row_of(kBody.front(), quarter)));
  for (const auto* rings : {&kHandleRings, &kSpoutRings}) {
    for (int half = 0; half < 2; ++half) {
      const HalfRing &first = rings->front(), &last = rings->back();
      surface.patches.push_back(ruled(middle_of(first), row_of(first, half)));
      surface.patches.push_back(ruled(row_of(last, half), middle_of(last)));
    }
  }
  return surface;
}

TriangleMesh make_teapot(int segments) {
  if (segments < 2 || segments > 500) return {};
  const PatchSurface surface = closed_teapot();
  std::vector<PatchSteps> steps(surface.patches.size(), {1, segments});
  for (std::size_t p = 0; p < kPatchCount; ++p) steps[p].u = segments;
  return tessellate_in_steps(surface, steps);
}

}  // namespace plimsoll
