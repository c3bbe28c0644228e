// What bodies of one shape share.
#pragma once

#include <plimsoll/result.h>
#include <plimsoll/shape.h>

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <variant>

#include "core/overloaded.h"

namespace plimsoll {

/// The kind of a primitive and its lengths, by which equal ones are known; nothing of others.
using PrimitiveKey = std::array<double, 4>;
inline std::optional<PrimitiveKey> key_of(const Shape& shape) {
  const auto kind = static_cast<double>(shape.solid.index());
  const auto key = [kind](double a, double b = 0, double c = 0) {
    return std::optional(PrimitiveKey{kind, a, b, c});
  };
  return std::visit(
      Overloaded{[&](const BoxSolid& box) { return key(box.size[0], box.size[1], box.size[2]); },
                 [&](const Sphere& sphere) { return key(sphere.radius); },
                 [&](const Ellipsoid& e) { return key(e.radii[0], e.radii[1], e.radii[2]); },
                 [&](const Torus& torus) { return key(torus.major, torus.minor); },
                 [&](const Cylinder& cylinder) { return key(cylinder.radius, cylinder.height); },
                 [&](const Capsule& capsule) { return key(capsule.radius, capsule.height); },
                 [&](const Cone& cone) { return key(cone.radius, cone.height); },
                 [](const auto&) { return std::optional<PrimitiveKey>(); }},
      shape.solid);
}

/// What is made of something that bodies share, for as long as both are in use.
template <class Source, class Made>
class SharedMade {
 public:
  /// Made by `make(source)`, which returns a Result of a pointer, unless it is known.
  template <class Make>
  Result<std::shared_ptr<const Made>> of(const std::shared_ptr<const Source>& source,
                                         const Make& make) {
    Entry& entry = entries_[source.get()];
    if (entry.source.lock() == source)
      if (std::shared_ptr<const Made> known = entry.made.lock()) return known;
    Result<std::shared_ptr<const Made>> made = make(source);
    if (made) entry = {source, *made};
    return made;
  }
  void drop_unused() {
    std::erase_if(entries_, [](const auto& item) { return item.second.made.expired(); });
  }

 private:
  struct Entry {
    std::weak_ptr<const Source> source;
    std::weak_ptr<const Made> made;
  };
  std::map<const Source*, Entry> entries_;
};

/// The same of primitives: a heap of a thousand balls has the triangles of one.
template <class Made>
class SharedOfPrimitives {
 public:
  /// Made by `make()`, unless the same was made of an equal primitive; of other shapes each time.
  template <class Make>
  Result<std::shared_ptr<const Made>> of(const Shape& shape, const Make& make) {
    const std::optional<PrimitiveKey> key = key_of(shape);
    if (!key) return make();
    std::weak_ptr<const Made>& known = entries_[*key];
    if (std::shared_ptr<const Made> made = known.lock()) return made;
    Result<std::shared_ptr<const Made>> made = make();
    if (made) known = *made;
    return made;
  }
  void drop_unused() {
    std::erase_if(entries_, [](const auto& item) { return item.second.expired(); });
  }

 private:
  std::map<PrimitiveKey, std::weak_ptr<const Made>> entries_;
};

}  // namespace plimsoll
