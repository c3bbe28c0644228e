#include "solid_mesh.h"

#include <cmath>
#include <span>

namespace plimsoll::viewer {
namespace {

constexpr double kCrease = 0.766;  // the cosine of 40 degrees

/// Which triangles are at each vertex: those of v are `of[first[v]]` to before `of[first[v + 1]]`.
struct Fans {
  std::vector<std::uint32_t> first, of;
};

Fans fans_of(const TriangleMesh& mesh) {
  Fans fans{std::vector<std::uint32_t>(mesh.vertices.size() + 1),
            std::vector<std::uint32_t>(3 * mesh.triangles.size())};
  for (const Triangle& t : mesh.triangles)
    for (const std::uint32_t v : t) ++fans.first[v + 1];
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) fans.first[v + 1] += fans.first[v];
  std::vector<std::uint32_t> next(fans.first.begin(), fans.first.end() - 1);
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    for (const std::uint32_t v : mesh.triangles[t])
      fans.of[next[v]++] = static_cast<std::uint32_t>(t);
  return fans;
}

/// Twice the area long.
std::vector<Vec3> face_normals(const TriangleMesh& mesh) {
  std::vector<Vec3> normals;
  normals.reserve(mesh.triangles.size());
  for (const Triangle& t : mesh.triangles) {
    const Vec3& a = mesh.vertices[t[0]];
    normals.push_back((mesh.vertices[t[1]] - a).cross(mesh.vertices[t[2]] - a));
  }
  return normals;
}

Vec3 corner_normal(const Vec3& own, std::span<const std::uint32_t> fan,
                   const std::vector<Vec3>& normals) {
  Vec3 sum = own;
  for (const std::uint32_t t : fan)
    if (normals[t].dot(own) > kCrease * normals[t].norm() * own.norm()) sum += normals[t];
  return sum.normalized();
}

}  // namespace

SolidMesh with_normals(const TriangleMesh& mesh) {
  const Fans fans = fans_of(mesh);
  const std::vector<Vec3> normals = face_normals(mesh);
  SolidMesh solid;
  solid.indices.resize(3 * mesh.triangles.size());
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
    const std::span fan(fans.of.data() + fans.first[v], fans.first[v + 1] - fans.first[v]);
    std::vector<std::pair<Vec3, std::uint32_t>> made;  // of this vertex, one for each normal
    for (const std::uint32_t t : fan) {
      const Vec3 normal = corner_normal(normals[t], fan, normals);
      std::uint32_t index = static_cast<std::uint32_t>(solid.corners.size() / 6);
      for (const auto& [known, place] : made)
        if (known.dot(normal) > 0.999) index = place;
      if (index == solid.corners.size() / 6) {
        made.emplace_back(normal, index);
        for (int k = 0; k < 3; ++k)
          solid.corners.push_back(static_cast<float>(mesh.vertices[v][k]));
        for (int k = 0; k < 3; ++k) solid.corners.push_back(static_cast<float>(normal[k]));
      }
      for (std::size_t k = 0; k < 3; ++k)
        if (mesh.triangles[t][k] == v) solid.indices[3 * std::size_t{t} + k] = index;
    }
  }
  return solid;
}

}  // namespace plimsoll::viewer
