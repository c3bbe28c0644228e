// What the kernels are compiled for, one instruction set after the other.
#pragma once

#include <doctest/doctest.h>
#include <hwy/targets.h>

#include <cstdint>

namespace plimsoll::test {

/// Calls ask() while the kernels use each instruction set that this processor has, and lets them
/// choose again afterwards.
template <class Ask>
void for_each_instruction_set(const Ask& ask) {
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    CAPTURE(hwy::TargetName(target));
    hwy::SetSupportedTargetsForTest(target);
    ask();
    hwy::SetSupportedTargetsForTest(0);
  }
}

}  // namespace plimsoll::test
