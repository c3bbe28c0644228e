#include "gl/drawn_patches.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "gl/image_shaders.h"

namespace plimsoll {
namespace {

constexpr int kPointsUnit = 4;  // the texture unit of the control points

// Corners of triangles that one call draws: Mesa's software driver (22.3) draws nonsense where
// patches become more than 2^16 of them at once.
constexpr std::size_t kMaxCorners = 60'000;

// One piece of a patch as the vertex shader reads it.
struct Cell {
  std::array<GLint, 4> net;     // first point, degrees in u and v, bit s: side s descends
  std::array<GLint, 3> place;   // column and row of the piece, and how many there are in each
  std::array<GLint, 4> sides;   // levels of v = 0, u = 1, v = 1, u = 0
  std::array<GLint, 2> inside;  // levels along u and v
};

int per_cell(int segments, int cells) { return (segments + cells - 1) / cells; }

int max_level() {
  GLint level = 0;
  glGetIntegerv(GL_MAX_TESS_GEN_LEVEL, &level);
  return level;
}

// How many pieces along each side of a patch are needed, so that the hardware cuts each finely
// enough.
int cells_for(std::span<const PatchGrid> grids) {
  int max_steps = 2;
  for (const PatchGrid& grid : grids) {
    max_steps = std::max({max_steps, grid.steps.u, grid.steps.v});
    max_steps = std::max(max_steps, *std::max_element(grid.segments.begin(), grid.segments.end()));
  }
  return per_cell(max_steps, max_level());
}

// Adds the pieces of one patch. A border between two of them is cut as finely as their insides.
void add_cells(const BezierPatch& patch, const PatchGrid& grid, int first_point, int count,
               std::vector<Cell>& cells) {
  GLint descends = 0;
  for (std::size_t side = 0; side < 4; ++side) descends |= grid.descends[side] ? 1 << side : 0;
  // With a level of 1 inside and more on a side the hardware would take 2.
  const GLint along_u = std::max(2, per_cell(grid.steps.u, count));
  const GLint along_v = std::max(2, per_cell(grid.steps.v, count));
  const auto level = [&](std::size_t side) { return per_cell(grid.segments[side], count); };
  for (int j = 0; j < count; ++j)
    for (int i = 0; i < count; ++i)
      cells.push_back({{first_point, patch.degree_u, patch.degree_v, descends},
                       {i, j, count},
                       {j == 0 ? level(0) : along_u, i + 1 == count ? level(1) : along_v,
                        j + 1 == count ? level(2) : along_u, i == 0 ? level(3) : along_v},
                       {along_u, along_v}});
}

// An upper bound of the triangles that the hardware makes of a piece.
std::size_t triangles_of(const Cell& cell) {
  const auto& [below, right, above, left] = cell.sides;
  return static_cast<std::size_t>(2 * cell.inside[0] * cell.inside[1] + below + right + above +
                                  left);
}

}  // namespace

bool DrawnPatches::can_draw(const PatchSurface& surface, const GlInfo& info) {
  if (info.major < 4) return false;
  GLint max_points = 0;
  glGetIntegerv(GL_MAX_TEXTURE_BUFFER_SIZE, &max_points);
  std::size_t points = 0;
  for (const BezierPatch& patch : surface.patches) points += patch.points.size();
  return points <= static_cast<std::size_t>(max_points);
}

DrawnPatches::DrawnPatches(const PatchSurface& surface, std::span<const PatchGrid> grids,
                           const Similarity& view_from_body)
    : array_(gl::VertexArray::make()),
      cells_(gl::Buffer::make()),
      points_(gl::Buffer::make()),
      texture_(gl::Texture::make()) {
  const int count = cells_for(grids);
  std::vector<std::array<GLfloat, 4>> points;
  std::vector<Cell> cells;
  for (std::size_t p = 0; p < surface.patches.size(); ++p) {
    const BezierPatch& patch = surface.patches[p];
    add_cells(patch, grids[p], static_cast<int>(points.size()), count, cells);
    // Only ratios of weights count, and float32 has a smaller range.
    double largest = 0;
    for (const WeightedPoint& point : patch.points) largest = std::max(largest, point.w());
    for (const WeightedPoint& point : patch.points) {
      const Vec3 q = view_from_body * Vec3(point.head<3>());
      points.push_back({static_cast<GLfloat>(q.x()), static_cast<GLfloat>(q.y()),
                        static_cast<GLfloat>(q.z()), static_cast<GLfloat>(point.w() / largest)});
    }
  }
  std::size_t corners = kMaxCorners;
  for (const Cell& cell : cells) {
    const std::size_t triangles = triangles_of(cell);
    triangle_count_ += triangles;
    corners += 3 * triangles;
    if (corners > kMaxCorners) {
      batches_.push_back({batches_.empty() ? 0 : batches_.back().first + batches_.back().count, 0});
      corners = 3 * triangles;
    }
    ++batches_.back().count;
  }
  glBindVertexArray(array_.name());
  gl::fill_buffer(GL_ARRAY_BUFFER, cells_, cells.size() * sizeof(Cell), cells.data());
  const struct {
    GLint size;
    std::size_t offset;
  } attributes[] = {{4, offsetof(Cell, net)},
                    {3, offsetof(Cell, place)},
                    {4, offsetof(Cell, sides)},
                    {2, offsetof(Cell, inside)}};
  for (GLuint a = 0; a < 4; ++a) {
    glEnableVertexAttribArray(a);
    glVertexAttribIPointer(a, attributes[a].size, GL_INT, sizeof(Cell),
                           reinterpret_cast<const void*>(attributes[a].offset));
  }
  glBindVertexArray(0);
  gl::fill_buffer(GL_TEXTURE_BUFFER, points_, points.size() * sizeof(points[0]), points.data());
  glActiveTexture(GL_TEXTURE0 + kPointsUnit);
  glBindTexture(GL_TEXTURE_BUFFER, texture_.name());
  glTexBuffer(GL_TEXTURE_BUFFER, GL_RGBA32F, points_.name());
  glActiveTexture(GL_TEXTURE0);
}

void DrawnPatches::draw(const gl::Program& program, const Tile& tile) const {
  set_window(program, tile);
  glUniform1i(glGetUniformLocation(program.name(), "points"), kPointsUnit);
  glActiveTexture(GL_TEXTURE0 + kPointsUnit);
  glBindTexture(GL_TEXTURE_BUFFER, texture_.name());
  glActiveTexture(GL_TEXTURE0);
  glBindVertexArray(array_.name());
  glPatchParameteri(GL_PATCH_VERTICES, 1);
  for (const Batch& batch : batches_) glDrawArrays(GL_PATCHES, batch.first, batch.count);
  glBindVertexArray(0);
}

Result<IntegrandPrograms> make_patch_programs() {
  return make_integrand_programs({{GL_VERTEX_SHADER, shaders::kPatchVertex},
                                  {GL_TESS_CONTROL_SHADER, shaders::kPatchLevels},
                                  {GL_TESS_EVALUATION_SHADER, shaders::kPatchPoints}});
}

}  // namespace plimsoll
