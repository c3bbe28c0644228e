#include "tree/node_hulls.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace plimsoll {
namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint32_t kHubValence = 32;  // triangles; usual vertices have 6

std::uint32_t busier(std::uint32_t u, std::uint32_t v, const std::vector<std::uint32_t>& valence) {
  if (u == kNone || v == kNone) return std::min(u, v);
  return valence[u] != valence[v] ? (valence[u] > valence[v] ? u : v) : std::min(u, v);
}

std::vector<std::uint32_t> valences(const MeshView& mesh,
                                    std::span<const std::uint32_t> triangles) {
  std::vector<std::uint32_t> valence(mesh.vertex_count(), 0);
  for (const std::uint32_t t : triangles)
    for (const std::uint32_t v : mesh.triangle(t)) ++valence[v];
  return valence;
}

// A point set by its middle and up to three directions in which it extends, the longest first.
struct Frame {
  Vec3 middle = Vec3::Zero();
  std::array<Vec3, 3> edge{Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};

  explicit Frame(std::span<const Box3> boxes) {
    std::array<Vec3, 5> at;
    const std::size_t count = std::min(boxes.size(), at.size());
    for (std::size_t i = 0; i < count; ++i) {
      at[i] = boxes[i].center();
      middle += at[i] / static_cast<double>(count);
    }
    std::size_t from = 0, to = 0;
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t j = 0; j < i; ++j)
        if ((at[i] - at[j]).squaredNorm() > edge[0].squaredNorm()) {
          edge[0] = at[i] - at[j];
          from = j;
          to = i;
        }
    double farthest = 0;  // from the line of the longest edge
    for (std::size_t i = 0; i < count; ++i) {
      const double far = edge[0].cross(at[i] - at[from]).squaredNorm();
      if (!(far > farthest)) continue;
      farthest = far;
      edge[1] = at[i] - at[from];
      edge[2] = at[i] - at[to];
    }
  }

  [[nodiscard]] Vec3 normal() const { return edge[0].cross(edge[1]); }
};

Vec3 without_part_along(const Vec3& d, const Vec3& e) { return d * e.squaredNorm() - e * d.dot(e); }

}  // namespace

/// The planes that may separate two sets of boxes, one after the other.
class NodeHulls::Separation {
 public:
  Separation(std::span<const Box3> a, std::span<const Box3> b) : a_(a), b_(b) { find_reach(); }
  /// Through `hub` only.
  Separation(std::span<const Box3> a, std::span<const Box3> b, const Vec3& hub)
      : a_(a), b_(b), hub_(&hub) {
    find_reach();
    reach_ = reach_.cwiseMax(hub.cwiseAbs());
  }

  [[nodiscard]] bool is_found() const {
    const Frame a(a_), b(b_);
    const Vec3 apart =
        hub_ == nullptr ? Vec3(b.middle - a.middle)
                        : Vec3((b.middle - *hub_).normalized() - (a.middle - *hub_).normalized());
    if (separates(apart)) return true;
    const Vec3 normals[2] = {a.normal(), b.normal()};
    for (const Vec3& normal : normals)
      if (separates(normal)) return true;
    for (const Frame* frame : {&a, &b})
      if (separates(without_part_along(apart, frame->edge[0]))) return true;
    for (std::size_t i = 0; i < 3; ++i)
      if (separates(normals[0].cross(a.edge[i])) || separates(normals[1].cross(b.edge[i])))
        return true;
    for (const Vec3& e : a.edge)
      for (const Vec3& f : b.edge)
        if (separates(e.cross(f))) return true;
    return false;
  }

 private:
  struct Interval {
    double low = std::numeric_limits<double>::infinity(), high = -low;
  };

  void find_reach() {
    for (const std::span<const Box3> boxes : {a_, b_})
      for (const Box3& box : boxes)
        reach_ = reach_.cwiseMax(box.min().cwiseAbs()).cwiseMax(box.max().cwiseAbs());
  }

  static Interval along(std::span<const Box3> boxes, const Vec3& d) {
    Interval interval;
    for (const Box3& box : boxes) {
      double low = 0, high = 0;
      for (int k = 0; k < 3; ++k) {
        const double p = d[k] * box.min()[k], q = d[k] * box.max()[k];
        low += std::min(p, q);
        high += std::max(p, q);
      }
      interval.low = std::min(interval.low, low);
      interval.high = std::max(interval.high, high);
    }
    return interval;
  }

