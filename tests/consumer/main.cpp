#include <plimsoll/mass_properties.h>
#include <plimsoll/mesh_io.h>

#include <iostream>

int main(int, char** argv) {
  const auto file = plimsoll::read_mesh(argv[1]);
  if (!file) return std::cerr << file.error().where << ": " << file.error().message << '\n', 3;
  for (const auto& notice : file->notices) std::cerr << notice.message << '\n';
  const auto mesh = plimsoll::CheckedMesh::borrow(file->mesh);  // that its indices name vertices
  if (!mesh) return std::cerr << mesh.error().message << '\n', 3;
  const auto solid = plimsoll::ClosedMesh::from_triangles(plimsoll::weld(*mesh));
  if (!solid) return std::cerr << solid.error().message << '\n', 4;
  const auto body = plimsoll::mass_properties(
      *solid, {.density = 1000, .unit = {file->meters_per_unit.value_or(1)}});
  std::cout << body.mass << " kg about (" << body.center_of_mass.transpose() << ") m\n"
            << body.inertia << " kg m^2, each within " << body.error_bound.inertia << '\n';
}
