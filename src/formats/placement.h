// What glTF and 3MF share: one mesh placed several times by affine maps.
#pragma once

#include <plimsoll/elementary.h>
#include <plimsoll/mesh.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace plimsoll {

/// x' = linear x + shift, rows first, in double arithmetic. The identity returns the same bits.
/// Far from the origin rounding moves what is placed: by how much is bounded as products are taken.
/// With |A| the Frobenius norm, the rounding of A B is below 4 u |A| |B| to first order in u, and
/// that of A x + t below 4 u (|A| |x| + |t|).
class Placement {
 public:
  Placement() = default;
  /// `rows`: 3 x 4, row-major, acting on columns. `error`: of the linear part, relative.
  explicit Placement(const std::array<double, 12>& rows, double error = 0)
      : rows_(rows),
        is_identity_(rows == kIdentity),
        linear_norm_(norm(0, 3)),
        shift_norm_(norm(3, 4)),
        linear_error_(error * linear_norm_) {}

  [[nodiscard]] bool is_identity() const { return is_identity_; }

  [[nodiscard]] Vec3 operator()(const Vec3& p) const {
    if (is_identity_) return p;
    return {row(0, p), row(1, p), row(2, p)};
  }

  /// How far what it returns for `p`, which is off by `error`, may be from where the maps that were
  /// multiplied take it.
  [[nodiscard]] double error(const Vec3& p, double error = 0) const {
    if (is_identity_) return error;
    const double reach = p.cwiseAbs().sum();
    return linear_error_ * reach + shift_error_ + linear_norm_ * error +
           kRounding * (linear_norm_ * reach + shift_norm_);
  }

  /// The longest image of a unit vector along x, y or z.
  [[nodiscard]] double stretch() const {
    double longest = 0;
    for (std::size_t j = 0; j < 3; ++j) longest = std::max(longest, norm(j, j + 1));
    return longest;
  }

  /// First `inner`, then `outer`.
  friend Placement operator*(const Placement& outer, const Placement& inner) {
    if (outer.is_identity_) return inner;
    if (inner.is_identity_) return outer;
    const std::array<double, 12>& a = outer.rows_;
    const std::array<double, 12>& b = inner.rows_;
    std::array<double, 12> product{};
    for (std::size_t i = 0; i < 12; i += 4) {
      for (std::size_t j = 0; j < 4; ++j)
        product[i + j] = (a[i] * b[j] + a[i + 1] * b[4 + j]) + a[i + 2] * b[8 + j];
      product[i + 3] += a[i + 3];
    }
    Placement both(product);
    both.is_identity_ = false;  // what was rounded on the way may look like it
    const double size = outer.linear_norm_, inner_size = inner.linear_norm_;
    both.linear_error_ = size * inner.linear_error_ + outer.linear_error_ * inner_size +
                         kRounding * size * inner_size;
    both.shift_error_ = size * inner.shift_error_ + outer.linear_error_ * inner.shift_norm_ +
                        outer.shift_error_ +
                        kRounding * (size * inner.shift_norm_ + outer.shift_norm_);
    return both;
  }

  /// The sign of the determinant; columns are scaled first so that it neither over- nor underflows.
  [[nodiscard]] int orientation() const {
    std::array<double, 12> m = rows_;
    for (std::size_t j = 0; j < 3; ++j) {
      const double size = std::max({std::fabs(m[j]), std::fabs(m[4 + j]), std::fabs(m[8 + j])});
      if (size == 0) return 0;
      for (std::size_t i = 0; i < 12; i += 4) m[i + j] /= size;
    }
    const double determinant =
        (m[0] * (m[5] * m[10] - m[6] * m[9]) - m[1] * (m[4] * m[10] - m[6] * m[8])) +
        m[2] * (m[4] * m[9] - m[5] * m[8]);
    return determinant > 0 ? 1 : determinant < 0 ? -1 : 0;
  }

 private:
  static constexpr double kRounding = 0x1p-50;  // 8 u: twice what is needed
  static constexpr std::array<double, 12> kIdentity{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};

  [[nodiscard]] double row(std::size_t r, const Vec3& p) const {
    return ((rows_[4 * r] * p.x() + rows_[4 * r + 1] * p.y()) + rows_[4 * r + 2] * p.z()) +
           rows_[4 * r + 3];
  }

  /// Of the columns from `first` to `last`.
  [[nodiscard]] double norm(std::size_t first, std::size_t last) const {
    double size = 0;
    for (std::size_t j = first; j < last; ++j)
      size = elementary::hypot(
          size, elementary::hypot(elementary::hypot(rows_[j], rows_[4 + j]), rows_[8 + j]));
    return size;
  }

  std::array<double, 12> rows_ = kIdentity;
  bool is_identity_ = true;
  double linear_norm_ = 1.8;  // Frobenius norms; that of the identity is the root of 3
  double shift_norm_ = 0;
  double linear_error_ = 0;
  double shift_error_ = 0;
};

/// How much a file describes, counted before any of it is built. Sums stop at a value far above
/// every limit, so they cannot wrap.
struct MeshSize {
  std::uint64_t vertices = 0;
  std::uint64_t triangles = 0;

  MeshSize& operator+=(const MeshSize& other) {
    vertices = std::min(kHuge, vertices + other.vertices);
    triangles = std::min(kHuge, triangles + other.triangles);
    return *this;
  }
  /// The size of so many copies.
  [[nodiscard]] MeshSize times(std::uint64_t count) const {
    const auto product = [&](std::uint64_t one) {
      return one != 0 && count > kHuge / one ? kHuge : one * count;
    };
    return {product(vertices), product(triangles)};
  }
  [[nodiscard]] std::uint64_t bytes() const {
    return vertices * sizeof(Vec3) + triangles * sizeof(Triangle);
  }
  static constexpr std::uint64_t kHuge = std::uint64_t{1} << 48;
};

// Instances make a mesh larger than the file that describes it. What is built may take this much
// memory; together with the file and what reading it takes it stays below 64 MB + 40 x its size.
inline constexpr std::uint64_t kBuiltBase = std::uint64_t{40} << 20;
inline constexpr std::uint64_t kBuiltPerByte = 20;

/// `more_bytes`: what else building it takes.
[[nodiscard]] inline bool is_within_limit(const MeshSize& size, std::uint64_t file_bytes,
                                          std::uint64_t more_bytes = 0) {
  return size.bytes() + more_bytes <= kBuiltBase + kBuiltPerByte * file_bytes &&
         size.vertices < 0xFFFFFFFF;
}

}  // namespace plimsoll
