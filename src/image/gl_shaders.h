// The shaders of the image engine. GLSL 3.30 but for the compute shader (4.30).
//
// The published fragment program [Kim2006, sec. 3.1] leaves out the factors 1/2 and 1/3 of its
// eq. (4) and (6); here they stand where the terms are made. The sign is that of the face, not of
// an interpolated normal.
#pragma once

namespace plimsoll::shaders {

// `deform` stands before it: the identity, or the caller's.
inline constexpr const char* kVertexHead = "#version 330 core\n";
inline constexpr const char* kNoDeformation = "vec3 deform(vec3 p, float time) { return p; }\n";
inline constexpr const char* kVertex = R"(
layout(location = 0) in vec3 position;
uniform float time;
uniform mat4x3 view_from_body;
uniform vec4 window;  // clip.xy = p.xy * window.xy + window.zw
uniform float depth;  // half the depth of the view volume
out vec3 p;
out vec3 deformed;
void main() {
  deformed = deform(position, time);
  p = view_from_body * vec4(deformed, 1);
  // The eye looks along -z: what has the larger z is nearer.
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

inline constexpr const char* kPeelFragment = R"(
in vec3 p;
uniform bool is_first;
uniform sampler2D previous_depth;
void main() {
  if (!is_first && gl_FragCoord.z <= texelFetch(previous_depth, ivec2(gl_FragCoord.xy), 0).r)
    discard;
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
uniform int length;   // of a line
uniform bool by_row;
shared vec4 part[3][64];
void main() {
  int line = int(gl_WorkGroupID.x);
  uint me = gl_LocalInvocationID.x;
  vec4 s0 = vec4(0), s1 = vec4(0), s2 = vec4(0);
  for (int i = int(me); i < length; i += 64) {
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
