// The diagnosis of a mesh: what its edges, shells and windings say, gathered and put into words.
#include <plimsoll/mesh_health.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "core/predicates.h"
#include "mesh/edges.h"
#include "mesh/shells.h"
#include "solid/framed_moments.h"
#include "solid/rim_caps.h"
#include "solid/soundness.h"

namespace plimsoll {
namespace {

/// Those of the candidates with three different corners exactly on one line.
std::vector<std::uint32_t> find_zero_area(const MeshView& mesh, const Edges& edges,
                                          const std::vector<std::uint32_t>& candidates) {
  std::vector<std::uint32_t> found;
  for (const std::uint32_t t : candidates) {
    const Triangle v = mesh.triangle(t);
    if (has_half_edges(v) && are_collinear(mesh.vertex(v[0]), mesh.vertex(v[1]), mesh.vertex(v[2])))
      found.push_back(t);
  }
  return found;
}

Vec3 middle_of_edge(const MeshView& mesh, std::uint32_t h) {
  return 0.5 * mesh.vertex(start_of(mesh, h)) + 0.5 * mesh.vertex(end_of(mesh, h));
}

/// Collects the first defects of each kind, in the order of the triangles.
class DefectList {
 public:
  DefectList(const MeshView& mesh, std::size_t limit, std::vector<Defect>& defects)
      : mesh_(mesh), limit_(limit), defects_(defects) {}

  void add_edges(DefectKind kind, std::vector<std::uint32_t> half_edges) {
    keep_first(half_edges);
    for (const std::uint32_t h : half_edges) add({kind, h / 3, middle_of_edge(mesh_, h)});
  }
  void add_triangles(DefectKind kind, std::vector<std::uint32_t> triangles) {
    keep_first(triangles);
    for (const std::uint32_t t : triangles) add({kind, t, centroid(mesh_, t)});
  }
  void add_vertices(DefectKind kind, const std::vector<std::uint32_t>& vertices) {
    if (vertices.empty()) return;
    std::vector<std::uint32_t> triangle_at(mesh_.vertex_count(), kNoIndex);
    for (std::uint32_t t = 0; t < mesh_.triangle_count(); ++t)
      for (const std::uint32_t v : mesh_.triangle(t)) triangle_at[v] = std::min(triangle_at[v], t);
    for (const std::uint32_t v : vertices) add({kind, triangle_at[v], mesh_.vertex(v)});
  }
  void add(const Defect& defect) {
    if (room() > 0) defects_.push_back(defect);
  }
  [[nodiscard]] std::size_t room() const { return limit_ - defects_.size(); }

 private:
  void keep_first(std::vector<std::uint32_t>& items) const {
    const std::size_t count = std::min(items.size(), room());
    std::partial_sort(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(count),
                      items.end());
    items.resize(count);
  }

  const MeshView& mesh_;
  std::size_t limit_;
  std::vector<Defect>& defects_;
};

/// The triangles of each shell one after another: three indices each, shell s from begin[s].
struct ShellTriangles {
  std::vector<std::uint32_t> indices;
  std::vector<std::size_t> begin;
};

ShellTriangles sorted_by_shell(const MeshView& mesh, const Shells& shells) {
  ShellTriangles sorted;
  sorted.begin.assign(shells.shells + 1, 0);
  for (const std::uint32_t s : shells.shell_of)
    if (s != kNoIndex) sorted.begin[s + 1] += 3;
  for (std::size_t s = 0; s < shells.shells; ++s) sorted.begin[s + 1] += sorted.begin[s];
  sorted.indices.resize(sorted.begin.back());
  std::vector<std::size_t> end(sorted.begin.begin(), sorted.begin.end() - 1);
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t) {
    if (shells.shell_of[t] == kNoIndex) continue;
    for (const std::uint32_t v : mesh.triangle(t)) sorted.indices[end[shells.shell_of[t]]++] = v;
  }
  return sorted;
}

/// The shells and which of them are turned inward. A closed shell's volume is the same about every
/// point; an open one's is taken about the middle of the mesh.
void describe_shells(const MeshView& mesh, const Shells& shells, const Frame& frame,
                     const Ball& volume, MeshHealth& health) {
  health.shells.resize(shells.shells);
  std::uint32_t next = 0;
  for (std::uint32_t t = 0; t < mesh.triangle_count(); ++t) {
    const std::uint32_t s = shells.shell_of[t];
    if (s == kNoIndex) continue;
    if (s == next) health.shells[next++].first_triangle = t;
    ++health.shells[s].triangles;
  }
  if (shells.shells == 1) {
    health.shells[0].inward = volume.is_negative();
  } else {
    const ShellTriangles sorted = sorted_by_shell(mesh, shells);
    // In units of the frame at once: each sum would take all vertices there again.
    TriangleMesh scaled;
    if (frame.exponent != 0) scaled = rescaled(mesh, frame.exponent);
    const MeshView whole = frame.exponent != 0 ? MeshView(scaled) : mesh;
    const Frame own{frame.apex.unaryExpr([&](double x) { return std::ldexp(x, -frame.exponent); })};
    for (std::uint32_t s = 0; s < shells.shells; ++s) {
      const std::size_t begin = sorted.begin[s];
      const MeshView part = whole.with_triangles(
          std::span(sorted.indices).subspan(begin, sorted.begin[s + 1] - begin));
      health.shells[s].inward = signed_volume(own, part).is_negative();
    }
  }
  for (const Shell& shell : health.shells) health.inward_shells += shell.inward;
}

/// Area, closure residual and shift sensitivity of a mesh of the given diagonal, by sums in units
/// of 2^exponent. Returns the triangles that may have no area.
std::vector<std::uint32_t> measure_surface(const MeshView& mesh, int exponent, double diagonal,
                                           bool closed, MeshHealth& health) {
  TriangleMesh scaled;
  if (exponent != 0) scaled = rescaled(mesh, exponent);
  AreaSums sums = sum_areas(exponent == 0 ? mesh : MeshView(scaled));
  health.surface_area = std::ldexp(sums.doubled_area / 2, 2 * exponent);
  const double residual = sums.normal_sum.norm();
  health.closure_residual = sums.doubled_area > 0 ? residual / sums.doubled_area : 0;
  // V = sum a.N / 6 changes by -d.(sum N) / 6 when the point moves by d, relative to the volume
  // about the point that mass_properties takes. In a closed mesh sum N is exactly 0, whatever
  // rounding left of it.
  if (!closed) {
    const double volume = signed_volume({sampled_frame(mesh).apex, exponent}, mesh).rounded();
    health.shift_sensitivity = diagonal * residual / 6 / std::fabs(volume);
  }
  return std::move(sums.narrow);
}

/// The box of the triangles that name no vertex twice, in one run over the vertices where those
/// name all.
Box3 box_of(const MeshView& mesh, const Edges& edges) {
  Box3 box;
  if (edges.vertices == mesh.vertex_count() && edges.repeated.empty()) {
    for (std::size_t v = 0; v < mesh.vertex_count(); ++v) box.extend(mesh.vertex(v));
    return box;
  }
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t) {
    const Triangle triangle = mesh.triangle(t);
    if (!has_half_edges(triangle)) continue;
    for (const std::uint32_t v : triangle) box.extend(mesh.vertex(v));
  }
  return box;
}

