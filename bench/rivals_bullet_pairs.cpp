#include <BulletCollision/BroadphaseCollision/btDbvt.h>
#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>
#include <BulletCollision/Gimpact/btGImpactBvh.h>
#include <BulletCollision/Gimpact/btGImpactQuantizedBvh.h>

#include <map>
#include <utility>

#include "mesh/posed_vertex.h"
#include "pair_systems.h"
#include "triangle_soup.h"

// Bullet has trees that list pairs of triangles whose boxes meet, those of its GImpact shapes, and
// tests of two triangles that work with margins. So here its trees find, and our exact test
// decides, of corners that are posed when they are asked for.

namespace plimsoll::bench {
namespace {

enum class Trees { kKept, kRebuilt, kRefit };

btVector3 converted(const Vec3& v) { return {v.x(), v.y(), v.z()}; }

btTransform converted(const Similarity& pose) {
  const Mat3 m = pose.linear();
  const btMatrix3x3 turn(m(0, 0), m(0, 1), m(0, 2), m(1, 0), m(1, 1), m(1, 2), m(2, 0), m(2, 1),
                         m(2, 2));
  return btTransform(turn, converted(Vec3(pose.translation())));
}

/// What GImpact's trees ask a mesh.
class Triangles final : public btPrimitiveManagerBase {
 public:
  explicit Triangles(Shape mesh) : mesh_(std::move(mesh)) {}

  void replace(Shape mesh) { mesh_ = std::move(mesh); }
  [[nodiscard]] const TriangleMesh& mesh() const { return *mesh_; }

  [[nodiscard]] bool is_trimesh() const override { return true; }
  [[nodiscard]] int get_primitive_count() const override {
    return static_cast<int>(mesh_->triangles.size());
  }
  void get_primitive_box(int prim_index, btAABB& primbox) const override {
    const Triangle& t = mesh_->triangles[static_cast<std::size_t>(prim_index)];
    primbox = btAABB(corner(t[0]), corner(t[1]), corner(t[2]));
  }
  void get_primitive_triangle(int prim_index, btPrimitiveTriangle& triangle) const override {
    const Triangle& t = mesh_->triangles[static_cast<std::size_t>(prim_index)];
    for (int i = 0; i < 3; ++i) triangle.m_vertices[i] = corner(t[static_cast<std::size_t>(i)]);
  }

 private:
  [[nodiscard]] btVector3 corner(std::uint32_t v) const { return converted(mesh_->vertices[v]); }
  Shape mesh_;
};

/// A mesh and its tree, which keeps a pointer to the mesh.
template <class Tree>
struct Model {
  explicit Model(const Shape& mesh) : triangles(mesh), tree(&triangles) { tree.buildSet(); }
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  void refit(const Shape& mesh) {
    triangles.replace(mesh);
    tree.update();
  }

  Triangles triangles;
  Tree tree;
};

std::array<Vec3, 3> posed_corners(const TriangleMesh& mesh, int triangle, const Similarity& pose) {
  const Triangle& t = mesh.triangles[static_cast<std::size_t>(triangle)];
  return {posed_vertex(mesh.vertices[t[0]], pose), posed_vertex(mesh.vertices[t[1]], pose),
          posed_vertex(mesh.vertices[t[2]], pose)};
}

template <class Tree>
struct Placed {
  std::uint32_t id = 0;
  Similarity world_from_body = Similarity::Identity();
  std::shared_ptr<Model<Tree>> model;
};

/// Adds the pairs of triangles that touch.
template <class Tree>
void find_pairs(const Placed<Tree>& a, const Placed<Tree>& b, btPairSet& memory,
                std::vector<FoundPair>& found) {
  memory.resize(0);
  Tree::find_collision(&a.model->tree, converted(a.world_from_body), &b.model->tree,
                       converted(b.world_from_body), memory);
  for (int i = 0; i < memory.size(); ++i) {
    const auto t = posed_corners(a.model->triangles.mesh(), memory[i].m_index1, a.world_from_body);
    const auto u = posed_corners(b.model->triangles.mesh(), memory[i].m_index2, b.world_from_body);
    if (touch_exactly(t, u))
      found.push_back({a.id, b.id, static_cast<std::uint32_t>(memory[i].m_index1),
                       static_cast<std::uint32_t>(memory[i].m_index2)});
  }
}

/// Rigid bodies keep their trees and have poses; others are given in the world.
template <class Tree>
void update(Placed<Tree>& body, const Shape& mesh, Trees how) {
  if (how == Trees::kRefit && body.model)
    body.model->refit(mesh);
  else
    body.model = std::make_shared<Model<Tree>>(mesh);
}

template <class Tree>
class TwoModels {
 public:
  explicit TwoModels(Trees how) : how_(how) {}

