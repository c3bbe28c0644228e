// The evaluation of [Govindaraju2004, sec. 5] again, and what the paper leaves open: pairs of
// bodies left by boxes of whole bodies and by FAR (fig. 6), pairs of triangles found by CULLIDE and
// by FAR (fig. 7), times of frames beside exact pairs by trees, sizes of sub-objects, resolutions,
// and what may be drawn in place of boxes (sec. 4.1).
// Prints one CSV to stdout; `scripts/bench far2004` makes them all and draws them.
//
//   far2004 figure6|figure7|times|parts|resolutions|offsets [--cache DIR] [--only SCENE] [--rounds
//   N]
#include <plimsoll/body_pairs.h>
#include <plimsoll/gl_culling.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/mesh_io.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "checked.h"
#include "clocks.h"
#include "cull/colliding_set.h"
#include "gl/context.h"
#include "offsets.h"
#include "options.h"
#include "touching_scenes.h"

namespace plimsoll::bench {
namespace {

/// The paper's viewport.
constexpr int kPaperPixels = 1400;

/// Scenes of the paper, in its order, and one that was kept out of all tuning.
Result<std::vector<ContactScene>> paper_scenes(const Options& options) {
  Result<MeshFile> scan = read_mesh(options.cache + "/cgal/bunny00.off");
  if (!scan) return scan.error();
  const TriangleMesh bunny = weld(checked(scan->mesh));
  const TriangleMesh knot = make_torus_knot({.ripples = 12, .ripple_depth = 0.2}, 716, 50);
  std::vector<ContactScene> scenes{breaking("breaking", unit_size(bunny), unit_size(knot), true),
                                   two_bodies("bunnies", bunny, bunny, {.distance = 0.1}),
                                   leaves("leaves", 150), knot_in_sphere("aside_knot_in_sphere")};
  if (!options.only.empty())
    std::erase_if(scenes, [&](const ContactScene& scene) { return scene.name != options.only; });
  return scenes;
}

/// A frame as culling takes it. It refers to the frame's meshes.
std::vector<CullBody> bodies_of(const SceneFrame& frame) {
  std::vector<CullBody> bodies;
  for (const PlacedBody& body : frame)
    bodies.push_back({checked(*body.shape), body.world_from_body});
  return bodies;
}

std::size_t triangles_of(const std::vector<CullBody>& bodies) {
  std::size_t count = 0;
  for (const CullBody& body : bodies) count += body.mesh.view().triangle_count();
  return count;
}

/// So many of them, spread over a scene.
std::vector<std::size_t> some_frames(const ContactScene& scene, std::size_t count) {
  std::vector<std::size_t> frames;
  for (std::size_t i = 0; i < count; ++i)
    frames.push_back((2 * i + 1) * scene.frame_count / (2 * count));
  return frames;
}

/// All pairs, by trees built for this frame, as programs must that deform or break meshes.
class TreeSearch {
 public:
  void find(const std::vector<CullBody>& bodies) {
    contacts_ = BodyPairSearch();
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      if (i == trees_.size())
        trees_.push_back(builder_.build(bodies[i].mesh));
      else
        builder_.rebuild(bodies[i].mesh, trees_[i]);
      if (!contacts_.add(trees_[i], bodies[i].world_from_body)) std::abort();
    }
    found_ = contacts_.pairs();
  }
  [[nodiscard]] std::size_t pairs() const {
    std::size_t count = 0;
    for (const TouchingBodies& of : found_) count += of.pairs.size();
    return count;
  }
  [[nodiscard]] std::size_t body_pairs() const { return found_.size(); }
  /// The triangles that touch another.
  [[nodiscard]] std::size_t touching() const {
    std::map<std::uint32_t, std::vector<std::uint32_t>> of_body;
    for (const TouchingBodies& of : found_)
      for (const TrianglePair& pair : of.pairs) {
        of_body[of.a.index].push_back(pair.a);
        of_body[of.b.index].push_back(pair.b);
      }
    std::size_t count = 0;
    for (auto& [body, triangles] : of_body) {
      std::sort(triangles.begin(), triangles.end());
      count += static_cast<std::size_t>(std::unique(triangles.begin(), triangles.end()) -
                                        triangles.begin());
    }
    return count;
  }

