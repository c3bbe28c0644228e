// Whoever finds the pairs of triangles that touch, frame by frame. What a frame brings is first
// taken over into a system's own arrays, which is not timed; then it is timed how long the system
// takes to bring its trees up to date and to find the pairs.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "touching_scenes.h"

namespace plimsoll::bench {

/// A frame with its bodies where they are in the world, as posed() rounds them: what systems that
/// know no poses are given.
struct PosedFrame {
  SceneFrame bodies;
  std::vector<std::shared_ptr<const TriangleMesh>> posed;  ///< May be missing, see PairScene.
};

/// Triangle a of one body and b of another with a larger id; of one body with itself, a < b.
struct FoundPair {
  std::uint32_t body_a = 0, body_b = 0, a = 0, b = 0;
  friend auto operator<=>(const FoundPair&, const FoundPair&) = default;
};

struct PairSystem {
  std::string name;
  int threads = 1;
  std::function<void(const PosedFrame&)> prepare;  ///< Not timed.
  std::function<void()> find;                      ///< Timed.
  std::function<std::vector<FoundPair>()> found;   ///< Not timed; in any order, each once.
};
using PairSystems = std::vector<PairSystem>;

/// What is asked about a scene.
enum class Question {
  kTwoBodies,  ///< Pairs between the two bodies of each frame.
  kBodies,     ///< Pairs between any two bodies.
  kSelf,       ///< Pairs within the one body that name no vertex in common.
};

/// The systems of a library for a question: with trees kept where bodies are rigid, rebuilt and
/// refit where they deform, rebuilt where they break.
[[nodiscard]] PairSystems our_systems(Question question, Motion motion);
[[nodiscard]] PairSystems fcl_systems(Question question, Motion motion);
[[nodiscard]] PairSystems bullet_pair_systems(Question question, Motion motion);
[[nodiscard]] PairSystems embree_systems(Question question);
[[nodiscard]] PairSystems cgal_pair_systems(Question question);

using Shape = std::shared_ptr<const TriangleMesh>;

/// What is made of a shape, made once for bodies in a row that have the same.
template <class Made>
class LastMade {
 public:
  template <class Make>
  const Made& of(const Shape& shape, const Make& make) {
    if (shape != shape_) made_ = make();
    shape_ = shape;
    return *made_;
  }

 private:
  Shape shape_;
  std::optional<Made> made_;
};

/// The system whose class T has prepare, find and found.
template <class T>
PairSystem pair_system(std::string name, std::shared_ptr<T> system, int threads = 1) {
  return {std::move(name), threads, [system](const PosedFrame& frame) { system->prepare(frame); },
          [system] { system->find(); }, [system] { return system->found(); }};
}

}  // namespace plimsoll::bench
