// The fragment shaders of buoyancy by image, GLSL 3.30, all behind kVersion and kWaterHead. Bodies
// are drawn by kMeshVertex of gl/image_shaders.h, surfaces by its kCoverVertex.
//
// The published program writes sgn(n_z) z {1, x, y, z/2} [Kim2006, sec. 5.2]. All faces of a column
// have the x and y of its pixel's center, so that sgn(n_z) {z, z^2/2, z^3/3} is enough to make all
// ten sums afterwards, and leaves room in one image for the count: 1 for a wet face that looks up,
// 256 for one that looks down, and +-65536 for what only balances them, a dry face or the surface.
// Floats hold the sum of 255 of each wet kind and some hundred others exactly.
#pragma once

namespace plimsoll::shaders {

inline constexpr const char* kWaterHead = R"(
layout(location = 0) out vec4 target;
uniform sampler2D heights;  // of the surface, in the units of each tile's view
float height() { return texelFetch(heights, ivec2(gl_FragCoord.xy), 0).r; }
vec3 powers(float z) { return vec3(z, z * z / 2.0, z * z * z / 3.0); }
)";

// F(min(z, h)) - F(h).
inline constexpr const char* kWaterAdditive = R"(
in vec3 p;
void main() {
  float z = p.z;
  float h = height();
  float s = gl_FrontFacing ? 1.0 : -1.0;
  if (z > h)
    target = vec4(0, 0, 0, s * 65536.0);
  else
    target = vec4(s * (z - h) * vec3(1, (z + h) / 2.0, (z * z + z * h + h * h) / 3.0),
                  gl_FrontFacing ? 1.0 : 256.0);
}
)";

// Pass 0: the depth of the fluid's surface, as kMeshVertex maps it.
inline constexpr const char* kWaterDepth = R"(
uniform float depth;
void main() {
  target = vec4(0);
  gl_FragDepth = 0.5 - height() / depth / 2.0;
}
)";

// Passes 1 to n. gl::kPeelTest stands before it.
inline constexpr const char* kWaterPeel = R"(
in vec3 p;
uniform sampler2D surface_depths;
void main() {
  if (gl_FragCoord.z < texelFetch(surface_depths, ivec2(gl_FragCoord.xy), 0).r) discard;
  if (is_peeled()) discard;
  target = vec4((gl_FrontFacing ? 1.0 : -1.0) * powers(p.z), gl_FrontFacing ? 1.0 : 256.0);
}
)";

// The last pass: the surface in the pixels whose first peel looks down. Without `by_texture` a
// stencil selects them.
inline constexpr const char* kWaterSurface = R"(
uniform bool by_texture;
uniform sampler2D first_peel;
void main() {
  if (by_texture && texelFetch(first_peel, ivec2(gl_FragCoord.xy), 0).a != 256.0) discard;
  target = vec4(powers(height()), 65536.0);
}
)";

}  // namespace plimsoll::shaders
