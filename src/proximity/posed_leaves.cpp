#include "proximity/posed_leaves.h"

namespace plimsoll {

void PosedLeaves::start(const PosedTree& posed) {
  forget();
  posed_ = posed;
  if (place_.size() < posed.tree->leaf_count()) place_.resize(posed.tree->leaf_count(), kNoIndex);
}

void PosedLeaves::forget() {
  for (const std::uint32_t leaf : number_) place_[leaf] = kNoIndex;
  number_.clear();
  leaves_.clear();
}

void PosedLeaves::pose(std::span<const std::uint32_t> leaves) {
  const std::size_t before = number_.size();
  for (const std::uint32_t leaf : leaves) {
    if (place_[leaf] != kNoIndex) continue;
    number_.push_back(leaf);  // first, so that forget() finds it if memory runs out
    place_[leaf] = static_cast<std::uint32_t>(number_.size() - 1);
  }
  leaves_.resize(number_.size());
  pose_leaves(posed_, std::span(number_).subspan(before), leaves_.data() + before);
}

}  // namespace plimsoll
