// The nearest point of a surface and what a ray meets first, by Plimsoll and others, side by side
// in one process; README.md tells how to read the figures. Prints a CSV to stdout, and to stderr
// what it does and which answers are wrong.
//
//   surface_probe [--cache DIR] [--only SCENARIO] [--rounds N]   nanoseconds per question
#include <plimsoll/surface_queries.h>
#include <plimsoll/version.h>

#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "bunnies.h"
#include "checked.h"
#include "harness.h"
#include "options.h"
#include "probe_systems.h"
#include "water_planes.h"

namespace plimsoll::bench {
namespace {

volatile double sink;  // what is computed must look used

constexpr std::size_t kQuestions = 4096;
constexpr double kInfinite = std::numeric_limits<double>::infinity();

template <class Value>
Value value_of(Result<Value> result) {
  if (!result) std::abort();
  return std::move(*result);
}

/// A body as it lies in its file, and a probe of it.
struct Body {
  explicit Body(TriangleMesh from)
      : mesh(std::move(from)),
        tree(checked(mesh)),
        probe(value_of(SurfaceProbe::of(tree))),
        size(tree.box().sizes().maxCoeff()) {}

  TriangleMesh mesh;
  MeshTree tree;
  SurfaceProbe probe;
  double size;
};

Vec3 on_surface(const TriangleMesh& mesh, Random& random) {
  const auto number =
      static_cast<std::size_t>(random.number() * static_cast<double>(mesh.triangles.size()));
  const auto& [a, b, c] = mesh.triangles[number];
  return (mesh.vertices[a] + mesh.vertices[b] + mesh.vertices[c]) / 3;
}

/// Each in a direction of its own from a random triangle, some sizes away.
std::vector<Vec3> points_away(const Body& body, double sizes) {
  Random random(1);
  std::vector<Vec3> points;
  for (std::size_t i = 0; i < kQuestions; ++i)
    points.push_back(on_surface(body.mesh, random) + sizes * body.size * random.direction());
  return points;
}

/// From a sphere twice as wide as the box, toward random points of the box.
std::vector<Ray> rays_inward(const Body& body) {
  Random random(2);
  std::vector<Ray> rays;
  const Box3 box = body.tree.box();
  for (std::size_t i = 0; i < kQuestions; ++i) {
    const Vec3 from = box.center() + box.diagonal().norm() * random.direction();
    const Vec3 part(random.number(), random.number(), random.number());
    const Vec3 to = box.min() + part.cwiseProduct(box.sizes());
    rays.push_back({from, (to - from).normalized()});
  }
  return rays;
}

/// The rows of one list of questions.
class Table {
 public:
  Table(std::string scenario, const Body& body)
      : scenario_(std::move(scenario)), triangles_(body.mesh.triangles.size()), size_(body.size) {}

  /// One question after the other, from call to call; the first row is ours.
  template <class Question>
  void add(const std::string& name, const std::vector<Question>& questions,
           const std::function<double(const Question&)>& ask, double tolerance) {
    std::vector<double> answers;
    for (const Question& question : questions) answers.push_back(ask(question));
    if (expected_.empty()) expected_ = answers;
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < answers.size(); ++i)
      if (answers[i] != expected_[i] && !(std::abs(answers[i] - expected_[i]) <= tolerance * size_))
        ++wrong;
    if (wrong > 0)
      std::fprintf(stderr, "%s: %s: %zu of %zu answers are off by more than %g of the size\n",
                   scenario_.c_str(), name.c_str(), wrong, answers.size(), tolerance);
    const bool is_wrong = wrong > answers.size() / 1000;
    rows_.push_back({name + (is_wrong ? " (wrong)" : ""), 1, 0,
                     [&questions, ask, next = std::size_t{0}]() mutable {
                       sink = ask(questions[next]);
                       if (++next == questions.size()) next = 0;
                     }});
    questions_.push_back(1);
  }

  /// All questions in one call, on one thread and on two.
  void add_batch(const std::function<void()>& ask_all) {
    for (const int threads : {1, 2}) {
      rows_.push_back({"batch", threads, 0, ask_all});
      questions_.push_back(kQuestions);
    }
  }

  void time_and_print(int rounds) const {
    std::vector<double> seconds = time_interleaved(rows_, rounds);
    for (std::size_t i = 0; i < rows_.size(); ++i) seconds[i] /= questions_[i];
    for (std::size_t i = 0; i < rows_.size(); ++i)
      std::printf("%s,%zu,%s,%d,%.4g,%.4g\n", scenario_.c_str(), triangles_,
                  rows_[i].system.c_str(), rows_[i].threads, 1e9 * seconds[i],
                  seconds[i] / seconds[0]);
    std::fflush(stdout);
  }

 private:
  std::string scenario_;
  std::size_t triangles_;
  double size_;
  std::vector<double> expected_;
  std::vector<Row> rows_;
  std::vector<double> questions_;
};

void run_points(const std::string& scenario, Body& body, double sizes, int rounds) {
  const std::vector<Vec3> points = points_away(body, sizes);
  const PointSystem cgal = cgal_point_system(body.mesh);
  Table table(scenario, body);
  table.add<Vec3>(
      "probe", points, [&](const Vec3& p) { return value_of(body.probe.nearest(p)).distance; }, 0);
  table.add<Vec3>(cgal.name, points, cgal.distance, cgal.tolerance);
  table.add_batch([&] {
    sink = value_of(nearest_on_surface(body.tree, Similarity::Identity(), points)).back().distance;
  });
  table.time_and_print(rounds);
}

void run_rays(const std::string& scenario, Body& body, int rounds) {
  const std::vector<Ray> rays = rays_inward(body);
  const RaySystem embree = embree_ray_system(body.mesh);
  Table table(scenario, body);
  table.add<Ray>(
      "probe", rays,
      [&](const Ray& ray) {
        const std::optional<RayHit> hit = value_of(body.probe.first_hit(ray));
        return hit ? hit->along : kInfinite;
      },
      0);
  table.add<Ray>(embree.name, rays, embree.along, embree.tolerance);
  table.add_batch([&] {
    sink = value_of(first_hits(body.tree, Similarity::Identity(), rays)).front() ? 1 : 0;
  });
  table.time_and_print(rounds);
}

Result<void> run_all(const Options& options) {
  std::fprintf(stderr, "plimsoll %s, %s\n", version().c_str(), simd_level().c_str());
  print_load();
  std::puts("scenario,triangles,system,threads,ns_per_question,ratio_to_ours");
  for (const Scenario& scenario : {bunny("bunny_5k", options.cache, 5000),
                                   Scenario{"bunny_75k", [&] { return read_scan(options.cache); }},
                                   bunny("bunny_700k", options.cache, 43750, 2)}) {
    if (!options.only.empty() && options.only != scenario.name) continue;
    Result<TriangleMesh> mesh = scenario.make();
    if (!mesh) return mesh.error();
    Body body(std::move(*mesh));
    run_points(scenario.name + "_points_near", body, 0.01, options.rounds);
    run_points(scenario.name + "_points_far", body, 1, options.rounds);
    run_rays(scenario.name + "_rays", body, options.rounds);
  }
  return {};
}

}  // namespace
}  // namespace plimsoll::bench

int main(int argc, char** argv) {
  return plimsoll::bench::run_with_options(argc, argv, plimsoll::bench::run_all);
}
