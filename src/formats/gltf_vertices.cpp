#include "formats/gltf_vertices.h"

#include <array>
#include <cmath>

#include "formats/readers.h"

namespace plimsoll {
namespace {

void check_accessor(const GltfDocument& document, std::uint32_t accessor, GltfUse use,
                    std::uint64_t vertices, std::vector<bool>& needed, FirstError& first_error) {
  std::string fault = accessor_fault(document, accessor, use);
  const std::uint64_t count = document.accessors[accessor].count;
  if (fault.empty() && count != vertices)
    fault = "found " + std::to_string(count) + " elements, expected one for each of the " +
            std::to_string(vertices) + " vertices";
  if (!fault.empty()) return first_error.set(fault, accessor_name(accessor));
  mark_buffers(document, accessor, needed);
}

/// The number of targets that the weights speak of: others are at 0.
std::size_t weighted_targets(const GltfPrimitive& primitive, std::span<const double> weights) {
  return std::min<std::size_t>(primitive.target_count, weights.size());
}

std::span<const GltfInfluence> influences_of(const GltfDocument& document,
                                             const GltfPrimitive& primitive) {
  return std::span(document.influences)
      .subspan(primitive.first_influence, primitive.influence_count);
}

}  // namespace

std::string accessor_name(std::uint32_t index) {
  return "accessors[" + std::to_string(index) + ']';
}

void check_deformation(const GltfDocument& document, const GltfPrimitive& primitive,
                       std::span<const double> weights, bool has_skin, std::vector<bool>& needed,
                       FirstError& first_error) {
  const std::uint64_t vertices = document.accessors[primitive.positions].count;
  const auto check = [&](std::uint32_t accessor, GltfUse use) {
    if (!first_error.failed())
      check_accessor(document, accessor, use, vertices, needed, first_error);
  };
  for (std::size_t k = 0; k < weighted_targets(primitive, weights); ++k) {
    const std::uint32_t target = document.targets[primitive.first_target + k];
    if (weights[k] != 0 && target != kNoIndex) check(target, GltfUse::kPositions);
  }
  if (!has_skin) return;
  for (const GltfInfluence& influence : influences_of(document, primitive)) {
    check(influence.joints, GltfUse::kJoints);
    check(influence.weights, GltfUse::kWeights);
  }
}

GltfVertices::GltfVertices(const GltfDocument& document, const GltfBuffers& buffers,
                           const GltfPrimitive& primitive, const GltfPose& pose)
    : pose_(pose),
      positions_{primitive.positions, GltfElements(document, buffers, primitive.positions)} {
  const auto elements = [&](std::uint32_t accessor) {
    return Elements{accessor, GltfElements(document, buffers, accessor)};
  };
  for (std::size_t k = 0; k < weighted_targets(primitive, pose.weights); ++k) {
    const std::uint32_t target = document.targets[primitive.first_target + k];
    if (pose.weights[k] != 0 && target != kNoIndex)
      targets_.push_back({pose.weights[k], elements(target)});
  }
  stretch_ = pose.placement.stretch();
  if (pose.skin == nullptr) return;
  stretch_ = 0;
  for (const Placement& joint : pose.skin->joints) stretch_ = std::max(stretch_, joint.stretch());
  for (const GltfInfluence& influence : influences_of(document, primitive))
    influences_.push_back({elements(influence.joints), elements(influence.weights)});
}

// A weighted sum of up to some 30 points is off by less than this times their coordinates.
constexpr double kRounding = 0x1p-48;

// Weights are made to sum to 1, so that their rounding does not scale the solid. Where all are 0
// the vertex hangs on the first joint that it names, as viewers have it.
Vec3 GltfVertices::on_joints(const Vec3& p) {
  const std::vector<Placement>& joints = pose_.skin->joints;
  Vec3 sum = Vec3::Zero();
  double total = 0;
  double first = 0;
  for (std::size_t k = 0; k < influences_.size(); ++k) {
    const std::array<double, 4> numbers = influences_[k].joints.elements.next_four();
    const std::array<double, 4> weights = influences_[k].weights.elements.next_four();
    if (k == 0) first = numbers[0];
    for (std::size_t i = 0; i < 4; ++i) {
      if (weights[i] == 0) continue;
      if (!(numbers[i] < static_cast<double>(joints.size()))) {
        fault_ = "found joint " + std::to_string(static_cast<std::uint32_t>(numbers[i])) +
                 ", expected one below " + std::to_string(joints.size()) +
                 ", the number of joints of the skin";
        return sum;
      }
      const Placement& joint = joints[static_cast<std::size_t>(numbers[i])];
      const Vec3 placed = joint(p);
      sum += weights[i] * placed;
      error_ = std::max(error_, joint.error(p, morphing_) + kRounding * placed.cwiseAbs().sum());
      total += weights[i];
    }
  }
  constexpr double kSlack = 0.01;  // four weights of 8 bits are off by 4 / 510 at most
  if (!(std::fabs(total - 1) <= kSlack)) ++unbalanced_;
  if (total > 0) return sum / total;
  if (total == 0 && first < static_cast<double>(joints.size()))
    return joints[static_cast<std::size_t>(first)](p);
  fault_ = "found weights of joints that sum to " + std::to_string(total) + ", expected 1";
  return sum;
}

Vec3 GltfVertices::next() {
  stored_ = positions_.elements.next_position();
  Vec3 p = stored_;
  error_ = morphing_ = 0;
  for (Target& target : targets_) {
    const Vec3 offset = target.weight * target.offsets.elements.next_position();
    p += offset;
    morphing_ += kRounding * (p.cwiseAbs().sum() + offset.cwiseAbs().sum());
  }
  resolution_ = std::max(resolution_, kFloatRounding * stretch_ * p.cwiseAbs().maxCoeff());
  if (!influences_.empty()) return on_joints(p);
  error_ = pose_.placement.error(p, morphing_);
  return pose_.placement(p);
}

std::uint32_t GltfVertices::unordered() const {
  const auto in_order = [](const Elements& e) { return e.elements.sparse_in_order(); };
  if (!in_order(positions_)) return positions_.accessor;
  for (const Target& target : targets_)
    if (!in_order(target.offsets)) return target.offsets.accessor;
  for (const Influence& influence : influences_) {
    if (!in_order(influence.joints)) return influence.joints.accessor;
    if (!in_order(influence.weights)) return influence.weights.accessor;
  }
  return kNoIndex;
}

}  // namespace plimsoll