 private:
  MeshTreeBuilder builder_;
  std::vector<MeshTree> trees_;
  BodyPairSearch contacts_;
  std::span<const TouchingBodies> found_;
};

std::size_t count_of(const Result<std::vector<CulledPairs>>& found) {
  std::size_t count = 0;
  for (const CulledPairs& of : found.value()) count += of.pairs.size();
  return count;
}

/// Boxes in the world of the triangles of each body; of all if `left` is null.
std::vector<Box3> boxes_of(const std::vector<CullBody>& bodies, const Culling* left) {
  std::vector<Box3> boxes(bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const MeshView& mesh = bodies[i].mesh.view();
    const auto extend = [&](std::size_t t) {
      for (const std::uint32_t v : mesh.triangle(t))
        boxes[i].extend(bodies[i].world_from_body * mesh.vertex(v));
    };
    if (left == nullptr)
      for (std::size_t t = 0; t < mesh.triangle_count(); ++t) extend(t);
    else
      for (const std::uint32_t t : left->surviving[i]) extend(t);
  }
  return boxes;
}

std::size_t pairs_of_boxes(const std::vector<Box3>& boxes) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < boxes.size(); ++i)
    for (std::size_t k = i + 1; k < boxes.size(); ++k)
      if (!boxes[i].isEmpty() && !boxes[k].isEmpty() && boxes[i].intersects(boxes[k])) ++count;
  return count;
}

/// As published: without what this library does beyond the paper.
Result<Culling> cull(GlCulling& culling, const std::vector<CullBody>& bodies, CullMethod method,
                     int pixels) {
  return culling.cull(bodies, {.method = method,
                               .resolution = pixels,
                               .refines_triangles = false,
                               .remembers_passes = false,
                               .from_both_ends = false});
}

Result<void> print_figure6(GlCulling& culling, const Options& options) {
  const Result<std::vector<ContactScene>> scenes = paper_scenes(options);
  if (!scenes) return scenes.error();
  std::puts("scene,frame,bodies,pairs_of_boxes,pairs_left_by_far,pairs_that_touch");
  TreeSearch search;
  for (const ContactScene& scene : *scenes) {
    if (scene.name == "bunnies" || scene.name == "aside_knot_in_sphere") continue;
    for (const std::size_t frame : some_frames(scene, 25)) {
      const SceneFrame now = scene.frame(frame);
      const std::vector<CullBody> bodies = bodies_of(now);
      const Result<Culling> left = cull(culling, bodies, CullMethod::kFar, kPaperPixels);
      if (!left) return left.error();
      search.find(bodies);
      std::printf("%s,%zu,%zu,%zu,%zu,%zu\n", scene.name.c_str(), frame, bodies.size(),
                  pairs_of_boxes(boxes_of(bodies, nullptr)),
                  pairs_of_boxes(boxes_of(bodies, &*left)), search.body_pairs());
      std::fflush(stdout);
    }
  }
  return {};
}

Result<void> print_figure7(GlCulling& culling, const Options& options) {
  const Result<std::vector<ContactScene>> scenes = paper_scenes(options);
  if (!scenes) return scenes.error();
  std::puts("scene,frame,triangles,resolution,method,left,pairs_found,pairs");
  TreeSearch search;
  for (const ContactScene& scene : *scenes)
    for (const std::size_t frame : some_frames(scene, 5)) {
      const SceneFrame now = scene.frame(frame);
      const std::vector<CullBody> bodies = bodies_of(now);
      search.find(bodies);
      for (const auto& [method, name] :
           {std::pair{CullMethod::kCullide, "cullide"}, std::pair{CullMethod::kFar, "far"}}) {
        const Result<Culling> left = cull(culling, bodies, method, kPaperPixels);
        if (!left) return left.error();
        std::printf("%s,%zu,%zu,%d,%s,%zu,%zu,%zu\n", scene.name.c_str(), frame,
                    triangles_of(bodies), kPaperPixels, name, left->surviving_count(),
                    count_of(culled_pairs(bodies, *left)), search.pairs());
        std::fflush(stdout);
      }
    }
  return {};
}

