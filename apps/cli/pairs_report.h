// What `plimsoll pairs` found, and how it is said.
#pragma once

#include <plimsoll/culling.h>
#include <plimsoll/pairs.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "notices.h"
#include "picture/placed_mesh.h"

namespace plimsoll::cli {

class JsonWriter;

/// Of two bodies that touch, or of one and itself.
struct BodyReport {
  std::uint32_t a, b;
  std::vector<TrianglePair> pairs;
};

/// What culling by visibility left, of `PairsReport::method`.
struct CullingReport {
  Culling left;
  int resolution = 0;  ///< Pixels along a side of a view.
};

struct PairsReport {
  std::shared_ptr<Notices> notices;
  std::string method = "exact";          ///< "exact", "cullide" or "far".
  std::optional<CullingReport> culling;  ///< Of the latter two.
  std::optional<double> within;          ///< Pairs closer than that were looked for [m].
  bool with_self = false;                ///< Those of one body too.
  std::vector<picture::PlacedMesh> bodies;
  /// Pairs of bodies that were not asked about, a < b; ascending.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ignored;
  std::vector<BodyReport> touching;  ///< Ascending.

  [[nodiscard]] bool is_ignored(std::uint32_t a, std::uint32_t b) const;
  [[nodiscard]] std::size_t pairs() const;
  /// Of different bodies.
  [[nodiscard]] std::size_t body_pairs() const;
};

/// "1 pair of bodies touches among 2 bodies"; nothing of a single body.
[[nodiscard]] std::string bodies_in_words(const PairsReport& report);
/// "12 pairs of triangles meet".
[[nodiscard]] std::string triangles_in_words(const PairsReport& report);
/// "0 cup.off and 1 saucer.off", with such names.
[[nodiscard]] std::string bodies_of(const BodyReport& found, const std::string& a,
                                    const std::string& b);

[[nodiscard]] std::string text_report(const PairsReport& report);
/// The members of its JSON object.
void write_members(JsonWriter& out, const PairsReport& report);

/// A row for each pair, as --list promises.
[[nodiscard]] std::string csv_rows(const PairsReport& report);

}  // namespace plimsoll::cli
