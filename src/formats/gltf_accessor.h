// Reads the elements of glTF accessors one after the other: strided, sparse or all zero, of every
// component type that their use allows. [Khronos2021, sec. 3.6.2]
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "formats/gltf_buffers.h"
#include "formats/gltf_document.h"

namespace plimsoll {

enum class GltfUse : std::uint8_t {
  kPositions,  ///< Of vertices, and what morph targets add to them.
  kIndices,
  kJoints,   ///< Four of a vertex, and
  kWeights,  ///< their weights.
  kMatrices,
  kVectors,   ///< Translations and scales of instances, and
  kRotations  ///< their quaternions.
};

/// What forbids accessor `index` of `document` that use, or its range; empty: nothing. What passes
/// can be read without leaving a buffer.
[[nodiscard]] std::string accessor_fault(const GltfDocument& document, std::uint32_t index,
                                         GltfUse use);

/// The largest index that the type of `indices` can hold.
[[nodiscard]] std::uint32_t largest_index(const GltfAccessor& indices);

/// Adds the buffers that the accessor with this index reads from to `needed`.
void mark_buffers(const GltfDocument& document, std::uint32_t index, std::vector<bool>& needed);

/// Precondition: accessor_fault() found nothing and the buffers that mark_buffers() marks are
/// loaded.
class GltfElements {
 public:
  GltfElements(const GltfDocument& document, const GltfBuffers& buffers, std::uint32_t index);

  /// The next position: widened exactly from float; integers as they are or, if normalized, divided
  /// by their largest value. At most as many calls as the accessor counts.
  [[nodiscard]] Vec3 next_position();
  /// The same of elements of four components, or of the 16 of a matrix, column after column.
  [[nodiscard]] std::array<double, 4> next_four();
  [[nodiscard]] std::array<double, 16> next_matrix();
  [[nodiscard]] std::uint32_t next_index();

  /// Whether the sparse indices passed so far rose and stayed below the count.
  [[nodiscard]] bool sparse_in_order() const { return sparse_in_order_; }

 private:
  const std::byte* next();
  void advance_sparse();
  template <std::size_t n>
  std::array<double, n> next_components();

  const std::byte* element_ = nullptr;  // null: zeros
  std::size_t stride_ = 0;
  std::uint64_t at_ = 0;
  std::uint64_t count_ = 0;
  std::uint32_t component_type_ = 0;
  bool normalized_ = false;

  const std::byte* sparse_index_ = nullptr;
  const std::byte* sparse_value_ = nullptr;
  std::size_t value_size_ = 0;
  std::uint32_t sparse_type_ = 0;
  std::uint64_t sparse_left_ = 0;
  std::uint64_t sparse_at_ = ~std::uint64_t{0};  // the element that the next value replaces
  bool sparse_in_order_ = true;
};

}  // namespace plimsoll