/// Milliseconds of a frame: medians over frames, and the work that was done.
Result<void> print_times(GlCulling& culling, const Options& options) {
  const Result<std::vector<ContactScene>> scenes = paper_scenes(options);
  if (!scenes) return scenes.error();
  std::puts(
      "scene,triangles,system,resolution,cpu_ms,wall_ms,rounds,queries,asked_triangles,"
      "drawn_triangles,pairs");
  for (const ContactScene& scene : *scenes) {
    struct System {
      std::string name;
      int resolution;
      std::function<void(const std::vector<CullBody>&)> work;
      CullWork done{};
      std::size_t pairs = 0;
      std::vector<double> cpu{}, wall{};
    };
    TreeSearch search;
    std::vector<System> systems;
    Result<void> failed;
    const auto add = [&](const char* name, int pixels, const auto& find_left) {
      const std::size_t number = systems.size();
      systems.push_back({name, pixels, [&, number, find_left](const std::vector<CullBody>& bodies) {
                           const Result<Culling> left = find_left(bodies);
                           if (!left) {
                             failed = left.error();
                             return;
                           }
                           systems[number].pairs = count_of(culled_pairs(bodies, *left));
                           systems[number].done = left->work;
                         }});
    };
    for (const int pixels : {512, kPaperPixels}) {
      add("cullide", pixels, [&culling, pixels](const std::vector<CullBody>& bodies) {
        return cull(culling, bodies, CullMethod::kCullide, pixels);
      });
      add("far", pixels, [&culling, pixels](const std::vector<CullBody>& bodies) {
        return cull(culling, bodies, CullMethod::kFar, pixels);
      });
      add("far_refined", pixels, [&culling, pixels](const std::vector<CullBody>& bodies) {
        return culling.cull(bodies, {.resolution = pixels});
      });
      add("far_scanline", pixels, [pixels](const std::vector<CullBody>& bodies) {
        return cull_by_scanline(bodies, {.resolution = pixels});
      });
    }
    systems.push_back({"trees_rebuilt", 0, [&](const std::vector<CullBody>& bodies) {
                         search.find(bodies);
                         systems.back().pairs = search.pairs();
                       }});
    std::size_t triangles = 0;
    for (const std::size_t frame : some_frames(scene, static_cast<std::size_t>(options.rounds))) {
      const SceneFrame now = scene.frame(frame);
      const std::vector<CullBody> bodies = bodies_of(now);
      triangles = triangles_of(bodies);
      with_threads(1, [&] {
        for (System& system : systems) {
          const Times start = times_now();
          system.work(bodies);
          const Times taken = times_now() - start;
          system.cpu.push_back(1e3 * taken.cpu);
          system.wall.push_back(1e3 * taken.wall);
        }
      });
      if (!failed) return failed;
    }
    for (const System& system : systems) {
      std::printf("%s,%zu,%s,%d,%.4g,%.4g,%zu,%zu,%zu,%zu,%zu\n", scene.name.c_str(), triangles,
                  system.name.c_str(), system.resolution, median(system.cpu), median(system.wall),
                  system.done.rounds, system.done.queries, system.done.asked_triangles,
                  system.done.drawn_triangles, system.pairs);
      std::fflush(stdout);
    }
  }
  return {};
}

/// What is left, and times, by sizes of sub-objects and by resolutions.
Result<void> print_left(GlCulling& culling, const Options& options, const std::vector<int>& pixels,
                        const std::vector<std::size_t>& parts) {
  const Result<std::vector<ContactScene>> scenes = paper_scenes(options);
  if (!scenes) return scenes.error();
  std::puts(
      "scene,triangles,resolution,part_triangles,refined,left,touching,left_over_touching,queries,"
      "wall_ms");
  TreeSearch search;
  for (const ContactScene& scene : *scenes) {
    const SceneFrame now = scene.frame(scene.frame_count / 2);
    const std::vector<CullBody> bodies = bodies_of(now);
    search.find(bodies);
    const std::size_t touching = search.touching();
    for (const int resolution : pixels)
      for (const std::size_t part : parts)
        for (const bool is_refined : {false, true}) {
          const Times start = times_now();
          const Result<Culling> left = culling.cull(bodies, {.resolution = resolution,
                                                             .part_triangles = part,
                                                             .refines_triangles = is_refined,
                                                             .remembers_passes = is_refined,
                                                             .from_both_ends = is_refined});
          const Times taken = times_now() - start;
          if (!left) return left.error();
          std::printf("%s,%zu,%d,%zu,%d,%zu,%zu,%.4g,%zu,%.4g\n", scene.name.c_str(),
                      triangles_of(bodies), resolution, part, is_refined ? 1 : 0,
                      left->surviving_count(), touching,
                      static_cast<double>(left->surviving_count()) / static_cast<double>(touching),
                      left->work.queries, 1e3 * taken.wall);
          std::fflush(stdout);
        }
  }
  return {};
}

