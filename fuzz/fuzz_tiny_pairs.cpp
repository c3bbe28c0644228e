// Two tiny meshes of coordinates of any exponents are put to every question about one body or two.
// It is refused with its reason, or answered as its header says: what is exact is compared with
// whole numbers, bounds with each other.
#include <plimsoll/body_pairs.h>
#include <plimsoll/buoyancy.h>
#include <plimsoll/contact.h>
#include <plimsoll/culling.h>
#include <plimsoll/distance.h>
#include <plimsoll/mass_properties.h>
#include <plimsoll/mesh_health.h>
#include <plimsoll/overlap.h>
#include <plimsoll/pairs.h>
#include <plimsoll/separation.h>
#include <plimsoll/shape.h>
#include <plimsoll/solid_tree.h>
#include <plimsoll/sphere_cover.h>
#include <plimsoll/sphere_packing.h>
#include <plimsoll/sphere_tree.h>
#include <plimsoll/submersion.h>
#include <plimsoll/submersion_tracker.h>
#include <plimsoll/surface_queries.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "check_answer.h"
#include "support/exact_meeting.h"
#include "tiny_meshes.h"

namespace {

using namespace plimsoll;
using fuzz::Bytes;
using fuzz::is_answered;
using fuzz::is_at_most;
using fuzz::is_error;
using fuzz::Numbers;
using fuzz::require;

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr double kLeast = std::numeric_limits<double>::denorm_min();
constexpr double kWork = 1e5;       // of a search [us]
constexpr double kLargest = 1e300;  // coordinate that most searches take

using Corners = std::array<Vec3, 3>;
using Pairs = std::vector<TrianglePair>;

// ---- lengths of any exponents

double length(const Vec3& v) {
  const double largest = v.cwiseAbs().maxCoeff();
  if (!(largest > 0) || !std::isfinite(largest)) return largest;
  const int exponent = std::ilogb(largest);
  const Vec3 scaled = v.unaryExpr([&](double x) { return std::ldexp(x, -exponent); });
  return std::ldexp(scaled.norm(), exponent);
}

/// A little more, for what lengths are rounded.
double with_room(double length) { return length * (1 + 0x1p-40) + 4 * kLeast; }

/// Not farther from each other than that, as far as all are numbers.
bool is_near(double x, double y, double room) {
  return x == y || is_at_most(std::fabs(x - y), room);
}

/// No two points of the triangles are nearer.
double box_gap(std::span<const Vec3> t, std::span<const Vec3> u) {
  Box3 of_t, of_u;
  for (const Vec3& p : t) of_t.extend(p);
  for (const Vec3& p : u) of_u.extend(p);
  return length((of_t.min() - of_u.max()).cwiseMax(of_u.min() - of_t.max()).cwiseMax(Vec3::Zero()));
}

double corner_distance(std::span<const Vec3> t, std::span<const Vec3> u) {
  double least = kInfinite;
  for (const Vec3& p : t)
    for (const Vec3& q : u) least = std::min(least, length(p - q));
  return least;
}

Box3 box_of(std::span<const Corners> triangles) {
  Box3 box;
  for (const Corners& corners : triangles)
    for (const Vec3& p : corners) box.extend(p);
  return box;
}

/// The least and the largest number but 0, of those that are finite.
class Magnitudes {
 public:
  void add(const Vec3& p) {
    for (const double x : p) {
      if (x == 0 || !std::isfinite(x)) continue;
      least_ = std::min(least_, std::fabs(x));
      largest_ = std::max(largest_, std::fabs(x));
    }
  }
  void add_all(std::span<const Corners> triangles) {
    for (const Corners& corners : triangles)
      for (const Vec3& p : corners) add(p);
  }
  /// Whether the least are rounded beside the largest (pairs.h).
  [[nodiscard]] bool are_rounded() const {
    return largest_ > 0x1p99 && least_ < 0x1p-1020 * largest_;
  }
  /// Binary digits of whole numbers that all are.
  [[nodiscard]] int digits() const {
    return largest_ > 0 ? std::ilogb(largest_) - std::ilogb(least_) + 54 : 0;
  }
  /// Whether products of some of them are usual numbers.
  [[nodiscard]] bool are_usual() const {
    return largest_ < 0x1p150 && (largest_ == 0 || least_ > 0x1p-150);
  }

 private:
  double least_ = kInfinite, largest_ = 0;
};

// ---- bodies

struct Body {
  Body(TriangleMesh given, const Similarity& placed_by, TreeQuality quality)
      : mesh(std::move(given)),
        pose(placed_by),
        checked(*CheckedMesh::from_triangles(mesh)),
        is_closed(ClosedMesh::from_triangles(mesh).has_value()),
        tree(checked, quality),
        distance(tree),
        solid(tree),
        placed(posed(mesh, pose)),
        health(examine(checked, kHealth)) {
    for (const Triangle& t : mesh.triangles) {
      Corners& corner = corners.emplace_back();
      for (std::size_t k = 0; k < 3; ++k) {
        const Vec3& v = mesh.vertices[t[k]];
        own.add(v);
        corner[k] = placed.vertices[t[k]];
        terms = std::max(
            terms,
            (pose.linear().cwiseAbs() * v.cwiseAbs() + pose.translation().cwiseAbs()).maxCoeff());
        // What is no number counts as infinite.
        const double largest = corner[k].cwiseAbs().maxCoeff();
        reach =
            std::isfinite(largest) && !corner[k].hasNaN() ? std::max(reach, largest) : kInfinite;
      }
    }
    all = own;
    all.add_all(corners);
    is_placed = check_mesh(placed).has_value() && std::isfinite(reach);
    if (!is_placed) return;
    const CheckedMesh there = *CheckedMesh::from_triangles(placed);
    is_sound = is_closed && plimsoll::is_sound(health.status) &&
               plimsoll::is_sound(examine(there, kHealth).status);
    mass = mass_properties(there);
  }

  [[nodiscard]] std::size_t count() const { return mesh.triangles.size(); }

  static constexpr HealthOptions kHealth{.check_self_intersections = true, .max_looks = 5000};

