// Bodies that move, deform and break, frame by frame: what searches for pairs are measured on. Each
// scene is the same every time, and frames may be asked for in any order.
#pragma once

#include <plimsoll/mesh.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace plimsoll::bench {

/// A body as it is in a frame.
struct PlacedBody {
  std::uint32_t id = 0;                       ///< Stays the body's from frame to frame.
  std::shared_ptr<const TriangleMesh> shape;  ///< Another object where the body has deformed.
  Similarity world_from_body = Similarity::Identity();
};

using SceneFrame = std::vector<PlacedBody>;  ///< Ascending by id.

enum class Motion {
  kRigid,    ///< Shapes stay, only poses change.
  kDeforms,  ///< Vertices move, triangles stay.
  kBreaks,   ///< Bodies become others.
};

struct ContactScene {
  std::string name;
  std::size_t frame_count = 0;
  Motion motion = Motion::kRigid;
  std::function<SceneFrame(std::size_t)> frame;
};

/// Centered at the origin, the longest edge of its box 1.
[[nodiscard]] TriangleMesh unit_size(TriangleMesh mesh);

/// Two bodies that turn, the second away from the first by about `distance` and `turn`. With
/// `deforms` waves run over both.
struct TwoBodies {
  double distance = 0.3;
  double turn = 1;
  bool deforms = false;
};
[[nodiscard]] ContactScene two_bodies(std::string name, const TriangleMesh& a,
                                      const TriangleMesh& b, const TwoBodies& how);

/// `target` breaks, three of its pieces in two each frame, while `falling` passes through it.
/// Pieces fly apart and turn. Both meshes of unit_size. Pieces are parts of the surface, open. With
/// `is_all_new` no body is one of the frame before, as a program that breaks meshes may have it;
/// else those that did not break stay what they are.
[[nodiscard]] ContactScene breaking(std::string name, const TriangleMesh& target,
                                    const TriangleMesh& falling, bool is_all_new);

/// A trunk that stands still, and `count` leaves of 156 triangles around it that bend in the wind.
[[nodiscard]] ContactScene leaves(std::string name, int count);

enum class Crowd {
  kSpreadFewMove,  ///< Far apart, 1 % move in a frame.
  kSpreadAllMove,
  kHeap,         ///< Side by side and one upon the other, all moving.
  kAroundAHuge,  ///< As spread, and one of 70,000 triangles whose box holds them all.
};
/// `count` bodies of 1,000 triangles.
[[nodiscard]] ContactScene crowd(std::string name, Crowd kind, int count);

/// One cloth of 2 n^2 triangles that is rolled up and let go, layer upon layer.
[[nodiscard]] ContactScene folding_cloth(std::string name, int n);

/// One body of unit_size that turns inside of another: a knot within a bumpy sphere that it
/// reaches through.
[[nodiscard]] ContactScene knot_in_sphere(std::string name);

/// What has changed since a frame, by places in both.
struct FrameChanges {
  std::vector<std::size_t> gone;                      ///< In the frame before.
  std::vector<std::size_t> arrived, reshaped, moved;  ///< In the frame now. A body that is reshaped
                                                      ///< may have moved as well.
};
[[nodiscard]] FrameChanges changes(const SceneFrame& before, const SceneFrame& now);

/// Writes each body, posed, into `folder`, as body_ID.off.
[[nodiscard]] Result<void> write_frame(const SceneFrame& frame,
                                       const std::filesystem::path& folder);

}  // namespace plimsoll::bench
