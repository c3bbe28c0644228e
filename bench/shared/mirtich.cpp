// Mass properties in three steps, each one dimension lower [Mirtich1996]. Written from the paper's
// mathematics, rederived below.
//
// 1. Volume to faces. With the unit normal n of each face F and the divergence theorem,
//
//      int_V 1   = sum_F n_x int_F x           int_V x^2 = 1/3 sum_F n_x int_F x^3
//      int_V x   = 1/2 sum_F n_x int_F x^2     int_V xy  = 1/2 sum_F n_x int_F x^2 y
//
//    and the same for y, z and yz, zx with the letters moved on by one.
//
// 2. Face to projection. Call the axes alpha, beta, gamma, a cyclic shift of x, y, z with gamma the
//    axis of the largest |n|, so that the projection along gamma is the largest of the three. On
//    the plane of the face gamma = a alpha + b beta + c, a = -n_alpha / n_gamma, b = -n_beta /
//    n_gamma, and with Pi the projected face
//
//      int_F f(alpha, beta, gamma) dA = 1 / |n_gamma| int_Pi f(alpha, beta, a alpha + b beta + c).
//
//    Only ratios of n appear once n_x is multiplied by this, so n need not be a unit vector.
//
// 3. Projection to edges. Green's theorem turns the integral of a monomial over Pi into
//
//      int_Pi alpha^p beta^q =  1 / (p + 1) contour int alpha^(p+1) beta^q dbeta
//                            = -1 / (q + 1) contour int alpha^p beta^(q+1) dalpha,
//
//    run counter-clockwise. Following the face's own order of corners instead gives it the sign of
//    n_gamma, which makes 1 / |n_gamma| of step 2 into 1 / n_gamma. Along an edge from (A, B) to
//    (A', B') both coordinates are linear in t in [0, 1], and int t^i (1-t)^j = i! j! / (i+j+1)!
//    gives the closed forms in `add_edge`.
#include "shared/mirtich.h"

#include <cmath>

