#include "pairs/posed_leaves.h"

namespace plimsoll {

void PosedLeaves::start(const PosedTree& posed, const std::optional<Vec3>& origin) {
  forget();
  posed_ = posed;
  origin_ = origin;
  if (place_.size() < posed.tree->leaf_count()) place_.resize(posed.tree->leaf_count(), kNoIndex);
}

void PosedLeaves::forget() {
  for (const std::uint32_t leaf : number_) place_[leaf] = kNoIndex;
  number_.clear();
  leaves_.clear();
}

void PosedLeaves::pose(std::span<const std::uint32_t> leaves) {
  const std::size_t before = number_.size();
  std::size_t count = before;
  number_.resize(before + leaves.size());
  for (const std::uint32_t leaf : leaves) {  // without branches, which nothing could foresee
    number_[count] = leaf;
    const bool is_new = place_[leaf] == kNoIndex;
    place_[leaf] = is_new ? static_cast<std::uint32_t>(count) : place_[leaf];
    count += is_new ? 1 : 0;
  }
  number_.resize(count);  // with all of `leaves`, so that forget() finds them if memory runs out
  leaves_.resize(count);
  pose_leaves(posed_, std::span(number_).subspan(before), leaves_.data() + before);
  if (!origin_) return;
  boxes_.resize(leaves_.size());
  round_boxes(std::span(leaves_).subspan(before), *origin_, boxes_.data() + before);
}

}  // namespace plimsoll
