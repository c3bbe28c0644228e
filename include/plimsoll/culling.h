// Which triangles of many bodies may touch others, found by drawing them: culling by visibility
// [Govindaraju2004]. And which do, exactly.
//
//   const std::vector<CullBody> bodies = {{cup, world_from_cup}, {board}};
//   const Result<Culling> left = cull_by_scanline(bodies);  // or GlCulling (gl_culling.h)
//   if (left) use(culled_pairs(bodies, *left));
//
// A body none of whose points lies behind one of the others', seen along x, y or z, touches none of
// them. What is left after all bodies, and then parts of them, were asked for that again and again
// is the potentially colliding set. FAR fattens triangles by as much as pixels hide, so that no
// pair that touches is lost, whatever the number of pixels; docs/theory/culling.md has the proof.
// CULLIDE draws them as they are, and loses some.
#pragma once

#include <plimsoll/mesh.h>
#include <plimsoll/pairs.h>
#include <plimsoll/result.h>
#include <plimsoll/types.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace [[gnu::visibility("default")]] plimsoll {

/// A mesh in its place. Triangles need not bound a solid.
struct CullBody {
  CheckedMesh mesh;
  Similarity world_from_body = Similarity::Identity();
};

enum class CullMethod {
  kFar,      ///< Loses no pair.
  kCullide,  ///< Triangles are not fattened: loses pairs where pixels are too coarse.
};

struct CullOptions {
  static constexpr int kMinResolution = 16, kMaxResolution = 16384;

  CullMethod method = CullMethod::kFar;
  int resolution = 1024;  ///< Pixels along each side of a view, within these limits.
  /// Neighboring triangles that are asked about together, once whole bodies were: a part.
  std::size_t part_triangles = 16;
  /// Keeps also what is closer than that to another body [m]. Of kFar: kCullide refuses it.
  double within = 0;
  // What kFar does beyond the paper, each without losing a pair; kCullide never does.

  /// Whether single triangles are asked about last, fattened for each view on its own, which is
  /// tighter than the published boxes.
  bool refines_triangles = true;
  /// In each view bodies are drawn one after the other, in the order of the list and then against
  /// it. Whether what was in front of all drawn before it in one of these orders is remembered for
  /// all views and rounds, as in Quick-CULLIDE: fewer queries, and more is culled.
  bool remembers_passes = true;
  /// Whether every other round looks from the other end of each axis: what is behind all others
  /// touches none either.
  bool from_both_ends = true;
  /// Of bodies, of parts and of triangles each; few scenes need more than ten until nothing leaves
  /// any more. Plates stacked aslant leave one by one: then the set is larger than it has to be. 0
  /// culls nothing.
  std::size_t most_rounds = 100;
  bool keeps_views = false;  ///< Whether Culling::views is filled.
  /// What cull_by_scanline may rasterize, in pixels. Beside those that triangles cover it counts 64
  /// for each triangle, 16 for each row of one, and one for four that it clears: half a billion
  /// take about a second, and the default some ten minutes. What OpenGL draws
  /// is not counted; `most_rounds` bounds it.
  double max_pixels = 3e11;
};

/// What is asked about: whole bodies first, then parts of those that are left, then triangles. Of
/// kCullide, and without CullOptions::refines_triangles, no triangles.
enum class CullLevel { kBodies, kParts, kTriangles };

/// A view, and what was left after it.
struct CullView {
  CullLevel level = CullLevel::kBodies;
  int round = 0;               ///< Counted from 0 in each level; of one or more of the three axes.
  int axis = 2;                ///< The direction of view: x y z.
  bool is_backward = false;    ///< Or against it.
  Vec3 center = Vec3::Zero();  ///< Of the volume in view, a cube, the same for a round [m].
  double half_side = 0;        ///< Of that [m].
  /// By which triangles are fattened, half of CullOptions::within included [m]. Single triangles
  /// are fattened less, and those longer than 200 pixels more. 0 on the processor without a
  /// distance.
  double radius = 0;
  std::vector<std::vector<std::uint32_t>> surviving;  ///< As Culling::surviving.
};

/// The work that was done.
struct CullWork {
  std::size_t rounds = 0;   ///< Each of three views, or fewer once nothing is left.
  std::size_t queries = 0;  ///< Bodies, parts and triangles that were asked about, in all views.
  /// Triangles of the meshes that were asked about, and that were drawn for others to be asked
  /// about, in all views. Both are rasterized, as boxes of 12 triangles or prisms of 20.
  std::size_t asked_triangles = 0, drawn_triangles = 0;
  double pixels = 0;  ///< By cull_by_scanline, counted as CullOptions::max_pixels says.
};

struct Culling {
  /// The triangles of each body that may touch one of another, ascending. Of bodies none of whose
  /// triangles may, none.
  std::vector<std::vector<std::uint32_t>> surviving;
  double within = 0;  ///< As CullOptions::within [m].
  CullWork work;
  std::string renderer;  ///< What drew: OpenGL's name of it, or "processor".
  std::vector<CullView> views;

  [[nodiscard]] std::size_t surviving_count() const;
};

/// FAR without graphics hardware, by the rasterization that [Govindaraju2004, sec. 7] proposes: a
/// fragment for each pixel that a triangle touches, and depths that bound it there, so that nothing
/// has to be fattened but by a distance. On one thread. For bodies that touch in few of n triangles
/// 2.4 to 2.8 us a triangle at 512 pixels and 5.3 to 6.7 at 1400, with the exact tests of what is
/// left; with a distance boxes are drawn, and as many pixels as they cover take their time, up to
/// CullOptions::max_pixels. Errors: `InvalidArgument` for poses, as PairSearch::pairs, and for
/// options out of their ranges; `Unavailable` for kCullide, which is what graphics hardware does;
/// `ResourceLimit` where it takes more than `max_pixels`.
[[nodiscard]] Result<Culling> cull_by_scanline(std::span<const CullBody> bodies,
                                               const CullOptions& options = {});

/// Two bodies, by their places in the list, a < b, and the pairs of their triangles, ascending.
struct CulledPairs {
  std::uint32_t a = 0, b = 0;
  std::vector<TrianglePair> pairs;
};

/// What touches among the triangles that are left: boxes of bodies are swept and pruned, then boxes
/// of triangles, and then each two triangles are asked exactly, as in pairs.h. If what is closer
/// than a distance was kept, the pairs that are closer than that, as NearPairSearch finds; there is
/// no limit to how many. Ascending by bodies. Errors: `InvalidArgument` for poses, as
/// PairSearch::pairs, and if `culling` has more or fewer bodies, or triangles that they have not,
/// and for a limit that is no number, or below 0; `ResourceLimit` where boxes and triangles take
/// more than `max_work`, counted as PairSearch::kMaxWork is, and where to decide takes too long, as
/// NearPairSearch::pairs.
[[nodiscard]] Result<std::vector<CulledPairs>> culled_pairs(std::span<const CullBody> bodies,
                                                            const Culling& culling,
                                                            double max_work = PairSearch::kMaxWork);

/// The boxes that FAR draws for these triangles of a body, in the world, of long ones without what
/// they are fattened more: triangle i of the list has the vertices 8 i to 8 i + 7 and the triangles
/// 12 i to 12 i + 11. `radius` as in CullView. Errors: `InvalidArgument` for the pose, as
/// PairSearch::pairs, for triangles that the body has not, and for a radius that is negative or
/// infinite.
[[nodiscard]] Result<TriangleMesh> fattened_boxes(const CullBody& body,
                                                  std::span<const std::uint32_t> triangles,
                                                  double radius);

}  // namespace plimsoll
