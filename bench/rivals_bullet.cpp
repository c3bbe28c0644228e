#include <BulletCollision/CollisionShapes/btConvexTriangleMeshShape.h>
#include <BulletCollision/CollisionShapes/btTriangleIndexVertexArray.h>
#include <BulletCollision/Gimpact/btGImpactShape.h>

#include <memory>

#include "systems.h"

namespace plimsoll::bench {
namespace {

// Bullet reads the caller's arrays through an interface and keeps pointers to them.
struct Mesh {
  explicit Mesh(const TriangleMesh& from) : owned(from) {
    btIndexedMesh part;
    part.m_numTriangles = static_cast<int>(owned.triangles.size());
    part.m_triangleIndexBase = reinterpret_cast<const unsigned char*>(owned.triangles.data());
    part.m_triangleIndexStride = sizeof(Triangle);
    part.m_numVertices = static_cast<int>(owned.vertices.size());
    part.m_vertexBase = reinterpret_cast<const unsigned char*>(owned.vertices.data());
    part.m_vertexStride = sizeof(Vec3);
    part.m_vertexType = PHY_DOUBLE;
    arrays.addIndexedMesh(part, PHY_INTEGER);
  }
  TriangleMesh owned;
  btTriangleIndexVertexArray arrays;
};

Vec3 converted(const btVector3& v) { return {v.x(), v.y(), v.z()}; }

Mat3 converted(const btMatrix3x3& m) {
  Mat3 result;
  for (int row = 0; row < 3; ++row) result.row(row) = converted(m.getRow(row));
  return result;
}

// Volume, center and principal moments as if the mesh were convex: tetrahedra from its first vertex
// are added with their sizes, not their signs.
System convex_triangle_mesh(const std::shared_ptr<Mesh>& mesh) {
  auto shape = std::make_shared<btConvexTriangleMeshShape>(&mesh->arrays, true);
  return {"bullet_convex_triangle_mesh", [mesh, shape] {
            btTransform principal;
            btVector3 moments;
            btScalar volume = 0;
            shape->calculatePrincipalAxisTransform(principal, moments, volume);
            const Mat3 axes = converted(principal.getBasis());
            const Mat3 inertia = axes * converted(moments).asDiagonal() * axes.transpose();
            return Answer{volume, converted(principal.getOrigin()), inertia};
          }};
}

// The inertia of equal masses at the vertices, about the origin.
System gimpact(const std::shared_ptr<Mesh>& mesh) {
  auto shape = std::make_shared<btGImpactMeshShape>(&mesh->arrays);
  return {"bullet_gimpact", [mesh, shape] {
            btVector3 moments;
            shape->calculateLocalInertia(1, moments);
            return Answer{{}, {}, Mat3(converted(moments).asDiagonal())};
          }};
}

}  // namespace

std::vector<System> bullet_systems(const TriangleMesh& mesh) {
  const auto arrays = std::make_shared<Mesh>(mesh);
  return {convex_triangle_mesh(arrays), gimpact(arrays)};
}

}  // namespace plimsoll::bench
