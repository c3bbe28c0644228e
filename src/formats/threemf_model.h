// One model part of a 3MF package: objects, made of triangles or of other objects, and what is to
// be built of them. [3MF2021] [3MF2018]
#pragma once

#include <plimsoll/mass.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/no_index.h"
#include "formats/first_error.h"
#include "formats/placement.h"

namespace plimsoll {

/// What a mesh is for. An object made of components has the types of these, not its own.
enum class ThreemfType : std::uint8_t { kModel, kSolidSupport, kSupport, kSurface, kOther };
[[nodiscard]] const char* to_string(ThreemfType type);

/// An object shown once: by the build or as part of another object.
struct ThreemfUse {
  std::uint32_t object_id = 0;
  std::uint32_t path = kNoIndex;       ///< Index into `paths`: the part that holds the object.
  std::uint32_t placement = kNoIndex;  ///< Index into `placements`; absent: the identity.
  bool printable = true;               ///< An item may be marked as left out of the print.
};

struct ThreemfObject {
  std::uint32_t id = 0;
  ThreemfType type = ThreemfType::kModel;
  /// What stands beside the triangles or components and was not read, though it may change the
  /// solid; four kinds at most: "the beam lattice", "the slices", "the element \"x:y\"".
  std::vector<std::string> unread;
  TriangleMesh mesh;      ///< Empty if made of components.
  double resolution = 0;  ///< Of the mesh, as MeshFile has it.
  std::uint32_t first_component = 0;
  std::uint32_t component_count = 0;
  std::string unknown_shape;  ///< The element that stands where mesh or components should.
};

struct ThreemfModel {
  std::string unit;         ///< "millimeter"
  bool names_unit = false;  ///< Else it is the format's own, the millimeter.
  LengthUnit meters_per_unit;
  std::vector<ThreemfObject> objects;  ///< Ids differ.
  std::vector<ThreemfUse> components;
  std::vector<ThreemfUse> items;
  std::vector<Placement> placements;
  std::vector<std::string> paths;  ///< As in the file: "/3D/Objects/wheel.model".
};

/// Reads the XML of a model part. Every index of a triangle names a vertex and every coordinate is
/// finite; whether the objects named exist is for the caller to see.
/// Errors, in `first_error`: `Malformed`, `Unsupported` (an extension that the part requires),
/// `ResourceLimit`. `place` names the part in messages.
[[nodiscard]] ThreemfModel parse_threemf_model(std::vector<char> text, const std::string& place,
                                               FirstError& first_error);

}  // namespace plimsoll
