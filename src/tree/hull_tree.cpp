#include "tree/hull_tree.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/no_index.h"
#include "mesh/edges.h"

namespace plimsoll {
namespace {

constexpr std::uint32_t kHubValence = 32;  // triangles; usual vertices have 6

bool is_busier(std::uint32_t u, std::uint32_t v, const std::vector<std::uint32_t>& valence) {
  if (u == kNoIndex || v == kNoIndex) return v == kNoIndex && u != kNoIndex;
  return valence[u] != valence[v] ? valence[u] > valence[v] : u < v;
}

/// Makes v one of the hubs, the busiest first, if it is busier than one of them.
void take_hub(std::array<std::uint32_t, 2>& hub, std::uint32_t v,
              const std::vector<std::uint32_t>& valence) {
  if (v == hub[0] || v == hub[1]) return;
  if (is_busier(v, hub[0], valence))
    hub = {v, hub[0]};
  else if (is_busier(v, hub[1], valence))
    hub[1] = v;
}

std::vector<std::uint32_t> valences(const MeshView& mesh,
                                    std::span<const std::uint32_t> triangles) {
  std::vector<std::uint32_t> valence(mesh.vertex_count(), 0);
  for (const std::uint32_t t : triangles)
    for (const std::uint32_t v : mesh.triangle(t)) ++valence[v];
  return valence;
}

// A point set by its middle and up to three directions in which it extends, the longest first.
struct BoxesFrame {
  Vec3 middle = Vec3::Zero();
  std::array<Vec3, 3> edge{Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};

  explicit BoxesFrame(std::span<const Box3> boxes) {
    std::array<Vec3, 6> at;
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

BoxTree centroid_tree(const MeshView& mesh, std::span<const std::uint32_t> triangles) {
  std::vector<Box3> boxes(triangles.size());
  std::vector<Vec3> centroids(triangles.size());
  for (std::size_t i = 0; i < triangles.size(); ++i) {
    const Triangle v = mesh.triangle(triangles[i]);
    for (const std::uint32_t corner : v) boxes[i].extend(mesh.vertex(corner));
    centroids[i] = centroid(mesh, triangles[i]);
  }
  return {boxes, centroids};
}

Vec3 without_part_along(const Vec3& d, const Vec3& e) { return d * e.squaredNorm() - e * d.dot(e); }

}  // namespace

/// The planes that may separate two sets of boxes, one after the other.
class HullTree::Separation {
 public:
  Separation(std::span<const Box3> a, std::span<const Box3> b) : a_(a), b_(b) { find_reach(); }
  /// Through `hubs` only, one or two points.
  Separation(std::span<const Box3> a, std::span<const Box3> b, std::span<const Vec3> hubs)
      : a_(a), b_(b), hubs_(hubs) {
    find_reach();
    for (const Vec3& hub : hubs) reach_ = reach_.cwiseMax(hub.cwiseAbs());
  }

