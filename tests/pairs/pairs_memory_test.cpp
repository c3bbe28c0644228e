// What is left where memory runs out on the way: this program's own operator new refuses the n-th
// request, for each n in turn.
#include <doctest/doctest.h>
#include <plimsoll/body_pairs.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/mesh_tree.h>
#include <plimsoll/parallel.h>

#include <cstdlib>
#include <new>
#include <vector>

#include "support/checked.h"

namespace {

bool is_counting = false;
int requests_left = 0;

void* allocate(std::size_t size) {
  if (is_counting && requests_left-- == 0) {
    is_counting = false;
    throw std::bad_alloc();
  }
  void* const memory = std::malloc(size > 0 ? size : 1);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

void* operator new(std::size_t size) { return allocate(size); }
void* operator new[](std::size_t size) { return allocate(size); }
// The sanitizers' own versions of these do not call the two above.
void* operator new(std::size_t size, const std::nothrow_t& /*tag*/) noexcept {
  try {
    return allocate(size);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
void* operator new[](std::size_t size, const std::nothrow_t& tag) noexcept {
  return ::operator new(size, tag);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

namespace plimsoll {
namespace {

/// Whether it was done, and not refused the n-th request for memory.
template <class Work>
bool is_done_with(int n, const Work& work) {
  requests_left = n;
  is_counting = true;
  try {
    work();
  } catch (const std::bad_alloc&) {
    return false;
  }
  is_counting = false;
  return true;
}

MeshTree tree_of(const TriangleMesh& mesh) { return MeshTree(test::checked(mesh)); }

using Answer = std::vector<std::vector<TrianglePair>>;

Answer answer_of(BodyPairSearch& bodies) {
  Answer answer;
  for (const TouchingBodies& two : bodies.pairs())
    answer.emplace_back(two.pairs.begin(), two.pairs.end());
  return answer;
}

Similarity at(double x, double y) {
  Similarity pose = Similarity::Identity();
  pose.translation() = Vec3(x, y, 0.01 * x);
  return pose;
}

/// In two rows; all touch their neighbors.
void add_balls(BodyPairSearch& bodies, const MeshTree& ball, std::vector<BodyId>& ids) {
  for (int i = 0; i < 40; ++i) ids.push_back(*bodies.add(ball, at(1.5 * (i / 2), 1.6 * (i % 2))));
}

TEST_CASE("pairs that were asked for when memory ran out are right when it is there again") {
  with_threads(1, [] {
    const MeshTree ball = tree_of(make_icosphere(1, 2));
    BodyPairSearch undisturbed;
    std::vector<BodyId> ids;
    add_balls(undisturbed, ball, ids);
    const Answer first = answer_of(undisturbed);
    for (std::size_t i = 0; i < ids.size(); i += 3)
      REQUIRE(undisturbed.move(ids[i], at(0.7 * static_cast<double>(i), 0.3)));
    const Answer second = answer_of(undisturbed);
    REQUIRE(first.size() > 50);
    REQUIRE(second != first);

    int refused = 0;
    for (const bool is_second : {false, true})
      for (int n = 0, done = 0; done < 1; ++n) {
        CAPTURE(n);
        BodyPairSearch bodies;
        std::vector<BodyId> of;
        add_balls(bodies, ball, of);
        if (is_second) {
          REQUIRE(answer_of(bodies) == first);
          for (std::size_t i = 0; i < of.size(); i += 3)
            REQUIRE(bodies.move(of[i], at(0.7 * static_cast<double>(i), 0.3)));
        }
        if (is_done_with(n, [&] { (void)bodies.pairs(); }))
          ++done;
        else
          ++refused;
        REQUIRE(answer_of(bodies) == (is_second ? second : first));
        REQUIRE(bodies.touching().size() == (is_second ? second : first).size());
      }
    CHECK(refused > 20);
  });
}

TEST_CASE("a body that could not be added for want of memory is none") {
  with_threads(1, [] {
    const MeshTree ball = tree_of(make_icosphere(1, 2));
    BodyPairSearch undisturbed, bodies;
    std::vector<BodyId> ids;
    add_balls(undisturbed, ball, ids);
    int refused = 0;
    for (std::size_t i = 0; i < ids.size(); ++i)
      for (int n = 0, done = 0; done < 1; ++n) {
        CAPTURE(i);
        CAPTURE(n);
        const double x = 1.5 * static_cast<double>(i / 2), y = 1.6 * static_cast<double>(i % 2);
        BodyId id;
        if (is_done_with(n, [&] { id = *bodies.add(ball, at(x, y)); })) {
          REQUIRE(id == ids[i]);
          ++done;
        } else {
          ++refused;
        }
        REQUIRE(bodies.body_count() == i + static_cast<std::size_t>(done));
        REQUIRE(bodies.touching().size() <= undisturbed.touching().size());
      }
    CHECK(refused > 4);
    CHECK(answer_of(bodies) == answer_of(undisturbed));
    // Neither needs memory.
    for (std::size_t i = 0; i < ids.size(); i += 3) {
      requests_left = 0;
      is_counting = true;
      const bool moved = bodies.move(ids[i], at(0.3, 40)) && undisturbed.move(ids[i], at(0.3, 40));
      const bool removed = bodies.remove(ids[i]) && undisturbed.remove(ids[i]);
      is_counting = false;
      REQUIRE(moved);
      REQUIRE(removed);
    }
    CHECK(answer_of(bodies) == answer_of(undisturbed));
  });
}

TEST_CASE("a tree that could not be rebuilt for want of memory has no triangles, and copies stay") {
  with_threads(1, [] {
    const CheckedMesh small = test::checked(make_icosphere(1, 2));
    const CheckedMesh large = test::checked(make_icosphere(3, 4));
    int refused = 0;
    for (const bool has_copy : {false, true})
      for (const bool grows : {false, true})
        for (int n = 0, done = 0; done < 1; ++n) {
          CAPTURE(n);
          const CheckedMesh &from = grows ? small : large, &to = grows ? large : small;
          MeshTreeBuilder builder;
          MeshTree tree = builder.build(from);
          std::vector<MeshTree> copies;
          if (has_copy) copies.push_back(tree);
          if (is_done_with(n, [&] { builder.rebuild(to, tree); })) {
            ++done;
            REQUIRE(tree.triangle_count() == to.view().triangle_count());
          } else {
            ++refused;
            const std::size_t left = tree.triangle_count();
            REQUIRE((left == 0 || left == from.view().triangle_count()));
            if (has_copy) REQUIRE(left == from.view().triangle_count());
          }
          for (const MeshTree& copy : copies)
            REQUIRE(copy.triangle_count() == from.view().triangle_count());
          builder.rebuild(to, tree);
          REQUIRE(tree.triangle_count() == to.view().triangle_count());
          REQUIRE(tree.box().max() == MeshTree(to).box().max());
        }
    CHECK(refused > 20);
  });
}

}  // namespace
}  // namespace plimsoll
