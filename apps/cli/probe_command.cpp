#include <fmt/format.h>
#include <plimsoll/mesh_tree.h>
#include <plimsoll/surface_queries.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "answer.h"
#include "commands.h"
#include "diagnosis.h"
#include "file_writer.h"
#include "input.h"
#include "judge.h"
#include "output.h"
#include "packed_body.h"
#include "picture/bodies_picture.h"
#include "picture/field_picture.h"
#include "picture_file.h"
#include "probe_report.h"
#include "solid_input.h"
#include "text.h"

namespace plimsoll::cli {
namespace {

constexpr const char* kAbout =
    "How far points are from the surface of a solid, and on which side. SI units, world "
    "coordinates.";

constexpr const char* kNotes =
    R"(--points takes a CSV with the header x,y,z; --grid the nodes of a grid through the body's box, from
its least corner on and as far as to contain its largest, H apart: in meters, or as 1mm.

Distances are below 0 in the solid, which is where the surface winds around the point, and exact but
for rounding; the sides are decided exactly. A mesh with holes has no inside: then distances have no
sign, and the status says so (exit 4).

--out writes, in .csv (and on stdout, -), a row for each point:
x,y,z,signed_distance,nearest_x,nearest_y,nearest_z,triangle. The triangle is a nearest one, by its
number in the file after polygons are cut, from 0.
.npy, of a grid alone, has the distances as numpy.load reads them, an array by x, y and z; where its
first node is and how far nodes are apart is in the answer.

--picture draws the distances in the plane through the middle of the body's box, across its shortest
side.

Exit codes: 0 done; 2 usage, or no place to write; 3 input unreadable or refused, or not available
in this version; 4 answered, but the mesh is not sound: the answer says why; 6 not enough memory or
room; 1 internal error.

Examples:
  plimsoll probe bunny.obj --points samples.csv --out distances.csv
  plimsoll probe part.stl --units mm --grid 0.5mm --out field.npy --picture slice.png --json)";

struct ProbeArguments {
  BodyArguments body;
  std::optional<std::string> points, grid, out, picture;
  bool json = false;
};

void declare(CommandLine& line, ProbeArguments& arguments) {
  declare_body(line, arguments.body);
  line.option("--points", "P.csv", arguments.points, "The points: a CSV with the header x,y,z");
  line.option("--grid", "H", arguments.grid, "The nodes of a grid, H apart: [m], or as 1mm");
  line.option("--out", "FILE", arguments.out, "Write the distances: .csv, or .npy of a grid");
  line.option("--picture", "OUT.png", arguments.picture, "Draw a slice of the distances");
  line.flag("--json", arguments.json, "One JSON object on stdout");
}

enum class OutFormat { kCsv, kNpy };

OutFormat format_of(const ProbeArguments& given) {
  const std::string extension = given.out ? extension_of(*given.out) : ".csv";
  if (given.out == "-" || extension == ".csv") return OutFormat::kCsv;
  if (extension != ".npy")
    throw usage_failure(fmt::format("found \"{}\", expected .csv or .npy", printable(*given.out)),
                        "--out");
  if (!given.grid) throw usage_failure(".npy is of a --grid, expected .csv", "--out");
  return OutFormat::kNpy;
}

/// A mesh in its place, and the answers of its surface.
class Probed {
 public:
  explicit Probed(const Body& body)
      : mesh_(checked_mesh(*body.mesh())), tree_(mesh_), pose_(body.pose) {
    for (std::size_t t = 0; t < mesh_.view().triangle_count(); ++t)
      for (const std::uint32_t v : mesh_.view().triangle(t))
        box_.extend(Vec3(pose_ * mesh_.view().vertex(v)));
  }

  [[nodiscard]] const Box3& box() const { return box_; }
  [[nodiscard]] bool has_sign() const { return has_sign_; }