  void prepare(const PosedFrame& frame) {
    frame_ = frame;
    for (std::size_t i = 0; i < 2; ++i) {
      body_[i].id = frame.bodies[i].id;
      if (how_ != Trees::kKept) continue;
      body_[i].world_from_body = frame.bodies[i].world_from_body;
      if (shape_[i] != frame.bodies[i].shape) update(body_[i], frame.bodies[i].shape, how_);
      shape_[i] = frame.bodies[i].shape;
    }
  }
  void find() {
    if (how_ != Trees::kKept)
      for (std::size_t i = 0; i < 2; ++i) update(body_[i], frame_.posed[i], how_);
    found_.clear();
    find_pairs(body_[0], body_[1], memory_, found_);
  }
  [[nodiscard]] std::vector<FoundPair> found() const { return found_; }

 private:
  Trees how_;
  PosedFrame frame_;
  std::array<Shape, 2> shape_;
  std::array<Placed<Tree>, 2> body_;
  btPairSet memory_;
  std::vector<FoundPair> found_;
};

/// The tree against itself, neighbors and each pair's second time left out before our exact test.
template <class Tree>
class WithItself {
 public:
  explicit WithItself(Trees how) : how_(how) {}

  void prepare(const PosedFrame& frame) { frame_ = frame; }
  void find() {
    const Shape& mesh = frame_.posed[0];
    update(body_, mesh, how_);
    memory_.resize(0);
    found_.clear();
    const btTransform here = btTransform::getIdentity();
    Tree::find_collision(&body_.model->tree, here, &body_.model->tree, here, memory_);
    for (int i = 0; i < memory_.size(); ++i) {
      const int a = memory_[i].m_index1, b = memory_[i].m_index2;
      const auto& triangles = mesh->triangles;
      if (a >= b || share_a_vertex(triangles[static_cast<std::size_t>(a)],
                                   triangles[static_cast<std::size_t>(b)]))
        continue;
      if (touch_exactly(corners(*mesh, a), corners(*mesh, b)))
        found_.push_back({frame_.bodies[0].id, frame_.bodies[0].id, static_cast<std::uint32_t>(a),
                          static_cast<std::uint32_t>(b)});
    }
  }
  [[nodiscard]] std::vector<FoundPair> found() const { return found_; }

 private:
  static std::array<Vec3, 3> corners(const TriangleMesh& mesh, int triangle) {
    const Triangle& t = mesh.triangles[static_cast<std::size_t>(triangle)];
    return {mesh.vertices[t[0]], mesh.vertices[t[1]], mesh.vertices[t[2]]};
  }

  Trees how_;
  PosedFrame frame_;
  Placed<Tree> body_;
  btPairSet memory_;
  std::vector<FoundPair> found_;
};

/// btDbvtBroadphase over the boxes of the bodies.
template <class Tree>
class Bodies {
 public:
  explicit Bodies(Trees how) : how_(how) {}
  ~Bodies() {
    for (auto& [id, member] : members_) broadphase_.destroyProxy(member.proxy, nullptr);
  }
  Bodies(const Bodies&) = delete;
  Bodies& operator=(const Bodies&) = delete;

