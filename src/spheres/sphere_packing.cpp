// A greedy packing without a lattice.
//
// The free radius f(x) is the distance from walls and spheres. A sphere of the packing is a local
// maximum of f: it touches walls and other spheres on all sides. What it leaves free about it are
// pockets, one in each gap between three of its contacts; the ball that fills a pocket is found by
// climbing from there. So every sphere leads to about four new ones, as in an Apollonian packing,
// and work follows the number of spheres, not the volume or the number of triangles.
//
// Pockets wait in classes of radii, each 0.9 of the one before. Those of a class are measured
// again side by side, as spheres may have come into them; then they are taken in order of their
// radii, and one that overlaps a sphere taken before it waits for the next class. Spheres therefore
// come roughly in the order of their radii, and threads change nothing.
#include <plimsoll/elementary.h>
#include <plimsoll/mass_properties.h>
#include <plimsoll/sphere_packing.h>
#include <plimsoll/submersion.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "core/parallel.h"
#include "mesh/edges.h"
#include "mesh/shells.h"
#include "mesh/trusted_mesh.h"
#include "spheres/ball_tree.h"
#include "spheres/cut_polygon.h"
#include "spheres/free_ball.h"
#include "spheres/free_points.h"
#include "spheres/packing_options.h"
#include "spheres/protrusion.h"
#include "spheres/triangle_points.h"
#include "spheres/unit_solid.h"

namespace plimsoll {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr double kClass = 0.9;         // radii of a class over those of the class before
constexpr double kSmallest = 0x1p-24;  // of the solid's size: no sphere is smaller

double volume_of(double radius) { return 4 * std::numbers::pi / 3 * radius * radius * radius; }

/// A place where a sphere may fit.
struct Pocket {
  Vec3 root = Vec3::Zero();   ///< A point of the sphere beside it.
  Vec3 start = Vec3::Zero();  ///< From the root into it.
  Vec3 guess = Vec3::Zero();  ///< Where its deepest point may be.
  double radius = 0;          ///< About what fits.
  bool is_fitted = false;     ///< The guess is where a sphere of that radius fitted.
};

/// A sphere that fits in a pocket, as long as no other comes.
struct Fitted {
  Vec3 center = Vec3::Zero();
  double radius = 0;
};

/// Spheres of about one size, in cells of a lattice that are as large as the largest of them.
class SphereCells {
 public:
  explicit SphereCells(double largest_radius) : cell_(2 * largest_radius * (1 + 0x1p-20)) {}

  void add(const Fitted& sphere) { cells_[key(place(sphere.center))].push_back(sphere); }

  /// The largest radius about the point that overlaps none of them.
  [[nodiscard]] double free_radius(const Vec3& center) const {
    const Eigen::Array3d middle = place(center);
    double least = kInfinite;
    for (int x = -1; x <= 1; ++x)
      for (int y = -1; y <= 1; ++y)
        for (int z = -1; z <= 1; ++z) {
          const auto found = cells_.find(key(middle + Eigen::Array3d(x, y, z)));
          if (found == cells_.end()) continue;
          for (const Fitted& other : found->second)
            least = std::min(least, (center - other.center).norm() * (1 - 0x1p-50) - other.radius);
        }
    return least;
  }

 private:
  [[nodiscard]] Eigen::Array3d place(const Vec3& x) const { return (x / cell_).array().floor(); }
  static std::uint64_t key(const Eigen::Array3d& cell) {
    std::uint64_t hash = 0;
    for (int i = 0; i < 3; ++i)
      hash = (hash ^ static_cast<std::uint64_t>(static_cast<std::int64_t>(cell[i]))) *
             0x9E3779B97F4A7C15u;
    return hash;
  }