  std::vector<SignedDistance> ask(std::span<const Vec3> points) {
    if (has_sign_) {
      Result<std::vector<SignedDistance>> found = signed_distance(tree_, pose_, points);
      if (found) return *std::move(found);
      if (found.error().code != ErrorCode::kNotClosed) throw failure_of(found.error());
      has_sign_ = false;
    }
    Result<std::vector<NearestOnSurface>> nearest = nearest_on_surface(tree_, pose_, points);
    if (!nearest) throw failure_of(nearest.error());
    std::vector<SignedDistance> found;
    for (NearestOnSurface& one : *nearest) {
      const double distance = one.distance;
      found.push_back({distance, std::move(one)});
    }
    return found;
  }

 private:
  CheckedMesh mesh_;
  MeshTree tree_;
  Similarity pose_;
  Box3 box_;
  bool has_sign_ = true;
};

ProbeGrid grid_through(const Box3& box, double spacing) {
  ProbeGrid grid{box.min(), spacing, {}};
  constexpr double kMost = 1e9;
  double count = 1;
  for (int i = 0; i < 3; ++i) {
    constexpr double kRounding = 1e-9;  // of a step: the last node may fall on the box's corner
    const double least = box.sizes()[i] > 0 ? 1 : 0;
    const double steps = std::max(least, std::ceil(box.sizes()[i] / spacing - kRounding));
    count *= steps + 1;
    if (!(count <= kMost))
      throw usage_failure(
          fmt::format("found {:.6g} m, which makes more than {:.0g} nodes of a box of {:.4g} x "
                      "{:.4g} x {:.4g} m, expected more",
                      spacing, kMost, box.sizes()[0], box.sizes()[1], box.sizes()[2]),
          "--grid");
    grid.nodes[static_cast<std::size_t>(i)] = static_cast<std::size_t>(steps) + 1;
  }
  return grid;
}

/// The plane through the middle of the box across its shortest side, with some room around it.
picture::FieldSlice slice_of(Probed& probed, const std::string& name, picture::PixelSize size) {
  constexpr double kRoom = 0.12;  // of the longest side
  Eigen::Index across = 0;
  const Vec3 sides = probed.box().sizes();
  sides.minCoeff(&across);
  Eigen::Index right = (across + 1) % 3, up = (across + 2) % 3;
  if (sides[right] < sides[up]) std::swap(right, up);
  const double room = kRoom * sides.maxCoeff();
  const double width = sides[right] + 2 * room, height = sides[up] + 2 * room;
  picture::FieldSlice slice;
  slice.step = picture::field_step(width, height, size);
  slice.columns = std::max<std::size_t>(2, static_cast<std::size_t>(width / slice.step));
  slice.rows = std::max<std::size_t>(2, static_cast<std::size_t>(height / slice.step));
  std::vector<Vec3> points;
  for (std::size_t j = 0; j < slice.rows; ++j)
    for (std::size_t i = 0; i < slice.columns; ++i) {
      Vec3 point = probed.box().center();
      point[right] +=
          (static_cast<double>(i) + 0.5 - 0.5 * static_cast<double>(slice.columns)) * slice.step;
      point[up] -=
          (static_cast<double>(j) + 0.5 - 0.5 * static_cast<double>(slice.rows)) * slice.step;
      points.push_back(point);
    }
  for (const SignedDistance& found : probed.ask(points)) slice.values.push_back(found.distance);
  slice.has_sign = probed.has_sign();
  const auto axis = [](Eigen::Index i) { return static_cast<char>('x' + i); };
  slice.words = fmt::format("{} = {:.4g} m, {} to the right and {} upward", axis(across),
                            probed.box().center()[across], axis(right), axis(up));
  slice.title = fmt::format(
      "{}: {}", picture::short_name(name),
      slice.has_sign ? "distances from the surface, below 0 inside" : "distances from the surface");
  return slice;
}

/// Asks block after block, and writes what is wanted as it comes.
class ProbeRun {
 public:
  ProbeRun(const ProbeArguments& given, OutFormat format, Probed& probed, ProbeReport& report)
      : given_(given), format_(format), probed_(probed), report_(report) {}

