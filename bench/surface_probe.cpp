// The nearest point of a surface, on which side of it a point is, and what a ray meets first, by
// Plimsoll and others, side by side in one process; README.md tells how to read the figures. Prints
// a CSV to stdout, and to stderr what it does and which answers are wrong.
//
//   surface_probe [--cache DIR] [--only SCENE] [--rounds N]   nanoseconds per question
//   surface_probe on_request SCENE FOLDER [--cache DIR]       for other languages: writes the mesh,
//       questions and answers, tells how many triangles there are, the size, and the lists, and
//       then answers each line that comes in with nanoseconds per question, one at a time and in
//       batches
#include <plimsoll/surface_queries.h>
#include <plimsoll/version.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "got.h"
#include "harness.h"
#include "options.h"
#include "probe_questions.h"
#include "probe_systems.h"
#include "write_bytes.h"

namespace plimsoll::bench {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr double kNear = 0.01, kFar = 1;  // in sizes

/// Answers all questions of a list.
using AskAll = std::function<void(std::span<double>)>;

template <class Question, class Ask>
AskAll one_by_one(const std::vector<Question>& questions, Ask ask) {
  return [&questions, ask = std::move(ask)](std::span<double> answers) {
    for (std::size_t i = 0; i < questions.size(); ++i) answers[i] = ask(questions[i]);
  };
}

double along_of(const std::optional<RayHit>& hit) { return hit ? hit->along : kInfinite; }

// What Plimsoll is asked, one at a time and in batches.

AskAll distances(SurfaceProbe& probe, const std::vector<Vec3>& points) {
  return one_by_one(points,
                    [&](const Vec3& p) { return got(probe.nearest(p), "nearest").distance; });
}
AskAll distances(const MeshTree& tree, const std::vector<Vec3>& points) {
  return [&](std::span<double> answers) {
    const auto found = got(nearest_on_surface(tree, Similarity::Identity(), points), "batch");
    for (std::size_t i = 0; i < found.size(); ++i) answers[i] = found[i].distance;
  };
}
AskAll signed_distances(SurfaceProbe& probe, const std::vector<Vec3>& points) {
  return one_by_one(points,
                    [&](const Vec3& p) { return got(probe.signed_distance(p), "sign").distance; });
}
AskAll signed_distances(const MeshTree& tree, const std::vector<Vec3>& points) {
  return [&](std::span<double> answers) {
    const auto found = got(signed_distance(tree, Similarity::Identity(), points), "batch");
    for (std::size_t i = 0; i < found.size(); ++i) answers[i] = found[i].distance;
  };
}
AskAll hits(SurfaceProbe& probe, const std::vector<Ray>& rays) {
  return one_by_one(
      rays, [&](const Ray& ray) { return along_of(got(probe.first_hit(ray), "first_hit")); });
}
AskAll hits(const MeshTree& tree, const std::vector<Ray>& rays) {
  return [&](std::span<double> answers) {
    const auto found = got(first_hits(tree, Similarity::Identity(), rays), "batch");
    for (std::size_t i = 0; i < found.size(); ++i) answers[i] = along_of(found[i]);
  };
}

SurfaceProbe probe_of(const ProbedBody& body) {
  return got(SurfaceProbe::of(body.tree), "SurfaceProbe::of");
}

/// The rows of one list of questions. A call of a row is a pass through the whole list, so that all
/// systems answer the same questions in each round.
class Table {
 public:
  Table(std::string scenario, const ProbedBody& body, std::size_t questions)
      : scenario_(std::move(scenario)),
        triangles_(body.mesh.triangles.size()),
        size_(body.size),
        answers_(std::make_shared<std::vector<double>>(questions)) {}

  /// The first row is ours, which the others are compared with, without their sign. `tolerance` is
  /// in sizes.
  void add(const std::string& name, const AskAll& ask_all, double tolerance,
           std::initializer_list<int> threads = {1}) {
    ask_all(*answers_);
    if (expected_.empty()) expected_ = *answers_;
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < expected_.size(); ++i) {
      const double answer = std::abs((*answers_)[i]);
      if (answer != expected_[i] && !(std::abs(answer - expected_[i]) <= tolerance * size_))
        ++wrong;
    }
    if (wrong > 0)
      std::fprintf(stderr, "%s: %s: %zu of %zu answers are off by more than %g of the size\n",
                   scenario_.c_str(), name.c_str(), wrong, expected_.size(), tolerance);
    const bool is_wrong = wrong > expected_.size() / 1000;
    for (const int count : threads)
      rows_.push_back({name + (is_wrong ? " (wrong)" : ""), count, 0,
                       [ask_all, answers = answers_] { ask_all(*answers); }});
  }

