// Layers as depth peeling finds them, against squares whose depths are known.
#include "gl/depth_peeling.h"

#include <algorithm>

#include "gl/canvas.h"
#include "gl/mesh_buffer.h"

namespace plimsoll {
namespace {

struct Found {
  Result<int> layers = 0;
  std::vector<std::vector<float>> depths;  // of each layer, as finish() finds them
};

Found peeled(const test::Canvas& canvas, const TriangleMesh& mesh, int max_layers,
             Result<void> finished = {}) {
  const gl::Program program =
      test::program(std::string(gl::kPeelTest) +
                    "void main() { if (is_peeled()) discard; color = gl_FragCoord.zzzz; }\n");
  const gl::MeshBuffer buffer(mesh, test::as_they_are(mesh));
  const gl::Peeling peeling = {.program = program,
                               .depths = canvas.depths(),
                               .first_layer = canvas.framebuffer(),
                               .other_layers = canvas.framebuffer(),
                               .width = test::kCanvas,
                               .height = test::kCanvas,
                               .triangle_count = buffer.triangle_count(),
                               .max_layers = max_layers};
  Found found;
  found.layers = gl::peel(
      peeling, [&](int) { buffer.draw(); },
      [&](int layer) {
        CHECK(layer == static_cast<int>(found.depths.size()));
        found.depths.push_back(canvas.red());
        return finished;
      });
  return found;
}

// The depth of an image is half that of clip coordinates, and a half: exact for these.
TEST_CASE("layers come nearest first, in whatever order they are drawn") {
  const GlContext* context = test::gl_context();
  if (context == nullptr) return;
  const test::Canvas canvas(*context);
  for (const TriangleMesh& mesh :
       {test::squares({-0.5, 0, 0.25}), test::squares({0.25, -0.5, 0})}) {
    const Found found = peeled(canvas, mesh, 10);
    REQUIRE(found.layers);
    CHECK(*found.layers == 3);
    REQUIRE(found.depths.size() == 3);
    CHECK(found.depths[0] == std::vector<float>(256, 0.25F));
    CHECK(found.depths[1] == std::vector<float>(256, 0.5F));
    CHECK(found.depths[2] == std::vector<float>(256, 0.625F));
  }
}

TEST_CASE("of fragments at one depth one layer has one, and no other layer another") {
  const GlContext* context = test::gl_context();
  if (context == nullptr) return;
  const test::Canvas canvas(*context);
  const Found found = peeled(canvas, test::squares({0, 0, 0.5, 0}), 10);
  REQUIRE(found.layers);
  CHECK(*found.layers == 2);
}

TEST_CASE("the depths that an earlier peeling has left do not matter") {
  const GlContext* context = test::gl_context();
  if (context == nullptr) return;
  const test::Canvas canvas(*context);
  CHECK(peeled(canvas, test::squares({0, 0.25}), 10).layers);
  const Found found = peeled(canvas, test::squares({-0.5}), 10);
  REQUIRE(found.layers);
  CHECK(*found.layers == 1);
}

TEST_CASE("what is nowhere has no layer") {
  const GlContext* context = test::gl_context();
  if (context == nullptr) return;
  const test::Canvas canvas(*context);
  const Found found = peeled(canvas, test::squares({2}), 10);  // behind the view volume
  REQUIRE(found.layers);
  CHECK(*found.layers == 0);
  CHECK(found.depths.empty());
}

TEST_CASE("as many layers as allowed are peeled, one more is refused") {
  const GlContext* context = test::gl_context();
  if (context == nullptr) return;
  const test::Canvas canvas(*context);
  CHECK(peeled(canvas, test::squares({0, 0.25, 0.5}), 3).layers);
  const Found refused = peeled(canvas, test::squares({0, 0.25, 0.5}), 2);
  REQUIRE(!refused.layers);
  CHECK(refused.layers.error().code == ErrorCode::kResourceLimit);
  CHECK(refused.layers.error().where == "peel");
  CHECK(refused.depths.size() == 2);
}

TEST_CASE("an error of who uses a layer ends the peeling") {
  const GlContext* context = test::gl_context();
  if (context == nullptr) return;
  const test::Canvas canvas(*context);
  const Found ended = peeled(canvas, test::squares({0, 0.25, 0.5}), 9,
                             Error{ErrorCode::kResourceLimit, "no room", "reading back"});
  REQUIRE(!ended.layers);
  CHECK(ended.layers.error().where == "reading back");
  CHECK(ended.depths.size() == 1);
}

}  // namespace
}  // namespace plimsoll
