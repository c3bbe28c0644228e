// Half-edges are dealt into one bucket per vertex, that of their lower end, by counting; a bucket
// of a usual mesh holds six, and those with the same upper end are the edges. Two passes over the
// triangles and one over the buckets, no hashing and no sorting but for crowded vertices.
#include "mesh/edges.h"

#include <algorithm>

namespace plimsoll {
namespace {

/// The half-edges of each vertex, that of their lower end, one after another and ascending.
struct Buckets {
  std::vector<std::uint32_t> begin;  // per vertex, and one past the last
  std::vector<std::uint32_t> half_edges;
};

Buckets deal(const MeshView& mesh) {
  const std::size_t triangles = mesh.triangle_count();
  Buckets buckets;
  std::vector<std::uint32_t>& begin = buckets.begin;
  begin.assign(mesh.vertex_count() + 1, 0);
  for (std::size_t t = 0; t < triangles; ++t) {
    const Triangle v = mesh.triangle(t);
    if (!has_half_edges(v)) continue;
    for (std::size_t k = 0; k < 3; ++k) ++begin[std::min(v[k], v[(k + 1) % 3])];
  }

  // Counts become ends; dealing from the last triangle back turns ends into begins, in order.
  std::uint32_t sum = 0;
  for (std::uint32_t& b : begin) b = sum += b;
  buckets.half_edges.resize(sum);
  for (std::size_t t = triangles; t-- > 0;) {
    const Triangle v = mesh.triangle(t);
    if (!has_half_edges(v)) continue;
    for (std::size_t k = 3; k-- > 0;)
      buckets.half_edges[--begin[std::min(v[k], v[(k + 1) % 3])]] =
          static_cast<std::uint32_t>(3 * t + k);
  }
  return buckets;
}

/// A half-edge of a bucket by its other end.
struct Entry {
  std::uint32_t upper_and_way;  // the other end, doubled, plus 1 if the half-edge runs towards it
  std::uint32_t half_edge;

  [[nodiscard]] std::uint32_t upper() const { return upper_and_way >> 1; }
  [[nodiscard]] bool runs_up() const { return (upper_and_way & 1) != 0; }
  bool operator<(const Entry& other) const {
    return upper() != other.upper() ? upper() < other.upper() : half_edge < other.half_edge;
  }
};

/// Files the edges of three triangles and more. Their half-edges take the place of those that were
/// dealt, of which there are as many or more, and which were looked at before.
class FanWriter {
 public:
  FanWriter(std::vector<std::uint32_t>& dealt, Edges& edges) : room_(dealt), edges_(edges) {}

  void add(std::span<const Entry> group) {
    for (const Entry& e : group) room_[used_++] = e.half_edge;
    edges_.fan_begin.push_back(used_);
  }
  void finish() {
    room_.resize(used_);
    edges_.fans = std::move(room_);
  }

 private:
  std::vector<std::uint32_t>& room_;
  Edges& edges_;
  std::uint32_t used_ = 0;
};

/// Files an edge of these half-edges under what it is.
void file_edge(std::span<const Entry> group, Edges& edges, FanWriter& fans) {
  if (group.size() == 1) {
    edges.boundary.push_back(group[0].half_edge);
  } else if (group.size() == 2) {
    edges.twin[group[0].half_edge] = group[1].half_edge;
    edges.twin[group[1].half_edge] = group[0].half_edge;
    if (group[0].runs_up() == group[1].runs_up()) edges.inconsistent.push_back(group[0].half_edge);
  } else {
    fans.add(group);
    const auto up = static_cast<std::size_t>(
        std::count_if(group.begin(), group.end(), [](const Entry& e) { return e.runs_up(); }));
    if (2 * up != group.size()) edges.unbalanced.push_back(group[0].half_edge);
  }
}

void find_by_sorting(const MeshView& mesh, Edges& edges) {
  std::fill(edges.twin.begin(), edges.twin.end(), kNoIndex);
  edges.boundary.clear();
  edges.inconsistent.clear();
  Buckets buckets = deal(mesh);
  FanWriter fans(buckets.half_edges, edges);
  std::vector<Entry> bucket;
  for (std::uint32_t v = 0; v < mesh.vertex_count(); ++v) {
    bucket.clear();
    for (std::uint32_t i = buckets.begin[v]; i < buckets.begin[v + 1]; ++i) {
      const std::uint32_t h = buckets.half_edges[i], start = start_of(mesh, h);
      bucket.push_back({start == v ? 2 * end_of(mesh, h) + 1 : 2 * start, h});
    }
    std::sort(bucket.begin(), bucket.end());
    for (std::size_t i = 0; i < bucket.size();) {
      std::size_t end = i + 1;
      while (end < bucket.size() && bucket[end].upper() == bucket[i].upper()) ++end;
      file_edge(std::span(bucket).subspan(i, end - i), edges, fans);
      i = end;
    }
  }
  fans.finish();
}

/// The lists of half-edges that wait for a partner, or have one and stand for their edge.
class WaitingLists {
 public:
  WaitingLists(const MeshView& mesh, Edges& edges)
      : mesh_(mesh),
        edges_(edges),
        head_(mesh.vertex_count(), kNoIndex),
        state_(edges.twin.size()) {}

