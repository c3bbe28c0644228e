// The header of a PLY file: what elements follow, in which encoding, and what their properties are.
#pragma once

#include "formats/readers.h"

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

namespace plimsoll {

enum class PlyType : std::uint8_t {
  kInt8,
  kUint8,
  kInt16,
  kUint16,
  kInt32,
  kUint32,
  kFloat32,
  kFloat64
};

[[nodiscard]] std::size_t size_of(PlyType type);
[[nodiscard]] inline bool is_integer(PlyType type) { return type < PlyType::kFloat32; }

/// What a property is to a reader of triangles.
enum class PlyRole : std::uint8_t { kX, kY, kZ, kCorners, kStrips, kNone };

struct PlyProperty {
  std::string name;
  PlyRole role = PlyRole::kNone;
  PlyType type = PlyType::kFloat32;  ///< Of the entries, if a list.
  bool is_list = false;
  PlyType count_type = PlyType::kUint8;
};

struct PlyElement {
  std::string name;
  std::uint64_t count = 0;
  std::vector<PlyProperty> properties;

  [[nodiscard]] const PlyProperty* find(PlyRole role) const;
};

struct PlyHeader {
  bool is_text = false;
  std::endian order = std::endian::little;  ///< If not text.
  std::size_t size = 0;                     ///< In bytes from the start of the text.
  std::vector<PlyElement> elements;
  /// Lines that are no statements, which some programs leave there, and what to say of the first
  /// where the data does not fit the rest.
  std::size_t unknown_lines = 0;
  Error unknown;

  /// nullptr if there is none.
  [[nodiscard]] const PlyElement* find(std::string_view name) const;
};

/// Reads the header at the start of `text`, a part of `input`. Roles are given to x, y and z of the
/// element vertex and to vertex_indices (vertex_index) of the elements face and tristrips. Lines
/// that are no statements are passed over. Errors: `Malformed`, at the first such line if there is
/// one.
[[nodiscard]] Result<PlyHeader> read_ply_header(const ReaderInput& input, std::string_view text);

}  // namespace plimsoll
