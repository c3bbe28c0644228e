#include "test_solids.h"

namespace plimsoll::bench {

std::vector<System> opencascade_systems(TestSolid, double) { return {}; }

}  // namespace plimsoll::bench