namespace plimsoll {
namespace {

// Integrals of 1, alpha, beta, alpha^2, ... over the projection of a face.
struct ProjectionIntegrals {
  double one = 0;
  double a = 0, b = 0;
  double aa = 0, ab = 0, bb = 0;
  double aaa = 0, aab = 0, abb = 0, bbb = 0;
};

// The contribution of the edge from (a0, b0) to (a1, b1). sum_k u^(m-k) v^k is (m + 1) times the
// mean of the m-th power along the edge; mixed monomials weigh it with the coordinate of the other
// axis.
void add_edge(ProjectionIntegrals& sum, double a0, double b0, double a1, double b1) {
  const double da = a1 - a0, db = b1 - b0;
  const double a0_2 = a0 * a0, a0_3 = a0_2 * a0;
  const double b0_2 = b0 * b0, b0_3 = b0_2 * b0;
  const double a_1 = a1 + a0;
  const double a_2 = a1 * a_1 + a0_2;
  const double a_3 = a1 * a_2 + a0_3;
  const double a_4 = a1 * a_3 + a0_3 * a0;
  const double b_2 = b1 * (b1 + b0) + b0_2;
  const double b_3 = b1 * b_2 + b0_3;
  const double b_4 = b1 * b_3 + b0_3 * b0;
  const double a1_2 = a1 * a1, b1_2 = b1 * b1;
  sum.one += db * a_1 / 2;
  sum.a += db * a_2 / 6;
  sum.aa += db * a_3 / 12;
  sum.aaa += db * a_4 / 20;
  sum.b -= da * b_2 / 6;
  sum.bb -= da * b_3 / 12;
  sum.bbb -= da * b_4 / 20;
  sum.ab += db / 24 * (b1 * (3 * a1_2 + 2 * a1 * a0 + a0_2) + b0 * (a1_2 + 2 * a1 * a0 + 3 * a0_2));
  sum.aab += db / 60 *
             (b1 * (4 * a1_2 * a1 + 3 * a1_2 * a0 + 2 * a1 * a0_2 + a0_3) +
              b0 * (a1_2 * a1 + 2 * a1_2 * a0 + 3 * a1 * a0_2 + 4 * a0_3));
  sum.abb -= da / 60 *
             (a1 * (4 * b1_2 * b1 + 3 * b1_2 * b0 + 2 * b1 * b0_2 + b0_3) +
              a0 * (b1_2 * b1 + 2 * b1_2 * b0 + 3 * b1 * b0_2 + 4 * b0_3));
}

// Integrals over a face, times n_gamma; the letters are the axes alpha, beta, gamma.
struct FaceIntegrals {
  double a, b, g;
  double aa, bb, gg;
  double aaa, bbb, ggg;
  double aab, bbg, gga;
};

// Substitutes gamma = a alpha + b beta + c.
FaceIntegrals face_integrals(const ProjectionIntegrals& p, double a, double b, double c) {
  const double linear = a * p.a + b * p.b;
  const double square = a * a * p.aa + 2 * a * b * p.ab + b * b * p.bb;
  const double cube = a * a * (a * p.aaa + 3 * b * p.aab) + b * b * (3 * a * p.abb + b * p.bbb);
  FaceIntegrals f;
  f.a = p.a;
  f.b = p.b;
  f.g = linear + c * p.one;
  f.aa = p.aa;
  f.bb = p.bb;
  f.gg = square + c * (2 * linear + c * p.one);
  f.aaa = p.aaa;
  f.bbb = p.bbb;
  f.ggg = cube + c * (3 * square + c * (3 * linear + c * p.one));
  f.aab = p.aab;
  f.bbg = a * p.abb + b * p.bbb + c * p.bb;
  f.gga =
      a * a * p.aaa + 2 * a * b * p.aab + b * b * p.abb + c * (2 * (a * p.aa + b * p.ab) + c * p.a);
  return f;
}

int largest_component(const Vec3& n) {
  const Vec3 size = n.cwiseAbs();
  if (size.x() > size.y() && size.x() > size.z()) return 0;
  return size.y() > size.z() ? 1 : 2;
}

// Adds a face's share of step 1, without the factors 1/2 and 1/3.
void add_face(VolumeIntegrals& sum, const Vec3& p, const Vec3& q, const Vec3& r) {
  const Vec3 n = (q - p).cross(r - p);
  const int gamma = largest_component(n);
  if (n[gamma] == 0) return;
  const int alpha = (gamma + 1) % 3, beta = (gamma + 2) % 3;

  ProjectionIntegrals projection;
  add_edge(projection, p[alpha], p[beta], q[alpha], q[beta]);
  add_edge(projection, q[alpha], q[beta], r[alpha], r[beta]);
  add_edge(projection, r[alpha], r[beta], p[alpha], p[beta]);
  const FaceIntegrals f =
      face_integrals(projection, -n[alpha] / n[gamma], -n[beta] / n[gamma], n.dot(p) / n[gamma]);

  // n over n_gamma: its component along gamma is 1.
  const double na = n[alpha] / n[gamma], nb = n[beta] / n[gamma];
  sum.volume += alpha == 0 ? na * f.a : beta == 0 ? nb * f.b : f.g;
  sum.first[alpha] += na * f.aa;
  sum.first[beta] += nb * f.bb;
  sum.first[gamma] += f.gg;
  sum.squares[alpha] += na * f.aaa;
  sum.squares[beta] += nb * f.bbb;
  sum.squares[gamma] += f.ggg;
  sum.products[alpha] += na * f.aab;  // entry i of `products` is axis i times the next
  sum.products[beta] += nb * f.bbg;
  sum.products[gamma] += f.gga;
}

}  // namespace

VolumeIntegrals mirtich_integrals(const MeshView& mesh) {
  VolumeIntegrals sum;
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t) {
    const auto [p, q, r] = mesh.triangle(t);
    add_face(sum, mesh.vertex(p), mesh.vertex(q), mesh.vertex(r));
  }
  sum.first /= 2;
  sum.squares /= 3;
  sum.products /= 2;
  return sum;
}

Vec3 center_of_mass(const VolumeIntegrals& integrals) { return integrals.first / integrals.volume; }

Mat3 inertia(const VolumeIntegrals& integrals) {
  const Vec3 c = center_of_mass(integrals);
  const Vec3 squares = integrals.squares - integrals.volume * c.cwiseProduct(c);
  const Vec3 shifted{c.y(), c.z(), c.x()};
  const Vec3 products = integrals.products - integrals.volume * c.cwiseProduct(shifted);
  Mat3 tensor;
  tensor << squares.y() + squares.z(), -products[0], -products[2],  //
      -products[0], squares.z() + squares.x(), -products[1],        //
      -products[2], -products[1], squares.x() + squares.y();
  return tensor;
}

}  // namespace plimsoll
