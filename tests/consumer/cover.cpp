#include <plimsoll/sphere_cover.h>

#include <iostream>

void print_cover(const plimsoll::ClosedMesh& link) {
  const auto cover = plimsoll::cover_with_spheres(link, {.max_count = 64});
  if (!cover) return void(std::cerr << cover.error().message << '\n');
  for (const plimsoll::PlacedSphere& sphere : cover->spheres)
    std::cout << sphere.center.transpose() << ' ' << sphere.radius << '\n';
}
