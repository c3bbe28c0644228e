// Queries of bodies on which their time could grow faster than the meshes, and of scans beside
// them.
#pragma once

#include <cstdint>
#include <span>

#include "cliff_jobs.h"

namespace plimsoll::bench {

/// What a query's time is compared by.
enum class CliffItem {
  kTriangle,  ///< All are looked at; what is found counts too.
  kFound,     ///< Surfaces that cross in few triangles.
  kQuestion,  ///< Where a scan's time does not grow as its triangles.
};

struct CliffRow {
  const char *query, *name, *scan;  ///< `scan` is what it is compared with.
  std::uint32_t sizes[2];           ///< About so many triangles.
  CliffJob (*make)(std::uint32_t triangles), (*make_scan)(std::uint32_t triangles);
  CliffItem item = CliffItem::kTriangle;
};

[[nodiscard]] std::span<const CliffRow> cliff_rows();

}  // namespace plimsoll::bench
