// What is wrong with a mesh, how much, and where. [m] stands for the unit of the mesh.
#pragma once

#include <plimsoll/mesh.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace [[gnu::visibility("default")]] plimsoll {

/// How far a solid's numbers can be trusted: the first of these that applies, in this order.
enum class MeshStatus {
  kOpen,              ///< Boundary edges: the triangles bound nothing.
  kInconsistent,      ///< Unbalanced edges, or separate shells turned opposite ways.
  kNested,            ///< A shell inside another turned the same way: space is counted twice.
  kSelfIntersecting,  ///< Checked, and two shells or one pass through each other.
  kUndecided,         ///< Whether they do could not be settled within the limits of work.
  kZeroVolume,        ///< Closed, but the volume is exactly 0.
  kInverted,          ///< Closed, turned inward; measured as if turned outward.
  kOk,
};

[[nodiscard]] const char* to_string(MeshStatus status);

/// True for kOk and kInverted: the answer is that of a solid.
[[nodiscard]] bool is_sound(MeshStatus status);

/// The judge of a body. What is wrong with it is a set of findings, any of which may hold at once:
/// one hides no other. All questions about the body ask for the same set, and each takes as its
/// status the worst finding that it cannot do without (worst_of).
///
/// A mesh that does not close is judged by caps over its rims, wherever these do not matter:
/// outside the convex hull of each rim. A plane that leaves a rim on one side leaves its hull there
/// too.
struct MeshFindings {
  bool open = false;               ///< Boundary edges.
  bool inconsistent = false;       ///< Unbalanced edges that are no boundary.
  bool opposed = false;            ///< Shells beside each other are turned opposite ways.
  bool nested = false;             ///< A shell lies in another that is turned the same way.
  bool self_intersecting = false;  ///< Two shells or one pass through each other.
  bool undecided = false;          ///< There are more pieces, or places where surfaces meet, than
                                   ///< are worth following, and none was found where they cross.
  bool zero_volume = false;        ///< Closed, but the volume is exactly 0.
  bool inverted = false;           ///< Turned inward; an open mesh with its rims capped.
};

/// Adds the findings in `more`.
MeshFindings& operator|=(MeshFindings& findings, const MeshFindings& more);

/// What becomes of the boundary edges of an open mesh.
enum class RimUse {
  kNeeded,  ///< The question is about the whole body: they are faults.
  kDry,     ///< It is about the part under a plane that all of them are above: they do no harm.
};

/// The status: the worst of the findings, in the order of MeshStatus; kOk where there is none. A
/// rim that is `kDry` excuses `open` and nothing else: faces that are turned over have no rim, and
/// an answer under a plane would not say where it ends.
[[nodiscard]] MeshStatus worst_of(const MeshFindings& findings, RimUse rim = RimUse::kNeeded);

enum class DefectKind {
  kBoundaryEdge,
  kUnbalancedEdge,   ///< Not run along equally often in both directions, and not a boundary.
  kNonmanifoldEdge,  ///< Shared by three triangles or more. Sound where it balances.
  kNonmanifoldVertex,
  kRepeatedIndex,
  kZeroArea,
  kDuplicateTriangle,
  kNestedShell,
  kInwardShell,  ///< A shell beside, not inside, one turned the other way.
  kSelfIntersection,
};

[[nodiscard]] const char* to_string(DefectKind kind);  ///< "boundary_edge", ...

struct Defect {
  DefectKind kind;
  std::uint32_t triangle;  ///< One at fault.
  Vec3 at;                 ///< A point of the defect: an edge's midpoint, a vertex, a centroid.
};

/// Triangles joined over shared edges. A shared vertex alone does not join.
struct Shell {
  std::uint32_t first_triangle = 0;
  std::uint32_t triangles = 0;
  bool inward = false;  ///< Its signed volume is below zero, decided exactly.
};

/// Counts as defined for edges as unordered pairs of vertices; triangles that name a vertex twice
/// are counted once, in `repeated_index_triangles`, and left out of everything else.
struct MeshHealth {
  MeshFindings findings;
  MeshStatus status = MeshStatus::kOk;  ///< The worst of them.
  std::size_t vertices = 0;             ///< That some triangle names.
  std::size_t triangles = 0;            ///< All.
  std::size_t inward_shells = 0;
  std::size_t boundary_edges = 0;      ///< Of one triangle.
  std::size_t nonmanifold_edges = 0;   ///< Of three or more.
  std::size_t inconsistent_edges = 0;  ///< Of two that run along it the same way.
  std::size_t unbalanced_edges = 0;    ///< Not run along equally often both ways; 0 means closed.
  std::size_t nonmanifold_vertices = 0;
  std::size_t repeated_index_triangles = 0;
  std::size_t zero_area_triangles = 0;  ///< Three different points exactly on one line.
  std::size_t duplicate_triangles = 0;  ///< The same three vertices as an earlier one, either way.
  std::optional<std::size_t> self_intersecting_pairs;  ///< Absent unless asked for.
  bool has_more_pairs = false;  ///< Counting stopped there: there are at least as many.
  double surface_area = 0;      ///< [m^2]
  double closure_residual =
      0;  ///< |sum N| / sum |N|, N the area vectors; rounding alone if closed.
  double shift_sensitivity = 0;  ///< Relative change of the volume when the reference point moves
                                 ///< by the diagonal of the box; exactly 0 if closed.
  std::vector<Shell> shells;
  std::vector<Defect> defects;  ///< The first HealthOptions::max_defects, gravest kinds first.
};

struct HealthOptions {
  bool check_self_intersections = false;  ///< Count pairs within and between shells: O(n log n).
  std::size_t max_defects = 100;
  /// How much is done to tell apart pieces of surface that lie upon each other: looks at a piece of
  /// a triangle by an edge that may cut it, or at a triangle by a ray. A look counts as 0.4 us, so
  /// that the default stands for sixteen seconds of one core. As many are spent before on finding
  /// which triangles meet, beside fifty for each triangle: there a look is at four pairs of
  /// triangles, or at one of hulls around some. Where it takes more, the finding is `undecided`,
  /// unless triangles were found by then that cross.
  std::uint64_t max_looks = 40'000'000;
};

/// Examines `mesh`, whose corners count as equal by index (weld first). Everything is decided
/// exactly, not by a threshold. Nesting, and whether shells pass through each other, is always
/// checked where the boxes of shells meet; intersections within a shell only on request. A patch of
/// a mesh that does not close is compared with the others in the same way.
/// O(triangles) for a single shell.
[[nodiscard]] MeshHealth examine(const CheckedMesh& mesh, const HealthOptions& options = {});

}  // namespace plimsoll
