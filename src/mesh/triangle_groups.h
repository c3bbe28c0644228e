// The triangles of a mesh in the groups that kernels read: chunks of blocks of groups, and what is
// left over in a group of its own.
#pragma once

#include <plimsoll/mesh.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "simd/packed_corners.h"

namespace plimsoll {

/// The triangles of a mesh as the kernel takes them: corners three scalars apart with one readable
/// behind, in whole groups, where they lie if possible and else copied.
class TriangleGroups {
 public:
  explicit TriangleGroups(const MeshView& mesh) : mesh_(mesh) {
    if (mesh.triangle_count() > 0) whole_ = (mesh.triangle_count() - 1) / kLanes * kLanes;
    if (mesh.stride() == 3) return;
    compact_.reserve(3 * mesh.vertex_count() + 1);
    for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
      const Vec3 p = mesh.vertex(v);
      compact_.insert(compact_.end(), {p.x(), p.y(), p.z()});
    }
    compact_.push_back(0);
  }

  /// Chunks of whole groups, and one for the rest if there is any.
  [[nodiscard]] std::size_t chunks() const {
    return (whole_ + kChunk - 1) / kChunk + (whole_ < mesh_.triangle_count());
  }

  /// The triangles of a chunk.
  [[nodiscard]] std::pair<std::size_t, std::size_t> range(std::size_t chunk) const {
    const std::size_t first = chunk * kChunk;
    if (first >= whole_) return {whole_, mesh_.triangle_count()};
    return {first, std::min(first + kChunk, whole_)};
  }

  /// Calls sum(corners, first) for a chunk, with corners of doubles or floats.
  template <class Sum>
  void visit(std::size_t chunk, const Sum& sum) const {
    const std::size_t first = chunk * kChunk;
    const auto last = static_cast<std::uint32_t>(mesh_.vertex_count() - 1);
    if (first >= whole_) {
      sum_rest(sum);
    } else if (!compact_.empty()) {
      sum(PackedCorners<double>{compact_.data(), mesh_.indices(), whole_, last}, first);
    } else if (mesh_.doubles() != nullptr) {
      sum(PackedCorners<double>{mesh_.doubles(), mesh_.indices(), whole_, last}, first);
    } else {
      sum(PackedCorners<float>{mesh_.floats(), mesh_.indices(), whole_, last}, first);
    }
  }

 private:
  /// Sums a copy of the last triangles, filled up with triangles whose corners coincide.
  template <class Sum>
  void sum_rest(const Sum& sum) const {
    std::array<double, 9 * kLanes + 1> corners{};
    auto* out = corners.begin();
    for (std::size_t i = 0; i < kLanes; ++i) {
      const bool real = whole_ + i < mesh_.triangle_count();
      const Triangle t = mesh_.triangle(real ? whole_ + i : whole_);
      for (std::size_t k = 0; k < 3; ++k) {
        const Vec3 p = mesh_.vertex(t[real ? k : 0]);
        out = std::copy(p.begin(), p.end(), out);
      }
    }
    sum(PackedCorners<double>{corners.data(), nullptr, kLanes, 0}, std::size_t{0});
  }

  const MeshView& mesh_;
  std::size_t whole_ = 0;
  std::vector<double> compact_;
};

}  // namespace plimsoll