  double cell_;
  std::unordered_map<std::uint64_t, std::vector<Fitted>> cells_;
};

/// Calls visit(direction, numbers of the contacts around it) for each gap between contacts, given
/// their directions: the outward normals of the facets of their hull. Where they do not surround 0,
/// also for six directions across the first.
template <class Visit>
void visit_gaps(const std::vector<Vec3>& u, const Visit& visit) {
  bool surrounds = false;
  for (std::size_t i = 0; i < u.size(); ++i)
    for (std::size_t j = i + 1; j < u.size(); ++j)
      for (std::size_t k = j + 1; k < u.size(); ++k) {
        const Vec3 across = (u[j] - u[i]).cross(u[k] - u[i]);
        const double length = across.norm();
        if (length < 1e-3) continue;
        for (const double side : {1.0, -1.0}) {
          const Vec3 n = side / length * across;
          const double height = n.dot(u[i]);
          const bool is_facet = std::all_of(
              u.begin(), u.end(), [&](const Vec3& v) { return n.dot(v) <= height + 1e-9; });
          if (!is_facet) continue;
          surrounds = surrounds || height > 0;
          visit(n, std::vector<std::size_t>{i, j, k});
        }
      }
  if (surrounds) return;
  const Vec3 axis = u.empty() ? Vec3::UnitX() : u[0];
  const Vec3 side = axis.unitOrthogonal(), other = axis.cross(side);
  std::vector<std::size_t> all(u.size());
  std::iota(all.begin(), all.end(), 0);
  for (int turn = 0; turn < 6; ++turn) {
    const double angle = std::numbers::pi / 3 * turn;
    const auto [sine, cosine] = elementary::sin_cos(angle);
    visit(cosine * side + sine * other, all);
  }
}

class Packer {
 public:
  Packer(const ClosedMesh& mesh, double volume, const PackingOptions& options)
      : options_(options), solid_(mesh, options.keep), volume_(volume) {
    const double unit = solid_.to_mesh(1.0);
    least_radius_ = std::max(options.min_radius / unit, kSmallest * solid_.tree.frame.reach);
  }

  [[nodiscard]] SpherePacking run(const ClosedMesh& mesh) {
    balls_ = BallTree(spheres_, reach());
    add_seeds(mesh);
    end_ = PackingEnd::kRadius;
    while (!is_done()) {
      while (class_ < pockets_.size() && pockets_[class_].empty()) ++class_;
      if (looks_for_holes_ && class_ >= next_look_) {
        next_look_ = class_ + kClassesBetween;
        look_for_holes(kHole * radius_of_class(class_), kMostCubes + 16 * spheres_.size());
        continue;
      }
      if (class_ < pockets_.size())
        fill_class();
      else if (looks_for_holes_ && radius_of_class(class_) > least_radius_)
        ++class_;
      else if (!looks_for_holes_ && std::exchange(has_corners_left_, false))
        add_corners(mesh.view());
      else
        break;
    }
    return finished();
  }

 private:
  [[nodiscard]] double reach() const { return solid_.tree.frame.reach; }
  [[nodiscard]] double radius_of_class(std::size_t number) const {
    return reach() * elementary::pow(kClass, static_cast<double>(number));
  }

  [[nodiscard]] bool is_done() {
    if (spheres_.size() >= options_.max_count) {
      end_ = PackingEnd::kCount;
      return true;
    }
    if (covered_ >= options_.coverage * unit_volume()) {
      end_ = PackingEnd::kCoverage;
      return true;
    }
    if (options_.max_protrusion > 0 && spheres_.size() >= 2 * measured_) {
      measured_ = spheres_.size();
      if (!spheres_.empty() && solid_.to_mesh(protrusion()) <= options_.max_protrusion) {
        end_ = PackingEnd::kProtrusion;
        return true;
      }
    }
    if (options_.progress && !options_.progress(spheres_.size())) {
      end_ = PackingEnd::kInterrupted;
      return true;
    }
    return false;
  }
  [[nodiscard]] double unit_volume() const {
    const double unit = solid_.to_mesh(1.0);
    return volume_ / unit / unit / unit;
  }

  [[nodiscard]] double protrusion() const {
    return largest_protrusion(solid_, balls_, kMostCubes + 4 * spheres_.size());
  }

  void add_pocket(const Pocket& pocket, std::size_t first_class) {
    if (!(pocket.radius >= least_radius_)) return;
    const double number = elementary::log(pocket.radius / reach()) / elementary::log(kClass);
    const std::size_t at =
        std::max(first_class, static_cast<std::size_t>(std::max(0.0, std::floor(number))));
    if (at >= pockets_.size()) pockets_.resize(at + 1);
    pockets_[at].push_back(pocket);
  }

