// A body that spheres contain, as `plimsoll spheres --cover` has it.
#pragma once

#include <plimsoll/sphere_cover.h>

#include "output.h"
#include "packed_body.h"
#include "solid_input.h"

namespace plimsoll::cli {

class JsonWriter;

struct CoveredBody {
  Body body;
  Status status = Status::kOk;
  PackedMass mass;
  CoverOptions options;
  SphereCover cover;
  double build_seconds = 0;
};

/// Covers the body, which must be a mesh. Radii are larger by how far vertices may be from where
/// the file has them. The first signal ends the search early. Says why there are fewer spheres than
/// asked for. Throws Failure, for what bounds no solid too.
[[nodiscard]] CoveredBody cover_body(Body body, const CoverOptions& options, Progress& progress);

/// Why there are no more spheres, for programs: "count".
[[nodiscard]] const char* end_name(const CoveredBody& covered);

/// What `plimsoll spheres` says of it, and the members of its JSON object.
[[nodiscard]] std::string text_report(const CoveredBody& covered);
void write_members(JsonWriter& out, const CoveredBody& covered);

}  // namespace plimsoll::cli
