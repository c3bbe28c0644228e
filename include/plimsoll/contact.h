// The forces with which two solids that overlap drive each other apart, from a potential that knows
// how deep they lie in each other.
//
//   const SolidTree box(MeshTree(*CheckedMesh::from_triangles(mesh)));  // once for a shape
//   ContactSearch search;                                               // once for a thread
//   const Result<ContactForces> contact = search.forces(box, world_from_a, floor, world_from_b);
//   if (contact) push(stiffness * contact->force_a, stiffness * contact->torque_a);
//
// With the volume itself as the potential (overlap.h) bodies cannot rest on each other: its force
// is all there as soon as faces touch, and does not resist rocking (docs/theory/contact.md).
#pragma once

#include <plimsoll/pairs.h>
#include <plimsoll/result.h>
#include <plimsoll/solid_tree.h>
#include <plimsoll/types.h>

#include <array>
#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

namespace [[gnu::visibility("default")]] plimsoll {

/// What the forces of two solids that overlap are minus the gradient of. d_A(x) and d_B(x) are the
/// depths of a point x below both surfaces, the distances to them.
enum class ContactPotential {
  /// 1/2 integral over A and B's common part of d_A + d_B. Each surface feels half its depth in the
  /// other solid.
  kMeanDepth,
  /// 2 integral over it of the lesser of d_A and d_B: what a pressure at the surface in their
  /// middle, where both are equal, does [Elandt2019]. Each surface feels its distance from that.
  /// Flat faces push as by kMeanDepth; it takes 3 to 35 times as long.
  kLesserDepth,
};

enum class ContactMethod {
  kExact,        ///< ContactSearch::forces, of ContactPotential::kMeanDepth.
  kLesserDepth,  ///< The same, of ContactPotential::kLesserDepth.
  kSpheres,      ///< Inner sphere trees: pairs of primary spheres along their lines of centers
                 ///< [Weller2009, sec. 5], each with the volume that it has in common.
  /// The volume that is shared, along its mean normal and at its center, as a pressure on the patch
  /// that the curve of crossing spans [Hasegawa2004]. Flat faces push as by kExact, in a part of
  /// its time. There is no potential but on one plane face: energy is not kept. Where bodies touch
  /// in several places, or around a corner, all of the volume pushes along one way, which jumps
  /// where opposite sides are as large. A body that lies in another one is not pushed.
  kVolume,
};

/// What scenes and options call them, in their order.
inline constexpr std::array<const char*, 4> kContactMethodNames = {"exact", "lesser_depth",
                                                                   "spheres", "volume"};
[[nodiscard]] constexpr const char* to_string(ContactMethod method) {
  return kContactMethodNames[static_cast<std::size_t>(method)];
}

/// How bodies that meet push each other (World::set_contact).
struct ContactLaw {
  /// Of the potential, or of the volume [N/m^3]. Where absent, that of a pair is the larger of its
  /// moving bodies' m 9.80665 m/s^2 / (1e-4 L^3), L the cube root of the volume: on a face of L^2 a
  /// body sinks in by L / 10,000 under its own weight, or until its spheres share L^3 / 10,000.
  std::optional<double> stiffness = std::nullopt;
  /// Of critical for the bodies' motion along the push.
  double damping = 0.2;
  double friction = 0.5;  ///< Coulomb's coefficient.
  ContactMethod method = ContactMethod::kExact;
  std::size_t spheres = 20'000;  ///< Of each body, with kSpheres.
  /// With kSpheres: bodies that move as they are told, and fixed ones, have no spheres but are met
  /// by their surface: each sphere is pushed by what the plane through the nearest point cuts off,
  /// along the way out. A floor has no gaps then. Spheres that were not reached in max_time do not
  /// push.
  bool exact_fixed = false;
  /// With kSpheres: the searches of a World's step together end after that time, each after an
  /// equal part; to list what they have found takes about as long again. Spheres that were not
  /// reached push with what they are expected to share, without friction and damping; the same step
  /// may then not give the same bits [s].
  double max_time = std::numeric_limits<double>::infinity();
  /// Bodies that may meet each other fall asleep together once none of them has moved by more than
  /// a millionth of its size for that time. A step leaves sleeping bodies where they are, at no
  /// cost but that of finding who comes near. They wake when a body that is awake or that is told
  /// to move comes near, and when a call changes them, what they touch or the environment. What
  /// moves slower than that on its own, as an unstable balance may begin to, stays. Nothing sleeps
  /// on waves, and while a ForceModel was added to the world. Infinite: never [s].
  double sleep_after = std::numeric_limits<double>::infinity();
};

/// Checks that the stiffness is positive, and damping and friction are not negative; all finite;
/// and that there are spheres, no more than a million, and time for them: above 0, and without a
/// limit for the exact method; and that the time to sleep is positive.
/// Errors: `InvalidArgument`; `where` is "contact.friction".
[[nodiscard]] Result<void> check_contact(const ContactLaw& law);

/// Which forces, and what is found beside them.
struct ContactOptions {
  ContactPotential potential = ContactPotential::kMeanDepth;
  bool points = false;  ///< ContactForces::points.
  bool energy = false;  ///< ContactForces::energy: nine times the time of the forces.
};

/// A small part of one surface that lies in the other solid.
struct ContactPoint {
  Vec3 at = Vec3::Zero();   ///< The center of its push, in the world [m].
  Vec3 way = Vec3::Zero();  ///< In which it pushes A: of length 1, square to the surface.
  double area = 0;          ///< Half its area [m^2]: as both surfaces have points.
  /// That times its mean depth in the other solid, or twice that below the middle surface [m^3],
  double push = 0;
  double pressed = 0;  ///< and times half of the mean square: what a bed of springs holds [m^4].
  /// Where A moves by u beside B, that depth grows by the product of this with u. Nothing where
  /// that is not known, of pairs of spheres.
  std::optional<Vec3> growth = std::nullopt;
};

/// What two solids A and B do to each other, in the world, for a unit of stiffness: in N/m^3, all
/// that stands here is in N, N m and J.
struct ContactForces {
  bool overlaps = false;  ///< As Overlap::overlaps.
  /// On A and B at their own origins [m^3], and about these [m^4]. The forces are opposite.
  Vec3 force_a = Vec3::Zero(), torque_a = Vec3::Zero();
  Vec3 force_b = Vec3::Zero(), torque_b = Vec3::Zero();
  /// Half the area of both surfaces in the other solid [m^2]: a translation of either by d changes
  /// the force by no more than about that times d.
  double area = 0;
  /// Of which forces and torques are sums. In no order that means anything.
  std::vector<ContactPoint> points;
  /// The potential [m^4]; nothing where it was not asked for.
  std::optional<double> energy;
};

/// Keeps its memory from one question to the next. One thread at a time; solids may be shared by
/// any number of them.
class ContactSearch {
 public:
  ContactSearch();
  ContactSearch(ContactSearch&&) noexcept;
  ContactSearch& operator=(ContactSearch&&) noexcept;
  ~ContactSearch();

