// What tests of images of shapes have in common.
#pragma once

#include <doctest/doctest.h>
#include <plimsoll/image.h>

namespace plimsoll::test {

inline ImageMass measured(const Shape& shape, int n, int axis = 2) {
  ImageOptions options;
  options.width = options.height = n;
  options.axis = axis;
  Result<ImageMass> result = image_mass_properties(shape, options);
  REQUIRE_MESSAGE(result, result.error().message);
  return *result;
}

inline Shape formula(const char* text, double half) {
  Result<Expression> expression = Expression::parse(text);
  REQUIRE(expression);
  return {ImplicitSolid{*expression, Box3(Vec3::Constant(-half), Vec3::Constant(half))}};
}

}  // namespace plimsoll::test