/// What is left, triangles that are drawn, and times, by what is drawn in the place of a triangle.
Result<void> print_offsets(const GlContext& context, double fattening, const Options& options) {
  constexpr int kPixels = 1024;
  const Result<std::vector<ContactScene>> scenes = paper_scenes(options);
  if (!scenes) return scenes.error();
  const gl::Current current(*context.state());
  if (Result<void> made = current.status(); !made) return made;
  Result<VisibilityImage> image = VisibilityImage::create();
  Result<VisibilityImage> exact_image = ExactOffsets::create_image();
  if (!image) return image.error();
  if (!exact_image) return exact_image.error();
  struct Variant {
    const char* name;
    BoundingOffset offset;
    bool is_exact = false, remembers = false, from_both_ends = false;
  };
  const std::vector<Variant> variants{{"boxes", {}},
                                      {"boxes_remembered", {}, false, true},
                                      {"boxes_from_both_ends", {}, false, false, true},
                                      {"prisms", add_prisms},
                                      {"bounded_exact", add_edge_boxes},
                                      {"bounded_exact_shared", add_shared_edge_boxes},
                                      {"exact_by_fragments", {}, true},
                                      {"balls", add_balls},
                                      {"axis_boxes", add_axis_boxes}};
  std::puts(
      "scene,triangles,resolution,part_triangles,offset,left,touching,left_over_touching,rounds,"
      "queries,asked_triangles,drawn_triangles,lost_pairs,wall_ms");
  TreeSearch search;
  for (const ContactScene& scene : *scenes) {
    const SceneFrame now = scene.frame(scene.frame_count / 2);
    const std::vector<CullBody> bodies = bodies_of(now);
    search.find(bodies);
    const Result<CullScene> culled = CullScene::create(bodies);
    if (!culled) return culled.error();
    for (const Variant& variant : variants) {
      const CullOptions by{.resolution = kPixels,
                           .part_triangles = 4,
                           .refines_triangles = false,
                           .remembers_passes = variant.remembers,
                           .from_both_ends = variant.from_both_ends};
      VisibilityImage& on = variant.is_exact ? *exact_image : *image;
      if (Result<void> bound = on.bind(kPixels); !bound) return bound;
      const Times start = times_now();
      Culling left;
      if (variant.is_exact) {
        ExactOffsets renderer(on, kPixels, fattening);
        left = cull_with(renderer, *culled, by, fattening);
      } else {
        GlVisibility renderer(on, by.method, kPixels, fattening, variant.offset);
        left = cull_with(renderer, *culled, by, fattening);
      }
      const Times taken = times_now() - start;
      if (Result<void> drawn = gl::reported_error("culling"); !drawn) return drawn;
      std::printf(
          "%s,%zu,%d,%zu,%s,%zu,%zu,%.4g,%zu,%zu,%zu,%zu,%zu,%.4g\n", scene.name.c_str(),
          triangles_of(bodies), kPixels, by.part_triangles, variant.name, left.surviving_count(),
          search.touching(),
          static_cast<double>(left.surviving_count()) / static_cast<double>(search.touching()),
          left.work.rounds, left.work.queries, left.work.asked_triangles, left.work.drawn_triangles,
          search.pairs() - count_of(culled_pairs(bodies, left)), 1e3 * taken.wall);
      std::fflush(stdout);
    }
  }
  return {};
}

Result<void> run(const std::string& part, const Options& options) {
  const Result<GlContext> context = GlContext::create();
  if (!context) return context.error();
  Result<GlCulling> culling = GlCulling::create(*context);
  if (!culling) return culling.error();
  std::fprintf(stderr, "%s, fattening %g\n", context->info().renderer.c_str(),
               culling->fattening());
  if (part == "figure6") return print_figure6(*culling, options);
  if (part == "figure7") return print_figure7(*culling, options);
  if (part == "times") return print_times(*culling, options);
  if (part == "parts") return print_left(*culling, options, {1024}, {1, 4, 16, 64});
  if (part == "resolutions")
    return print_left(*culling, options, {64, 128, 256, 512, 1024, 2048}, {4});
  if (part == "offsets") return print_offsets(*context, culling->fattening(), options);
  return Error{
      ErrorCode::kInvalidArgument,
      "found \"" + part + "\", expected figure6, figure7, times, parts, resolutions or offsets",
      "far2004"};
}

}  // namespace
}  // namespace plimsoll::bench

int main(int argc, char** argv) {
  using namespace plimsoll::bench;
  print_load();
  if (argc < 2) return exit_code(run("", {}));
  const std::optional<Options> options = options_of(argc - 1, argv + 1, 5);
  return options ? exit_code(run(argv[1], *options)) : 2;
}
