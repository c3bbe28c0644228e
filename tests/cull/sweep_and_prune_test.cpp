#include <doctest/doctest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "cull/sweep_and_prune.h"
#include "support/random_mesh.h"

namespace plimsoll {
namespace {

TEST_CASE("sweeping finds the pairs of boxes that comparing all finds, each once") {
  Random random(1);
  for (int i = 0; i < 300; ++i) {
    CAPTURE(i);
    std::vector<Box3> boxes;
    const Vec3 spread(random.unit(), random.unit(), random.unit());
    for (std::uint64_t k = random.below(40); k > 0; --k) {
      // On a lattice, so that many touch.
      const Vec3 low = (8 * spread.cwiseProduct(test::random_vector(random))).array().round();
      boxes.emplace_back(low, low + Vec3(static_cast<double>(random.below(3)),
                                         static_cast<double>(random.below(3)),
                                         static_cast<double>(random.below(3))));
    }
    std::vector<std::pair<std::size_t, std::size_t>> found, expected;
    std::size_t compared = 0;
    sweep_and_prune(
        boxes,
        [&](std::size_t a, std::size_t b) { found.emplace_back(std::min(a, b), std::max(a, b)); },
        [&](std::size_t boxes_compared) {
          compared += boxes_compared;
          return true;
        });
    CHECK(compared >= found.size());
    sweep_and_prune(
        boxes, [&](std::size_t, std::size_t) { CHECK(false); }, [](std::size_t) { return false; });
    for (std::size_t a = 0; a < boxes.size(); ++a)
      for (std::size_t b = a + 1; b < boxes.size(); ++b)
        if (boxes[a].intersects(boxes[b])) expected.emplace_back(a, b);
    std::sort(found.begin(), found.end());
    REQUIRE(found == expected);
  }
}

}  // namespace
}  // namespace plimsoll