  TriangleMesh mesh;
  Similarity pose;  ///< world_from_mesh
  CheckedMesh checked;
  bool is_closed;
  MeshTree tree;
  DistanceTree distance;
  SolidTree solid;
  TriangleMesh placed;                ///< In the world.
  MeshHealth health;                  ///< Of the mesh as it was given.
  std::vector<Corners> corners = {};  ///< Of the triangles, in the world.
  Magnitudes own = {}, all = {};      ///< As given; and in the world too.
  double terms = 0;                   ///< The most that coordinates in the world are sums of.
  double reach = 0;                   ///< The largest of them.
  bool is_placed = false;             ///< All of them are numbers.
  bool is_sound = false;              ///< It bounds a solid, as given and in the world.
  MassProperties mass = {};           ///< In the world, where it is placed.
};

/// Whether it is answered: refused where a coordinate may be beyond 1e300, and nowhere else but at
/// limits of work.
template <class T>
bool is_taken(const Result<T>& answer, double terms, double reach) {
  if (is_answered(answer)) {
    require(reach <= kLargest * (1 + 1e-9), "coordinates beyond 1e300 were taken");
    return true;
  }
  const ErrorCode code = answer.error().code;
  require(code == ErrorCode::kResourceLimit ||
              (code == ErrorCode::kInvalidArgument && terms > kLargest / 10),
          "refused without need");
  return false;
}

struct TwoBodies {
  TwoBodies(const Body& first, const Body& second) : a(first), b(second) {
    Magnitudes both = a.all;
    both.add_all(b.corners);
    is_rounded = both.are_rounded();
    is_usual = a.all.are_usual() && b.all.are_usual();
  }
  [[nodiscard]] TwoBodies swapped() const { return {b, a}; }

  template <class T>
  [[nodiscard]] bool is_taken(const Result<T>& answer) const {
    return ::is_taken(answer, std::max(a.terms, b.terms), std::max(a.reach, b.reach));
  }
  [[nodiscard]] bool are_placed() const { return a.is_placed && b.is_placed; }
  [[nodiscard]] bool are_closed() const { return a.is_closed && b.is_closed; }
  [[nodiscard]] bool are_sound() const { return a.is_sound && b.is_sound; }
  /// Whether what the trees hold is what was given.
  [[nodiscard]] bool are_exact() const {
    return are_placed() && !a.own.are_rounded() && !b.own.are_rounded();
  }

  const Body &a, &b;
  bool is_rounded = false;
  bool is_usual = false;
};

void check_ascending(const Pairs& pairs, std::size_t count_a, std::size_t count_b) {
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    require(pairs[i].a < count_a && pairs[i].b < count_b, "a triangle that the mesh has not");
    require(i == 0 || pairs[i - 1] < pairs[i], "pairs that do not ascend");
  }
}

bool holds(const Pairs& pairs, const TrianglePair& pair) {
  return std::binary_search(pairs.begin(), pairs.end(), pair);
}
bool holds_all(const Pairs& pairs, const Pairs& some) {
  return std::includes(pairs.begin(), pairs.end(), some.begin(), some.end());
}

