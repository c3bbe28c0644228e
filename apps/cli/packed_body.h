// A body as the commands about one packing have it.
#pragma once

#include <plimsoll/mass_properties.h>
#include <plimsoll/sphere_tree.h>

#include <optional>

#include "mass_report.h"
#include "output.h"
#include "solid_input.h"

namespace plimsoll::cli {

class JsonWriter;

struct PackedBody {
  Body body;
  Status status = Status::kOk;
  MassProperties solid;
  PackingOptions options;
  SpherePacking packing;
  std::optional<SphereTree> tree;  ///< Nothing where there are no spheres.
  double build_seconds = 0;        ///< Of packing and tree.
};

/// Packs the body and builds the tree; the first signal ends the packing early. Says why there are
/// fewer spheres than asked for. Throws Failure, for what bounds no solid too.
[[nodiscard]] PackedBody pack_body(Body body, const PackingOptions& options, Progress& progress);

/// Why the packing has ended.
[[nodiscard]] std::string end_in_words(const PackedBody& packed);

/// What `plimsoll spheres` says of it, and the members of its JSON object.
[[nodiscard]] std::string text_report(const PackedBody& packed);
void write_members(JsonWriter& out, const PackedBody& packed);

}  // namespace plimsoll::cli
