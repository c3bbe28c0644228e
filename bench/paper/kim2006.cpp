// The evaluation of [Kim2006, sec. 4] again: bodies and peels (table 1), errors (fig. 4), times
// (fig. 5). Prints one CSV to stdout; `scripts/bench kim2006` makes them all and draws them.
//
//   kim2006 objects|accuracy|claims|check|speed [--cache DIR] [--only OBJECT] [--rounds N]
#include <plimsoll/gl_image.h>
#include <plimsoll/mass_properties.h>
#include <plimsoll/mesh_io.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "clocks.h"
#include "image_systems.h"
#include "options.h"
#include "paper/accuracy.h"
#include "paper/objects.h"
#include "solid/mirtich.h"

namespace plimsoll::bench {
namespace {

volatile double sink;  // what is computed must look used

// `pixels_beyond`: columns, of 65536 in the view that has the most, with more peels than the
// paper's.
Result<void> print_objects(const std::vector<PaperObject>& objects, const Options&) {
  Result<FreshEngine> gl = FreshEngine::create();
  if (!gl) return gl.error();
  std::puts(
      "object,vertices,faces,peels_x,peels_y,peels_z,paper_vertices,paper_faces,paper_peels,"
      "pixels_beyond");
  for (const PaperObject& object : objects) {
    std::printf("%s,%zu,%zu", object.name.c_str(), object.mesh.vertices.size(),
                object.mesh.triangles.size());
    int beyond = 0;
    for (int axis = 0; axis < 3; ++axis) {
      const Result<std::vector<int>> pixels = pixels_of_peels(gl->engine(), object.mesh, axis);
      if (!pixels) return pixels.error();
      const auto paper_peels = static_cast<std::size_t>(object.paper_peels);
      if (pixels->size() > paper_peels) beyond = std::max(beyond, (*pixels)[paper_peels]);
      std::printf(",%zu", pixels->size());
    }
    if (object.paper_faces == 0)
      std::puts(",,,,");
    else
      std::printf(",%d,%d,%d,%d\n", object.paper_vertices, object.paper_faces, object.paper_peels,
                  beyond);
  }
  return {};
}

constexpr std::pair<Coverage, const char*> kRules[] = {{Coverage::kPixelCenter, "pixel_center"},
                                                       {Coverage::kExact, "exact_coverage"}};

Result<void> print_accuracy(const std::vector<PaperObject>& objects, const Options&) {
  std::puts("object,rule,resolution,quantity,fitted,rms,worst");
  for (const PaperObject& object : objects)
    for (const auto& [coverage, rule] : kRules)
      for (const int resolution : {16, 32, 64, 128, 256, 512}) {
        const Accuracy accuracy = accuracy_of(object.mesh, resolution, coverage);
        for (std::size_t q = 0; q < kQuantities.size(); ++q)
          std::printf("%s,%s,%d,%s,%.3g,%.3g,%.3g\n", object.name.c_str(), rule, resolution,
                      kQuantities[q], accuracy.fitted[q], accuracy.rms[q], accuracy.worst[q]);
      }
  return {};
}

// "A resolution of 32 x 32 was sufficient to compute the mass properties within a 5% error bound."
Result<void> print_claims(const std::vector<PaperObject>& objects, const Options&) {
  constexpr double kClaim = 0.05;
  const auto most = [](const RelativeErrors& errors) {
    return *std::max_element(errors.begin(), errors.end());
  };
  const auto verdict = [](double error) { return error <= kClaim ? "holds" : "fails"; };
  std::puts("object,rule,fitted,claim_fitted,rms,claim_rms,worst,claim_worst");
  for (const PaperObject& object : objects)
    for (const auto& [coverage, rule] : kRules) {
      const Accuracy found = accuracy_of(object.mesh, 32, coverage);
      const double fitted = most(found.fitted), rms = most(found.rms), worst = most(found.worst);
      std::printf("%s,%s,%.3g,%s,%.3g,%s,%.3g,%s\n", object.name.c_str(), rule, fitted,
                  verdict(fitted), rms, verdict(rms), worst, verdict(worst));
    }
  return {};
}

// The pixel-center rule on the processor stands for peeling on OpenGL in what print_accuracy finds.
Result<void> print_check(const std::vector<PaperObject>& objects, const Options&) {
  Result<FreshEngine> gl = FreshEngine::create();
  if (!gl) return gl.error();
  std::puts("object,resolution,axis,mass,Ixx,Iyy,Izz,unbalanced_rows");
  for (const PaperObject& object : objects)
    for (const int resolution : {32, 256})
      for (int axis = 0; axis < 3; ++axis) {
        const ImageOptions options = {.width = resolution,
                                      .height = resolution,
                                      .axis = axis,
                                      .coverage = Coverage::kPixelCenter};
        const Result<ImageMass> on_processor = image_mass_properties(object.mesh, options);
        const Result<ImageMass> peeled = gl->engine().mass_properties(
            object.mesh, {.image = options, .algorithm = ImageAlgorithm::kPeel, .reduction = {}});
        if (!on_processor) return on_processor.error();
        if (!peeled) return peeled.error();
        const RelativeErrors difference =
            relative_errors(peeled->properties, on_processor->properties);
        std::printf("%s,%d,%c,%.2g,%.2g,%.2g,%.2g,%zu\n", object.name.c_str(), resolution,
                    "xyz"[axis], difference[0], difference[1], difference[2], difference[3],
                    peeled -> unbalanced_rows);
      }
  return {};
}

struct Method {
  std::string name;
  std::function<void()> work;
};

std::vector<Method> methods_of(FreshEngine& gl, const MeshView& mesh, const ImageOptions& options) {
  std::vector<Method> methods = {
      {"mirtich", [=] { sink = inertia(mirtich_integrals(mesh)).trace(); }},
      {"exact_fast", [=] { sink = mass_properties(mesh, {.precision = Precision::kFast}).volume; }},
      {"exact_tight", [=] { sink = mass_properties(mesh).volume; }}};
  for (ImageSystem& system : image_systems(gl))
    methods.push_back({system.name, [=, compute = std::move(system.compute)] {
                         sink = compute(mesh, options)->properties.volume;
                       }});
  return methods;
}

struct PeeledView {
  int axis = 0;
  int peels = 0;
};

// The axis along which the number of peels comes nearest to the paper's.
Result<PeeledView> view_as_published(GlImageEngine& engine, const PaperObject& object) {
  PeeledView nearest;
  for (int axis = 0; axis < 3; ++axis) {
    const Result<std::vector<int>> pixels = pixels_of_peels(engine, object.mesh, axis);
    if (!pixels) return pixels.error();
    const int peels = static_cast<int>(pixels->size());
    const auto miss = [&](int count) { return std::abs(count - object.paper_peels); };
    if (axis == 0 || miss(peels) < miss(nearest.peels)) nearest = {axis, peels};
  }
  return nearest;
}

Result<void> print_speed(const std::vector<PaperObject>& objects, const Options& chosen) {
  Result<FreshEngine> gl = FreshEngine::create();
  if (!gl) return gl.error();
  std::puts("object,faces,peels,resolution,method,cpu_us,wall_us,cpu_to_mirtich,wall_to_mirtich");
  for (const PaperObject& object : objects) {
    const Result<PeeledView> view = view_as_published(gl->engine(), object);
    if (!view) return view.error();
    for (const int resolution : {32, 64, 128}) {
      if (const Result<void> renewed = gl->renew(); !renewed) return renewed;
      const std::vector<Method> methods = methods_of(
          *gl, object.mesh, {.width = resolution, .height = resolution, .axis = view->axis});
      std::vector<std::function<void()>> rows;
      for (const Method& method : methods) rows.push_back(method.work);
      const std::vector<Times> times = time_on_two_clocks(rows, {.rounds = chosen.rounds});
      for (std::size_t i = 0; i < methods.size(); ++i)
        std::printf("%s,%zu,%d,%d,%s,%.4g,%.4g,%.3g,%.3g\n", object.name.c_str(),
                    object.mesh.triangles.size(), view->peels, resolution, methods[i].name.c_str(),
                    1e6 * times[i].cpu, 1e6 * times[i].wall, times[i].cpu / times[0].cpu,
                    times[i].wall / times[0].wall);
      std::fflush(stdout);
    }
  }
  return {};
}

Result<std::vector<PaperObject>> objects_of(const Options& options) {
  std::vector<PaperObject> objects = generated_objects();
  const Result<MeshFile> scan = read_mesh(options.cache + "/cgal/bunny00.off");
  if (!scan) return scan.error();
  const auto before_pipe = std::prev(objects.end());
  objects.insert(before_pipe, bunny_of(weld(scan->mesh)));
  if (!options.only.empty())
    std::erase_if(objects, [&](const PaperObject& object) { return object.name != options.only; });
  if (objects.empty())
    return Error{ErrorCode::kInvalidArgument, "there is no object of this name", options.only};
  return objects;
}

int main(int argc, char** argv) {
  using Print = Result<void> (*)(const std::vector<PaperObject>&, const Options&);
  constexpr std::pair<std::string_view, Print> kParts[] = {{"objects", print_objects},
                                                           {"accuracy", print_accuracy},
                                                           {"claims", print_claims},
                                                           {"check", print_check},
                                                           {"speed", print_speed}};
  const auto* part = std::find_if(std::begin(kParts), std::end(kParts),
                                  [&](const auto& p) { return argc > 1 && p.first == argv[1]; });
  if (part == std::end(kParts)) {
    std::fprintf(stderr, "usage: kim2006 objects|accuracy|claims|check|speed [OPTIONS]\n");
    return 2;
  }
  const std::optional<Options> options = options_of(argc - 1, argv + 1);
  if (!options) return 2;
  print_load();
  const Result<std::vector<PaperObject>> objects = objects_of(*options);
  return exit_code(objects ? part->second(*objects, *options) : objects.error());
}

}  // namespace
}  // namespace plimsoll::bench

int main(int argc, char** argv) { return plimsoll::bench::main(argc, argv); }
