#include "probe_questions.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "bunnies.h"
#include "checked.h"
#include "water_planes.h"

namespace plimsoll::bench {
namespace {

const Triangle& random_triangle(const TriangleMesh& mesh, Random& random) {
  return mesh.triangles[static_cast<std::size_t>(random.number() *
                                                 static_cast<double>(mesh.triangles.size()))];
}

Vec3 middle_of(const TriangleMesh& mesh, const Triangle& triangle) {
  const auto& [a, b, c] = triangle;
  return (mesh.vertices[a] + mesh.vertices[b] + mesh.vertices[c]) / 3;
}

Vec3 normal_of(const TriangleMesh& mesh, const Triangle& triangle) {
  const Vec3& a = mesh.vertices[triangle[0]];
  return (mesh.vertices[triangle[1]] - a).cross(mesh.vertices[triangle[2]] - a).normalized();
}

}  // namespace

std::vector<Scenario> probe_scenes(const std::filesystem::path& cache) {
  std::vector<Scenario> scenes = {bunny("bunny_5k", cache, 5000),
                                  {"bunny_75k", [=] { return read_scan(cache); }},
                                  bunny("bunny_700k", cache, 43750, 2)};
  for (Scenario& solid : scenarios(cache))
    if (solid.name == "knot_70k") scenes.push_back({"aside_knot_70k", std::move(solid.make)});
  return scenes;
}

ProbedBody::ProbedBody(TriangleMesh from)
    : mesh(std::move(from)), tree(checked(mesh)), size(tree.box().sizes().maxCoeff()) {}

std::vector<Vec3> points_away(const ProbedBody& body, double sizes, std::size_t count) {
  Random random(1);
  std::vector<Vec3> points;
  for (std::size_t i = 0; i < count; ++i)
    points.push_back(middle_of(body.mesh, random_triangle(body.mesh, random)) +
                     sizes * body.size * random.direction());
  return points;
}

std::vector<Vec3> lattice(const ProbedBody& body, double nodes) {
  const Box3 box = body.tree.box();
  const double step = std::cbrt(box.volume() / nodes);
  const auto steps = [&](Eigen::Index axis) {
    return static_cast<int>(std::ceil(box.sizes()[axis] / step));
  };
  std::vector<Vec3> points;
  for (int i = 0; i <= steps(0); ++i)
    for (int j = 0; j <= steps(1); ++j)
      for (int k = 0; k <= steps(2); ++k) points.push_back(box.min() + step * Vec3(i, j, k));
  return points;
}

std::vector<Vec3> runs_of(const std::vector<Vec3>& lattice, std::size_t runs, std::size_t count) {
  const std::size_t run = count / runs;
  std::vector<Vec3> points;
  for (std::size_t i = 0; i < runs; ++i) {
    // Each run lies in the middle of its part of the lattice.
    const std::size_t begin = (2 * i + 1) * lattice.size() / (2 * runs) - run / 2;
    for (std::size_t k = begin; k < begin + run; ++k) points.push_back(lattice[k]);
  }
  return points;
}

std::vector<Ray> rays_inward(const ProbedBody& body, std::size_t count) {
  Random random(2);
  std::vector<Ray> rays;
  const Box3 box = body.tree.box();
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3 from = box.center() + box.diagonal().norm() * random.direction();
    const Vec3 part(random.number(), random.number(), random.number());
    const Vec3 to = box.min() + part.cwiseProduct(box.sizes());
    rays.push_back({from, (to - from).normalized()});
  }
  return rays;
}

std::vector<Ray> rays_outward(const ProbedBody& body, std::size_t count) {
  constexpr double kLift = 1e-3;  // rounding to floats leaves the origin on its side
  Random random(3);
  std::vector<Ray> rays;
  for (std::size_t i = 0; i < count; ++i) {
    const Triangle& triangle = random_triangle(body.mesh, random);
    const Vec3 normal = normal_of(body.mesh, triangle);
    Vec3 direction = random.direction();
    if (direction.dot(normal) < 0) direction = -direction;
    rays.push_back({middle_of(body.mesh, triangle) + kLift * body.size * normal, direction});
  }
  return rays;
}

}  // namespace plimsoll::bench