  void time_and_print(int rounds) const {
    const std::vector<double> seconds = time_interleaved(rows_, rounds);
    for (std::size_t i = 0; i < rows_.size(); ++i)
      std::printf("%s,%zu,%s,%d,%.4g,%.4g\n", scenario_.c_str(), triangles_,
                  rows_[i].system.c_str(), rows_[i].threads,
                  1e9 * seconds[i] / static_cast<double>(expected_.size()),
                  seconds[i] / seconds[0]);
    std::fflush(stdout);
  }

 private:
  std::string scenario_;
  std::size_t triangles_;
  double size_;
  std::shared_ptr<std::vector<double>> answers_;
  std::vector<double> expected_;
  std::vector<Row> rows_;
};

/// A body and all who are asked about it.
class Contest {
 public:
  Contest(std::string scene, TriangleMesh mesh, int rounds)
      : scene_(std::move(scene)),
        body_(std::move(mesh)),
        probe_(probe_of(body_)),
        cgal_(cgal_point_system(body_.mesh)),
        embree_(embree_systems(body_.mesh)),
        rounds_(rounds) {}
  Contest(const Contest&) = delete;
  Contest& operator=(const Contest&) = delete;

  [[nodiscard]] const ProbedBody& body() const { return body_; }

  void run_points(const std::string& list, const std::vector<Vec3>& points) {
    Table table(scene_ + "_" + list, body_, points.size());
    table.add("probe", distances(probe_, points), 0);
    table.add("batch", distances(body_.tree, points), 0, {1, 2});
    table.add("probe_signed", signed_distances(probe_, points), 0);
    table.add("batch_signed", signed_distances(body_.tree, points), 0, {1, 2});
    for (const PointSystem& rival : {cgal_, embree_.points})
      table.add(rival.name, one_by_one(points, rival.distance), rival.tolerance);
    table.time_and_print(rounds_);
  }

  void run_rays(const std::string& list, const std::vector<Ray>& rays) {
    Table table(scene_ + "_" + list, body_, rays.size());
    table.add("probe", hits(probe_, rays), 0);
    table.add("batch", hits(body_.tree, rays), 0, {1, 2});
    table.add(embree_.rays.name, one_by_one(rays, embree_.rays.along), embree_.rays.tolerance);
    for (const RayListSystem& rival : {embree_.packets_of_16, embree_.stream})
      table.add(
          rival.name,
          [&rays, along = rival.along](std::span<double> answers) { along(rays, answers); },
          rival.tolerance);
    table.time_and_print(rounds_);
  }

 private:
  std::string scene_;
  ProbedBody body_;
  SurfaceProbe probe_;
  PointSystem cgal_;
  EmbreeSystems embree_;
  int rounds_;
};

Result<void> run_all(const Options& options) {
  constexpr std::size_t kQuestions = 4096, kRuns = 8;
  constexpr double kNodes = 20000;
  std::fprintf(stderr, "plimsoll %s, %s\n", version().c_str(), simd_level().c_str());
  print_load();
  std::puts("scenario,triangles,system,threads,ns_per_question,ratio_to_ours");
  int found = 0;
  for (const Scenario& scene : probe_scenes(options.cache)) {
    if (!options.only.empty() && options.only != scene.name) continue;
    ++found;
    Result<TriangleMesh> mesh = scene.make();
    if (!mesh) return mesh.error();
    std::fprintf(stderr, "%s: %zu triangles\n", scene.name.c_str(), mesh->triangles.size());
    Contest contest(scene.name, std::move(*mesh), options.rounds);
    const ProbedBody& body = contest.body();
    contest.run_points("points_near", points_away(body, kNear, kQuestions));
    contest.run_points("points_far", points_away(body, kFar, kQuestions));
    contest.run_points("grid", runs_of(lattice(body, kNodes), kRuns, kQuestions));
    contest.run_rays("rays", rays_inward(body, kQuestions));
    contest.run_rays("rays_outward", rays_outward(body, kQuestions));
  }
  if (found == 0)
    return Error{ErrorCode::kInvalidArgument, "there is no scene of this name", options.only};
  return {};
}

