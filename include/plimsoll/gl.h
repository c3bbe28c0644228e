// OpenGL without a display: what the engines that draw need.
#pragma once

#include <plimsoll/result.h>

#include <memory>
#include <string>

namespace [[gnu::visibility("default")]] plimsoll {

/// What drives OpenGL here.
struct GlInfo {
  std::string vendor;
  std::string renderer;
  std::string version;
  int major = 0;
  int minor = 0;
  bool is_hardware = false;  ///< Else the processor draws.
  int largest_image = 0;     ///< Pixels along a side.
};

/// A context of its own, core profile 3.3 or later, on the first graphics hardware found, else on
/// the processor (Mesa). Used by one thread at a time; what the calling thread had current before a
/// call is current again after it.
class GlContext {
 public:
  /// Errors: `Unavailable`, naming the library or package that is missing.
  [[nodiscard]] static Result<GlContext> create();

  GlContext(GlContext&&) noexcept;
  GlContext& operator=(GlContext&&) noexcept;
  ~GlContext();

  [[nodiscard]] const GlInfo& info() const;

  struct State;
  [[nodiscard]] const std::shared_ptr<State>& state() const { return state_; }  ///< For engines.

 private:
  explicit GlContext(std::shared_ptr<State> state);
  std::shared_ptr<State> state_;
};

}  // namespace plimsoll
