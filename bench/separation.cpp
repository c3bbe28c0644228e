// How short the ways are by which `separation` parts two bodies, beside the least: of convex bodies
// by an exact argument, with libccd's beside it; of others by a search over 10,000 directions.
// Prints a CSV to stdout; README.md tells how to read it.
//
//   separation [--only BODIES] [--rounds PAIRS]
#include <ccd/ccd.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/parallel.h>
#include <plimsoll/separation.h>
#include <plimsoll/version.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "checked.h"
#include "harness.h"
#include "options.h"
#include "support/cells.h"
#include "support/convex_bodies.h"
#include "support/mesh_parts.h"
#include "support/random_mesh.h"

namespace plimsoll::bench {
namespace {

using plimsoll::Random;

struct Body {
  explicit Body(TriangleMesh of) : mesh(std::move(of)), solid(MeshTree(checked(mesh))) {}

  TriangleMesh mesh;
  SolidTree solid;
};

/// Two bodies that share volume.
struct Pair {
  Body a, b;
  Similarity world_from_a, world_from_b;
};

bool meet(OverlapSearch& search, const Pair& pair, const Vec3& translation) {
  Similarity world_from_a = pair.world_from_a;
  world_from_a.translation() += translation;
  const Result<Overlap> found = search.overlap(pair.a.solid, world_from_a, pair.b.solid,
                                               pair.world_from_b, {.volume = false});
  return found && found->overlaps;
}

using Make = std::function<TriangleMesh(Random&)>;

/// Turned at random, of sizes up to a factor of two apart.
Pair random_pair(const Make& make, OverlapSearch& search, Random& random) {
  while (true) {
    Pair pair{Body(make(random)), Body(make(random)),
              test::random_similarity(random, 1.5, random.uniform(0.5, 1)),
              test::random_similarity(random, 0)};
    if (meet(search, pair, Vec3::Zero())) return pair;
  }
}

/// A prism over a star of `points` points: its outline goes to and fro between two radii.
TriangleMesh star(std::uint32_t points, double inner, double height) {
  TriangleMesh mesh{{{0, 0, 0}, {0, 0, height}}, {}};
  const std::uint32_t corners = 2 * points;
  for (std::uint32_t k = 0; k < corners; ++k) {
    const double angle = std::numbers::pi * k / points, radius = k % 2 == 0 ? 1 : inner;
    for (const double z : {0.0, height})
      mesh.vertices.emplace_back(radius * std::cos(angle), radius * std::sin(angle), z);
    const std::uint32_t low = 2 + 2 * k, next = 2 + 2 * ((k + 1) % corners);
    mesh.triangles.insert(
        mesh.triangles.end(),
        {{0, next, low}, {1, low + 1, next + 1}, {low, next, next + 1}, {low, next + 1, low + 1}});
  }
  return mesh;
}

/// Centered, with the longest side of its box 2.
TriangleMesh to_size(TriangleMesh mesh) {
  const Box3 box = bounding_box(checked(mesh));
  for (Vec3& v : mesh.vertices) v = 2 / box.sizes().maxCoeff() * (v - box.center());
  return mesh;
}

/// Squares of a plan, joined over their sides.
TriangleMesh plan(std::vector<std::string_view> rows, double height) {
  TriangleMesh mesh = test::cells(rows);
  for (Vec3& v : mesh.vertices) v.z() *= height;
  return mesh;
}

/// Boxes side by side, some of which touch.
TriangleMesh towers(Random& random) {
  TriangleMesh mesh;
  for (int x = 0; x < 3; ++x)
    for (int y = 0; y < 3; ++y) {
      if (random.below(3) == 0) continue;
      const Vec3 size(random.uniform(0.5, 1), random.uniform(0.5, 1), random.uniform(0.5, 3));
      mesh = test::joined(mesh, test::moved(make_box(size), Vec3(x, y, 0) + size / 2));
    }
  return mesh.triangles.empty() ? make_box({1, 1, 1}) : mesh;
}

/// One of the bodies that are not convex, of 28 to 500 triangles.
TriangleMesh random_body(Random& random) {
  switch (random.below(9)) {
    case 0:
      return to_size(make_torus_knot({.tube = 0.25}, 48, 5));
    case 1:
      return to_size(make_torus(1, random.uniform(0.2, 0.5), 16, 8));
    case 2:
      return to_size(make_bumpy_sphere(1, 0.5, 10, 16, random.next()));
    case 3:
      return to_size(plan({"#...", "#...", "####"}, random.uniform(0.5, 3)));
    case 4:
      return to_size(plan({"#.#.#.#", "#.#.#.#", "#######"}, random.uniform(0.5, 4)));
    case 5:
      return to_size(plan({".#..", "####", ".#.."}, random.uniform(0.5, 3)));
    case 6:
      return to_size(star(5 + static_cast<std::uint32_t>(random.below(8)), random.uniform(0.3, 0.7),
                          random.uniform(0.3, 2)));
    case 7: {
      std::vector<Vec3> helix;
      for (int i = 0; i <= 32; ++i)
        helix.emplace_back(std::cos(0.5 * i), std::sin(0.5 * i), 0.08 * i);
      return to_size(make_tube(helix, random.uniform(0.08, 0.18), 6));
    }
    default:
      return to_size(towers(random));
  }
}

/// What libccd asks of a body.
struct Hull {
  std::vector<Vec3> vertices;
};
void support_of(const void* hull, const ccd_vec3_t* direction, ccd_vec3_t* farthest) {
  const Vec3 along(direction->v[0], direction->v[1], direction->v[2]);
  const std::vector<Vec3>& vertices = static_cast<const Hull*>(hull)->vertices;
  const Vec3& v =
      *std::max_element(vertices.begin(), vertices.end(),
                        [&](const Vec3& x, const Vec3& y) { return x.dot(along) < y.dot(along); });
  ccdVec3Set(farthest, v.x(), v.y(), v.z());
}

/// The depth by the expanding polytopes of libccd, to 1e-6; infinite where it finds none.
double depth_of_ccd(const Hull& a, const Hull& b) {
  ccd_t settings;
  CCD_INIT(&settings);
  settings.support1 = settings.support2 = support_of;
  settings.max_iterations = 1000;
  settings.epa_tolerance = 1e-6;
  ccd_real_t depth = 0;
  ccd_vec3_t direction, place;
  const int failed = ccdGJKPenetration(&a, &b, &settings, &depth, &direction, &place);
  return failed == 0 ? depth : std::numeric_limits<double>::infinity();
}

/// The least way over 10,000 directions, and over directions nearer and nearer to the best. The way
/// along a direction ends where nothing is shared for the first time, as far as two lengths tell:
/// the best one so far, and half of it. Halving finds where that begins.
double searched(OverlapSearch& search, const Pair& pair, Random& random) {
  double best = 0;
  for (const Body* body : {&pair.a, &pair.b}) best += body->solid.box().diagonal().norm();
  best += (pair.world_from_a.translation() - pair.world_from_b.translation()).norm();
  Vec3 best_direction = Vec3::UnitX();
  const auto look_along = [&](const Vec3& direction) {
    for (const double part : {0.5, 1 - 1e-6}) {
      double low = 0, high = part * best;
      if (meet(search, pair, high * direction)) continue;
      while (high - low > 1e-9 * high) {
        const double middle = (low + high) / 2;
        (meet(search, pair, middle * direction) ? low : high) = middle;
      }
      best = high;
      best_direction = direction;
      return;
    }
  };
  for (int i = 0; i < 10'000; ++i) look_along(test::random_vector(random).normalized());
  for (const double angle : {0.02, 0.005, 0.001})
    for (int i = 0; i < 100; ++i)
      look_along((best_direction + angle * test::random_vector(random)).normalized());
  return best;
}

/// What one system found, over the least.
class Ratios {
 public:
  void add(double length, double least, double seconds) {
    ratios_.push_back(length / least);
    seconds_.push_back(seconds);
  }
  void print(const std::string& bodies, const char* system, const char* against) const {
    const auto percent_up_to = [&](double most) {
      const auto count = std::count_if(ratios_.begin(), ratios_.end(),
                                       [=](double ratio) { return ratio <= most; });
      return 100 * static_cast<double>(count) / static_cast<double>(ratios_.size());
    };
    const double shorter = percent_up_to(1 - kEqual);
    std::printf("%s,%zu,%s,%s,%.1f,%.1f,%.1f,%.1f,%.4f,%.4f,%.4f,%.4g,%.4g\n", bodies.c_str(),
                ratios_.size(), system, against, shorter, percent_up_to(1 + kEqual) - shorter,
                percent_up_to(1.01), percent_up_to(1.1), quantile(ratios_, 0),
                quantile(ratios_, 0.99), quantile(ratios_, 1), 1e3 * quantile(seconds_, 0.5),
                1e3 * quantile(seconds_, 0.99));
    std::fflush(stdout);
  }

 private:
  static constexpr double kEqual = 1e-5;  // of the length

  std::vector<double> ratios_, seconds_;
};

template <class Find>
void add_timed(Ratios& ratios, double least, const Find& find) {
  const double start = seconds_now(1);
  const double length = find();
  ratios.add(length, least, seconds_now(1) - start);
}

double length_of_ours(OverlapSearch& search, const Pair& pair) {
  const Result<Separation> found =
      separation(search, pair.a.solid, pair.world_from_a, pair.b.solid, pair.world_from_b);
  return found ? found->length : std::numeric_limits<double>::infinity();
}

void print_convex(const std::string& bodies, const Make& make, int pairs) {
  OverlapSearch search;
  Random random(7);
  Ratios ours, ccd;
  for (int i = 0; i < pairs; ++i) {
    const Pair pair = random_pair(make, search, random);
    const TriangleMesh a = posed(pair.a.mesh, pair.world_from_a),
                       b = posed(pair.b.mesh, pair.world_from_b);
    const double least = test::least_separation(a, b);
    add_timed(ours, least, [&] { return length_of_ours(search, pair); });
    const Hull hull_a{a.vertices}, hull_b{b.vertices};
    add_timed(ccd, least, [&] { return depth_of_ccd(hull_a, hull_b); });
  }
  ours.print(bodies, "ours", "exact");
  ccd.print(bodies, "libccd", "exact");
}

void print_searched(const std::string& bodies, const Make& make, int pairs) {
  OverlapSearch search;
  Random random(8);
  Ratios ours;
  for (int i = 0; i < pairs; ++i) {
    const Pair pair = random_pair(make, search, random);
    const double least = searched(search, pair, random);
    add_timed(ours, least, [&] { return length_of_ours(search, pair); });
  }
  ours.print(bodies, "ours", "search");
}

Result<void> run(const Options& options) {
  std::puts(
      "bodies,pairs,system,against,shorter_percent,equal_percent,within_1_percent,within_10_"
      "percent,"
      "ratio_least,ratio_99,ratio_worst,ms_median,ms_99");
  const auto is_wanted = [&](const char* bodies) {
    return options.only.empty() || options.only == bodies;
  };
  if (is_wanted("boxes"))
    print_convex(
        "boxes",
        [](Random& random) {
          return make_box(2 * (Vec3::Constant(0.6) + 0.4 * test::random_vector(random)));
        },
        options.rounds);
  for (const std::size_t points : {8, 16, 64}) {
    const std::string name = "hulls_" + std::to_string(points);
    if (is_wanted(name.c_str()))
      print_convex(
          name, [=](Random& random) { return test::random_hull(random, points); }, options.rounds);
  }
  if (is_wanted("not_convex")) print_searched("not_convex", random_body, options.rounds);
  return {};
}

}  // namespace
}  // namespace plimsoll::bench

int main(int argc, char** argv) {
  using namespace plimsoll::bench;
  const std::optional<Options> options = options_of(argc, argv, 1000);
  if (!options) return 2;
  std::fprintf(stderr, "plimsoll %s, %s\n", plimsoll::version().c_str(),
               plimsoll::simd_level().c_str());
  print_load();
  plimsoll::Result<void> done;
  plimsoll::with_threads(1, [&] { done = run(*options); });
  return exit_code(done);
}