  /// A ball that grew from a point just below the surface, where that is in the solid and free.
  [[nodiscard]] std::optional<Pocket> seed_below(const Vec3& at, const Vec3& inward) const {
    for (double depth = 0x1p-6 * reach(); depth > kSmallest * reach(); depth /= 8) {
      const Vec3 start = at + depth * inward;
      if (!solid_.contains(start)) continue;
      const FreeBall ball = climb(obstacles(), free_ball(obstacles(), start, 4 * reach()));
      if (ball.radius > 0) return Pocket{ball.center, ball.center, ball.center, ball.radius};
    }
    return std::nullopt;
  }
  void add_seed_below(const Vec3& at, const Vec3& inward) {
    if (const std::optional<Pocket> seed = seed_below(at, inward)) add_pocket(*seed, 0);
  }

  /// Balls below all corners of the mesh: where a sphere nearly fills the solid, its walls leave
  /// pockets there that no search by cubes reaches.
  void add_corners(const MeshView& view) {
    std::vector<Vec3> inward(view.vertex_count(), Vec3::Zero());
    for (std::size_t t = 0; t < view.triangle_count(); ++t) {
      const Triangle v = view.triangle(t);
      Corners corner;
      for (std::size_t k = 0; k < 3; ++k) corner[k] = solid_.from_mesh(view.vertex(v[k]));
      for (const std::uint32_t n : v) inward[n] -= normal_of(corner);
    }
    std::vector<std::optional<Pocket>> found(inward.size());
    parallel_for_each_index(found.size(), kWorthwhile, [&](std::size_t n) {
      if (inward[n].isZero()) return;
      const Vec3 at = solid_.from_mesh(view.vertex(static_cast<std::uint32_t>(n)));
      const Vec3 direction = inward[n].normalized();
      found[n] = seed_below(at, direction);
      if (!found[n]) found[n] = seed_below(at, -direction);
    });
    for (const std::optional<Pocket>& pocket : found)
      if (pocket) add_pocket(*pocket, 0);
    class_ = 0;
  }

  /// Balls below points all over the surface that is kept, at least one in each shell.
  void add_seeds(const ClosedMesh& mesh) {
    const MeshView& view = mesh.view();
    const Shells shells = find_shells(view, find_edges(view));
    std::vector<bool> is_seeded(shells.shells);
    double area = 0;
    visit_kept(view, [&](std::size_t, const Corners& corner) { area += normal_of(corner).norm(); });
    if (!(area > 0)) return;  // squares of its sides vanish: no step would lead on
    const double step = area / kSeeds;
    double passed = step / 2;
    visit_kept(view, [&](std::size_t t, const Corners& corner) {
      const Vec3 normal = normal_of(corner);
      passed += normal.norm();
      const std::uint32_t shell = shells.shell_of[t];
      const bool is_first = shell != kNoIndex && !is_seeded[shell] && normal.norm() > 0;
      if (passed < step && !is_first) return;
      if (shell != kNoIndex) is_seeded[shell] = true;
      const Vec3 outward = normal.normalized();
      // As many points as the triangle's area asks for.
      int count = 0;
      do {
        const Vec3 at = point_of_triangle(corner, count);
        add_seed_below(at, -outward);
        add_seed_below(at, outward);
        ++count;
        passed -= step;
      } while (passed >= step);
      passed = std::max(passed, 0.0);
    });
  }

  using Corners = std::array<Vec3, 3>;
  static Vec3 normal_of(const Corners& corner) {
    return (corner[1] - corner[0]).cross(corner[2] - corner[0]);
  }

  /// Calls visit(triangle, corners) for the triangles of the mesh, cut to what is kept of them.
  template <class Visit>
  void visit_kept(const MeshView& view, const Visit& visit) const {
    for (std::size_t t = 0; t < view.triangle_count(); ++t) {
      const Triangle v = view.triangle(t);
      Corners corner;
      for (std::size_t k = 0; k < 3; ++k) corner[k] = solid_.from_mesh(view.vertex(v[k]));
      if (!solid_.kept) {
        visit(t, corner);
        continue;
      }
      CutPolygon part(corner);
      part.cut([&](const Vec3& point) { return solid_.kept->depth(point); });
      for (std::size_t k = 2; k < part.count; ++k)
        visit(t, Corners{part.corner[0], part.corner[k - 1], part.corner[k]});
    }
  }

