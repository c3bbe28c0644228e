// Bodies of a world by their order, where none was removed, and engines with bodies.
#pragma once

#include <doctest/doctest.h>
#include <plimsoll/world.h>

#include <cstddef>
#include <utility>
#include <vector>

namespace plimsoll::test {

inline World made(const Environment& environment, const std::vector<RigidBody>& bodies) {
  Result<World> world = World::create(environment, bodies);
  REQUIRE_MESSAGE(world, world.error().where, " ", world.error().message);
  return *std::move(world);
}

inline World made(const Environment& environment, const RigidBody& body) {
  return made(environment, std::vector{body});
}

inline BodyId id(const World& world, std::size_t i) {
  const std::vector<BodyId> ids = world.ids();
  REQUIRE(i < ids.size());
  return ids[i];
}
inline BodyState body(const World& world, std::size_t i) { return *world.body(id(world, i)); }
inline MassProperties mass(const World& world, std::size_t i) { return *world.mass(id(world, i)); }

/// The engine with bodies of these shapes, numbered from 0.
inline std::shared_ptr<BuoyancyEngine> filled(std::shared_ptr<BuoyancyEngine> engine,
                                              std::span<const Shape> shapes) {
  for (std::uint32_t i = 0; i < shapes.size(); ++i) REQUIRE(engine->add(i, shapes[i]));
  return engine;
}

}  // namespace plimsoll::test
