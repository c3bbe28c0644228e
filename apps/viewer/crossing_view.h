// The curves in which the surfaces of bodies that touch cross, as they are drawn.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "body_models.h"
#include "picture/crossings.h"

namespace plimsoll::viewer {

/// Two bodies that touch, by their order in the scene.
struct Touching {
  std::size_t a = 0, b = 0;
  double depth = 0;  ///< [m]
};

class CrossingView {
 public:
  /// Follows the curves anew: of the deepest contacts first, for as long as a frame has time.
  /// `thickness` is what they are drawn with [m].
  void update(std::span<const BodyModel> models, std::span<const Pose> poses,
              std::vector<Touching> touching, double thickness);

  [[nodiscard]] const TriangleMesh& mesh() const { return mesh_; }  ///< In the world.
  [[nodiscard]] int version() const { return version_; }            ///< Changes with each update.
  [[nodiscard]] std::size_t followed() const { return followed_; }  ///< Contacts with curves.
  [[nodiscard]] std::size_t count() const { return count_; }        ///< All contacts.
  [[nodiscard]] double length() const { return length_; }           ///< Of all curves [m].
  /// Why a contact has no curve; empty where all that were followed have.
  [[nodiscard]] const std::string& problem() const { return problem_; }

 private:
  picture::Crossings crossings_;
  TriangleMesh mesh_;
  int version_ = 0;
  std::size_t followed_ = 0, count_ = 0;
  double length_ = 0;
  std::string problem_;
};

}  // namespace plimsoll::viewer