  [[nodiscard]] Obstacles obstacles() const {
    return {&solid_.tree, &balls_, solid_.kept ? &*solid_.kept : nullptr};
  }

  /// The ball that fits into a pocket now; of radius 0 where none does.
  [[nodiscard]] Fitted fitted(const Pocket& pocket) const {
    FreeBall ball = free_ball(obstacles(), pocket.guess, 2 * pocket.radius);
    // A wall that the sphere does not touch may be in the way: then the pocket begins nearer to it.
    for (const double share : {1.0, 0.2, 0.04, 0.008}) {
      if (ball.radius >= 0.3 * pocket.radius && solid_.contains(ball.center)) break;
      const Vec3 start = pocket.root + share * (pocket.start - pocket.root);
      ball = free_ball(obstacles(), start, 2 * pocket.radius);
      if (ball.radius > 0 && solid_.contains(start)) break;
      ball.radius = 0;
    }
    if (ball.radius <= 0) return {};
    if (pocket.is_fitted && ball.radius == pocket.radius) return {ball.center, ball.radius};
    if (ball.radius < (1 - 1e-3) * pocket.radius) ball = climb(obstacles(), ball);
    return rounded(ball.center);
  }

  /// About the center as the mesh's frame has it, if that is in the solid: a ball that has left it
  /// climbs on, and far from the origin rounding may move a point through a wall.
  [[nodiscard]] Fitted rounded(const Vec3& center) const {
    const Vec3 there = solid_.from_mesh(solid_.to_mesh(center));
    const double radius = free_ball(obstacles(), there, 4 * reach()).radius;
    if (!(radius >= least_radius_) || !solid_.contains(there)) return {};
    return {there, radius};
  }

  void fill_class() {
    const std::vector<Pocket> pockets = std::exchange(pockets_[class_], {});
    const double largest = radius_of_class(class_),
                 least = std::max(least_radius_, kClass * largest);
    std::vector<Fitted> found(pockets.size());
    parallel_for_each_index(pockets.size(), kWorthwhile,
                            [&](std::size_t i) { found[i] = fitted(pockets[i]); });
    std::sort(found.begin(), found.end(), [](const Fitted& a, const Fitted& b) {
      if (a.radius != b.radius) return a.radius > b.radius;
      return std::lexicographical_compare(a.center.begin(), a.center.end(), b.center.begin(),
                                          b.center.end());
    });
    // What is larger than its class is because its pocket was guessed.
    SphereCells cells(std::max(largest, found.empty() ? 0 : found.front().radius));
    const std::size_t before = spheres_.size();
    for (const Fitted& sphere : found) {
      if (sphere.radius <= 0) break;
      const Pocket again{sphere.center, sphere.center, sphere.center, sphere.radius, true};
      if (sphere.radius < least || cells.free_radius(sphere.center) < sphere.radius) {
        add_pocket(again, class_ + 1);
        continue;
      }
      if (spheres_.size() == options_.max_count || covered_ >= options_.coverage * unit_volume())
        break;
      cells.add(sphere);
      spheres_.push_back({sphere.center, sphere.radius});
      covered_ += volume_of(sphere.radius);
    }
    add_pockets_about(before);
  }

  void add_pockets_about(std::size_t first) {
    if (first == spheres_.size()) return;
    balls_ = BallTree(spheres_, reach());
    std::vector<std::vector<Pocket>> found(spheres_.size() - first);
    parallel_for_each_index(found.size(), kWorthwhile,
                            [&](std::size_t i) { found[i] = pockets_about(first + i); });
    for (const std::vector<Pocket>& pockets : found)
      for (const Pocket& pocket : pockets) add_pocket(pocket, class_ + 1);
  }

