#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/math/bv/OBB.h>
#include <fcl/math/bv/OBBRSS.h>
#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/collision_object.h>

#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "pair_systems.h"
#include "triangle_soup.h"

namespace plimsoll::bench {
namespace {

enum class Trees { kKept, kRebuilt, kRefit };

/// Pairs by number only: contact points and normals would cost more.
fcl::CollisionRequestd all_pairs() { return {std::numeric_limits<int>::max(), false}; }

/// A mesh in FCL's arrays.
struct Arrays {
  explicit Arrays(const TriangleMesh& mesh) : vertices(mesh.vertices) {
    for (const auto& [a, b, c] : mesh.triangles) triangles.emplace_back(a, b, c);
  }
  std::vector<fcl::Vector3d> vertices;
  std::vector<fcl::Triangle> triangles;
};

fcl::Transform3d converted(const Similarity& pose) {
  fcl::Transform3d to = fcl::Transform3d::Identity();
  to.linear() = pose.linear();
  to.translation() = pose.translation();
  return to;
}

template <class Box>
using Model = fcl::BVHModel<Box>;

template <class Box>
std::shared_ptr<Model<Box>> built(const Arrays& arrays) {
  auto model = std::make_shared<Model<Box>>();
  model->beginModel(static_cast<int>(arrays.triangles.size()),
                    static_cast<int>(arrays.vertices.size()));
  model->addSubModel(arrays.vertices, arrays.triangles);
  model->endModel();
  return model;
}

/// The vertices moved, the tree kept, its boxes fitted from the leaves up.
template <class Box>
void refit(Model<Box>& model, const Arrays& arrays) {
  model.beginReplaceModel();
  model.replaceSubModel(arrays.vertices);
  model.endReplaceModel(true, true);
}

/// A mesh, where it is, and its model.
template <class Box>
class ModelOfShape {
 public:
  explicit ModelOfShape(Trees how) : how_(how) {}

  /// Models of rigid bodies are ready before the clock runs.
  void prepare(const PosedFrame& frame, std::size_t i) {
    if (how_ == Trees::kKept) {
      pose_ = converted(frame.bodies[i].world_from_body);
      if (frame.bodies[i].shape == shape_) return;
      shape_ = frame.bodies[i].shape;
      arrays_.emplace(*shape_);
      model_ = built<Box>(*arrays_);
    } else {
      arrays_.emplace(*frame.posed[i]);
    }
  }
  void update() {
    if (how_ == Trees::kKept) return;
    if (how_ == Trees::kRefit && model_)
      refit(*model_, *arrays_);
    else
      model_ = built<Box>(*arrays_);
  }
  [[nodiscard]] const Model<Box>* model() const { return model_.get(); }
  [[nodiscard]] const fcl::Transform3d& pose() const { return pose_; }

 private:
  Trees how_;
  Shape shape_;
  std::optional<Arrays> arrays_;
  std::shared_ptr<Model<Box>> model_;
  fcl::Transform3d pose_ = fcl::Transform3d::Identity();
};

template <class Box>
class TwoModels {
 public:
  explicit TwoModels(Trees how) : a_(how), b_(how) {}

  void prepare(const PosedFrame& frame) {
    id_a_ = frame.bodies[0].id;
    id_b_ = frame.bodies[1].id;
    a_.prepare(frame, 0);
    b_.prepare(frame, 1);
  }
  void find() {
    a_.update();
    b_.update();
    result_.clear();
    fcl::collide(a_.model(), a_.pose(), b_.model(), b_.pose(), all_pairs(), result_);
  }
  [[nodiscard]] std::vector<FoundPair> found() const {
    std::vector<FoundPair> all;
    for (std::size_t i = 0; i < result_.numContacts(); ++i) {
      const auto& contact = result_.getContact(i);
      all.push_back({id_a_, id_b_, static_cast<std::uint32_t>(contact.b1),
                     static_cast<std::uint32_t>(contact.b2)});
    }
    return all;
  }

 private:
  ModelOfShape<Box> a_, b_;
  std::uint32_t id_a_ = 0, id_b_ = 0;
  fcl::CollisionResultd result_;
};

/// The model against itself: FCL has no other way, so that each pair comes twice, and neighbors
/// come too. They are left out after the clock has stopped.
template <class Box>
class WithItself {
 public:
  explicit WithItself(Trees how) : model_(how) {}

  void prepare(const PosedFrame& frame) {
    id_ = frame.bodies[0].id;
    mesh_ = frame.posed[0];
    model_.prepare(frame, 0);
  }
  void find() {
    model_.update();
    result_.clear();
    fcl::collide(model_.model(), model_.pose(), model_.model(), model_.pose(), all_pairs(),
                 result_);
  }
  [[nodiscard]] std::vector<FoundPair> found() const {
    std::vector<FoundPair> all;
    for (std::size_t i = 0; i < result_.numContacts(); ++i) {
      const auto a = static_cast<std::uint32_t>(result_.getContact(i).b1);
      const auto b = static_cast<std::uint32_t>(result_.getContact(i).b2);
      if (a < b && !share_a_vertex(mesh_->triangles[a], mesh_->triangles[b]))
        all.push_back({id_, id_, a, b});
    }
    return all;
  }

