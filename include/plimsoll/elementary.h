// Elementary functions with the same bits on every machine.
//
// A C library chooses its sines and powers by the processor it finds, and another release has
// others. These are sums, products, quotients and square roots of doubles in a fixed order, without
// fused multiply-adds, so that what is computed with them is the same wherever doubles are those of
// IEEE 754. All results of the library depend on these alone; square roots and fused multiply-adds
// of the C library are rounded correctly, and so are equal too.
//
// Error: below 1 unit in the last place of the result (ULP) for every argument, however large, also
// where the result is subnormal. Beyond the domain the result is NaN; infinities, zeros and NaN are
// treated as in C (annex F), but for floating-point exceptions. A sine took 8 ns, a power or an
// arccosine 50, the others between them, when that was measured (AMD EPYC, one core).
#pragma once

namespace [[gnu::visibility("default")]] plimsoll {

struct SineAndCosine {
  double sine = 0, cosine = 1;
};

namespace elementary {

/// Of angles [rad]; NaN of infinite ones.
[[nodiscard]] SineAndCosine sin_cos(double x);
[[nodiscard]] double sin(double x);
[[nodiscard]] double cos(double x);
[[nodiscard]] double tan(double x);

[[nodiscard]] double asin(double x);             ///< In [-pi/2, pi/2] [rad].
[[nodiscard]] double acos(double x);             ///< In [0, pi] [rad].
[[nodiscard]] double atan2(double y, double x);  ///< The angle of (x, y), in [-pi, pi] [rad].

[[nodiscard]] double exp(double x);
[[nodiscard]] double exp2(double x);   ///< Exact for whole x.
[[nodiscard]] double log(double x);    ///< The natural logarithm.
[[nodiscard]] double log1p(double x);  ///< log(1 + x).
[[nodiscard]] double log2(double x);   ///< Exact for powers of two.
[[nodiscard]] double log10(double x);  ///< Exact for powers of ten that are doubles.
[[nodiscard]] double acosh(double x);
[[nodiscard]] double pow(double x, double y);

[[nodiscard]] double cbrt(double x);
[[nodiscard]] double hypot(double x, double y);  ///< sqrt(x^2 + y^2), which does not overflow.

}  // namespace elementary
}  // namespace plimsoll
