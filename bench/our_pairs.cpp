#include <plimsoll/body_pairs.h>
#include <plimsoll/mesh_tree.h>
#include <plimsoll/pairs.h>

#include <map>
#include <optional>
#include <utility>

#include "checked.h"
#include "pair_systems.h"

namespace plimsoll::bench {
namespace {

enum class Trees { kKept, kRebuilt, kRefit };

/// A shape and its tree.
class ShapeTree {
 public:
  ShapeTree(TreeQuality quality, Trees how) : quality_(quality), how_(how) {}

  void update(const Shape& shape, MeshTreeBuilder& builder) {
    if (how_ == Trees::kKept && shape == shape_) return;
    shape_ = shape;
    const CheckedMesh mesh = checked(*shape);
    if (how_ == Trees::kRefit && tree_ && tree_->refit(mesh)) return;
    if (tree_)
      builder.rebuild(mesh, *tree_, quality_);
    else
      tree_ = builder.build(mesh, quality_);
  }
  [[nodiscard]] const MeshTree& operator*() const { return *tree_; }

 private:
  TreeQuality quality_;
  Trees how_;
  Shape shape_;
  std::optional<MeshTree> tree_;
};

class TwoBodySearch {
 public:
  TwoBodySearch(TreeQuality quality, Trees how) : a_(quality, how), b_(quality, how) {
    is_rigid_ = how == Trees::kKept;
  }

  void prepare(const PosedFrame& frame) {
    now_ = frame.bodies;
    if (is_rigid_) update();
  }
  void find() {
    if (!is_rigid_) update();
    const auto pairs = search_.pairs(*a_, now_[0].world_from_body, *b_, now_[1].world_from_body);
    if (!pairs) std::abort();
    pairs_ = *pairs;
  }
  [[nodiscard]] std::vector<FoundPair> found() const {
    std::vector<FoundPair> all;
    for (const auto& [a, b] : pairs_) all.push_back({now_[0].id, now_[1].id, a, b});
    return all;
  }

 private:
  void update() {
    a_.update(now_[0].shape, builder_);
    b_.update(now_[1].shape, builder_);
  }

  MeshTreeBuilder builder_;
  ShapeTree a_, b_;
  bool is_rigid_;
  SceneFrame now_;
  PairSearch search_;
  std::span<const TrianglePair> pairs_;
};

class SelfSearch {
 public:
  SelfSearch(TreeQuality quality, Trees how) : tree_(quality, how) {}

  void prepare(const PosedFrame& frame) { now_ = frame.bodies; }
  void find() {
    tree_.update(now_[0].shape, builder_);
    const auto pairs = search_.self_pairs(*tree_, now_[0].world_from_body);
    if (!pairs) std::abort();
    pairs_ = *pairs;
  }
  [[nodiscard]] std::vector<FoundPair> found() const {
    std::vector<FoundPair> all;
    for (const auto& [a, b] : pairs_) all.push_back({now_[0].id, now_[0].id, a, b});
    return all;
  }

 private:
  MeshTreeBuilder builder_;
  ShapeTree tree_;
  SceneFrame now_;
  PairSearch search_;
  std::span<const TrianglePair> pairs_;
};

/// BodyPairSearch, told what has changed.
class Bodies {
 public:
  Bodies(TreeQuality quality, Trees how) : quality_(quality), how_(how) {}

  void prepare(const PosedFrame& frame) {
    before_ = std::move(now_);
    now_ = frame.bodies;
    changes_ = changes(before_, now_);
  }
  void find() {
    for (const std::size_t i : changes_.gone) remove(before_[i].id);
    for (const std::size_t i : changes_.arrived) add(now_[i]);
    for (const std::size_t i : changes_.reshaped) reshape(now_[i]);
    for (const std::size_t i : changes_.moved) require(bodies_.move(id_of(now_[i]), pose(i)));
    contacts_ = bodies_.pairs();
  }
  [[nodiscard]] std::vector<FoundPair> found() const {
    std::vector<FoundPair> all;
    for (const TouchingBodies& touching : contacts_) {
      const std::uint32_t a = scene_id_.at(touching.a), b = scene_id_.at(touching.b);
      for (const TrianglePair& pair : touching.pairs)
        all.push_back(a < b ? FoundPair{a, b, pair.a, pair.b} : FoundPair{b, a, pair.b, pair.a});
    }
    return all;
  }

 private:
  static void require(const Result<void>& done) {
    if (!done) std::abort();
  }
  [[nodiscard]] const Similarity& pose(std::size_t i) const { return now_[i].world_from_body; }
  [[nodiscard]] BodyId id_of(const PlacedBody& body) const { return known_.at(body.id).id; }

  void add(const PlacedBody& body) {
    const MeshTree& tree =
        arrived_.of(body.shape, [&] { return builder_.build(checked(*body.shape), quality_); });
    const auto id = bodies_.add(tree, body.world_from_body);
    if (!id) std::abort();
    known_.emplace(body.id, Known{*id, tree});
    scene_id_[*id] = body.id;
  }
  void remove(std::uint32_t id) {
    const auto known = known_.find(id);
    require(bodies_.remove(known->second.id));
    scene_id_.erase(known->second.id);
    known_.erase(known);
  }
  void reshape(const PlacedBody& body) {
    Known& known = known_.at(body.id);
    const CheckedMesh mesh = checked(*body.shape);
    if (how_ != Trees::kRefit || !known.tree.refit(mesh))
      known.tree = builder_.build(mesh, quality_);
    require(bodies_.reshape(known.id, known.tree));
    require(bodies_.move(known.id, body.world_from_body));
  }

  struct Known {
    BodyId id;
    MeshTree tree;
  };

  TreeQuality quality_;
  Trees how_;
  SceneFrame before_, now_;
  FrameChanges changes_;
  std::map<std::uint32_t, Known> known_;
  std::map<BodyId, std::uint32_t> scene_id_;
  MeshTreeBuilder builder_;
  LastMade<MeshTree> arrived_;
  BodyPairSearch bodies_;
  std::span<const TouchingBodies> contacts_;
};

template <class T>
PairSystem ours(std::string name, TreeQuality quality, Trees how, int threads = 1) {
  return pair_system(std::move(name), std::make_shared<T>(quality, how), threads);
}

template <class T>
PairSystems systems(Motion motion) {
  if (motion == Motion::kRigid) return {ours<T>("ours", TreeQuality::kTight, Trees::kKept)};
  PairSystems all = {ours<T>("ours_rebuilt_fast", TreeQuality::kFast, Trees::kRebuilt),
                     ours<T>("ours_rebuilt_balanced", TreeQuality::kBalanced, Trees::kRebuilt),
                     ours<T>("ours_rebuilt_fast", TreeQuality::kFast, Trees::kRebuilt, 2)};
  if (motion == Motion::kDeforms)
    all.push_back(ours<T>("ours_refit", TreeQuality::kBalanced, Trees::kRefit));
  return all;
}

}  // namespace

PairSystems our_systems(Question question, Motion motion) {
  switch (question) {
    case Question::kTwoBodies:
      return systems<TwoBodySearch>(motion);
    case Question::kBodies:
      return systems<Bodies>(motion);
    case Question::kSelf:
      return systems<SelfSearch>(motion);
  }
  return {};
}

}  // namespace plimsoll::bench
