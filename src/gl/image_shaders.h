// The shaders of the image engine. GLSL 3.30 but for patches (4.00) and the compute shader (4.30).
//
// The published fragment program [Kim2006, sec. 3.1] leaves out the factors 1/2 and 1/3 of its
// eq. (4) and (6); here they stand where the terms are made. The sign is that of the face, not of
// an interpolated normal.
#pragma once

namespace plimsoll::shaders {

inline constexpr const char* kVersion = "#version 330 core\n";

// What of the vertex shader of meshes can be captured.
inline constexpr const char* kDeformedOutput = "deformed";

// The vertex shader of meshes. `deform` stands before it: the identity, or the caller's.
inline constexpr const char* kNoDeformation = "vec3 deform(vec3 p, float time) { return p; }\n";
inline constexpr const char* kMeshVertex = R"(
layout(location = 0) in vec3 position;
uniform float time;
uniform mat4x3 view_from_mesh;
uniform vec4 window;  // clip.xy = p.xy * window.xy + window.zw
uniform float depth;  // half the depth of the view volume
out vec3 p;
out vec3 deformed;  // kDeformedOutput
invariant gl_Position;  // one place for all programs that draw a mesh, whatever else they compute
void main() {
  deformed = deform(position, time);
  p = view_from_mesh * vec4(deformed, 1);
  // The eye looks along -z: what has the larger z is nearer.
  gl_Position = vec4(p.xy * window.xy + window.zw, -p.z / depth, 1);
}
)";

// Each vertex stands for one piece of a patch: drawn_patches.cpp.
inline constexpr const char* kPatchVertex = R"(#version 400 core
layout(location = 0) in ivec4 net;
layout(location = 1) in ivec3 place;
layout(location = 2) in ivec4 sides;
layout(location = 3) in ivec2 inside;
flat out ivec4 vertex_net;
flat out ivec3 vertex_place;
flat out ivec4 vertex_sides;
flat out ivec2 vertex_inside;
void main() {
  vertex_net = net;
  vertex_place = place;
  vertex_sides = sides;
  vertex_inside = inside;
}
)";

inline constexpr const char* kPatchLevels = R"(#version 400 core
layout(vertices = 1) out;
flat in ivec4 vertex_net[];
flat in ivec3 vertex_place[];
flat in ivec4 vertex_sides[];
flat in ivec2 vertex_inside[];
patch out ivec4 net;
patch out ivec3 place;
patch out ivec4 sides;
patch out ivec2 inside;
void main() {
  net = vertex_net[0];
  place = vertex_place[0];
  sides = vertex_sides[0];
  inside = vertex_inside[0];
  gl_TessLevelOuter[0] = float(sides.w);
  gl_TessLevelOuter[1] = float(sides.x);
  gl_TessLevelOuter[2] = float(sides.y);
  gl_TessLevelOuter[3] = float(sides.z);
  gl_TessLevelInner[0] = float(inside.x);
  gl_TessLevelInner[1] = float(inside.y);
}
)";

// Parameters are fractions of whole numbers, so that what two patches or pieces share has the same
// ones on both sides. Points on a side are points of its curve, whichever patch asks.
inline constexpr const char* kPatchPoints = R"(#version 400 core
layout(quads, equal_spacing, ccw) in;
patch in ivec4 net;
patch in ivec3 place;
patch in ivec4 sides;
patch in ivec2 inside;
uniform samplerBuffer points;
uniform vec4 window;
uniform float depth;
out vec3 p;
const int kMaxPoints = 26;

void bernstein(int degree, float t, out float basis[kMaxPoints]) {
  basis[0] = 1.0;
  for (int k = 1; k <= degree; ++k) {
    float carried = 0.0;
    for (int r = 0; r < k; ++r) {
      float b = basis[r];
      basis[r] = carried + (1.0 - t) * b;
      carried = t * b;
    }
    basis[k] = carried;
  }
}

vec4 control_point(int i, int j) {
  vec4 q = texelFetch(points, net.x + i * (net.z + 1) + j);
  return vec4(q.w * q.xyz, q.w);
}

vec3 on_side(int side, int step, int steps) {
  bool along_u = side == 0 || side == 2;
  bool descends = (net.w & (1 << side)) != 0;
  int degree = along_u ? net.y : net.z;
  float basis[kMaxPoints];
  bernstein(degree, float(descends ? steps - step : step) / float(steps), basis);
  vec4 sum = vec4(0);
  for (int c = 0; c <= degree; ++c) {
    int at = descends ? degree - c : c;
    sum += basis[c] * (along_u ? control_point(at, side == 0 ? 0 : net.z)
                               : control_point(side == 3 ? 0 : net.y, at));
  }
  return sum.xyz / sum.w;
}

