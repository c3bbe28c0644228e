// Inner sphere trees: distance, common volume and forces of two solids in bounded time, from
// spheres inside them [Weller2009].
//
//   const Result<SpherePacking> packing = pack_spheres(solid, {.max_count = 50'000});
//   const Result<SphereTree> cup = SphereTree::create(solid, packing->spheres);
//   SphereSearch search;  // one for each thread
//   const Result<SphereVolume> shared =
//       search.volume(*cup, world_from_cup, *hand, world_from_hand);
//
// A loop of a thousand steps a second gives both questions a part of the step, leaves out bounds,
// which come after the budget, and begins with the last step's pair of spheres:
//
//   SphereVolumeOptions in_time{.max_time = 4e-4, .with_bounds = false};
//   SphereDistanceOptions near{.max_time = 2e-4};
//   const Result<SphereVolume> shared = search.volume(*cup, cup_pose, *hand, hand_pose, in_time);
//   apply(stiffness * shared->force_a, stiffness * shared->torque_a);  // [N/m^3]
//   const Result<SphereTreeDistance> apart =
//       search.distance(*cup, cup_pose, *hand, hand_pose, near);
//   near.last = apart->last;
//
// docs/theory/spheres.md has the mathematics, and how far the answers are from exact ones. Answers
// are in the world; lengths in meters.
#pragma once

#include <plimsoll/mesh.h>
#include <plimsoll/pairs.h>
#include <plimsoll/result.h>
#include <plimsoll/sphere_packing.h>
#include <plimsoll/types.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace [[gnu::visibility("default")]] plimsoll {

/// Which radius the secondary spheres have, whose volumes make the solid's [Weller2009,
/// sec. 4.2.1].
enum class SecondaryRadii {
  kPrimary,    ///< That of the primary spheres, the ones that were packed.
  kPublished,  ///< Of the lattice's cubes whose centers the primary sphere contains.
  kShares,     ///< Of the exact part of the solid that is nearest to the sphere.
};

struct SphereTreeOptions {
  std::size_t branching = 4;  ///< Children of a node, 2 to 16.
  SecondaryRadii secondary = SecondaryRadii::kShares;
  /// Cubes along the longest side of the solid's box, by which parts of the solid are given to
  /// spheres; 0: as many as go with the number of spheres.
  std::size_t resolution = 0;
};

/// A ball of the tree.
struct TreeBall {
  PlacedSphere ball;         ///< Encloses the spheres below a node, or is one.
  std::uint32_t branch = 0;  ///< Which child of the root it is or belongs to; 0 for the root.
};

class DeformingSpheres;
struct SphereHierarchy;

/// A solid that is asked by its inner spheres. Copies share all; any number of threads may ask.
class SphereTree {
 public:
  /// Spheres as pack_spheres finds them: in the solid, and not overlapping, both to 1e-9 of its
  /// size. Those of a part that was kept are accepted, but the tree is that of the whole solid.
  /// Errors: `InvalidArgument` for no spheres, for others, and for options out of range;
  /// `NotClosed` for a solid of which spheres have a part that winds the other way; as
  /// pack_spheres_on_lattice for the lattice. O(n log n), in parallel.
  [[nodiscard]] static Result<SphereTree> create(const ClosedMesh& solid,
                                                 std::span<const PlacedSphere> spheres,
                                                 const SphereTreeOptions& options = {});

  /// The tree that to_bytes wrote: to the last bit the same, with the mesh. `name` stands for the
  /// data in messages. Spheres are checked as by create; what part of the solid each stands for is
  /// taken from the data. Any data are refused or make a tree that can be asked.
  /// Errors: `Malformed`, with the byte or the sphere; `Unsupported` for a later version;
  /// `ResourceLimit`. O(n log n), and no more memory than 16 times the data.
  [[nodiscard]] static Result<SphereTree> from_bytes(std::span<const std::byte> data,
                                                     std::string_view name = "sphere tree");
  /// The same of a file (.ist). Errors: `Unreadable` too.
  [[nodiscard]] static Result<SphereTree> load(const std::filesystem::path& path);