  void prepare(const PosedFrame& frame) {
    before_ = std::move(now_);
    now_ = frame.bodies;
    changes_ = changes(before_, now_);
  }
  void find() {
    for (const std::size_t i : changes_.gone) remove(before_[i].id);
    for (const std::size_t i : changes_.arrived) add(now_[i]);
    for (const std::size_t i : changes_.reshaped) reshape(now_[i]);
    for (const std::size_t i : changes_.moved) move(now_[i]);
    broadphase_.calculateOverlappingPairs(nullptr);
    found_.clear();
    const btBroadphasePairArray& near =
        broadphase_.getOverlappingPairCache()->getOverlappingPairArray();
    for (int i = 0; i < near.size(); ++i) {
      const Placed<Tree>* a = body_of(near[i].m_pProxy0);
      const Placed<Tree>* b = body_of(near[i].m_pProxy1);
      if (a->id > b->id) std::swap(a, b);
      find_pairs(*a, *b, memory_, found_);
    }
  }
  [[nodiscard]] std::vector<FoundPair> found() const { return found_; }

 private:
  struct Member {
    Placed<Tree> body;
    btBroadphaseProxy* proxy = nullptr;
  };

  static const Placed<Tree>* body_of(const btBroadphaseProxy* proxy) {
    return static_cast<const Placed<Tree>*>(proxy->m_clientObject);
  }
  static btAABB box_of(const Placed<Tree>& body) {
    btAABB box = body.model->tree.getGlobalBox();
    box.appy_transform(converted(body.world_from_body));
    return box;
  }

  void add(const PlacedBody& placed) {
    Member& member = members_[placed.id];
    member.body.id = placed.id;
    member.body.world_from_body = placed.world_from_body;
    member.body.model =
        arrived_.of(placed.shape, [&] { return std::make_shared<Model<Tree>>(placed.shape); });
    const btAABB box = box_of(member.body);
    member.proxy = broadphase_.createProxy(box.m_min, box.m_max, 0, &member.body, 1, 1, nullptr);
  }
  void remove(std::uint32_t id) {
    broadphase_.destroyProxy(members_.at(id).proxy, nullptr);
    members_.erase(id);
  }
  void move(const PlacedBody& placed) {
    Member& member = members_.at(placed.id);
    member.body.world_from_body = placed.world_from_body;
    const btAABB box = box_of(member.body);
    broadphase_.setAabb(member.proxy, box.m_min, box.m_max, nullptr);
  }
  void reshape(const PlacedBody& placed) {
    Member& member = members_.at(placed.id);
    const bool fits =
        member.body.model->triangles.mesh().triangles.size() == placed.shape->triangles.size();
    update(member.body, placed.shape, fits ? how_ : Trees::kRebuilt);
    move(placed);
  }

  Trees how_;
  SceneFrame before_, now_;
  FrameChanges changes_;
  LastMade<std::shared_ptr<Model<Tree>>> arrived_;
  std::map<std::uint32_t, Member> members_;  // places stay theirs
  btDbvtBroadphase broadphase_;
  btPairSet memory_;
  std::vector<FoundPair> found_;
};

template <class T>
PairSystems systems(const std::string& tree, Motion motion) {
  const auto system = [&](const char* name, Trees how) {
    return pair_system("bullet_" + tree + name, std::make_shared<T>(how));
  };
  if (motion == Motion::kRigid) return {system("", Trees::kKept)};
  PairSystems all = {system("_rebuilt", Trees::kRebuilt)};
  if (motion == Motion::kDeforms) all.push_back(system("_refit", Trees::kRefit));
  return all;
}

template <class Tree>
PairSystems systems_with(Question question, const std::string& tree, Motion motion) {
  switch (question) {
    case Question::kTwoBodies:
      return systems<TwoModels<Tree>>(tree, motion);
    case Question::kBodies:
      return systems<Bodies<Tree>>(tree, motion);
    case Question::kSelf:
      return systems<WithItself<Tree>>(tree, motion);
  }
  return {};
}

}  // namespace

PairSystems bullet_pair_systems(Question question, Motion motion) {
  PairSystems all = systems_with<btGImpactBvh>(question, "gimpact", motion);
  for (PairSystem& system :
       systems_with<btGImpactQuantizedBvh>(question, "gimpact_quantized", motion))
    all.push_back(std::move(system));
  return all;
}

}  // namespace plimsoll::bench