  [[nodiscard]] std::vector<Pocket> pockets_about(std::size_t number) const {
    const PlacedSphere& sphere = spheres_[number];
    const std::vector<Contact> contacts =
        contacts_of(obstacles(), sphere.center, sphere.radius * (1 + kNear),
                    static_cast<std::uint32_t>(number));
    std::vector<Vec3> directions;
    for (const Contact& contact : contacts)
      directions.push_back((contact.at - sphere.center).normalized());
    std::vector<Pocket> pockets;
    visit_gaps(directions, [&](const Vec3& gap, const std::vector<std::size_t>& around) {
      FreeBall ball;
      ball.near.contacts[ball.near.count++] = {sphere.center, sphere.radius,
                                               static_cast<std::uint32_t>(number), Vec3::Zero()};
      for (const std::size_t n : around)
        if (ball.near.count < NearContacts::kMost)
          ball.near.contacts[ball.near.count++] = contacts[n];
      for (const double beyond : {0.25, 0.05}) {
        ball.center = sphere.center + (1 + beyond) * sphere.radius * gap;
        const FreeBall top = climb_among_contacts(ball, sphere.radius);
        if (!(top.radius > 0)) continue;
        pockets.push_back({sphere.center + sphere.radius * gap, ball.center, top.center,
                           std::min(top.radius, sphere.radius)});
        break;
      }
    });
    return pockets;
  }

  /// Adds pockets where spheres of a radius `least` would fit; gives up where that takes too many
  /// cubes.
  void look_for_holes(double least, std::size_t max_cubes) {
    const std::optional<std::vector<Vec3>> points = free_points(solid_, balls_, least, max_cubes);
    if (!points) {
      looks_for_holes_ = false;
      return;
    }
    std::vector<Pocket> found(points->size());
    parallel_for_each_index(points->size(), kWorthwhile, [&](std::size_t i) {
      const FreeBall ball = climb(obstacles(), free_ball(obstacles(), (*points)[i], 4 * reach()));
      found[i] = {ball.center, ball.center, ball.center, ball.radius};
    });
    for (const Pocket& pocket : found) add_pocket(pocket, class_);
  }

  [[nodiscard]] SpherePacking finished() {
    SpherePacking packing;
    packing.solid_volume = volume_;
    packing.coverage = covered_ / unit_volume();
    packing.end = end_;
    packing.largest_protrusion = spheres_.empty() ? kInfinite : solid_.to_mesh(protrusion());
    std::stable_sort(
        spheres_.begin(), spheres_.end(),
        [](const PlacedSphere& a, const PlacedSphere& b) { return a.radius > b.radius; });
    for (const PlacedSphere& sphere : spheres_)
      packing.spheres.push_back({solid_.to_mesh(sphere.center), solid_.to_mesh(sphere.radius)});
    return packing;
  }

  static constexpr double kSeeds = 256;
  static constexpr double kHole = 1.2;  // of the radius of a class: what is looked for
  static constexpr std::size_t kClassesBetween = 3, kMostCubes = 100'000;
  static constexpr double kNear = 0.03;  // of its radius: what a sphere touches
  static constexpr std::size_t kWorthwhile = 64;

  const PackingOptions& options_;
  UnitSolid solid_;
  double volume_;        // of the mesh
  double least_radius_;  // in units of the solid, as all below
  std::vector<PlacedSphere> spheres_;
  double covered_ = 0;
  BallTree balls_;
  std::vector<std::vector<Pocket>> pockets_;  // by class of radii
  std::size_t class_ = 0, next_look_ = 0;
  std::size_t measured_ = 0;  // spheres when the protrusion was measured
  bool looks_for_holes_ = true;
  bool has_corners_left_ = true;
  PackingEnd end_ = PackingEnd::kRadius;
};

}  // namespace

Result<SpherePacking> pack_spheres(const ClosedMesh& solid, const PackingOptions& options) {
  if (Result<void> usable = check_packing(options); !usable) return usable.error();
  double volume = mass_properties(solid).volume;
  if (!(volume > 0) || !std::isfinite(volume))
    return Error{ErrorCode::kInvalidArgument,
                 "found a solid without volume, or one whose volume is no double", "solid"};
  const double size = bounding_box(solid.view()).sizes().maxCoeff();
  if (!(volume / size / size / size > 0))
    return Error{ErrorCode::kInvalidArgument,
                 "found a solid whose volume is nothing beside the cube of its length", "solid"};
  if (options.keep) {
    const Submersion part = submersion(solid, water_below(*options.keep));
    volume = part.volume;
    if (!(volume > part.volume_error))
      return Error{ErrorCode::kInvalidArgument,
                   "found a half space that holds nothing of the solid, expected a part of it",
                   "keep"};
  }
  return Packer(solid, volume, options).run(solid);
}

}  // namespace plimsoll