  /// 105 bytes for each sphere, 25 for each node above them, 4 for each triangle that a sphere
  /// keeps, 24 for a vertex and 12 for a triangle of the mesh.
  [[nodiscard]] std::vector<std::byte> to_bytes() const;
  /// Writes them to a file, which appears whole or not at all. Errors: `Unreadable` if it cannot be
  /// written; `ResourceLimit`.
  [[nodiscard]] Result<void> save(const std::filesystem::path& path) const;

  [[nodiscard]] std::span<const PlacedSphere> spheres() const;
  /// The balls of a level of the tree, the root's being 0: those of its nodes, and the spheres that
  /// are leaves above it.
  [[nodiscard]] std::vector<TreeBall> level(std::size_t depth) const;
  /// The first level that has only spheres.
  [[nodiscard]] std::size_t depth() const;
  [[nodiscard]] double solid_volume() const;  ///< [m^3]
  [[nodiscard]] double coverage() const;      ///< Volume of the spheres over that of the solid.
  [[nodiscard]] Vec3 center_of_mass() const;  ///< Of the solid, in its frame [m].
  /// What the tree takes, its triangles included [bytes].
  [[nodiscard]] std::size_t memory() const;

 private:
  friend class DeformingSpheres;
  friend class SphereSearch;
  friend const SphereHierarchy& hierarchy_of(const SphereTree& tree);
  struct State;
  explicit SphereTree(std::shared_ptr<const State> state);
  std::shared_ptr<const State> state_;
};

/// Where the nearest pair of spheres stands in both trees, by which a search may begin: numbers of
/// nodes, not of spheres(). Numbers of other trees cost time, and change no answer.
struct NearestSpheres {
  std::uint32_t a = 0, b = 0;
};

struct SphereDistanceOptions {
  /// That of an answer for the same solids a little before: without a budget it decides only how
  /// long the search takes.
  std::optional<NearestSpheres> last = std::nullopt;
  /// The search ends after that time, or some microseconds later, for it looks at one pair of
  /// spheres in any case; all bounds hold then [s].
  double max_time = std::numeric_limits<double>::infinity();
  /// Without, the distance is that of the spheres, and the lower bound that less how far both
  /// solids stick out of their spheres [Weller2009, sec. 2.1]: 1.4 to 16 us for 5,000 to
  /// 500,000 spheres, whatever the meshes. With triangles it takes 0.24 to 20 ms, where
  /// DistanceSearch (distance.h) finds the same in 24 to 53 us.
  bool with_triangles = true;
};

/// How far two solids are apart.
struct SphereTreeDistance {
  /// The lesser of the distance of the spheres, which lie inside, and that of the triangles near
  /// them [Weller2009, sec. 4.1.2]: never below the true one but for rounding [m]. Of a search that
  /// ended in time the least that it found.
  double distance = 0;
  /// Enclose the distance of the solids [m]. `lower` is 0 where balls around their parts meet, as
  /// they do near contact: then containment (distance.h) tells whether one lies in the other, and
  /// where none does, `surfaces_lower` is the lower bound.
  double lower = 0, upper = 0;
  /// The surfaces are no nearer than that; the solids may be, where one lies in the other [m].
  double surfaces_lower = 0;
  bool spheres_meet = false;  ///< Two inner spheres have volume in common: the solids do.
  bool is_complete = true;    ///< The budget sufficed.
  /// That far apart, in the world; nothing where spheres meet, or surfaces touch or cross.
  std::optional<Vec3> point_a, point_b;
  NearestSpheres last;  ///< For the next search.
};

/// Where two primary spheres push each other apart.
struct SphereContact {
  Vec3 point = Vec3::Zero();  ///< Centroid of what the two have in common, in the world [m].
  double volume = 0;          ///< That they have in common [m^3].
  double area = 0;            ///< Of the disk in which their surfaces cross: -dV/dd [m^2].
  double energy = 0;          ///< The potential of ForceDirection::kCenters [m^4].
  /// Forces at the point for the stiffness k_c = 1, in the world [m^3].
  Vec3 force_a = Vec3::Zero(), force_b = Vec3::Zero();
  /// The contact stands for spheres that the search has not reached: the volume is what they are
  /// expected to have in common, the point that of the balls around them; it has neither area nor
  /// energy.
  bool is_expected = false;
};