  /// Minus the gradient of a potential E. A pressure of half the depth in the other solid on each
  /// surface, kMeanDepth, is a bed of springs on either. By both potentials a flat face of area S
  /// that is pressed in by h, little beside its width, pushes with S h; E is continuous with its
  /// gradient, also where bodies begin to touch and where faces are parallel.
  ///
  /// Which parts of surfaces are inside is exact (OverlapSearch). They are cut into cells of about
  /// a tenth of the width of the contact, and further where depths are not linear, each with its
  /// exact area and its centroid's depth: forces of flat faces are right to rounding but for a
  /// strip along their rims as wide as they are deep, and the work along paths is the potential's
  /// change to 2 % of it. Solids turned inward count as turned outward. Of surfaces that cross
  /// themselves, what winds more than once counts once, and distances are those to all of the
  /// surface. kLesserDepth leaves out what is nearest to edges that bend inward: of the depth over
  /// the width of the contact. Errors: as OverlapSearch::overlap. O(curve, triangles near it and
  /// inside, each with searches for the nearest point of the other surface).
  [[nodiscard]] Result<ContactForces> forces(const SolidTree& a, const Similarity& world_from_a,
                                             const SolidTree& b, const Similarity& world_from_b,
                                             const ContactOptions& options = {},
                                             double max_work = PairSearch::kMaxWork);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace plimsoll
