#include "probe_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <iterator>

#include "diagnosis.h"
#include "json_writer.h"
#include "text.h"

namespace plimsoll::cli {

Vec3 ProbeGrid::node(std::size_t number) const {
  const std::size_t z = number % nodes[2], y = number / nodes[2] % nodes[1];
  const std::size_t x = number / nodes[2] / nodes[1];
  return origin +
         spacing * Vec3(static_cast<double>(x), static_cast<double>(y), static_cast<double>(z));
}

void ProbeReport::add(std::span<const SignedDistance> distances) {
  points += distances.size();
  for (const SignedDistance& found : distances) {
    inside += found.distance < 0 ? 1 : 0;
    least = std::min(least, found.distance);
    greatest = std::max(greatest, found.distance);
  }
}

std::string text_report(const ProbeReport& report) {
  std::string text = fmt::format("{}: {} - {}\n", printable(report.name), to_string(report.status),
                                 in_words(report.status));
  const auto row = [&](const char* label, const std::string& content) {
    text += fmt::format("  {:<12}{}\n", label, content);
  };
  row("points", counted(report.points, "point", "points"));
  if (report.grid) {
    const ProbeGrid& grid = *report.grid;
    row("grid", fmt::format("{} x {} x {} nodes from ({:.6g}, {:.6g}, {:.6g}) m, {:.6g} m apart",
                            grid.nodes[0], grid.nodes[1], grid.nodes[2], grid.origin[0],
                            grid.origin[1], grid.origin[2], grid.spacing));
  }
  row("inside", report.has_sign ? fmt::format("{}", report.inside)
                                : "unknown: the distance to an open surface has no sign");
  row("distances", fmt::format("{:.6g} to {:.6g} m", report.least, report.greatest));
  row("took",
      fmt::format("{:.3g} us a point", 1e6 * report.seconds / static_cast<double>(report.points)));
  return text;
}

void write_members(JsonWriter& out, const ProbeReport& report) {
  out.member("status", to_string(report.status));
  out.member("points", static_cast<std::uint64_t>(report.points));
  report.notices->write(out);
  if (report.has_sign)
    out.member("inside", static_cast<std::uint64_t>(report.inside));
  else
    out.null_member("inside");
  out.member("least", report.least);
  out.member("greatest", report.greatest);
  out.member("microseconds_per_point", 1e6 * report.seconds / static_cast<double>(report.points));
  if (!report.grid) {
    out.null_member("grid");
    return;
  }
  out.key("grid");
  out.begin_object();
  out.member("origin", report.grid->origin);
  out.member("spacing", report.grid->spacing);
  out.array_member("shape", std::array{static_cast<std::uint64_t>(report.grid->nodes[0]),
                                       static_cast<std::uint64_t>(report.grid->nodes[1]),
                                       static_cast<std::uint64_t>(report.grid->nodes[2])});
  out.end_object();
}

std::string probe_rows(std::span<const Vec3> points, std::span<const SignedDistance> distances) {
  std::string text;
  for (std::size_t k = 0; k < points.size(); ++k) {
    const Vec3& x = points[k];
    const NearestPoint& near = *distances[k].nearest.at;
    fmt::format_to(std::back_inserter(text), "{},{},{},{},{},{},{},{}\n", x[0], x[1], x[2],
                   distances[k].distance, near.at[0], near.at[1], near.at[2], near.triangle);
  }
  return text;
}

// "\x93NUMPY", the version, two bytes for the length of the rest, a Python dictionary, and blanks
// up to a multiple of 64 bytes with a line end: numpy.lib.format.
std::string npy_header(const std::array<std::size_t, 3>& shape) {
  std::string dictionary =
      fmt::format("{{'descr': '<f8', 'fortran_order': False, 'shape': ({}, {}, {}), }}", shape[0],
                  shape[1], shape[2]);
  constexpr std::size_t kBefore = 10, kMultiple = 64;
  const std::size_t length = kBefore + dictionary.size() + 1;
  dictionary.append((kMultiple - length % kMultiple) % kMultiple, ' ');
  dictionary += '\n';
  std::string header("\x93NUMPY\x01\x00", 8);
  header += static_cast<char>(dictionary.size() % 256);
  header += static_cast<char>(dictionary.size() / 256);
  return header + dictionary;
}

std::string npy_numbers(std::span<const SignedDistance> distances) {
  std::string bytes;
  bytes.reserve(8 * distances.size());
  for (const SignedDistance& found : distances) {
    const auto bits = std::bit_cast<std::uint64_t>(found.distance);
    for (int k = 0; k < 8; ++k) bytes += static_cast<char>(bits >> (8 * k) & 0xFF);
  }
  return bytes;
}

}  // namespace plimsoll::cli