/// The volume that two solids share.
struct SphereVolume {
  double volume = 0;  ///< Of the secondary spheres: an estimate, moved into the bounds [m^3].
  double lower = 0,
         upper = 0;  ///< Enclose the volume; 0 and that of the smaller solid if not asked.
  /// Centroid of what the secondary spheres share [m]; nothing where they share nothing.
  std::optional<Vec3> center;
  bool is_complete = true;  ///< The budget sufficed.
  /// Forces on `a` and on `b`, which part the two, and torques about their centers of mass, along
  /// the axes of the world, by primary spheres [Weller2009, eq. (6)-(9)]: for the stiffness k_c = 1
  /// N/m^3 in N and N m, so in m^3 and m^4 of volume.
  Vec3 force_a = Vec3::Zero(), torque_a = Vec3::Zero();
  Vec3 force_b = Vec3::Zero(), torque_b = Vec3::Zero();
  /// All pairs of primary spheres that meet, if asked, in an order that is the same each time. The
  /// forces add up to those above, and so do their torques, each at its point. A search that ended
  /// in time also has expected contacts, and then a pair that fades out (docs/theory/spheres.md)
  /// counts with a part of its lens; the sums hold all the same. The search owns the memory: valid
  /// until it is asked for a volume again, or ends.
  std::span<const SphereContact> contacts;
};

/// In which direction a pair of spheres is pushed apart.
enum class ForceDirection {
  /// As published: each sphere leaves along the outward normal of the other's surface, the axis of
  /// the other's cone of normals, where that cone is narrow, else along the line of centers. Two
  /// forces
  /// of a pair are not opposite, and the work round a closed loop is not 0.
  kConesOrCenters,
  /// Along the line of centers for every pair: equal and opposite, with a potential.
  kCenters,
};

struct SphereVolumeOptions {
  /// The search for volume and forces ends after that time; what it has not reached counts as
  /// expected. Bounds and contacts come after it, and take their own time [s].
  double max_time = std::numeric_limits<double>::infinity();
  bool with_bounds = true;  ///< Ten to twenty times the time of the volume alone.
  bool with_forces = true;  ///< Some ten times the time of the volume alone.
  /// Also each contact; forces are then found too. A search that ends in time makes them after its
  /// end.
  bool with_contacts = false;
  ForceDirection direction = ForceDirection::kConesOrCenters;
};

/// Asks trees, and keeps its memory from one question to the next; one thread at a time.
class SphereSearch {
 public:
  SphereSearch();
  SphereSearch(SphereSearch&&) noexcept;
  SphereSearch& operator=(SphereSearch&&) noexcept;
  ~SphereSearch();

  /// Whether an inner sphere of one has volume in common with one of the other. True only where the
  /// solids have. Errors: `InvalidArgument` unless check_pose (shape.h) accepts both poses.
  [[nodiscard]] Result<bool> spheres_meet(const SphereTree& a, const Similarity& world_from_a,
                                          const SphereTree& b, const Similarity& world_from_b);

  /// How far the solids are apart. Errors: as volume().
  [[nodiscard]] Result<SphereTreeDistance> distance(const SphereTree& a,
                                                    const Similarity& world_from_a,
                                                    const SphereTree& b,
                                                    const Similarity& world_from_b,
                                                    const SphereDistanceOptions& options = {});

  /// Pairs of triangles that touch, of those that two meeting inner spheres keep: a part of what
  /// PairSearch (pairs.h) finds in these poses, none else [Weller2009, sec. 4]. Ascending, each
  /// once; good until the next call. Errors: as spheres_meet, where a posed coordinate may exceed
  /// 1e300, and for a limit that is no number, or below 0; `ResourceLimit` where it takes more than
  /// `max_work`, counted as there: few spheres of a fine mesh keep thousands of triangles each.
  [[nodiscard]] Result<std::span<const TrianglePair>> touching_triangles(
      const SphereTree& a, const Similarity& world_from_a, const SphereTree& b,
      const Similarity& world_from_b, double max_work = PairSearch::kMaxWork);

  /// The volume that the solids share. Errors: as spheres_meet; `InvalidArgument` also for a time
  /// below 0, and where a number of the answer is beyond the largest double.
  [[nodiscard]] Result<SphereVolume> volume(const SphereTree& a, const Similarity& world_from_a,
                                            const SphereTree& b, const Similarity& world_from_b,
                                            const SphereVolumeOptions& options = {});

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace plimsoll
