// The engine on OpenGL, as anyone would use it: the volume of a box, drawn.
#include <plimsoll/gl_image.h>
#include <plimsoll/mesh_generators.h>

#include <iostream>

int main() {
  const auto context = plimsoll::GlContext::create();
  if (!context) return std::cerr << context.error().message << '\n', 3;
  auto engine = plimsoll::GlImageEngine::create(*context);
  if (!engine) return std::cerr << engine.error().message << '\n', 3;
  const auto mesh = plimsoll::CheckedMesh::from_triangles(plimsoll::make_box({1, 2, 3}));
  if (!mesh) return std::cerr << mesh.error().message << '\n', 3;
  const auto box = engine->mass_properties(*mesh);
  if (!box) return std::cerr << box.error().message << '\n', 3;
  std::cout << box->properties.volume << " m^3, by " << context->info().renderer << '\n';
}
