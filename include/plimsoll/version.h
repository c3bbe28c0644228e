// What this build is and what it found on this machine.
#pragma once

#include <string>
#include <vector>

namespace [[gnu::visibility("default")]] plimsoll {

[[nodiscard]] std::string version();  ///< "0.1.0"

/// The widest instruction set that the vector kernels use here, as Highway names it ("AVX3").
[[nodiscard]] std::string simd_level();

/// Every level compiled in that this machine can run, widest first; the last is the narrowest.
[[nodiscard]] std::vector<std::string> simd_levels();

}  // namespace plimsoll
