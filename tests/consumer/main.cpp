#include <plimsoll/mass_properties.h>
#include <plimsoll/shape_io.h>

#include <iostream>

int main(int, char** argv) {
  const auto file = plimsoll::read_mesh(argv[1]);
  if (!file) return std::cerr << file.error().where << ": " << file.error().message << '\n', 3;
  for (const auto& notice : file->notices) std::cerr << notice.message << '\n';
  auto body = plimsoll::mesh_body(*file);  // welded, with the seams that rounding opened closed
  if (!body) return std::cerr << body.error().message << '\n', 3;
  const auto solid = plimsoll::ClosedMesh::from_triangles(std::move(body->mesh));
  if (!solid) return std::cerr << solid.error().message << '\n', 4;
  const auto mass = plimsoll::mass_properties(
      *solid, {.density = 1000,
               .unit = file->meters_per_unit.value_or(plimsoll::LengthUnit()),
               .vertex_error = body->vertex_error});  // what reading and welding moved
  std::cout << mass.mass << " kg about (" << mass.center_of_mass.transpose() << ") m\n"
            << mass.inertia << " kg m^2, each within " << mass.error_bound.inertia << '\n';
}
