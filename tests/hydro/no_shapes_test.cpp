// A program that asks what of a mesh is under water compiles nothing of shapes: this one, with the
// header of the tree alone, does not know what a Shape is.
#include <plimsoll/solid_tree.h>

#include <doctest/doctest.h>

namespace plimsoll {
namespace {

template <class T>
concept Known = requires { sizeof(T); };

TEST_CASE("the header of the tree does not bring the shapes along") {
  static_assert(!Known<Shape>);
  const SolidTree none{CheckedMesh()};
  CHECK(none.submersion({}).volume == 0);
}

}  // namespace
}  // namespace plimsoll