Pairs turned_round(Pairs pairs) {
  for (TrianglePair& pair : pairs) std::swap(pair.a, pair.b);
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

// ---- which triangles touch

/// Whether triangles have a point in common, by whole numbers, as long as these take little time.
class ExactMeeting {
 public:
  [[nodiscard]] std::optional<bool> operator()(const Corners& t, const Corners& u) {
    for (int k = 0; k < 3; ++k) {
      const auto [low, high] = std::minmax({t[0][k], t[1][k], t[2][k]});
      const auto [lower, higher] = std::minmax({u[0][k], u[1][k], u[2][k]});
      if (high < lower || higher < low) return false;
    }
    Magnitudes both;
    for (const Corners* corners : {&t, &u}) both.add_all({corners, 1});
    // Where nothing underflows, rounding tells most apart.
    if (both.are_usual() && test::are_clearly_apart(t, u)) return false;
    const double digits = both.digits();
    left_ -= digits * digits;
    if (left_ < 0) return std::nullopt;
    return !test::common_polygon(t, u, test::binary_digits(t, u)).empty();
  }

 private:
  double left_ = 5e6;  // squares of digits
};

void check_self_pairs(PairSearch& search, const Body& body, ExactMeeting& meets) {
  const auto found = search.self_pairs(body.tree, body.pose, kWork);
  if (!is_taken(found, body.terms, body.reach)) return;
  const Pairs pairs(found->begin(), found->end());
  check_ascending(pairs, body.count(), body.count());
  if (!body.is_placed || body.own.are_rounded()) return;
  const auto share_a_vertex = [&](std::uint32_t i, std::uint32_t j) {
    const Triangle &t = body.mesh.triangles[i], &u = body.mesh.triangles[j];
    return std::find_first_of(t.begin(), t.end(), u.begin(), u.end()) != t.end();
  };
  for (std::uint32_t i = 0; i < body.count(); ++i)
    for (std::uint32_t j = i + 1; j < body.count(); ++j) {
      const std::optional<bool> meet =
          share_a_vertex(i, j) ? std::optional(false) : meets(body.corners[i], body.corners[j]);
      if (meet) require(*meet == holds(pairs, {i, j}), "another touch of a mesh with itself");
    }
}

/// The pairs that touch; nothing where that was refused.
std::optional<Pairs> check_pairs(const TwoBodies& two) {
  const auto& [a, b] = std::tie(two.a, two.b);
  PairSearch search;
  const auto found = search.pairs(a.tree, a.pose, b.tree, b.pose, kWork);
  if (!two.is_taken(found)) return std::nullopt;
  const Pairs pairs(found->begin(), found->end());
  check_ascending(pairs, a.count(), b.count());
  const auto back = search.pairs(b.tree, b.pose, a.tree, a.pose, kWork);
  if (two.is_taken(back))
    require(turned_round(Pairs(back->begin(), back->end())) == pairs,
            "other pairs from the other side");
  const auto one = search.touch(a.tree, a.pose, b.tree, b.pose, kWork);
  if (two.is_taken(one)) {
    require(one->has_value() == !pairs.empty(), "a touch without pairs, or none with some");
    require(!*one || holds(pairs, **one), "a touch that is none of the pairs");
  }
  ExactMeeting meets;
  if (two.are_exact())
    for (std::uint32_t i = 0; i < a.count(); ++i)
      for (std::uint32_t j = 0; j < b.count(); ++j)
        if (const std::optional<bool> meet = meets(a.corners[i], b.corners[j]))
          require(*meet == holds(pairs, {i, j}),
                  "triangles that touch, or do not, by whole numbers");
  check_self_pairs(search, a, meets);

  BodyPairSearch bodies;
  const Result<BodyId> first = bodies.add(a.tree, a.pose), second = bodies.add(b.tree, b.pose);
  if (two.is_taken(first) && two.is_taken(second)) {
    const auto touching = bodies.touching(kWork);
    if (two.is_taken(touching))
      require(touching->size() == (pairs.empty() ? 0 : 1), "bodies that touch without triangles");
  }
  return pairs;
}

// ---- which are near

/// Whole numbers of thousands of digits take a while, and near pairs have no limit that is low.
bool are_soon_compared(const TwoBodies& two) {
  Magnitudes both = two.a.all;
  both.add_all(two.b.corners);
  const double digits = both.digits();
  return static_cast<double>(two.a.count() * two.b.count()) * digits * digits < 5e7;
}

/// The pairs that are closer than a distance; nothing where that was refused.
std::optional<Pairs> check_near(const TwoBodies& two, const std::optional<Pairs>& touching,
                                double distance) {
  const auto& [a, b] = std::tie(two.a, two.b);
  if (!are_soon_compared(two)) return std::nullopt;
  NearPairSearch search;
  const auto found = search.pairs(a.distance, a.pose, b.distance, b.pose, distance, kWork);
  if (!(distance > 0)) {
    require(!is_answered(found), "pairs closer than 0");
    return std::nullopt;
  }
  if (!two.is_taken(found)) return std::nullopt;
  const Pairs near(found->begin(), found->end());
  check_ascending(near, a.count(), b.count());
  if (touching) require(holds_all(near, *touching), "a pair that touches and is not near");
  const auto back = search.pairs(b.distance, b.pose, a.distance, a.pose, distance, kWork);
  if (two.is_taken(back))
    require(turned_round(Pairs(back->begin(), back->end())) == near,
            "other near pairs from the other side");
  if (two.is_rounded || !two.are_exact()) return near;
  for (std::uint32_t i = 0; i < a.count(); ++i)
    for (std::uint32_t j = 0; j < b.count(); ++j) {
      const Corners &t = a.corners[i], &u = b.corners[j];
      if (holds(near, {i, j}))
        require(is_at_most(box_gap(t, u), with_room(distance)), "a near pair that is far apart");
      else
        require(is_at_most(distance, with_room(corner_distance(t, u))),
                "a pair whose corners are near that is not");
    }
  return near;
}

// ---- how far apart

/// Bounds of a distance that hold for any surfaces.
struct KnownDistance {
  double least = kInfinite, most = kInfinite;

  void add(std::span<const Vec3> t, std::span<const Vec3> u) {
    least = std::min(least, box_gap(t, u));
    most = std::min(most, corner_distance(t, u));
  }
  void check(double lower, double upper) const {
    require(is_at_most(lower, with_room(most)), "a lower bound beyond two corners");
    require(is_at_most(least, with_room(upper)), "an upper bound within the gap of boxes");
  }
};

void check_bounds(double lower, double distance, double upper) {
  require(0 <= lower && lower <= distance && distance <= upper, "bounds out of order");
}

void check_distance(const TwoBodies& two, const SurfaceDistance& found) {
  check_bounds(found.lower, found.distance, found.upper);
  const bool crosses = found.meeting == SurfaceMeeting::kCrosses;
  if (found.meeting != SurfaceMeeting::kApart)
    require(found.upper == 0, "a distance of what has a point in common");
  require(found.nearest.has_value() == !crosses, "nearest points where surfaces cross, or none");
  if (found.nearest)
    require(found.nearest->on_a.triangle < two.a.count() &&
                found.nearest->on_b.triangle < two.b.count(),
            "a triangle that the mesh has not");
  if (two.is_rounded || !two.are_exact()) return;
  KnownDistance known;
  for (const Corners& t : two.a.corners)
    for (const Corners& u : two.b.corners) known.add(t, u);
  known.check(found.lower, found.upper);
}

/// Whether both may be right.
void check_same(const SurfaceDistance& one, const SurfaceDistance& other) {
  require(one.meeting == other.meeting, "surfaces that meet one way only");
  require(one.lower <= other.upper && other.lower <= one.upper, "bounds that exclude each other");
}

std::optional<SurfaceDistance> find_distance(DistanceSearch& search, const TwoBodies& two,
                                             DistanceLimits limits = {}) {
  limits.max_work = kWork;
  const auto& [a, b] = std::tie(two.a, two.b);
  Result<SurfaceDistance> found = search.find(a.distance, a.pose, b.distance, b.pose, limits);
  if (!is_answered(found)) {
    require(found.error().code == ErrorCode::kResourceLimit, "refused without need");
    return std::nullopt;
  }
  return two.are_placed() ? std::optional(*std::move(found)) : std::nullopt;
}

/// Only what is as far away as was asked, or nearer.
void check_farthest(DistanceSearch& search, const TwoBodies& two, const SurfaceDistance& found) {
  constexpr double kNormal = std::numeric_limits<double>::min();
  if (found.meeting != SurfaceMeeting::kApart || !(found.distance >= kNormal) || two.is_rounded)
    return;
  if (const auto just = find_distance(search, two, {.farthest = found.distance}))
    require(just->nearest.has_value(), "nothing at the distance that was found");
  const double near = found.distance / 2;
  if (!(with_room(near) < found.lower)) return;
  if (const auto none = find_distance(search, two, {.farthest = near}))
    require(!none->nearest && none->distance == kInfinite && none->lower <= with_room(near),
            "something nearer than the nearest");
}

std::optional<SurfaceDistance> check_distances(const TwoBodies& two,
                                               const std::optional<Pairs>& touching) {
  DistanceSearch search;
  const std::optional<SurfaceDistance> found = find_distance(search, two);
  if (!found) return std::nullopt;
  check_distance(two, *found);
  if (touching)
    require((found->meeting == SurfaceMeeting::kApart) == touching->empty(),
            "surfaces that meet without triangles, or are apart with some");
  if (const auto back = find_distance(search, two.swapped())) {
    check_distance(two.swapped(), *back);
    check_same(*found, *back);
  }
  if (const auto again = find_distance(search, two, {.last = &*found})) check_same(*found, *again);
  if (const auto rough = find_distance(search, two, {.tolerance = 0.1})) check_same(*found, *rough);
  check_farthest(search, two, *found);
  return found;
}

/// Of closed surfaces that are apart.
std::optional<Containment> check_containment(const TwoBodies& two,
                                             const std::optional<SurfaceDistance>& distance) {
  const auto& [a, b] = std::tie(two.a, two.b);
  const Result<Containment> found = containment(a.distance, a.pose, b.distance, b.pose);
  require(is_answered(found), "refused without need");
  const bool means_something =
      distance && distance->meeting == SurfaceMeeting::kApart && two.are_closed();
  if (!means_something) return std::nullopt;
  const Result<Containment> back = containment(b.distance, b.pose, a.distance, a.pose);
  require(is_answered(back), "refused without need");
  const auto other = [](Containment of) {
    if (of == Containment::kAInB) return Containment::kBInA;
    return of == Containment::kBInA ? Containment::kAInB : of;
  };
  require(other(*back) == *found, "another body inside from the other side");
  if (!two.are_exact()) return *found;
  const Box3 of_a = box_of(a.corners), of_b = box_of(b.corners);
  if (*found == Containment::kAInB) require(of_b.contains(of_a), "a body inside a smaller box");
  if (*found == Containment::kBInA) require(of_a.contains(of_b), "a body inside a smaller box");
  return *found;
}

// ---- points and rays

bool is_place(const Vec3& p) { return p.allFinite() && p.cwiseAbs().maxCoeff() <= kLargest; }

void check_nearest(const Body& body, const Vec3& point, const NearestOnSurface& nearest) {
  check_bounds(nearest.lower, nearest.distance, nearest.upper);
  require(nearest.at.has_value(), "a surface that is nowhere");
  require(nearest.at->triangle < body.count(), "a triangle that the mesh has not");
  Magnitudes numbers = body.all;
  numbers.add(point);
  if (numbers.are_rounded()) return;
  KnownDistance known;
  for (const Corners& t : body.corners) known.add(t, {&point, 1});
  known.check(nearest.lower, nearest.upper);
}

/// What is said of a point.
struct Sides {
  int winding = 0;
  double generalized = 0;
  SignedDistance distance;
  bool is_inside = false;
};

/// Of a closed surface.
Sides check_sides(SurfaceProbe& probe, const Vec3& point, const NearestOnSurface& nearest) {
  const Result<int> winding = probe.winding_number(point);
  const Result<double> generalized = probe.generalized_winding_number(point);
  const Result<SignedDistance> distance = probe.signed_distance(point);
  const Result<bool> inside = probe.contains(point);
  require(is_answered(winding) && is_answered(generalized) && is_answered(distance) &&
              is_answered(inside),
          "a closed surface without sides");
  require(std::fabs(distance->distance) == distance->nearest.distance, "two distances");
  if (distance->distance < 0) require(*inside, "a depth outside");
  if (!*inside) require(distance->distance >= 0, "a depth outside");
  if (nearest.lower > 0) {
    require(*inside == (*winding != 0), "inside where nothing winds around");
    require((distance->distance < 0) == *inside, "a distance of the wrong sign");
    require(is_near(*generalized, *winding, 1e-9), "another winding number of a closed surface");
  }
  return {*winding, *generalized, *distance, *inside};
}

/// Of one that is not closed, unless its corners are equal.
void check_no_sides(SurfaceProbe& probe, const Vec3& point) {
  require(is_answered(probe.generalized_winding_number(point)), "refused without need");
  const Result<int> winding = probe.winding_number(point);
  const Result<SignedDistance> distance = probe.signed_distance(point);
  const Result<bool> inside = probe.contains(point);
  require(
      is_answered(winding) == is_answered(distance) && is_answered(winding) == is_answered(inside),
      "a surface that is closed for some questions");
  if (!winding) require(winding.error().code == ErrorCode::kNotClosed, "refused without need");
}

/// Nothing where the surface is not met, or nothing was asked.
std::optional<RayHit> check_ray(SurfaceProbe& probe, const Body& body, const Ray& ray) {
  const Result<std::optional<RayHit>> hit = probe.first_hit(ray);
  const bool is_ray = is_place(ray.direction) && !ray.direction.isZero(0);
  require(is_answered(hit) == is_ray, "a ray that was refused without need, or taken");
  if (!is_ray || !*hit) return std::nullopt;
  require((*hit)->along >= 0, "a hit behind the origin");
  require((*hit)->triangle < body.count(), "a triangle that the mesh has not");
  const double half = (*hit)->along / 2;
  if (!std::isfinite(half)) return **hit;
  const Result<std::optional<RayHit>> nearer = probe.first_hit(ray, half);
  require(is_answered(nearer) && (!*nearer || (*nearer)->along <= half), "a hit beyond the limit");
  return **hit;
}

/// Of `given` the first is a corner.
void check_probe(const Body& body, std::span<const Vec3> given, const Vec3& direction) {
  Result<SurfaceProbe> probe = SurfaceProbe::of(body.tree, body.pose);
  if (!is_taken(probe, body.terms, body.reach)) return;
  std::vector<Vec3> points;
  std::vector<Ray> rays;
  std::vector<NearestOnSurface> nearest;
  std::vector<std::optional<RayHit>> hits;
  std::vector<Sides> sides;
  for (const Vec3& point : given) {
    const Result<NearestOnSurface> found = probe->nearest(point);
    require(is_answered(found) == is_place(point), "a point refused without need, or taken");
    if (!found) continue;
    check_nearest(body, point, *found);
    points.push_back(point);
    rays.push_back({point, direction});
    nearest.push_back(*found);
    hits.push_back(check_ray(*probe, body, rays.back()));
    if (body.is_closed)
      sides.push_back(check_sides(*probe, point, *found));
    else
      check_no_sides(*probe, point);
  }
  const bool is_ray = is_place(direction) && !direction.isZero(0);
  const bool begins_at_corner = !points.empty() && points.front() == given.front();
  if (begins_at_corner && !body.own.are_rounded()) {
    require(nearest.front().lower == 0, "a corner that is not on the surface");
    require(hits.front().has_value() == is_ray, "a ray from a corner that meets nothing");
    require(!body.is_closed || sides.front().is_inside, "a corner outside of its solid");
  }

  // All at once, in another order.
  const auto all = nearest_on_surface(body.tree, body.pose, points);
  require(is_answered(all), "points refused together");
  for (std::size_t i = 0; i < points.size(); ++i)
    require((*all)[i].distance == nearest[i].distance &&
                (*all)[i].at->triangle == nearest[i].at->triangle &&
                (*all)[i].at->at == nearest[i].at->at,
            "another nearest point together");
  if (is_ray) {
    const auto met = first_hits(body.tree, body.pose, rays);
    require(is_answered(met), "rays refused together");
    for (std::size_t i = 0; i < rays.size(); ++i) {
      require((*met)[i].has_value() == hits[i].has_value(), "another hit together");
      if (hits[i])
        require((*met)[i]->along == hits[i]->along && (*met)[i]->triangle == hits[i]->triangle,
                "another hit together");
    }
  }
  if (!body.is_closed) return;
  const auto windings = winding_numbers(body.tree, body.pose, points);
  const auto generalized = generalized_winding_numbers(body.tree, body.pose, points);
  const auto distances = signed_distance(body.tree, body.pose, points);
  const auto insides = contains(body.tree, body.pose, points);
  require(is_answered(windings) && is_answered(generalized) && is_answered(distances) &&
              is_answered(insides),
          "points refused together");
  for (std::size_t i = 0; i < points.size(); ++i)
    require((*windings)[i] == sides[i].winding && (*generalized)[i] == sides[i].generalized &&
                (*distances)[i].distance == sides[i].distance.distance &&
                ((*insides)[i] != 0) == sides[i].is_inside,
            "other sides together");
}

// ---- one body: health, mass, water

void check_health(const Body& body) {
  const MeshHealth& health = body.health;
  require(health.triangles == body.count(), "a wrong count");
  require(health.status == worst_of(health.findings), "a status that is not the worst finding");
  require((health.unbalanced_edges == 0) == body.is_closed, "closed for one only");
  require(health.self_intersecting_pairs.has_value(), "pairs that were asked for");
  require(is_at_most(0, health.surface_area), "an area below 0");
  require(health.defects.size() <= Body::kHealth.max_defects, "more defects than asked for");
  for (const Defect& defect : health.defects) {
    require(defect.triangle < body.count(), "a triangle that the mesh has not");
    require(defect.at.allFinite(), "a defect that is nowhere");
  }
}

void check_numbers(const MassProperties& mass) {
  const MassError& error = mass.error_bound;
  require(mass.volume >= 0 && mass.mass >= 0, "a volume below 0, or none");
  require(is_error(error.volume) && is_error(error.center_of_mass) && is_error(error.inertia),
          "a bound that is no number");
}

/// Both sums of a closed surface, and what holds of a solid.
void check_mass(const Body& body) {
  const MassProperties tight = mass_properties(body.checked),
                       fast = mass_properties(body.checked, {.precision = Precision::kFast});
  check_numbers(tight);
  check_numbers(fast);
  if (body.is_closed && std::isnormal(tight.volume) && std::isnormal(fast.volume)) {
    const MassError &of_tight = tight.error_bound, &of_fast = fast.error_bound;
    require(!tight.center_of_mass.hasNaN() && !fast.center_of_mass.hasNaN(),
            "a center that is nowhere");
    require(is_near(tight.volume, fast.volume, of_tight.volume + of_fast.volume),
            "volumes farther apart than their bounds");
    for (int i = 0; i < 3; ++i) {
      require(is_near(tight.center_of_mass[i], fast.center_of_mass[i],
                      of_tight.center_of_mass + of_fast.center_of_mass),
              "centers farther apart than their bounds");
      for (int j = 0; j < 3; ++j)
        require(
            is_near(tight.inertia(i, j), fast.inertia(i, j), of_tight.inertia + of_fast.inertia),
            "inertias farther apart than their bounds");
    }
  }
  const MassProperties& mass = body.mass;
  if (!body.is_sound || !std::isnormal(mass.volume)) return;
  const Box3 box = box_of(body.corners);
  const double outside =
      (box.min() - mass.center_of_mass).cwiseMax(mass.center_of_mass - box.max()).maxCoeff();
  require(is_at_most(outside, mass.error_bound.center_of_mass), "a center out of the box");
  const double room = box.sizes().prod();
  if (std::isnormal(room))
    require(is_at_most(mass.volume, with_room(room) + mass.error_bound.volume),
            "a solid larger than its box");
}

/// The wet part by all who tell.
struct WetParts {
  std::array<Submersion, 3> by;

  WetParts(const Body& body, SubmersionTracker& tracker, const WaterPlane& water)
      : by{submersion(body.checked, water), body.solid.submersion(water),
           tracker.submersion(water)} {}

  void check(bool is_sound, const MassProperties& whole) const {
    for (const Submersion& wet : by) {
      require(!std::isnan(wet.volume), "a volume that is no number");
      require(is_error(wet.volume_error), "an error that is no number");
      if (!is_sound) continue;
      require(wet.volume >= 0, "a volume under water below 0");
      require(is_at_most(wet.volume, whole.volume + whole.error_bound.volume + wet.volume_error),
              "more under water than there is");
      require(is_near(wet.volume, by[0].volume, wet.volume_error + by[0].volume_error),
              "volumes farther apart than their errors");
    }
  }
  void check_no_less_than(const WetParts& lower) const {
    for (std::size_t i = 0; i < by.size(); ++i)
      require(is_at_most(lower.by[i].volume,
                         by[i].volume + by[i].volume_error + lower.by[i].volume_error),
              "less under a higher plane");
  }
  void check_whole(const MassProperties& whole) const {
    for (const Submersion& wet : by)
      require(is_near(wet.volume, whole.volume, wet.volume_error + whole.error_bound.volume),
              "another volume of all of it");
  }
  void check_dry() const {
    for (const Submersion& wet : by)
      require(wet.volume == 0 && wet.center_of_buoyancy.isZero(0) && wet.wetted_area == 0 &&
                  wet.waterplane.area == 0,
              "something under water of what is dry");
  }
};

void check_submersion(const Body& body, const WaterPlane& given, double other_offset) {
  SubmersionTracker tracker(body.solid);
  if (!is_plane(given)) {
    for (const Submersion& wet : WetParts(body, tracker, given).by)
      require(std::isnan(wet.volume) && wet.volume_error == kInfinite, "a part under no plane");
    return;
  }
  const auto under = [&](double offset) { return WetParts(body, tracker, {given.normal, offset}); };
  const MassProperties whole = mass_properties(body.checked);
  const bool is_sound = body.is_closed && plimsoll::is_sound(body.health.status);
  const auto [low, high] = std::minmax(given.offset, other_offset);
  const WetParts lower = under(low), higher = under(high);
  lower.check(is_sound, whole);
  higher.check(is_sound, whole);
  if (is_sound) higher.check_no_less_than(lower);
  double farthest = 0;
  for (const Triangle& t : body.mesh.triangles)
    for (const std::uint32_t v : t)
      farthest = std::max(farthest, given.normal.cwiseAbs().dot(body.mesh.vertices[v].cwiseAbs()));
  const double beyond = 2 * farthest;
  if (!(beyond > 1e-290 && beyond < kInfinite)) return;
  under(-beyond).check_dry();
  const WetParts all = under(beyond);
  all.check(is_sound, whole);
  if (is_sound) all.check_whole(whole);
}

/// Forces that do not fit a number are refused.
template <class T>
bool is_lifted(const Result<T>& answer) {
  if (is_answered(answer)) return true;
  require(answer.error().code == ErrorCode::kResourceLimit, "refused without need");
  return false;
}

void check_lift(const Buoyancy& wet) {
  require(wet.volume >= 0 && std::isfinite(wet.volume) && wet.center.allFinite() &&
              wet.lift.allFinite() && wet.lift_moment.allFinite(),
          "a buoyancy that is no number");
}

void check_buoyancy(const Body& body, double height) {
  constexpr double kHighest = 1e60;
  if (!body.is_placed) return;
  const double level = std::clamp(height, -kHighest, kHighest);
  const SurfaceNow still = *FreeSurface::create(StillWater{level})->at(0, 9.8);
  const Result<BuoyantForce> pushed = buoyancy(body.checked, body.pose, still),
                             by_tree = buoyancy(body.solid, body.pose, {Vec3::UnitZ(), level});
  const bool is_pushed = is_lifted(pushed), is_pushed_by_tree = is_lifted(by_tree);
  if (is_pushed) check_lift(pushed->wet);
  if (is_pushed && is_pushed_by_tree && body.is_sound) {
    require(is_at_most(length(pushed->force - by_tree->force),
                       with_room(pushed->force_error + by_tree->force_error)),
            "forces farther apart than their errors");
    require(is_at_most(length(pushed->torque - by_tree->torque),
                       with_room(pushed->torque_error + by_tree->torque_error)),
            "torques farther apart than their errors");
  }
  // Waves longer than the body, so that it is cut into few pieces.
  const double size = box_of(body.corners).sizes().maxCoeff();
  if (!(size > 1e-50 && size < 1e50)) return;
  const Result<FreeSurface> waves =
      FreeSurface::create(Waves{level, {{size / 64, 4 * size, 30, 0.5}}});
  if (!is_answered(waves)) return;
  const Result<SurfaceNow> now = waves->at(0, 9.8);
  if (!is_answered(now)) return;
  const Result<Buoyancy> wet = buoyancy(body.checked, body.pose, *now, 1e-3 * size);
  if (is_lifted(wet)) check_lift(*wet);
}

// ---- what solids share

/// Both bound solids: bounds of volumes nest.
void check_shared(OverlapSearch& search, const TwoBodies& two, const Overlap& shared) {
  const auto& [a, b] = std::tie(two.a, two.b);
  const double most = shared.volume + shared.volume_error,
               least = shared.volume - shared.volume_error;
  for (const Body* body : {&a, &b})
    require(is_at_most(least, body->mass.volume + body->mass.error_bound.volume),
            "more shared than a body holds");
  const auto back = search.overlap(b.solid, b.pose, a.solid, a.pose, {}, kWork);
  if (two.is_taken(back))
    require(is_near(back->volume, shared.volume, back->volume_error + shared.volume_error),
            "another shared volume from the other side");
  if (shared.pieces) {
    double sum = 0, error = 0;
    for (const OverlapPiece& piece : *shared.pieces) {
      require(piece.volume > 0 && is_error(piece.volume_error), "a piece without volume");
      sum += piece.volume;
      error += piece.volume_error;
    }
    require(is_at_most(sum - error, most), "pieces larger than the whole");
  }
  const auto inside = search.lies_in(a.solid, a.pose, b.solid, b.pose, kWork);
  if (two.is_taken(inside) && inside->value_or(false)) {
    const MassProperties& mass = a.mass;
    require(is_near(shared.volume, mass.volume, shared.volume_error + mass.error_bound.volume),
            "a body inside another that shares a part of itself");
  }
}

void check_estimate(OverlapSearch& search, const TwoBodies& two, const Overlap& shared,
                    double max_work) {
  const auto& [a, b] = std::tie(two.a, two.b);
  const auto found = search.estimate(a.solid, a.pose, b.solid, b.pose, {.max_work = max_work});
  if (!two.is_taken(found) || !two.are_sound()) return;
  require(found->lower >= 0 && found->lower <= found->upper, "bounds out of order");
  require(is_error(found->force_error), "an error that is no number");
  require(is_at_most(found->lower, shared.volume + shared.volume_error) &&
              is_at_most(shared.volume - shared.volume_error, found->upper),
          "bounds that do not enclose the volume");
  if (shared.is_one_sided) return;
  const double rounding = 1e-9 * (shared.patch_areas[0] + shared.patch_areas[1]);
  require(
      is_at_most(length(found->force_a - shared.force_a), with_room(found->force_error) + rounding),
      "a force farther off than its error");
}

void check_separation(OverlapSearch& search, const TwoBodies& two) {
  const auto& [a, b] = std::tie(two.a, two.b);
  const auto found = separation(search, a.solid, a.pose, b.solid, b.pose);
  if (!is_answered(found)) return;  // also where poses are rounded far
  require(is_near(found->length, length(found->translation), 1e-12 * found->length),
          "another length");
  Similarity moved = a.pose;
  moved.translation() += found->translation;
  const auto after = search.overlap(a.solid, moved, b.solid, b.pose, {}, kWork);
  if (is_answered(after)) require(!after->overlaps, "bodies that still share volume");
}

void check_contact(const TwoBodies& two, bool overlaps, const ContactOptions& options) {
  const auto& [a, b] = std::tie(two.a, two.b);
  ContactSearch search;
  const auto found = search.forces(a.solid, a.pose, b.solid, b.pose, options, kWork);
  if (!two.is_taken(found)) return;
  require(found->overlaps == overlaps, "contact without an overlap, or none with one");
  require(found->energy.has_value() == options.energy, "an energy that was not asked for, or was");
  if (!overlaps)
    require(found->force_a.isZero(0) && found->area == 0 && found->points.empty(),
            "a force where nothing is shared");
  if (!two.is_usual) return;
  require(found->force_a.allFinite() && found->torque_a.allFinite() && found->force_b.allFinite() &&
              found->torque_b.allFinite(),
          "a force that is no number");
  require(found->area >= 0, "an area below 0");
  require(!found->energy || std::isfinite(*found->energy), "an energy that is no number");
  require(is_at_most(length(found->force_a + found->force_b), 1e-12 * length(found->force_a)),
          "forces that are not opposite");
  Vec3 sum = Vec3::Zero();
  double pushes = 0;
  for (const ContactPoint& point : found->points) {
    require(point.area >= 0 && point.push >= 0 && point.pressed >= 0, "a point that pulls");
    sum += point.push * point.way;
    pushes += point.push;
  }
  if (options.points)
    require(is_at_most(length(sum - found->force_a), 1e-9 * pushes), "points of another force");
}

void check_overlap(const TwoBodies& two, const std::optional<Containment>& inside, Bytes& bytes) {
  const auto& [a, b] = std::tie(two.a, two.b);
  const std::uint8_t choice = bytes.byte();
  OverlapSearch search;
  const OverlapParts parts{
      .contacts = true, .curve = true, .second_derivative = true, .pieces = true};
  const auto shared = search.overlap(a.solid, a.pose, b.solid, b.pose, parts, kWork);
  if (!two.are_closed()) {
    // Equal vertices count as one: it may be closed all the same.
    static_cast<void>(is_answered(shared));
    return;
  }
  if (!two.is_taken(shared)) return;
  require(shared->volume >= 0 && is_error(shared->volume_error), "a volume that is no number");
  require(shared->overlaps || shared->volume == 0, "a volume of what does not overlap");
  require(shared->center.has_value() == (shared->volume > shared->volume_error),
          "a center of what may be nothing, or none");
  if (!shared->force_a.hasNaN())
    require(shared->force_b == -shared->force_a, "forces that are not opposite");
  require(is_at_most(0, shared->curve_length), "a length below 0");
  if (two.is_usual)
    require(shared->force_a.allFinite() && shared->torque_a.allFinite() &&
                shared->torque_b.allFinite() && std::isfinite(shared->curve_length),
            "a force that is no number");
  if (two.are_sound()) {
    check_shared(search, two, *shared);
    if (inside == Containment::kNone)
      require(!shared->overlaps, "an overlap of surfaces and solids that are apart");
  }
  constexpr double kBudgets[] = {0, 5, 50, 1e5};
  check_estimate(search, two, *shared, kBudgets[choice % 4]);
  const bool are_small = a.count() <= 4 && b.count() <= 4;
  if (choice / 4 % 4 == 0 && are_small && two.are_sound()) check_separation(search, two);
  if (choice / 16 % 2 == 0)
    check_contact(two, shared->overlaps,
                  {.potential = choice / 32 % 4 == 0 && are_small ? ContactPotential::kLesserDepth
                                                                  : ContactPotential::kMeanDepth,
                   .points = true,
                   .energy = choice / 128 == 0 && are_small});
}

// ---- culled by visibility

void check_culling(const TwoBodies& two, const std::optional<Pairs>& touching,
                   const std::optional<Pairs>& near, double distance, Bytes& bytes) {
  const std::uint8_t choice = bytes.byte();
  const bool asks_for_near = choice % 4 == 0 && near && std::isfinite(distance);
  CullOptions options;
  options.resolution = CullOptions::kMinResolution + choice / 4 % 32;
  options.part_triangles = 1 + choice % 3;
  options.within = asks_for_near ? distance : 0;
  options.refines_triangles = bytes.below(2) == 0;
  options.remembers_passes = bytes.below(2) == 0;
  options.from_both_ends = bytes.below(2) == 0;
  options.most_rounds = 8;
  options.keeps_views = bytes.below(2) == 0;
  options.max_pixels = 2e6;
  const std::array<CullBody, 2> bodies{{{two.a.checked, two.a.pose}, {two.b.checked, two.b.pose}}};
  const Result<Culling> left = cull_by_scanline(bodies, options);
  if (!two.is_taken(left)) return;
  require(left->surviving.size() == 2, "a wrong count");
  const Result<std::vector<CulledPairs>> found = culled_pairs(bodies, *left, kWork);
  if (!two.is_taken(found)) return;
  require(found->size() <= 1, "pairs of more bodies than there are");
  const Pairs pairs = found->empty() ? Pairs{} : found->front().pairs;
  check_ascending(pairs, two.a.count(), two.b.count());
  const std::optional<Pairs>& expected = asks_for_near ? near : touching;
  if (expected && two.are_exact())
    require(pairs == *expected, "other pairs than those that were searched for");
}

// ---- spheres

struct Spheres {
  std::vector<PlacedSphere> inner;
  std::optional<SphereTree> tree;
};

/// Of the mesh as it was given.
void check_packing(const Body& body, const SpherePacking& packing, std::size_t most) {
  require(packing.spheres.size() <= most, "more spheres than were asked for");
  require(!body.is_sound || packing.coverage >= 0, "a share below 0, or none");
  require(packing.largest_protrusion >= 0, "a length below 0, or none");
  Box3 box;
  for (const Triangle& t : body.mesh.triangles)
    for (const std::uint32_t v : t) box.extend(body.mesh.vertices[v]);
  const double size = box.sizes().maxCoeff() +
                      0x1p-10 * box.min().cwiseAbs().cwiseMax(box.max().cwiseAbs()).maxCoeff();
  const double room = 1e-9 * size;
  for (std::size_t i = 0; i < packing.spheres.size(); ++i) {
    const auto& [center, radius] = packing.spheres[i];
    require(radius > 0, "a sphere without size");
    const double outside = (box.min() - center).cwiseMax(center - box.max()).maxCoeff() + radius;
    require(is_at_most(outside, room), "a sphere that leaves the box");
    for (std::size_t j = 0; j < i; ++j)
      require(is_at_most(radius + packing.spheres[j].radius,
                         length(center - packing.spheres[j].center) + room),
              "spheres that overlap");
  }
}

/// Whether searches for spheres end soon: not in slivers.
bool is_thick(const Body& body) {
  if (!body.is_sound || !body.own.are_usual()) return false;
  const double room = body.solid.box().sizes().prod();
  return std::fabs(body.solid.signed_volume()) > 0.02 * room;
}

/// A few balls that contain all corners at least.
void check_cover(const Body& body, const ClosedMesh& solid) {
  int calls = 0;
  const Result<SphereCover> cover =
      cover_with_spheres(solid, {.max_count = 2, .progress = [&](double) { return ++calls < 3; }});
  if (!is_answered(cover)) return;
  require(!cover->spheres.empty() && cover->spheres.size() <= 2, "a wrong count");
  require(cover->largest_protrusion >= 0, "a length below 0");
  for (const Triangle& t : body.mesh.triangles)
    for (const std::uint32_t v : t) {
      const Vec3& corner = body.mesh.vertices[v];
      require(std::any_of(cover->spheres.begin(), cover->spheres.end(),
                          [&](const PlacedSphere& sphere) {
                            return (corner - sphere.center).norm() <= (1 + 1e-9) * sphere.radius;
                          }),
              "a corner that no sphere covers");
    }
}

Spheres check_spheres(const Body& body, Bytes& bytes) {
  constexpr std::size_t kMost = 6;
  Spheres spheres;
  const Result<ClosedMesh> solid = ClosedMesh::from_triangles(body.mesh);
  const std::uint8_t choice = bytes.byte();
  if (!solid) return spheres;
  const Result<SpherePacking> packing =
      pack_spheres_on_lattice(*solid, 4 + choice % 4, {.max_count = kMost});
  if (is_answered(packing)) {
    check_packing(body, *packing, kMost);
    SphereTreeOptions options;
    options.branching = 2 + choice / 4 % 4;
    options.secondary = static_cast<SecondaryRadii>(choice / 16 % 3);
    options.resolution = 4;
    Result<SphereTree> tree = SphereTree::create(*solid, packing->spheres, options);
    if (is_answered(tree)) {
      require(tree->spheres().size() == packing->spheres.size(), "a wrong count");
      spheres = {packing->spheres, *std::move(tree)};
    }
  }
  if (!is_thick(body)) return spheres;
  if (choice / 64 == 1) {
    const Result<SpherePacking> free = pack_spheres(*solid, {.max_count = 3});
    if (is_answered(free)) check_packing(body, *free, 3);
  }
  if (choice / 64 == 2) check_cover(body, *solid);
  return spheres;
}

/// A ball around all of a mesh.
PlacedSphere ball_around(const Body& body) {
  const Box3 box = body.solid.box();
  return {box.center(), with_room(length(box.sizes() / 2)) +
                            1e-12 * box.min().cwiseAbs().cwiseMax(box.max().cwiseAbs()).maxCoeff()};
}

void check_sphere_search(const TwoBodies& two, const Spheres& of_a, const Spheres& of_b,
                         const std::optional<Pairs>& touching,
                         const std::optional<SurfaceDistance>& surfaces,
                         const std::optional<Containment>& inside) {
  if (!of_a.tree || !of_b.tree) return;
  const auto& [a, b] = std::tie(two.a, two.b);
  const bool are_apart = two.are_sound() && surfaces && inside == Containment::kNone;
  SphereSearch search;
  const Result<bool> meet = search.spheres_meet(*of_a.tree, a.pose, *of_b.tree, b.pose);
  require(is_answered(meet), "refused without need");
  if (are_apart) require(!*meet, "spheres of solids that are apart");
  const auto distance = search.distance(*of_a.tree, a.pose, *of_b.tree, b.pose);
  if (is_answered(distance)) {
    require(distance->lower >= 0 && distance->lower <= distance->upper, "bounds out of order");
    if (are_apart)
      require(is_at_most(distance->lower, with_room(surfaces->upper)) &&
                  is_at_most(surfaces->lower, with_room(distance->upper)),
              "bounds that exclude the distance");
  }
  const auto triangles = search.touching_triangles(*of_a.tree, a.pose, *of_b.tree, b.pose, kWork);
  if (is_answered(triangles) && touching)
    require(holds_all(*touching, Pairs(triangles->begin(), triangles->end())),
            "triangles that do not touch");
  const auto shared = search.volume(*of_a.tree, a.pose, *of_b.tree, b.pose);
  if (is_answered(shared)) {
    require(shared->lower >= 0 && shared->lower <= shared->upper, "bounds out of order");
    if (are_apart) require(is_at_most(shared->lower, 0), "a volume that solids apart share");
  }
  const PlacedSphere around_a = ball_around(a), around_b = ball_around(b);
  const auto bounds =
      distance_bounds({of_a.inner, {&around_a, 1}}, a.pose, {of_b.inner, {&around_b, 1}}, b.pose);
  if (!is_answered(bounds)) return;
  require(bounds->lower >= 0 && bounds->lower <= bounds->upper, "bounds out of order");
  if (are_apart)
    require(is_at_most(bounds->lower, with_room(surfaces->upper)) &&
                is_at_most(surfaces->lower, with_room(bounds->upper)),
            "bounds that exclude the distance");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Bytes bytes({data, size});
  const auto quality = static_cast<TreeQuality>(bytes.below(3));
  Numbers of_a(bytes);
  TriangleMesh mesh_a = fuzz::tiny_mesh(bytes, of_a, {});
  Numbers of_b(bytes);
  TriangleMesh mesh_b = fuzz::tiny_mesh(bytes, of_b, mesh_a.vertices);
  const Similarity pose = fuzz::tiny_pose(bytes, of_a);
  const Body a(std::move(mesh_a), pose, quality);
  const Body b(std::move(mesh_b), Similarity::Identity(), quality);
  const TwoBodies two(a, b);

  for (const Body* body : {&a, &b}) {
    check_health(*body);
    check_mass(*body);
  }
  const std::optional<Pairs> touching = check_pairs(two);
  const std::optional<SurfaceDistance> surfaces = check_distances(two, touching);
  const std::optional<Containment> inside = check_containment(two, surfaces);
  const double distance = std::fabs(of_b.next());
  const std::optional<Pairs> near = check_near(two, touching, distance);

  const std::array points{a.corners[0][0], of_a.point(), of_b.point()};
  check_probe(a, points, of_a.point());
  const WaterPlane water{of_a.point(), of_b.next()};
  check_submersion(b, water, of_b.next());
  check_buoyancy(a, water.offset);
  check_overlap(two, inside, bytes);
  check_culling(two, touching, near, distance, bytes);
  if (bytes.below(4) == 1) {
    const Spheres spheres_a = check_spheres(a, bytes), spheres_b = check_spheres(b, bytes);
    check_sphere_search(two, spheres_a, spheres_b, touching, surfaces, inside);
  }
  return 0;
}