  /// Enters half-edge h from a to b. False where the edge has two already or the search is long.
  bool enter(std::uint32_t h, std::uint32_t a, std::uint32_t b) {
    const std::uint32_t lower = std::min(a, b);
    const std::uint32_t upper = std::max(a, b);
    for (std::uint32_t g = head_[lower]; g != kNoIndex; g = edges_.twin[g]) {
      const std::uint32_t start = start_of(mesh_, g);
      const std::uint32_t end = end_of(mesh_, g);
      if (std::max(start, end) == upper) {
        if (state_[g] != kWaiting) return false;
        state_[g] = kFirst;
        state_[h] = kSecond;
        edges_.twin[h] = g;
        if (start == a) edges_.inconsistent.push_back(g);
        return true;
      }
      if (--steps_left_ == 0) return false;
    }
    edges_.twin[h] = head_[lower];
    head_[lower] = h;
    return true;
  }

  /// Turns links into twins and those still waiting into boundary.
  void finish() {
    for (std::uint32_t h = 0; h < state_.size(); ++h) {
      if (state_[h] == kSecond) {
        edges_.twin[edges_.twin[h]] = h;
      } else if (state_[h] == kWaiting && has_half_edges(mesh_.triangle(h / 3))) {
        edges_.twin[h] = kNoIndex;
        edges_.boundary.push_back(h);
      }
    }
  }

 private:
  enum State : std::uint8_t { kWaiting, kFirst, kSecond };

  const MeshView& mesh_;
  Edges& edges_;
  std::vector<std::uint32_t> head_;
  std::vector<std::uint8_t> state_;
  std::size_t steps_left_ = 64 + 8 * edges_.twin.size();  // twice what a usual mesh needs
};

bool find_by_waiting(const MeshView& mesh, Edges& edges) {
  WaitingLists lists(mesh, edges);
  for (std::uint32_t t = 0; t < mesh.triangle_count(); ++t) {
    const Triangle v = mesh.triangle(t);
    if (!has_half_edges(v)) continue;
    for (std::uint32_t k = 0; k < 3; ++k)
      if (!lists.enter(3 * t + k, v[k], v[(k + 1) % 3])) return false;
  }
  lists.finish();
  return true;
}

/// Repeated triangles, and how many vertices the others name.
void look_over(const MeshView& mesh, Edges& edges) {
  std::vector<std::uint8_t> used(mesh.vertex_count(), 0);  // bytes: a bit costs more than it saves
  for (std::uint32_t t = 0; t < mesh.triangle_count(); ++t) {
    const Triangle v = mesh.triangle(t);
    if (has_half_edges(v)) {
      for (const std::uint32_t i : v) used[i] = 1;
    } else {
      edges.repeated.push_back(t);
    }
  }
  edges.vertices = static_cast<std::size_t>(std::count(used.begin(), used.end(), 1));
}

}  // namespace

Edges find_edges(const MeshView& mesh) {
  Edges edges;
  edges.twin.assign(3 * mesh.triangle_count(), kNoIndex);
  look_over(mesh, edges);
  if (!find_by_waiting(mesh, edges)) find_by_sorting(mesh, edges);
  return edges;
}

}  // namespace plimsoll
