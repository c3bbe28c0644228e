// Vertices of equal coordinates made one, by a table of open addressing.
#include <plimsoll/mesh.h>

#include <algorithm>
#include <bit>
#include <limits>

namespace plimsoll {
namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

/// Equal for equal coordinates. Three rounds of multiply and fold: the bits that tell points apart
/// may be the highest (small integers) or the lowest (neighbours on a scan).
std::uint32_t hash_of(const Vec3& point) {
  // Odd constants from the golden ratio and the square roots of 2 and 3: no pattern of their own.
  constexpr std::array<std::uint64_t, 3> kOdd{0x9E3779B97F4A7C15u, 0x6A09E667F3BCC909u,
                                              0xBB67AE8584CAA73Bu};
  std::uint64_t hash = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const double coordinate = point[axis] + 0.0;  // makes -0 into 0
    hash = (hash + std::bit_cast<std::uint64_t>(coordinate)) * kOdd[static_cast<std::size_t>(axis)];
    hash ^= hash >> 32;
  }
  return static_cast<std::uint32_t>((hash * kOdd[0]) >> 32);
}

/// Points that have been met, and their numbers.
class PointTable {
 public:
  PointTable(std::vector<Vec3>& points, std::size_t expected) : points_(&points) {
    resize(expected);
  }

  /// Brings what find_or_add will look at into the cache.
  void prefetch(std::uint32_t hash) const { __builtin_prefetch(&slots_[hash >> shift_]); }

  /// The number of `point`, whose hash is `hash`; new points are appended.
  std::uint32_t find_or_add(const Vec3& point, std::uint32_t hash) {
    std::size_t at = hash >> shift_;
    for (; slots_[at].point != kNone; at = (at + 1) & (slots_.size() - 1))
      if (slots_[at].hash == hash && (*points_)[slots_[at].point] == point) return slots_[at].point;
    const auto number = static_cast<std::uint32_t>(points_->size());
    slots_[at] = {hash, number};
    points_->push_back(point);
    if (2 * points_->size() > slots_.size() && shift_ > 0) resize(2 * points_->size());
    return number;
  }

 private:
  struct Slot {
    std::uint32_t hash = 0;
    std::uint32_t point = kNone;
  };

  /// Twice as many slots as points, so that a search looks at 1.5 of them on average.
  void resize(std::size_t points) {
    const int bits = std::clamp(static_cast<int>(std::bit_width(2 * points)), 4, 32);
    shift_ = 32 - bits;
    std::vector<Slot> old(std::size_t{1} << bits);
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.point == kNone) continue;
      std::size_t at = slot.hash >> shift_;
      while (slots_[at].point != kNone) at = (at + 1) & (slots_.size() - 1);
      slots_[at] = slot;
    }
  }

  std::vector<Vec3>* points_;
  std::vector<Slot> slots_;
  int shift_ = 0;
};

/// Triangles are taken in blocks: the hashes of a block first, so that their slots are on the way
/// while the others are computed.
constexpr std::size_t kBlockCorners = 192;

}  // namespace

TriangleMesh weld(const MeshView& mesh) {
  TriangleMesh welded;
  const std::size_t corner_count = 3 * mesh.triangle_count();
  welded.triangles.resize(mesh.triangle_count());
  // A closed mesh has half as many vertices as triangles.
  const std::size_t expected =
      mesh.is_packed() ? mesh.triangle_count() / 2 : std::min(mesh.vertex_count(), corner_count);
  welded.vertices.reserve(expected);
  PointTable table(welded.vertices, expected);

  std::vector<std::uint32_t> number_of(mesh.is_packed() ? 0 : mesh.vertex_count(), kNone);
  std::array<std::uint32_t, kBlockCorners> hashes;
  std::uint32_t* corners = welded.triangles.empty() ? nullptr : welded.triangles.front().data();
  const std::uint32_t* indices = mesh.indices();
  for (std::size_t first = 0; first < corner_count; first += kBlockCorners) {
    const std::size_t count = std::min(kBlockCorners, corner_count - first);
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t vertex = indices == nullptr ? first + i : indices[first + i];
      if (indices != nullptr && number_of[vertex] != kNone) continue;
      hashes[i] = hash_of(mesh.vertex(vertex));
      table.prefetch(hashes[i]);
    }
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t vertex = indices == nullptr ? first + i : indices[first + i];
      if (indices == nullptr) {
        corners[first + i] = table.find_or_add(mesh.vertex(vertex), hashes[i]);
        continue;
      }
      std::uint32_t& number = number_of[vertex];
      if (number == kNone) number = table.find_or_add(mesh.vertex(vertex), hashes[i]);
      corners[first + i] = number;
    }
  }
  return welded;
}

}  // namespace plimsoll