/// A list of questions for programs in other languages, and what Plimsoll says.
class RequestedList {
 public:
  RequestedList(std::string name, std::size_t questions, AskAll one_at_a_time, AskAll batch)
      : name_(std::move(name)),
        answers_(questions),
        rows_{Row{"", 1, 0, [this, ask = std::move(one_at_a_time)] { ask(answers_); }},
              Row{"", 1, 0, [this, ask = std::move(batch)] { ask(answers_); }}} {}
  RequestedList(const RequestedList&) = delete;
  RequestedList& operator=(const RequestedList&) = delete;

  [[nodiscard]] const std::string& name() const { return name_; }

  [[nodiscard]] Result<void> write(const std::filesystem::path& folder) {
    rows_[1].work();
    const std::vector<double> of_batch = answers_;
    rows_[0].work();
    if (answers_ != of_batch)
      return Error{ErrorCode::kInvalidArgument, "a batch answers differently", name_};
    return write_bytes(answers_, folder / (name_ + "_answers"));
  }

  void time_and_tell() const {
    for (const Row& row : rows_)
      std::cout << 1e9 * time_batch(row, 1) / static_cast<double>(answers_.size()) << ' ';
  }

 private:
  std::string name_;
  std::vector<double> answers_;
  std::vector<Row> rows_;
};

Result<void> answer_requests(const std::string& name, const std::filesystem::path& folder,
                             const std::string& cache) {
  constexpr std::size_t kQuestions = 20000;
  const std::vector<Scenario> scenes = probe_scenes(cache);
  const auto scene = std::find_if(scenes.begin(), scenes.end(),
                                  [&](const Scenario& of) { return of.name == name; });
  if (scene == scenes.end())
    return Error{ErrorCode::kInvalidArgument, "there is no scene of this name", name};
  Result<TriangleMesh> mesh = scene->make();
  if (!mesh) return mesh.error();
  const ProbedBody body(std::move(*mesh));
  SurfaceProbe probe = probe_of(body);
  const std::vector<Vec3> near = points_away(body, kNear, kQuestions);
  const std::vector<Vec3> grid = lattice(body, kQuestions);
  const std::vector<Ray> inward = rays_inward(body, kQuestions);
  const std::vector<Ray> outward = rays_outward(body, kQuestions);
  std::vector<std::unique_ptr<RequestedList>> lists;
  Result<void> written = write_bytes(body.mesh.vertices, folder / "vertices");
  if (written) written = write_bytes(body.mesh.triangles, folder / "triangles");
  const auto add = [&](const char* list, const auto& questions, AskAll one, AskAll batch) {
    lists.push_back(
        std::make_unique<RequestedList>(list, questions.size(), std::move(one), std::move(batch)));
    if (written) written = write_bytes(questions, folder / list);
    if (written) written = lists.back()->write(folder);
  };
  add("points_near", near, distances(probe, near), distances(body.tree, near));
  add("grid", grid, distances(probe, grid), distances(body.tree, grid));
  add("field", grid, signed_distances(probe, grid), signed_distances(body.tree, grid));
  add("rays", inward, hits(probe, inward), hits(body.tree, inward));
  add("rays_outward", outward, hits(probe, outward), hits(body.tree, outward));
  if (!written) return written;
  std::cout.precision(17);
  std::cout << body.mesh.triangles.size() << ' ' << body.size;
  for (const auto& list : lists) std::cout << ' ' << list->name();
  std::cout << std::endl;
  for (std::string line; std::getline(std::cin, line);) {
    for (const auto& list : lists) list->time_and_tell();
    std::cout << std::endl;
  }
  return {};
}

int main(int argc, char** argv) {
  if (argc > 1 && argv[1] == std::string_view("on_request")) {
    if (argc == 4 || (argc == 6 && argv[4] == std::string_view("--cache")))
      return exit_code(answer_requests(argv[2], argv[3], argc == 6 ? argv[5] : "data/cache"));
    std::fprintf(stderr, "usage: surface_probe on_request SCENE FOLDER [--cache DIR]\n");
    return 2;
  }
  return run_with_options(argc, argv, run_all);
}

}  // namespace
}  // namespace plimsoll::bench

int main(int argc, char** argv) { return plimsoll::bench::main(argc, argv); }
