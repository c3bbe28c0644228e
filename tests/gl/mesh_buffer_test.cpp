// Meshes on graphics hardware: any range of triangles can be drawn, by any program.
#include "gl/mesh_buffer.h"

#include <array>
#include <numeric>

#include "gl/canvas.h"
#include "gl/drawing.h"
#include "gl/query_pool.h"

namespace plimsoll {
namespace {

// How often each pixel was drawn.
constexpr const char* kCount = "void main() { color = vec4(1, 0, 0, 1); }\n";

std::vector<float> counts(const test::Canvas& canvas, const gl::MeshBuffer& buffer,
                          gl::TriangleRange range) {
  gl::clear_images(test::kCanvas, test::kCanvas, 1, false);
  const gl::AddedColors added;
  buffer.draw(range);
  return canvas.red();
}

// Both triangles of a square share its diagonal, whose pixels OpenGL gives to one of them.
TEST_CASE("ranges of triangles are drawn as they stand in the mesh, indexed or packed") {
  const GlContext* context = test::gl_context();
  if (context == nullptr) return;
  const test::Canvas canvas(*context);
  const gl::Program program = test::program(kCount);
  glUseProgram(program.name());
  const TriangleMesh mesh = test::squares({0.1, 0.2, 0.3});
  std::vector<double> corners;
  for (const Triangle& t : mesh.triangles)
    for (const std::uint32_t v : t)
      corners.insert(corners.end(), mesh.vertices[v].begin(), mesh.vertices[v].end());
  for (const MeshView& view : {MeshView(mesh), MeshView::packed(corners)}) {
    const gl::MeshBuffer buffer(view, test::as_they_are(view));
    CHECK(buffer.triangle_count() == 6);
    CHECK(counts(canvas, buffer, {0, 6}) == std::vector<float>(256, 3));
    CHECK(counts(canvas, buffer, {2, 4}) == std::vector<float>(256, 2));
    CHECK(counts(canvas, buffer, {6, 0}) == std::vector<float>(256, 0));
    const std::vector<float> lower = counts(canvas, buffer, {4, 1});
    const std::vector<float> upper = counts(canvas, buffer, {5, 1});
    CHECK(lower[15] == 1);                                            // the lower right corner
    CHECK(upper[15 * 16] == 1);                                       // the upper left corner
    CHECK(std::accumulate(lower.begin(), lower.end(), 0.0F) >= 120);  // half, less the diagonal
    for (std::size_t i = 0; i < 256; ++i) CHECK(lower[i] + upper[i] == 1);
  }
}

// As visibility culling asks: what has no fragment in front of all that was drawn before is hidden.
TEST_CASE("occlusion queries tell which ranges are visible") {
  const GlContext* context = test::gl_context();
  if (context == nullptr) return;
  const test::Canvas canvas(*context);
  canvas.depths().attach(0);
  const gl::Program program = test::program(kCount);
  glUseProgram(program.name());
  const TriangleMesh mesh = test::squares({0.5, 0, 0.25, -0.5});
  const gl::MeshBuffer buffer(mesh, test::as_they_are(mesh));
  gl::clear_images(test::kCanvas, test::kCanvas, 1, true);
  glEnable(GL_DEPTH_TEST);
  glDepthFunc(GL_LESS);
  gl::QueryPool queries(test::kCanvas, test::kCanvas);
  std::array<std::size_t, 4> query{};
  for (std::size_t i = 0; i < 4; ++i) {
    query[i] = queries.begin();
    buffer.draw({2 * i, 2});
    queries.end(2);
  }
  glDisable(GL_DEPTH_TEST);
  CHECK(queries.any_passed(query[0]));
  CHECK(queries.any_passed(query[1]));
  CHECK(!queries.any_passed(query[2]));
  CHECK(queries.any_passed(query[3]));
}

TEST_CASE("a mesh that has moved is drawn where it is") {
  const GlContext* context = test::gl_context();
  if (context == nullptr) return;
  const test::Canvas canvas(*context);
  const gl::Program program = test::program("void main() { color = gl_FragCoord.zzzz; }\n");
  glUseProgram(program.name());
  const TriangleMesh mesh = test::squares({0});
  gl::MeshBuffer buffer(mesh, test::as_they_are(mesh));
  CHECK(counts(canvas, buffer, {0, 2}) == std::vector<float>(256, 0.5F));
  const TriangleMesh moved = test::squares({-0.5});
  buffer.set_vertices(test::as_they_are(moved));
  CHECK(counts(canvas, buffer, {0, 2}) == std::vector<float>(256, 0.25F));
}

}  // namespace
}  // namespace plimsoll
