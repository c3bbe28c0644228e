// The evaluation of [Kim2006, sec. 4] again: bodies and peels (table 1), errors (fig. 4), times
// (fig. 5); and of sec. 5.3, errors and peels of floating bodies. Prints one CSV to stdout;
// `scripts/bench kim2006` makes them all and draws them.
//
//   kim2006 objects|accuracy|claims|check|speed|afloat|afloat_beyond
//     [--cache DIR] [--only OBJECT] [--rounds N]
#include <plimsoll/gl_image.h>
#include <plimsoll/gl_water_image.h>
#include <plimsoll/mass_properties.h>
#include <plimsoll/mesh_io.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "checked.h"
#include "clocks.h"
#include "gl/context.h"
#include "image_systems.h"
#include "options.h"
#include "shared/accuracy.h"
#include "shared/afloat.h"
#include "shared/mirtich.h"
#include "shared/objects.h"

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
  const auto largest = [](const RelativeErrors& errors) {
    return *std::max_element(errors.begin(), errors.end());
  };
  const auto verdict = [](double error) { return error <= kClaim ? "holds" : "fails"; };
  std::puts("object,rule,fitted,claim_fitted,rms,claim_rms,worst,claim_worst");
  for (const PaperObject& object : objects)
    for (const auto& [coverage, rule] : kRules) {
      const Accuracy found = accuracy_of(object.mesh, 32, coverage);
      const double fitted = largest(found.fitted), rms = largest(found.rms),
                   worst = largest(found.worst);
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
        const Result<ImageMass> on_processor = image_mass_properties(checked(object.mesh), options);
        const Result<ImageMass> peeled =
            gl->engine().mass_properties(checked(object.mesh), {.image = options,
                                                                .algorithm = ImageAlgorithm::kPeel,
                                                                .reduction = {},
                                                                .patches_by_shader = {}});
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

constexpr double kClaimAfloat = 0.05;  // [Kim2006, sec. 5.3]: "allowing at most 5% error"

/// One body by one method.
struct Afloat {
  std::string object, method;
  std::size_t triangles;
  std::vector<ImmersionError> errors;
};

// Columns on the processor, and the published passes on OpenGL; both over 32 x 32 pixels.
Result<std::vector<Afloat>> measure_afloat(const Options& options) {
  std::vector<PaperObject> objects = floating_objects();
  const Result<MeshFile> scan = read_mesh(options.cache + "/cgal/bunny00.off");
  if (!scan) return scan.error();
  const TriangleMesh whole = weld(checked(scan->mesh));
  objects.push_back({"bunny", centered(bunny_of(whole).mesh)});
  objects.push_back({"bunny_75k", centered(whole)});
  const Result<GlContext> context = GlContext::create();
  if (!context) return context.error();
  Result<GlWaterImage> gl = GlWaterImage::create(*context);
  if (!gl) return gl.error();
  std::vector<Afloat> all;
  for (const PaperObject& object : objects) {
    if (!options.only.empty() && object.name != options.only) continue;
    Result<WaterColumns> columns =
        WaterColumns::create(Shape{MeshSolid{std::make_shared<const TriangleMesh>(object.mesh)}});
    if (!columns) return columns.error();
    const Result<GlMeshId> id = gl->upload(checked(object.mesh));
    if (!id) return id.error();
    GlWaterOptions peeling;
    peeling.algorithm = ImageAlgorithm::kPeel;
    const std::pair<const char*, MeasureAfloat> methods[] = {
        {"columns",
         [&](const auto& pose, const auto& now) -> Result<WaterImage> {
           return columns->measure(pose, now);
         }},
        {"peel", [&](const auto& pose, const auto& now) {
           return gl->measure(GlWaterBody{*id, pose}, now, peeling);
         }}};
    for (const auto& [name, measure] : methods) {
      Result<std::vector<ImmersionError>> errors = errors_afloat(object.mesh, measure);
      if (!errors) return errors.error();
      all.push_back({object.name, name, object.mesh.triangles.size(), std::move(*errors)});
    }
  }
  return all;
}

// The middle and the largest of numbers, NaN left out; both NaN if there is none.
std::pair<double, double> median_and_most(std::vector<double> numbers) {
  std::erase_if(numbers, [](double x) { return std::isnan(x); });
  if (numbers.empty()) return {NAN, NAN};
  std::sort(numbers.begin(), numbers.end());
  return {numbers[numbers.size() / 2], numbers.back()};
}

void print_afloat_row(const Afloat& body, const char* attitude, const char* motion) {
  std::vector<double> of_whole, of_wet;
  std::vector<int> peels;
  std::size_t beyond_whole = 0, beyond_wet = 0, unbalanced = 0;
  for (const ImmersionError& error : body.errors) {
    if (error.pose.attitude != attitude || error.pose.motion != motion) continue;
    of_whole.push_back(error.of_whole);
    of_wet.push_back(error.of_wet);
    beyond_whole += error.of_whole > kClaimAfloat ? 1 : 0;
    beyond_wet += error.of_wet > kClaimAfloat ? 1 : 0;
    unbalanced += error.unbalanced_columns > 0 ? 1 : 0;
    peels.push_back(error.peels);
  }
  int usual = 0;
  for (const int n : peels)
    if (std::count(peels.begin(), peels.end(), n) > std::count(peels.begin(), peels.end(), usual))
      usual = n;
  const auto [median_whole, most_whole] = median_and_most(of_whole);
  const auto [median_wet, most_wet] = median_and_most(of_wet);
  std::printf("%s,%zu,%s,%s,%s,%zu,%.3g,%.3g,%zu,%.3g,%.3g,%zu,%d,%d,%zu\n", body.object.c_str(),
              body.triangles, body.method.c_str(), attitude, motion, peels.size(), median_whole,
              most_whole, beyond_whole, median_wet, most_wet, beyond_wet,
              *std::max_element(peels.begin(), peels.end()), usual, unbalanced);
}

// "The framebuffer resolution used in this example was 32 x 32, allowing at most 5% approximation
// error": of the body's volume, and of that of its wet part.
Result<void> print_afloat(const std::vector<PaperObject>&, const Options& options) {
  const Result<std::vector<Afloat>> all = measure_afloat(options);
  if (!all) return all.error();
  std::puts(
      "object,triangles,method,attitude,motion,poses,median_of_whole,most_of_whole,"
      "beyond_5_percent_of_whole,median_of_wet,most_of_wet,beyond_5_percent_of_wet,most_peels,"
      "usual_peels,unbalanced_poses");
  for (const Afloat& body : *all)
    for (const char* attitude : {"upright", "askew"})
      for (const char* motion : {"heave", "roll"}) print_afloat_row(body, attitude, motion);
  return {};
}

// The poses where the claim does not hold, one by one.
Result<void> print_afloat_beyond(const std::vector<PaperObject>&, const Options& options) {
  const Result<std::vector<Afloat>> all = measure_afloat(options);
  if (!all) return all.error();
  std::puts("object,method,attitude,motion,at,of_whole,of_wet,unbalanced_columns");
  for (const Afloat& body : *all)
    for (const ImmersionError& error : body.errors)
      if (error.of_wet > kClaimAfloat || error.of_whole > kClaimAfloat)
        std::printf("%s,%s,%s,%s,%.3g,%.3g,%.3g,%zu\n", body.object.c_str(), body.method.c_str(),
                    error.pose.attitude.c_str(), error.pose.motion.c_str(), error.pose.at,
                    error.of_whole, error.of_wet, error.unbalanced_columns);
  return {};
}

struct Method {
  std::string name;
  std::function<void()> work;
};

/// The mesh as the paper has it, uploaded before the clock runs: a call draws it and reads sums.
/// Null for what cannot be drawn so.
std::shared_ptr<GlDeformingMesh> kept_mesh(GlImageEngine& engine, const CheckedMesh& mesh) {
  Result<GlDeformingMesh> kept = GlDeformingMesh::create(
      engine, mesh, {"vec3 deform(vec3 p, float time) { return p; }", bounding_box(mesh)});
  if (!kept) return nullptr;
  return std::make_shared<GlDeformingMesh>(*std::move(kept));
}

void add_kept(FreshEngine& gl, const CheckedMesh& mesh, const ImageOptions& options,
              std::vector<Method>& methods) {
  const std::shared_ptr<GlDeformingMesh> kept = kept_mesh(gl.engine(), mesh);
  if (kept == nullptr) return;
  const auto add = [&](const char* name, ImageAlgorithm algorithm, ImageReduction reduction) {
    GlImageOptions by;
    by.image = options;
    by.algorithm = algorithm;
    by.reduction = reduction;
    if (kept->mass_properties(0, by))  // there may be no compute shaders
      methods.push_back({name, [=] { sink = kept->mass_properties(0, by)->properties.volume; }});
  };
  add("kept_peel_log", ImageAlgorithm::kPeel, ImageReduction::kLogarithmic);
  add("kept_peel_readback", ImageAlgorithm::kPeel, ImageReduction::kReadback);
  add("kept_additive_readback", ImageAlgorithm::kAdditive, ImageReduction::kReadback);
  add("kept_additive_compute", ImageAlgorithm::kAdditive, ImageReduction::kCompute);
}

std::vector<Method> kept_methods(const std::vector<Method>& methods) {
  std::vector<Method> kept;
  for (const Method& method : methods)
    if (method.name.starts_with("kept_")) kept.push_back(method);
  return kept;
}

std::vector<Method> methods_of(FreshEngine& gl, const MeshView& mesh, const ImageOptions& options) {
  const CheckedMesh whole = checked(mesh);
  std::vector<Method> methods = {
      {"mirtich", [=] { sink = inertia(mirtich_integrals(mesh)).trace(); }},
      {"exact_fast",
       [=] { sink = mass_properties(whole, {.precision = Precision::kFast}).volume; }},
      {"exact_tight", [=] { sink = mass_properties(whole).volume; }}};
  for (ImageSystem& system : image_systems(gl))
    methods.push_back({system.name, [=, compute = std::move(system.compute)] {
                         sink = compute(mesh, options)->properties.volume;
                       }});
  add_kept(gl, whole, options, methods);
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

// Rows kept_*_current: the context is current all the while, as in a program that draws with it;
// else each call makes it current and leaves it.
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
      const auto measure = [&chosen](const std::vector<Method>& measured) {
        std::vector<std::function<void()>> rows;
        for (const Method& method : measured) rows.push_back(method.work);
        return time_on_two_clocks(rows, {.rounds = chosen.rounds});
      };
      const std::vector<Times> times = measure(methods);
      const auto print = [&](const std::string& name, const Times& taken) {
        std::printf("%s,%zu,%d,%d,%s,%.4g,%.4g,%.3g,%.3g\n", object.name.c_str(),
                    object.mesh.triangles.size(), view->peels, resolution, name.c_str(),
                    1e6 * taken.cpu, 1e6 * taken.wall, taken.cpu / times[0].cpu,
                    taken.wall / times[0].wall);
      };
      for (std::size_t i = 0; i < methods.size(); ++i) print(methods[i].name, times[i]);
      const std::vector<Method> kept = kept_methods(methods);
      if (kept.empty()) continue;
      const gl::Current current(*gl->context().state());
      const std::vector<Times> held = measure(kept);
      for (std::size_t i = 0; i < kept.size(); ++i) print(kept[i].name + "_current", held[i]);
    }
  }
  return {};
}

Result<std::vector<PaperObject>> objects_of(const Options& options) {
  std::vector<PaperObject> objects = generated_objects();
  const Result<MeshFile> scan = read_mesh(options.cache + "/cgal/bunny00.off");
  if (!scan) return scan.error();
  const auto before_pipe = std::prev(objects.end());
  const TriangleMesh bunny = weld(checked(scan->mesh));
  objects.insert(before_pipe, bunny_of(bunny));
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
                                                           {"speed", print_speed},
                                                           {"afloat", print_afloat},
                                                           {"afloat_beyond", print_afloat_beyond}};
  const auto* part = std::find_if(std::begin(kParts), std::end(kParts),
                                  [&](const auto& p) { return argc > 1 && p.first == argv[1]; });
  if (part == std::end(kParts)) {
    std::fprintf(
        stderr,
        "usage: kim2006 objects|accuracy|claims|check|speed|afloat|afloat_beyond [OPTIONS]\n");
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
