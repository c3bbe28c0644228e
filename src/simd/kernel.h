// What the texts of kernels are declared with: templates in .inc files, included inside a namespace
// by plain code, and once per instruction set by wide kernels, whose functions must be compiled for
// that set.
#pragma once

#define PLIMSOLL_KERNEL constexpr __attribute__((always_inline))  // wide types live in registers
