#include "core/plane_level.h"

#include "core/expansion.h"

namespace plimsoll {

double level_over(const Vec3& p, const Vec3& normal, double offset) {
  Expansion<8> height;
  for (int i = 0; i < 3; ++i) height.add_product(normal[i], p[i]);
  height.add(-offset);
  return -height.value();
}

}  // namespace plimsoll
