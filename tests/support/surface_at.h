// Surfaces of fluids at one time.
#pragma once

#include <doctest/doctest.h>
#include <plimsoll/fluid_surface.h>

#include <utility>

namespace plimsoll::test {

inline SurfaceNow surface_at(FluidSurface description, double time, double gravity) {
  const Result<FreeSurface> surface = FreeSurface::create(std::move(description));
  REQUIRE_MESSAGE(surface, surface.error().where, " ", surface.error().message);
  Result<SurfaceNow> now = surface->at(time, gravity);
  REQUIRE_MESSAGE(now, now.error().message);
  return *std::move(now);
}

}  // namespace plimsoll::test