/// The indices, those of triangles that name a vertex twice replaced by that triangle's first: such
/// a triangle may be so large that its edges overflow.
std::vector<std::uint32_t> without_repeated(const MeshView& mesh, const Edges& edges) {
  std::vector<std::uint32_t> indices;
  indices.reserve(3 * mesh.triangle_count());
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t) {
    const Triangle v = mesh.triangle(t);
    const bool repeats = !has_half_edges(v);
    for (std::size_t k = 0; k < 3; ++k) indices.push_back(v[repeats ? 0 : k]);
  }
  return indices;
}

struct Measured {
  Frame frame;
  Ball volume;
  std::vector<std::uint32_t> narrow;  ///< Triangles that may have no area.
};

/// What needs sums: signs of volumes, areas. They are taken in units of the mesh's size.
Measured measure(const MeshView& mesh, const Edges& edges, const Shells& shells,
                 MeshHealth& health) {
  const Box3 box = box_of(mesh, edges);
  const Frame frame = frame_of(box);
  const int exponent = frame.exponent;
  const Ball volume = signed_volume(frame, mesh);
  describe_shells(mesh, shells, frame, volume, health);
  const Vec3 size = box.isEmpty() ? Vec3::Zero() : Vec3(box.max() / 2 - box.min() / 2);
  const double diagonal = 2 * std::ldexp(1, -exponent) * size.stableNorm();
  std::vector<std::uint32_t> indices;
  if (!edges.repeated.empty()) indices = without_repeated(mesh, edges);
  std::vector<std::uint32_t> narrow =
      measure_surface(indices.empty() ? mesh : mesh.with_triangles(indices), exponent, diagonal,
                      edges.are_balanced(), health);
  return {frame, volume, std::move(narrow)};
}

/// How the mesh is turned is decided by the volume `within` its surface, caps over its rims
/// included.
MeshFindings findings_of(const Edges& edges, const Soundness& soundness, const Ball& within) {
  MeshFindings findings;
  findings.open = !edges.boundary.empty();
  findings.inconsistent = !edges.inconsistent.empty() || !edges.unbalanced.empty();
  findings.opposed = soundness.opposed;
  findings.nested = soundness.nested;
  findings.self_intersecting = soundness.crossing && !soundness.undecided;
  findings.undecided = soundness.undecided;
  findings.zero_volume = edges.are_balanced() && within.hi == 0;
  findings.inverted = within.is_negative();
  return findings;
}

}  // namespace

