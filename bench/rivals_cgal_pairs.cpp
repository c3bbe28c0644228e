#include <CGAL/AABB_traits.h>
#include <CGAL/AABB_tree.h>
#include <CGAL/AABB_triangle_primitive.h>
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/box_intersection_d.h>

#include <iterator>
#include <utility>

#include "pair_systems.h"
#include "triangle_soup.h"

// CGAL has exact predicates of its own, and they decide here. It has no poses that list pairs, so
// what moves is built anew, in the world.

namespace plimsoll::bench {
namespace {

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;

struct CgalTriangles {
  explicit CgalTriangles(TriangleSoup from) : soup(std::move(from)) {
    const auto point = [](const Vec3& v) { return Kernel::Point_3(v.x(), v.y(), v.z()); };
    for (const SoupTriangle& t : soup)
      triangles.emplace_back(point(t.corners[0]), point(t.corners[1]), point(t.corners[2]));
  }
  TriangleSoup soup;
  std::vector<Kernel::Triangle_3> triangles;
};

/// Sweeps and streams over boxes [Zomorodian and Edelsbrunner], then do_intersect.
class BoxIntersection {
 public:
  explicit BoxIntersection(Question question) : question_(question) {}

  void prepare(const PosedFrame& frame) {
    const std::size_t middle = question_ == Question::kTwoBodies ? 1 : frame.bodies.size();
    a_ = std::make_unique<CgalTriangles>(soup_of(frame, 0, middle));
    b_ = std::make_unique<CgalTriangles>(soup_of(frame, middle, frame.bodies.size()));
  }
  void find() {
    found_.clear();
    Boxes a = boxes_of(*a_);
    if (question_ == Question::kTwoBodies) {
      Boxes b = boxes_of(*b_);
      CGAL::box_intersection_d(a.begin(), a.end(), b.begin(), b.end(),
                               [&](const Box& s, const Box& t) { decide(s, *a_, t, *b_); });
    } else {
      CGAL::box_self_intersection_d(a.begin(), a.end(), [&](const Box& s, const Box& t) {
        decide(s, *a_, t, *a_);
        decide(t, *a_, s, *a_);
      });
    }
  }
  [[nodiscard]] std::vector<FoundPair> found() const { return found_; }

 private:
  using Handle = std::vector<Kernel::Triangle_3>::const_iterator;
  using Box = CGAL::Box_intersection_d::Box_with_handle_d<double, 3, Handle>;
  using Boxes = std::vector<Box>;

  static Boxes boxes_of(const CgalTriangles& of) {
    Boxes boxes;
    boxes.reserve(of.triangles.size());
    for (Handle t = of.triangles.begin(); t != of.triangles.end(); ++t)
      boxes.emplace_back(t->bbox(), t);
    return boxes;
  }
  void decide(const Box& s, const CgalTriangles& of_s, const Box& t, const CgalTriangles& of_t) {
    const SoupTriangle& a =
        of_s.soup[static_cast<std::size_t>(s.handle() - of_s.triangles.begin())];
    const SoupTriangle& b =
        of_t.soup[static_cast<std::size_t>(t.handle() - of_t.triangles.begin())];
    if (is_wanted(question_, a, b) && CGAL::do_intersect(*s.handle(), *t.handle()))
      found_.push_back(pair_of(a, b));
  }

  Question question_;
  std::unique_ptr<CgalTriangles> a_, b_;
  std::vector<FoundPair> found_;
};

/// A tree over one body, asked about each triangle of the other.
class TreeAndTriangles {
 public:
  void prepare(const PosedFrame& frame) {
    a_ = std::make_unique<CgalTriangles>(soup_of(frame, 0, 1));
    b_ = std::make_unique<CgalTriangles>(soup_of(frame, 1, 2));
  }
  void find() {
    found_.clear();
    tree_ = Tree(a_->triangles.begin(), a_->triangles.end());
    tree_.build();
    for (std::size_t i = 0; i < b_->triangles.size(); ++i) {
      met_.clear();
      tree_.all_intersected_primitives(b_->triangles[i], std::back_inserter(met_));
      for (const Handle met : met_)
        found_.push_back(
            pair_of(a_->soup[static_cast<std::size_t>(met - a_->triangles.begin())], b_->soup[i]));
    }
  }
  [[nodiscard]] std::vector<FoundPair> found() const { return found_; }

 private:
  using Handle = std::vector<Kernel::Triangle_3>::const_iterator;
  using Primitive = CGAL::AABB_triangle_primitive<Kernel, Handle>;
  using Tree = CGAL::AABB_tree<CGAL::AABB_traits<Kernel, Primitive>>;

  std::unique_ptr<CgalTriangles> a_, b_;
  Tree tree_;
  std::vector<Handle> met_;
  std::vector<FoundPair> found_;
};

}  // namespace

PairSystems cgal_pair_systems(Question question) {
  PairSystems all = {
      pair_system("cgal_box_intersection", std::make_shared<BoxIntersection>(question))};
  if (question == Question::kTwoBodies)
    all.push_back(pair_system("cgal_aabb_tree", std::make_shared<TreeAndTriangles>()));
  return all;
}

}  // namespace plimsoll::bench