 private:
  ModelOfShape<Box> model_;
  Shape mesh_;
  std::uint32_t id_ = 0;
  fcl::CollisionResultd result_;
};

/// DynamicAABBTreeCollisionManager over one model for each body.
template <class Box>
class Bodies {
 public:
  explicit Bodies(Trees how) : how_(how) {}

  void prepare(const PosedFrame& frame) {
    before_ = std::move(now_);
    now_ = frame.bodies;
    changes_ = changes(before_, now_);
    arrays_.clear();
    for (const auto* places : {&changes_.arrived, &changes_.reshaped})
      for (const std::size_t i : *places) arrays_.emplace(now_[i].shape.get(), *now_[i].shape);
  }
  void find() {
    for (const std::size_t i : changes_.gone) remove(before_[i].id);
    for (const std::size_t i : changes_.arrived) add(now_[i]);
    for (const std::size_t i : changes_.reshaped) reshape(now_[i]);
    for (const std::size_t i : changes_.moved) move(now_[i]);
    manager_.update();
    found_.clear();
    manager_.collide(&found_, &Bodies::collide);
  }
  [[nodiscard]] std::vector<FoundPair> found() const {
    std::vector<FoundPair> all;
    for (const FoundPair& pair : found_)
      all.push_back(
          pair.body_a < pair.body_b ? pair : FoundPair{pair.body_b, pair.body_a, pair.b, pair.a});
    return all;
  }

 private:
  struct Member {
    std::uint32_t id;
    std::shared_ptr<Model<Box>> model;
    std::unique_ptr<fcl::CollisionObjectd> object;
  };

  static bool collide(fcl::CollisionObjectd* a, fcl::CollisionObjectd* b, void* found) {
    fcl::CollisionResultd result;
    fcl::collide(a, b, all_pairs(), result);
    const std::uint32_t id_a = static_cast<const Member*>(a->getUserData())->id;
    const std::uint32_t id_b = static_cast<const Member*>(b->getUserData())->id;
    for (std::size_t i = 0; i < result.numContacts(); ++i) {
      const auto& contact = result.getContact(i);
      static_cast<std::vector<FoundPair>*>(found)->push_back(
          {id_a, id_b, static_cast<std::uint32_t>(contact.b1),
           static_cast<std::uint32_t>(contact.b2)});
    }
    return false;  // go on
  }

  void add(const PlacedBody& body) {
    Member& member = members_[body.id];
    member.id = body.id;
    member.model =
        arrived_.of(body.shape, [&] { return built<Box>(arrays_.at(body.shape.get())); });
    member.object =
        std::make_unique<fcl::CollisionObjectd>(member.model, converted(body.world_from_body));
    member.object->setUserData(&member);
    manager_.registerObject(member.object.get());
  }
  void remove(std::uint32_t id) {
    manager_.unregisterObject(members_.at(id).object.get());
    members_.erase(id);
  }
  void move(const PlacedBody& body) {
    fcl::CollisionObjectd& object = *members_.at(body.id).object;
    object.setTransform(converted(body.world_from_body));
    object.computeAABB();
  }
  void reshape(const PlacedBody& body) {
    Member& member = members_.at(body.id);
    const Arrays& arrays = arrays_.at(body.shape.get());
    if (how_ == Trees::kRefit &&
        member.model->num_tris == static_cast<int>(arrays.triangles.size())) {
      refit(*member.model, arrays);
      member.model->computeLocalAABB();
      move(body);
      return;
    }
    remove(body.id);
    add(body);
  }

  Trees how_;
  SceneFrame before_, now_;
  FrameChanges changes_;
  std::map<const TriangleMesh*, Arrays> arrays_;
  LastMade<std::shared_ptr<Model<Box>>> arrived_;
  std::map<std::uint32_t, Member> members_;  // places stay theirs
  fcl::DynamicAABBTreeCollisionManagerd manager_;
  std::vector<FoundPair> found_;
};

template <class T>
PairSystems systems(const std::string& boxes, Motion motion) {
  const auto system = [&](const char* name, Trees how) {
    return pair_system("fcl_" + boxes + name, std::make_shared<T>(how));
  };
  if (motion == Motion::kRigid) return {system("", Trees::kKept)};
  PairSystems all = {system("_rebuilt", Trees::kRebuilt)};
  if (motion == Motion::kDeforms) all.push_back(system("_refit", Trees::kRefit));
  return all;
}

template <class Box>
PairSystems systems_with(Question question, const std::string& boxes, Motion motion) {
  switch (question) {
    case Question::kTwoBodies:
      return systems<TwoModels<Box>>(boxes, motion);
    case Question::kBodies:
      return systems<Bodies<Box>>(boxes, motion);
    case Question::kSelf:
      return systems<WithItself<Box>>(boxes, motion);
  }
  return {};
}

}  // namespace

PairSystems fcl_systems(Question question, Motion motion) {
  PairSystems all = systems_with<fcl::OBBRSSd>(question, "obbrss", motion);
  for (PairSystem& system : systems_with<fcl::OBBd>(question, "obb", motion))
    all.push_back(std::move(system));
  return all;
}

}  // namespace plimsoll::bench