  [[nodiscard]] bool is_found() const {
    const BoxesFrame a(a_), b(b_);
    if (hubs_.size() == 2) return separates(from_hub(b.middle) - from_hub(a.middle));
    const Vec3 apart =
        hubs_.empty() ? Vec3(b.middle - a.middle) : Vec3(from_hub(b.middle) - from_hub(a.middle));
    if (separates(apart)) return true;
    const Vec3 normals[2] = {a.normal(), b.normal()};
    for (const Vec3& normal : normals)
      if (separates(normal)) return true;
    for (const BoxesFrame* frame : {&a, &b})
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

  /// The way from the hub to p; from two, the way square to the line through them.
  [[nodiscard]] Vec3 from_hub(const Vec3& p) const {
    const Vec3 way = p - hubs_[0];
    return (hubs_.size() == 1 ? way : without_part_along(way, hubs_[1] - hubs_[0])).normalized();
  }

  /// With two hubs p and q and e = q - p, the plane of normal d - (d.e / e.e) e holds both. It has
  /// x on the side that d has if |d.(x - p)| is more than |d.e| |x - p| / |e|.
  [[nodiscard]] double slant(const Vec3& d) const {
    if (hubs_.size() < 2) return 0;
    const Vec3 e = hubs_[1] - hubs_[0];
    const double off = std::fabs(d.dot(e)) + 0x1p-48 * d.cwiseAbs().dot(reach_);
    return 1.01 * off * 2 * reach_.norm() / e.norm();
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
    if (hubs_.empty()) return b.low - a.high > room || a.low - b.high > room;
    const double at = d.dot(hubs_[0]), more = room + slant(d);
    return (b.low - at > more && at - a.high > more) || (a.low - at > more && at - b.high > more);
  }

  std::span<const Box3> a_, b_;
  std::span<const Vec3> hubs_;
  Vec3 reach_ = Vec3::Zero();
};

// Where there are more than kBoxes, the two whose common box is smallest become one.
void HullTree::Hull::add(const Box3& added) {
  if (count < kBoxes) {
    box[count++] = added;
    return;
  }
  const auto at = [&](std::size_t i) -> const Box3& { return i < kBoxes ? box[i] : added; };
  std::size_t first = 0, second = 1;
  double smallest = std::numeric_limits<double>::infinity();
  for (std::size_t j = 1; j <= kBoxes; ++j)
    for (std::size_t i = 0; i < j; ++i) {
      const double size = at(i).merged(at(j)).diagonal().squaredNorm();
      if (!(size < smallest)) continue;
      smallest = size;
      first = i;
      second = j;
    }
  box[first].extend(at(second));
  if (second < kBoxes) box[second] = added;
}

HullTree::HullTree(const MeshView& mesh, std::span<const std::uint32_t> chosen)
    : mesh_(mesh),
      triangles_(chosen.begin(), chosen.end()),
      boxes_(centroid_tree(mesh, chosen)),
      hulls_(boxes_.node_count()) {
  const std::vector<std::uint32_t> valence = valences(mesh, chosen);
  for (std::size_t node = boxes_.node_count(); node-- > 0;) {
    hulls_[node].hub = {kNoIndex, kNoIndex};
    if (boxes_.is_leaf(node))
      add_leaf(node, valence);
    else
      join(node, valence);
  }
}

void HullTree::add_leaf(std::size_t node, const std::vector<std::uint32_t>& valence) {
  Hull& hull = hulls_[node];
  const auto each_vertex = [&](const auto& visit) {
    for (std::size_t slot = boxes_.first_slot(node); slot < boxes_.first_slot(node + 1); ++slot)
      for (const std::uint32_t v : mesh_.triangle(triangle(boxes_.item(slot)))) visit(v);
  };
  each_vertex([&](std::uint32_t v) {
    if (valence[v] >= kHubValence) take_hub(hull.hub, v, valence);
  });
  each_vertex([&](std::uint32_t v) {
    if (!hull.has_hub(v)) hull.add(Box3(mesh_.vertex(v)));
  });
}

// The children of n are 2 n + 1 and 2 n + 2.
void HullTree::join(std::size_t node, const std::vector<std::uint32_t>& valence) {
  Hull& hull = hulls_[node];
  const Hull &left = hulls_[2 * node + 1], &right = hulls_[2 * node + 2];
  for (const Hull* child : {&left, &right})
    for (const std::uint32_t hub : child->hub)
      if (hub != kNoIndex) take_hub(hull.hub, hub, valence);
  for (const Hull* child : {&left, &right}) {
    for (std::size_t i = 0; i < child->count; ++i) hull.add(child->box[i]);
    for (const std::uint32_t hub : child->hub)
      if (hub != kNoIndex && !hull.has_hub(hub)) hull.add(Box3(mesh_.vertex(hub)));
  }
}

HullTree::Boxes HullTree::with_hubs(std::size_t node, std::span<const std::uint32_t> shared) const {
  const Hull& hull = hulls_[node];
  Boxes boxes;
  std::copy_n(hull.box.begin(), hull.count, boxes.box.begin());
  boxes.count = hull.count;
  for (const std::uint32_t hub : hull.hub)
    if (hub != kNoIndex && std::find(shared.begin(), shared.end(), hub) == shared.end())
      boxes.box[boxes.count++] = Box3(mesh_.vertex(hub));
  return boxes;
}

Vec3 HullTree::middle(std::size_t node) const {
  const Boxes boxes = with_hubs(node);
  return BoxesFrame({boxes.box.data(), boxes.count}).middle;
}

bool HullTree::are_apart(std::size_t a, std::size_t b) const {
  if (a == b) return false;
  std::array<std::uint32_t, 2> shared{};
  std::array<Vec3, 2> hubs;
  std::size_t count = 0;
  for (const std::uint32_t hub : hulls_[a].hub) {
    if (hub == kNoIndex || !hulls_[b].has_hub(hub)) continue;
    shared[count] = hub;
    hubs[count++] = mesh_.vertex(hub);
  }
  const std::span common(shared.data(), count);
  const Boxes of_a = with_hubs(a, common), of_b = with_hubs(b, common);
  return Separation({of_a.box.data(), of_a.count}, {of_b.box.data(), of_b.count},
                    {hubs.data(), count})
      .is_found();
}

bool HullTree::is_apart_from(std::size_t node, std::span<const Box3> boxes) const {
  const Boxes own = with_hubs(node);
  return Separation({own.box.data(), own.count}, boxes).is_found();
}

}  // namespace plimsoll