MeshHealth examine(const CheckedMesh& checked, const HealthOptions& options) {
  const MeshView& mesh = checked.view();
  const Edges edges = find_edges(mesh);
  const Shells shells = find_shells(mesh, edges);
  const std::vector<std::uint32_t> pinches = find_nonmanifold_vertices(mesh, edges);
  const std::vector<std::uint32_t> duplicates = find_duplicates(mesh, edges);

  MeshHealth health;
  health.vertices = edges.vertices;
  health.triangles = mesh.triangle_count();
  health.boundary_edges = edges.boundary.size();
  health.nonmanifold_edges = edges.fan_count();
  health.inconsistent_edges = edges.inconsistent.size();
  health.unbalanced_edges =
      edges.boundary.size() + edges.inconsistent.size() + edges.unbalanced.size();
  health.nonmanifold_vertices = pinches.size();
  health.repeated_index_triangles = edges.repeated.size();
  health.duplicate_triangles = duplicates.size();
  const Measured measured = measure(mesh, edges, shells, health);
  const std::vector<std::uint32_t> flat = find_zero_area(mesh, edges, measured.narrow);
  health.zero_area_triangles = flat.size();

  std::optional<RimCaps> caps;
  if (!edges.are_balanced()) caps.emplace(mesh, edges, shells);
  const SoundnessInput input{
      mesh,           shells.shell_of,         shells.shells,    shells.patch_of,
      shells.patches, caps ? &*caps : nullptr, options.max_looks};
  const Soundness soundness =
      assess_soundness(input, options.check_self_intersections, options.max_defects);
  health.self_intersecting_pairs = soundness.self_intersecting_pairs;
  health.has_more_pairs = soundness.has_more_pairs;
  health.findings = findings_of(
      edges, soundness, caps ? signed_volume(measured.frame, caps->closed()) : measured.volume);
  health.status = worst_of(health.findings);

  DefectList defects(mesh, options.max_defects, health.defects);
  defects.add_edges(DefectKind::kBoundaryEdge, edges.boundary);
  std::vector<std::uint32_t> unbalanced = edges.inconsistent;
  unbalanced.insert(unbalanced.end(), edges.unbalanced.begin(), edges.unbalanced.end());
  defects.add_edges(DefectKind::kUnbalancedEdge, unbalanced);
  for (const Defect& defect : soundness.defects) defects.add(defect);
  defects.add_triangles(DefectKind::kDuplicateTriangle, duplicates);
  defects.add_triangles(DefectKind::kZeroArea, flat);
  defects.add_triangles(DefectKind::kRepeatedIndex, edges.repeated);
  std::vector<std::uint32_t> fans;
  for (std::size_t i = 0; i < edges.fan_count(); ++i) fans.push_back(edges.fan(i)[0]);
  defects.add_edges(DefectKind::kNonmanifoldEdge, fans);
  defects.add_vertices(DefectKind::kNonmanifoldVertex, pinches);
  return health;
}

MeshFindings& operator|=(MeshFindings& findings, const MeshFindings& more) {
  findings.open |= more.open;
  findings.inconsistent |= more.inconsistent;
  findings.opposed |= more.opposed;
  findings.nested |= more.nested;
  findings.self_intersecting |= more.self_intersecting;
  findings.undecided |= more.undecided;
  findings.zero_volume |= more.zero_volume;
  findings.inverted |= more.inverted;
  return findings;
}

MeshStatus worst_of(const MeshFindings& findings, RimUse rim) {
  if (findings.open && rim == RimUse::kNeeded) return MeshStatus::kOpen;
  if (findings.inconsistent || findings.opposed) return MeshStatus::kInconsistent;
  if (findings.nested) return MeshStatus::kNested;
  if (findings.self_intersecting) return MeshStatus::kSelfIntersecting;
  if (findings.undecided) return MeshStatus::kUndecided;
  if (findings.zero_volume) return MeshStatus::kZeroVolume;
  return findings.inverted ? MeshStatus::kInverted : MeshStatus::kOk;
}

const char* to_string(MeshStatus status) {
  switch (status) {
    case MeshStatus::kOpen:
      return "open";
    case MeshStatus::kInconsistent:
      return "inconsistent";
    case MeshStatus::kNested:
      return "nested";
    case MeshStatus::kSelfIntersecting:
      return "self_intersecting";
    case MeshStatus::kUndecided:
      return "undecided";
    case MeshStatus::kZeroVolume:
      return "zero_volume";
    case MeshStatus::kInverted:
      return "inverted";
    case MeshStatus::kOk:
      return "ok";
  }
  return "unknown";
}

bool is_sound(MeshStatus status) {
  return status == MeshStatus::kOk || status == MeshStatus::kInverted;
}

const char* to_string(DefectKind kind) {
  switch (kind) {
    case DefectKind::kBoundaryEdge:
      return "boundary_edge";
    case DefectKind::kUnbalancedEdge:
      return "unbalanced_edge";
    case DefectKind::kNonmanifoldEdge:
      return "nonmanifold_edge";
    case DefectKind::kNonmanifoldVertex:
      return "nonmanifold_vertex";
    case DefectKind::kRepeatedIndex:
      return "repeated_index";
    case DefectKind::kZeroArea:
      return "zero_area";
    case DefectKind::kDuplicateTriangle:
      return "duplicate_triangle";
    case DefectKind::kNestedShell:
      return "nested_shell";
    case DefectKind::kInwardShell:
      return "inward_shell";
    case DefectKind::kSelfIntersection:
      return "self_intersection";
  }
  return "unknown";
}

}  // namespace plimsoll
