// Engines of a World: who finds what the fluid does to its bodies.
#pragma once

#include <plimsoll/buoyancy.h>
#include <plimsoll/fluid_surface.h>
#include <plimsoll/result.h>
#include <plimsoll/shape.h>
#include <plimsoll/types.h>
#include <plimsoll/water_image.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace [[gnu::visibility("default")]] plimsoll {

/// One question: where is the body, and what does the fluid do to it?
struct BuoyancyQuery {
  std::uint32_t body = 0;  ///< The number that it was added under.
  Pose world_from_body = Pose::Identity();
};

/// Answers what a fluid does to bodies that come and go. A world asks from the thread that steps
/// it.
class BuoyancyEngine {
 public:
  virtual ~BuoyancyEngine() = default;

  /// Takes in a body under a number that is not in use. `shape` is in the frame of the body.
  /// Numbers are small: an engine may keep its bodies in an array. Errors: `InvalidArgument` for a
  /// number in use; of the engine, which is then as before.
  [[nodiscard]] virtual Result<void> add(std::uint32_t body, const Shape& shape) = 0;
  /// Lets a body go. Nothing happens where there is none.
  virtual void remove(std::uint32_t body) = 0;

  /// Answers queries of one time. `answers` are as many as `queries`. Errors: `InvalidArgument` for
  /// another number of answers, bodies that were not added, and poses that are not finite, or
  /// whose linear part R is no rotation (R^T R the identity to 1e-9); of the engine. Precondition:
  /// no body is asked about twice.
  [[nodiscard]] virtual Result<void> answer(std::span<const BuoyancyQuery> queries,
                                            const SurfaceNow& surface,
                                            std::span<Buoyancy> answers) = 0;

  /// The bodies, and whatever else answers depend on, to the last bit. Null where there is nothing.
  struct Memory {
    virtual ~Memory() = default;
  };
  [[nodiscard]] virtual std::shared_ptr<const Memory> save() const = 0;
  /// Back to what save() of this engine gave. Nothing happens for that of another kind of engine.
  virtual void restore(const Memory& memory) = 0;
};

/// The engine of exact integrals. Still water: meshes by SolidTree, shared by bodies of one
/// mesh, and the first of them, as long as those fit a cache, by a SubmersionTracker each;
/// primitives as submersion(Shape), patches as triangles within 1e-4 of their size. Other
/// surfaces: triangles as buoyancy(), flat to 1e-3 of the body's size, primitives as triangles
/// within 1e-3 of the cube root of their volume, made thicker until they have that volume: exact
/// when wholly wet, partly so off by up to 2.5e-4 of it, also of bodies 100 times as long as thick.
/// Bodies in parallel.
/// Errors of add: as check_shape and to_triangles; `Unavailable` for formulas and Booleans. Of
/// answer: `ResourceLimit` for surfaces so rough that the pieces would be beyond number.
[[nodiscard]] std::shared_ptr<BuoyancyEngine> exact_buoyancy();

/// What the images of all steps so far were made of.
struct ImageTally {
  int max_peels = 0;             ///< n of [Kim2006], of any body in any step.
  std::size_t fragments = 0;     ///< All together.
  std::size_t lost_columns = 0;  ///< Unbalanced or undecided, all together.

  void add(const WaterImage& image) {
    max_peels = std::max(max_peels, image.peels);
    fragments += image.fragments;
    lost_columns += image.unbalanced_columns + image.undecided_columns;
  }
};

/// The engine of columns on the processor, for any shape: WaterColumns of each body, without
/// estimates. Bodies in parallel. `tally` is added to with each call; snapshots leave it alone.
/// gl_engines.h has the same on graphics hardware. Errors of add: as WaterColumns::create.
[[nodiscard]] std::shared_ptr<BuoyancyEngine> image_buoyancy(
    const WaterImageOptions& options = {}, std::shared_ptr<ImageTally> tally = {});

}  // namespace plimsoll