vec3 in_patch(float u, float v) {
  float basis_u[kMaxPoints];
  float basis_v[kMaxPoints];
  bernstein(net.y, u, basis_u);
  bernstein(net.z, v, basis_v);
  vec4 sum = vec4(0);
  for (int i = 0; i <= net.y; ++i) {
    vec4 line = vec4(0);
    for (int j = 0; j <= net.z; ++j) line += basis_v[j] * control_point(i, j);
    sum += basis_u[i] * line;
  }
  return sum.xyz / sum.w;
}

// The step that the parameter t of this piece is at, of all along the patch.
int step_at(float t, int piece, int level) { return piece * level + int(round(t * float(level))); }

void main() {
  vec2 t = gl_TessCoord.xy;
  int pieces = place.z;
  if (t.y == 0.0 && place.y == 0)
    p = on_side(0, step_at(t.x, place.x, sides.x), pieces * sides.x);
  else if (t.x == 1.0 && place.x + 1 == pieces)
    p = on_side(1, step_at(t.y, place.y, sides.y), pieces * sides.y);
  else if (t.y == 1.0 && place.y + 1 == pieces)
    p = on_side(2, step_at(t.x, place.x, sides.z), pieces * sides.z);
  else if (t.x == 0.0 && place.x == 0)
    p = on_side(3, step_at(t.y, place.y, sides.w), pieces * sides.w);
  else
    p = in_patch(float(step_at(t.x, place.x, inside.x)) / float(pieces * inside.x),
                 float(step_at(t.y, place.y, inside.y)) / float(pieces * inside.y));
  gl_Position = vec4(p.xy * window.xy + window.zw, -p.z / depth, 1);
}
)";

inline constexpr const char* kIntegrands = R"(
layout(location = 0) out vec4 target0;
layout(location = 1) out vec4 target1;
layout(location = 2) out vec4 target2;
void write_integrands(vec3 p) {
  float s = gl_FrontFacing ? 1.0 : -1.0;
  float c = s * p.z;
  target0 = c * vec4(p.x, p.y, p.z / 2.0, 1.0);
  target1 = vec4(c * p.x * vec3(p.x, p.y, p.z / 2.0), 1.0);
  target2 = vec4(c * p.y * p.y, c * p.y * p.z / 2.0, c * p.z * p.z / 3.0, s);
}
)";

inline constexpr const char* kAdditiveFragment = R"(
in vec3 p;
void main() { write_integrands(p); }
)";

// gl::kPeelTest stands before it.
inline constexpr const char* kPeelFragment = R"(
in vec3 p;
void main() {
  if (is_peeled()) discard;
  write_integrands(p);
}
)";

// Draws one triangle that covers the image.
inline constexpr const char* kCoverVertex = R"(#version 330 core
void main() {
  vec2 corner = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
  gl_Position = vec4(corner, 0, 1);
}
)";

// A texel is the sum of itself and the one half the image farther along `along`, where there is
// one.
inline constexpr const char* kHalveFragment = R"(#version 330 core
uniform sampler2D source0;
uniform sampler2D source1;
uniform sampler2D source2;
uniform ivec2 size;     // of the source
uniform ivec2 partner;  // (half, 0) or (0, half)
layout(location = 0) out vec4 target0;
layout(location = 1) out vec4 target1;
layout(location = 2) out vec4 target2;
void main() {
  ivec2 a = ivec2(gl_FragCoord.xy);
  ivec2 b = a + partner;
  target0 = texelFetch(source0, a, 0);
  target1 = texelFetch(source1, a, 0);
  target2 = texelFetch(source2, a, 0);
  if (all(lessThan(b, size))) {
    target0 += texelFetch(source0, b, 0);
    target1 += texelFetch(source1, b, 0);
    target2 += texelFetch(source2, b, 0);
  }
}
)";

// One work group sums one row or column, its members in strides, then in a tree.
inline constexpr const char* kComputeSums = R"(#version 430 core
layout(local_size_x = 64) in;
layout(binding = 0) uniform sampler2D source0;
layout(binding = 1) uniform sampler2D source1;
layout(binding = 2) uniform sampler2D source2;
layout(std430, binding = 0) writeonly buffer Sums { vec4 sums[]; };
uniform int line_length;
uniform bool by_row;
shared vec4 part[3][64];
void main() {
  int line = int(gl_WorkGroupID.x);
  uint me = gl_LocalInvocationID.x;
  vec4 s0 = vec4(0), s1 = vec4(0), s2 = vec4(0);
  for (int i = int(me); i < line_length; i += 64) {
    ivec2 at = by_row ? ivec2(i, line) : ivec2(line, i);
    s0 += texelFetch(source0, at, 0);
    s1 += texelFetch(source1, at, 0);
    s2 += texelFetch(source2, at, 0);
  }
  part[0][me] = s0;
  part[1][me] = s1;
  part[2][me] = s2;
  for (uint half_count = 32u; half_count > 0u; half_count /= 2u) {
    barrier();
    if (me < half_count)
      for (int k = 0; k < 3; ++k) part[k][me] += part[k][me + half_count];
  }
  barrier();
  if (me < 3u) sums[3 * line + int(me)] = part[me][0];
}
)";

}  // namespace plimsoll::shaders
