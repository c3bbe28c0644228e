// Names of bodies.
#include <doctest/doctest.h>
#include <plimsoll/body_id.h>

#include <set>

namespace plimsoll {

TEST_CASE("a name that was not given names no body, and names differ by place and generation") {
  const BodyId none, first{0, 1}, later{0, 2}, beside{1, 1};
  CHECK(none.generation == 0);
  CHECK(none == BodyId{});
  CHECK(first != none);
  CHECK(first != later);
  CHECK(first != beside);
  CHECK(first < later);
  CHECK(later < beside);  // by place, then by generation
  CHECK(std::set<BodyId>{later, first, first, beside}.size() == 3);
}

}  // namespace plimsoll
