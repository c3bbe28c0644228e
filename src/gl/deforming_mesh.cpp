// A mesh whose vertices a shader moves, measured where it is drawn.
#include <utility>

#include "gl/image_shaders.h"
#include "gl/measure.h"

namespace plimsoll {

struct GlDeformingMesh::State {
  GlImageEngine::State* engine = nullptr;
  gl::MeshBuffer mesh;
  TriangleMesh at_rest;
  Box3 bounds;
  IntegrandPrograms programs;
  gl::Program capture;
};

void GlDeformingMesh::Deleter::operator()(State* state) const {
  gl::delete_in_context(state->engine->context, state);
}

GlDeformingMesh::GlDeformingMesh(std::unique_ptr<State, Deleter> state)
    : state_(std::move(state)) {}

Result<GlDeformingMesh> GlDeformingMesh::create(GlImageEngine& engine, const CheckedMesh& checked,
                                                const GlDeformation& deformation) {
  const MeshView& mesh = checked.view();
  const Vec3 size = deformation.bounds.max() - deformation.bounds.min();
  if (!(size.minCoeff() > 0) || !size.allFinite())
    return Error{ErrorCode::kInvalidArgument, "found bounds without a volume", "deformation"};
  const gl::Current current(*engine.state().context);
  std::unique_ptr<State, Deleter> state(new State);
  state->engine = &engine.state();
  state->bounds = deformation.bounds;
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v)
    state->at_rest.vertices.push_back(mesh.vertex(v));
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t)
    state->at_rest.triangles.push_back(mesh.triangle(t));
  state->mesh = gl::MeshBuffer(mesh, gl::float_vertices(mesh, [](const Vec3& p) { return p; }));
  const std::string vertex_shader = mesh_vertex_shader((deformation.glsl + "\n").c_str());
  Result<IntegrandPrograms> programs = make_integrand_programs({{GL_VERTEX_SHADER, vertex_shader}});
  if (!programs) return Error{ErrorCode::kInvalidArgument, programs.error().message, "deformation"};
  state->programs = std::move(*programs);
  Result<gl::Program> capture =
      gl::make_program({{GL_VERTEX_SHADER, vertex_shader}}, shaders::kDeformedOutput);
  if (!capture) return Error{ErrorCode::kInvalidArgument, capture.error().message, "deformation"};
  state->capture = std::move(*capture);
  return GlDeformingMesh(std::move(state));
}

Result<ImageMass> GlDeformingMesh::mass_properties(float time, const GlImageOptions& options) {
  const Result<View> view = view_of(state_->bounds, options.image);
  if (!view) return view.error();
  const gl::Current current(*state_->engine->context);
  const Similarity view_from_mesh = view->world_from_view.inverse();
  const DrawnBody body = {[&](const gl::Program& program, const Tile& tile) {
                            draw_mesh(state_->mesh, view_from_mesh, time, program, tile);
                          },
                          state_->mesh.triangle_count()};
  return state_->engine->measure(body, state_->programs, *view, options);
}

namespace {

// The output kDeformedOutput of the vertex shader of `program` for each vertex, 3 x vertex count.
Result<std::vector<float>> captured_vertices(const gl::MeshBuffer& mesh, const gl::Program& program,
                                             float time) {
  const gl::Buffer buffer = gl::Buffer::make();
  std::vector<float> vertices(3 * mesh.vertex_count());
  const auto bytes = static_cast<GLsizeiptr>(vertices.size() * sizeof(float));
  glBindBuffer(GL_TRANSFORM_FEEDBACK_BUFFER, buffer.name());
  glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, bytes, nullptr, GL_STREAM_READ);
  glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer.name());
  glUseProgram(program.name());
  glUniform1f(glGetUniformLocation(program.name(), "time"), time);
  glEnable(GL_RASTERIZER_DISCARD);
  glBeginTransformFeedback(GL_POINTS);
  mesh.draw_points();
  glEndTransformFeedback();
  glDisable(GL_RASTERIZER_DISCARD);
  glGetBufferSubData(GL_TRANSFORM_FEEDBACK_BUFFER, 0, bytes, vertices.data());
  if (Result<void> done = gl::reported_error("capturing vertices"); !done) return done.error();
  return vertices;
}

}  // namespace

Result<TriangleMesh> GlDeformingMesh::deformed(float time) {
  const gl::Current current(*state_->engine->context);
  const Result<std::vector<float>> read = captured_vertices(state_->mesh, state_->capture, time);
  if (!read) return read.error();
  TriangleMesh mesh = state_->at_rest;
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
    mesh.vertices[v] = Vec3((*read)[3 * v], (*read)[3 * v + 1], (*read)[3 * v + 2]);
  return mesh;
}

}  // namespace plimsoll
