// Culling by visibility on graphics hardware: CULLIDE and FAR [Govindaraju2004]. Of the library
// plimsoll::gl (pkg-config: plimsoll-gl).
#pragma once

#include <plimsoll/culling.h>
#include <plimsoll/gl.h>

#include <memory>
#include <span>

namespace [[gnu::visibility("default")]] plimsoll {

/// Keeps programs and images between calls, and the context as long as it lives. One thread at a
/// time may use it and its context.
class GlCulling {
 public:
  /// Draws some boxes first, and looks whether this OpenGL rasterizes as FAR's proof needs it
  /// (docs/theory/culling.md); where it does not, boxes are made larger until it does. Errors:
  /// `Unavailable` where OpenGL lacks what is needed, or no reasonable size is enough.
  [[nodiscard]] static Result<GlCulling> create(const GlContext& context);

  /// The triangles that may touch others. Errors: `InvalidArgument` for poses, as
  /// PairSearch::pairs, and for options out of their ranges; `Unavailable` and `ResourceLimit`,
  /// as OpenGL reports them.
  [[nodiscard]] Result<Culling> cull(std::span<const CullBody> bodies,
                                     const CullOptions& options = {});

  /// How much larger FAR's boxes are made for this OpenGL than for one that is exact; 1 if it is
  /// good enough.
  [[nodiscard]] double fattening() const;

  struct State;

 private:
  struct Deleter {
    void operator()(State* state) const;
  };
  explicit GlCulling(std::unique_ptr<State, Deleter> state);
  std::unique_ptr<State, Deleter> state_;
};

}  // namespace plimsoll
