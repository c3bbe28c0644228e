// What is left after culling, two by two: bodies whose boxes meet, then triangles whose boxes meet,
// then exactly.
#include <plimsoll/culling.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>

#include "cull/cull_options.h"
#include "cull/cull_scene.h"
#include "cull/sweep_and_prune.h"
#include "pairs/pair_finder.h"
#include "pairs/triangle_pair.h"
#include "proximity/closeness.h"

namespace plimsoll {
namespace {

/// A triangle that is left.
struct LeftTriangle {
  std::uint32_t body, number;
  std::array<Vec3, 3> corners;
};

/// The box of a triangle, half of `within` larger on each side, rounding included.
Box3 box_of(const std::array<Vec3, 3>& corners, double within) {
  Box3 box;
  for (const Vec3& p : corners) box.extend(p);
  if (within == 0) return box;
  const double room =
      (within / 2 + box.min().cwiseAbs().cwiseMax(box.max().cwiseAbs()).maxCoeff() * 0x1p-52) *
      (1 + 0x1p-50);
  return {box.min().array() - room, box.max().array() + room};
}

/// Work that is counted, in microseconds of a core of 3 GHz.
class PairWork {
 public:
  explicit PairWork(double max_work) : left_(max_work) {}

  /// Returns whether there is more left.
  bool add_compared(std::size_t boxes) {
    left_ -= 0.004 * static_cast<double>(boxes);
    return !is_exhausted();
  }
  void add_decided() { left_ -= 0.1; }
  void add_measured() { left_ -= 0.3; }
  /// A pair that is found is worth a microsecond.
  void add_found() { left_ += 1; }
  [[nodiscard]] bool is_exhausted() const { return left_ < 0; }

 private:
  double left_;
};

/// Decides about two triangles.
class PairTest {
 public:
  PairTest(double within, std::size_t triangles, PairWork& work)
      : closeness_(within, Closeness::max_work_of(triangles)), work_(work) {}

  [[nodiscard]] bool operator()(const LeftTriangle& t, const LeftTriangle& u) {
    work_.add_decided();
    if (meeting_of(t.corners, u.corners) != Meeting::kApart) return true;
    if (!(closeness_.distance() > 0)) return false;
    work_.add_measured();
    const TripleCorners<double> a = triples(t.corners), b = triples(u.corners);
    return closeness_.holds(a, b, nearest_points(a, b).squared);
  }

  /// Whether its answers mean nothing, since they took too long.
  [[nodiscard]] bool is_exhausted() const { return closeness_.is_exhausted(); }

 private:
  static TripleCorners<double> triples(const std::array<Vec3, 3>& corners) {
    TripleCorners<double> all;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t k = 0; k < 3; ++k) all[i][k] = corners[i][static_cast<int>(k)];
    return all;
  }

  Closeness closeness_;
  PairWork& work_;
};

/// The triangles that are left of bodies whose boxes meet another's.
std::vector<LeftTriangle> triangles_near_others(std::span<const CullBody> bodies,
                                                const Culling& culling, double within,
                                                PairWork& work) {
  std::vector<std::vector<LeftTriangle>> of_body;
  std::vector<Box3> boxes;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (culling.surviving[i].empty()) continue;
    of_body.emplace_back();
    boxes.emplace_back();
    for (const std::uint32_t t : culling.surviving[i]) {
      of_body.back().push_back({static_cast<std::uint32_t>(i), t, posed_corners(bodies[i], t)});
      boxes.back().extend(box_of(of_body.back().back().corners, within));
    }
  }
  std::vector<char> is_near(boxes.size(), 0);
  sweep_and_prune(
      boxes, [&](std::size_t i, std::size_t k) { is_near[i] = is_near[k] = 1; },
      [&](std::size_t compared) { return work.add_compared(compared); });
  std::vector<LeftTriangle> near;
  for (std::size_t i = 0; i < boxes.size(); ++i)
    if (is_near[i] != 0) near.insert(near.end(), of_body[i].begin(), of_body[i].end());
  return near;
}

}  // namespace

Result<std::vector<CulledPairs>> culled_pairs(std::span<const CullBody> bodies,
                                              const Culling& culling, double max_work) {
  if (culling.surviving.size() != bodies.size())
    return Error{ErrorCode::kInvalidArgument,
                 "found " + std::to_string(bodies.size()) + ", expected the " +
                     std::to_string(culling.surviving.size()) + " that were culled",
                 "bodies"};
  if (Result<void> usable = check_cull_bodies(bodies); !usable) return usable.error();
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (Result<void> known = check_triangles(bodies[i], culling.surviving[i]); !known)
      return Error{known.error().code, known.error().message, "body " + std::to_string(i)};
  const double within = culling.within;
  if (Result<void> usable = check_within(within); !usable) return usable.error();
  if (Result<void> usable = check_max_work(max_work); !usable) return usable.error();
  PairWork work(max_work);
  const std::vector<LeftTriangle> left = triangles_near_others(bodies, culling, within, work);
  std::vector<Box3> boxes;
  for (const LeftTriangle& t : left) boxes.push_back(box_of(t.corners, within));
  PairTest test(within, left.size(), work);
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<TrianglePair>> found;
  sweep_and_prune(
      boxes,
      [&](std::size_t i, std::size_t k) {
        if (left[i].body > left[k].body) std::swap(i, k);
        const LeftTriangle &t = left[i], &u = left[k];
        if (t.body == u.body || !test(t, u)) return;
        work.add_found();
        found[{t.body, u.body}].push_back({t.number, u.number});
      },
      [&](std::size_t compared) { return work.add_compared(compared); });
  if (work.is_exhausted()) return too_much_pair_work(max_work);
  if (test.is_exhausted()) return Closeness::too_much_work();
  std::vector<CulledPairs> sorted;
  for (auto& [of, pairs] : found) {
    std::sort(pairs.begin(), pairs.end());
    sorted.push_back({of.first, of.second, std::move(pairs)});
  }
  return sorted;
}

}  // namespace plimsoll