  template <class PointAt>
  void run(std::size_t count, const PointAt& point_at, Progress& progress) {
    std::optional<FileStream> file;
    if (given_.out && given_.out != "-") file.emplace(*given_.out);
    const auto write = [&](const std::string& data) {
      if (file)
        file->write(data);
      else if (given_.out)
        print_data(data);
    };
    write(format_ == OutFormat::kNpy ? npy_header(report_.grid->nodes) : kProbeHeader);
    constexpr std::size_t kBlock = std::size_t{1} << 16;
    std::vector<Vec3> points;
    for (std::size_t begin = 0; begin < count; begin += kBlock) {
      points.clear();
      for (std::size_t k = begin; k < std::min(count, begin + kBlock); ++k)
        points.push_back(point_at(k));
      const auto start = std::chrono::steady_clock::now();
      const std::vector<SignedDistance> found = probed_.ask(points);
      report_.seconds +=
          std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      report_.add(found);
      if (given_.out)
        write(format_ == OutFormat::kNpy ? npy_numbers(found) : probe_rows(points, found));
      progress.say([&] { return fmt::format("probing: {} of {} points", report_.points, count); });
    }
    report_.has_sign = probed_.has_sign();
    if (file) file->finish();
  }

 private:
  const ProbeArguments& given_;
  OutFormat format_;
  Probed& probed_;
  ProbeReport& report_;
};

std::vector<Vec3> read_points_of(const std::string& name) {
  Result<std::vector<Vec3>> points = read_points(std::filesystem::path(name));
  if (!points) throw failure_of(points.error());
  return *std::move(points);
}

}  // namespace

ExitCode run_probe(const Arguments& arguments) {
  CommandLine line("plimsoll probe", kAbout, kNotes);
  ProbeArguments given;
  declare(line, given);
  if (!line.parse(arguments)) return kDone;
  if (given.points.has_value() == given.grid.has_value())
    throw usage_failure(given.points ? "found --points and --grid, expected one of them"
                                     : "found neither --points nor --grid, expected one of them");
  check_png_name(given.picture, "--picture");
  check_apart(given.out, given.picture, "--picture");
  spare_inputs(given.out, arguments);
  spare_inputs(given.picture, arguments);
  check_stdout(given.out, "--out", given.json);
  if (given.out == "-") give_stdout_to_data();
  const OutFormat format = format_of(given);
  const double spacing = given.grid ? parse_length(*given.grid, "--grid") : 0;
  check_writable(given.out);
  check_writable(given.picture);
  Progress progress;
  progress.begin("reading the mesh");
  const Body body = read_body(given.body, "probe");
  require_mesh(body, "distances of points");
  if (body.mesh()->triangles.empty())
    throw Failure{kRejected, "invalid_argument", "found no triangles, expected some", body.name};
  ProbeReport report;
  report.name = body.name;
  report.notices = body.notices;
  Probed probed(body);
  const Verdict verdict =
      judge(body.name, body.shape, body.partial, {.check_self_intersections = true});
  report.status = verdict.status();
  ProbeRun run(given, format, probed, report);
  if (given.grid) {
    report.grid = grid_through(probed.box(), spacing);
    run.run(report.grid->count(), [&](std::size_t k) { return report.grid->node(k); }, progress);
  } else {
    const std::vector<Vec3> points = read_points_of(*given.points);
    run.run(points.size(), [&](std::size_t k) { return points[k]; }, progress);
  }
  if (!report.has_sign)
    body.notices->say(body.name, {"sign",
                                  "the mesh does not close: its distances have no sign, on both "
                                  "sides they are above 0"});
  say_faulty_parts(body.name, verdict, *body.notices);
  return answer_and_write(report, report.status, given.json, [&] {
    if (!given.picture) return;
    constexpr picture::PixelSize kSize{1600, 900};
    write_picture(picture::draw_field(slice_of(probed, body.name, kSize), kSize), *given.picture);
  });
}

}  // namespace plimsoll::cli
