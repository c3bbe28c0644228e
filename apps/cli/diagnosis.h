// A mesh's health in words: what is wrong, where, and what to do about it.
#pragma once

#include <string>
#include <vector>

#include "mass_report.h"

namespace plimsoll::cli {

struct Finding {
  std::string what;
  std::string advice;
};

struct Diagnosis {
  std::vector<Finding> faults;     ///< Why the answer is not that of a solid; empty if it is.
  std::vector<std::string> notes;  ///< What is unusual but does no harm.
};

[[nodiscard]] Diagnosis diagnose(const PartReport& part);

/// The status in a few words: "closed, turned outward".
[[nodiscard]] std::string in_words(Status status);

}  // namespace plimsoll::cli
