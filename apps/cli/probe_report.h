// What `plimsoll probe` finds: distances of points from a surface.
#pragma once

#include <plimsoll/surface_queries.h>

#include <array>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "mass_report.h"
#include "notices.h"

namespace plimsoll::cli {

class JsonWriter;

/// Nodes along the axes of the world, x slowest and z fastest.
struct ProbeGrid {
  Vec3 origin = Vec3::Zero();  ///< [m]
  double spacing = 1;          ///< [m]
  std::array<std::size_t, 3> nodes{};

  [[nodiscard]] std::size_t count() const { return nodes[0] * nodes[1] * nodes[2]; }
  [[nodiscard]] Vec3 node(std::size_t number) const;
};

struct ProbeReport {
  std::string name;
  Status status = Status::kOk;
  std::shared_ptr<Notices> notices;
  bool has_sign = true;  ///< Else distances are above 0 on both sides.
  std::size_t points = 0, inside = 0;
  double least = std::numeric_limits<double>::infinity();      ///< [m]
  double greatest = -std::numeric_limits<double>::infinity();  ///< [m]
  double seconds = 0;                                          ///< That the search took.
  std::optional<ProbeGrid> grid;

  void add(std::span<const SignedDistance> distances);
};

[[nodiscard]] std::string text_report(const ProbeReport& report);
void write_members(JsonWriter& out, const ProbeReport& report);

/// The header and the rows of the CSV.
inline constexpr const char* kProbeHeader =
    "x,y,z,signed_distance,nearest_x,nearest_y,nearest_z,triangle\n";
[[nodiscard]] std::string probe_rows(std::span<const Vec3> points,
                                     std::span<const SignedDistance> distances);

/// What comes before the numbers of a .npy file of doubles, version 1.0 of the format.
[[nodiscard]] std::string npy_header(const std::array<std::size_t, 3>& shape);
/// The numbers themselves.
[[nodiscard]] std::string npy_numbers(std::span<const SignedDistance> distances);

}  // namespace plimsoll::cli
