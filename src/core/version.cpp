#include <plimsoll/version.h>

#include <hwy/targets.h>

namespace plimsoll {

std::string version() { return PLIMSOLL_VERSION; }

std::vector<std::string> simd_levels() {
  std::vector<std::string> names;
#if defined(HWY_COMPILE_ONLY_SCALAR)
  names.emplace_back("SCALAR");
#else
  // A lower bit is a better target.
  for (int64_t targets = hwy::SupportedTargets() & HWY_TARGETS; targets != 0;
       targets &= targets - 1)
    names.emplace_back(hwy::TargetName(targets & -targets));
#endif
  return names;
}

std::string simd_level() { return simd_levels().front(); }

}  // namespace plimsoll