  /// False for what is not finite. Each sum of three products is off by less than 4 u of those of
  /// the absolute values, and by some of the least doubles.
  [[nodiscard]] bool separates(const Vec3& d) const {
    const double room = 0x1p-48 * d.cwiseAbs().dot(reach_) + 0x1p-1000;
    const Interval a = along(a_, d), b = along(b_, d);
    if (hub_ == nullptr) return b.low - a.high > room || a.low - b.high > room;
    const double at = d.dot(*hub_);
    return (b.low - at > room && at - a.high > room) || (a.low - at > room && at - b.high > room);
  }

  std::span<const Box3> a_, b_;
  const Vec3* hub_ = nullptr;
  Vec3 reach_ = Vec3::Zero();
};

// Where there are more than kMost, the two whose common box is smallest become one.
void NodeHulls::Hull::add(const Box3& added) {
  if (count < kMost) {
    box[count++] = added;
    return;
  }
  const auto at = [&](std::size_t i) -> const Box3& { return i < kMost ? box[i] : added; };
  std::size_t first = 0, second = 1;
  double smallest = std::numeric_limits<double>::infinity();
  for (std::size_t j = 1; j <= kMost; ++j)
    for (std::size_t i = 0; i < j; ++i) {
      const double size = at(i).merged(at(j)).diagonal().squaredNorm();
      if (!(size < smallest)) continue;
      smallest = size;
      first = i;
      second = j;
    }
  box[first].extend(at(second));
  if (second < kMost) box[second] = added;
}

NodeHulls::NodeHulls(const MeshView& mesh, const BoxTree& tree,
                     std::span<const std::uint32_t> triangles)
    : mesh_(mesh), hulls_(tree.node_count()) {
  const std::vector<std::uint32_t> valence = valences(mesh, triangles);
  for (std::size_t node = tree.node_count(); node-- > 0;) {
    hulls_[node].hub = kNone;
    if (tree.is_leaf(node))
      add_leaf(tree, node, triangles, valence);
    else
      join(node, valence);
  }
}

void NodeHulls::add_leaf(const BoxTree& tree, std::size_t node,
                         std::span<const std::uint32_t> triangles,
                         const std::vector<std::uint32_t>& valence) {
  Hull& hull = hulls_[node];
  const auto each_vertex = [&](const auto& visit) {
    for (std::size_t slot = tree.first_slot(node); slot < tree.first_slot(node + 1); ++slot)
      for (const std::uint32_t v : mesh_.triangle(triangles[tree.item(slot)])) visit(v);
  };
  each_vertex([&](std::uint32_t v) {
    if (valence[v] >= kHubValence) hull.hub = busier(hull.hub, v, valence);
  });
  each_vertex([&](std::uint32_t v) {
    if (v != hull.hub) hull.add(Box3(mesh_.vertex(v)));
  });
}

// The children of n are 2 n + 1 and 2 n + 2.
void NodeHulls::join(std::size_t node, const std::vector<std::uint32_t>& valence) {
  Hull& hull = hulls_[node];
  const Hull &left = hulls_[2 * node + 1], &right = hulls_[2 * node + 2];
  hull.hub = busier(left.hub, right.hub, valence);
  for (const Hull* child : {&left, &right}) {
    for (std::size_t i = 0; i < child->count; ++i) hull.add(child->box[i]);
    if (child->hub != kNone && child->hub != hull.hub) hull.add(Box3(mesh_.vertex(child->hub)));
  }
}

NodeHulls::Boxes NodeHulls::with_hub(std::size_t node) const {
  const Hull& hull = hulls_[node];
  Boxes boxes;
  std::copy_n(hull.box.begin(), hull.count, boxes.box.begin());
  boxes.count = hull.count;
  if (hull.hub != kNone) boxes.box[boxes.count++] = Box3(mesh_.vertex(hull.hub));
  return boxes;
}

Vec3 NodeHulls::middle(std::size_t node) const {
  const Boxes boxes = with_hub(node);
  return Frame({boxes.box.data(), boxes.count}).middle;
}

bool NodeHulls::are_apart(std::size_t a, std::size_t b) const {
  if (a == b) return false;
  const Hull &of_a = hulls_[a], &of_b = hulls_[b];
  if (of_a.hub != kNone && of_a.hub == of_b.hub)
    return Separation({of_a.box.data(), of_a.count}, {of_b.box.data(), of_b.count},
                      mesh_.vertex(of_a.hub))
        .is_found();
  const Boxes boxes = with_hub(b);
  return is_apart_from(a, {boxes.box.data(), boxes.count});
}

bool NodeHulls::is_apart_from(std::size_t node, std::span<const Box3> boxes) const {
  const Boxes own = with_hub(node);
  return Separation({own.box.data(), own.count}, boxes).is_found();
}

}  // namespace plimsoll
