#include "formats/threemf_model.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <set>

#include "formats/text_scanner.h"
#include "formats/xml_text.h"

namespace plimsoll {
namespace {

constexpr std::string_view kCore = "http://schemas.microsoft.com/3dmanufacturing/core/2015/02";
constexpr std::string_view kProduction =
    "http://schemas.microsoft.com/3dmanufacturing/production/2015/06";

struct Unit {
  std::string_view name;
  LengthUnit length;
};
// The inch is 25.4 mm and the foot 12 inches, exactly, since 1959.
constexpr std::array<Unit, 6> kUnits{{{"micron", {1, 1'000'000}},
                                      {"millimeter", {1, 1000}},
                                      {"centimeter", {1, 100}},
                                      {"inch", {127, 5000}},
                                      {"foot", {381, 1250}},
                                      {"meter", {1, 1}}}};

constexpr std::array<std::string_view, 5> kTypes{"model", "solidsupport", "support", "surface",
                                                 "other"};

// The extensions that a part may require, by a stretch of their namespace that no version changes.
struct Extension {
  std::string_view stretch;
  std::string_view name;
  bool is_harmless;  ///< Read, without bearing on the shape, or known where it has one.
};
constexpr std::string_view kTriangleSets = "3dmanufacturing/trianglesets/";
constexpr std::array<Extension, 9> kExtensions{
    {{"3dmanufacturing/production/", "production", true},
     {"3dmanufacturing/material/", "materials", true},
     {kTriangleSets, "triangle sets", true},
     {"3dmanufacturing/beamlattice/", "beam lattice", false},
     {"3dmanufacturing/slice/", "slice", true},
     {"3dmanufacturing/securecontent/", "secure content", false},
     {"3dmanufacturing/volumetric/", "volumetric", false},
     {"3dmanufacturing/booleanoperations/", "boolean operations", false},
     {"3dmanufacturing/displacement/", "displacement", false}}};

/// An element of an extension, as ThreemfObject::unread names it.
std::string name_of_unread(pugi::xml_node node, XmlName name) {
  if (name.local == "beamlattice") return "the beam lattice";
  if (name.local == "alternatives") return "the alternatives";
  return "the element " + in_quotes(node.name());
}

/// Whatever element an extension puts into an object or a mesh may change the solid, but for names
/// of sets of triangles. A few of them say enough.
void note_unread(ThreemfObject& object, std::string what) {
  constexpr std::size_t kEnough = 4;
  const auto found = std::find(object.unread.begin(), object.unread.end(), what);
  if (found == object.unread.end() && object.unread.size() < kEnough)
    object.unread.push_back(std::move(what));
}

/// Of the attributes two do: [3MF slice extension 1.0.2, sec. 2.1; production 1.2, sec. 4.2.1].
void note_unread_attributes(pugi::xml_node node, ThreemfObject& object) {
  for (const pugi::xml_attribute attribute : node.attributes()) {
    const std::string_view name = attribute.name();
    if (name.ends_with(":slicestackid")) note_unread(object, "the slices");
    if (name.ends_with(":modelresolution") && trimmed(attribute.value()) != "fullres")
      note_unread(object, "the full resolution");
  }
}

class ModelParser {
 public:
  ModelParser(const std::string& place, FirstError& first_error)
      : place_(place), first_error_(first_error), namespaces_(first_error, place) {}

  ThreemfModel parse(const pugi::xml_document& document);

 private:
  void parse_model(pugi::xml_node node);
  void parse_required_extensions(pugi::xml_node node, std::string_view prefixes);
  void parse_object(pugi::xml_node node);
  void parse_mesh(pugi::xml_node node, ThreemfObject& object);
  void parse_vertices(pugi::xml_node node, TriangleMesh& mesh);
  void parse_triangles(pugi::xml_node node, TriangleMesh& mesh);
  ThreemfUse parse_use(pugi::xml_node node);
  std::uint32_t parse_placement(pugi::xml_node node, std::string_view text);
  double parse_coordinate(pugi::xml_node node, const char* text);
  std::uint32_t parse_number(pugi::xml_node node, std::string_view attribute, const char* text,
                             std::uint64_t below, std::string_view expected);

  template <std::size_t n>
  bool find_attributes(pugi::xml_node node, const std::array<const char*, n>& names,
                       std::array<const char*, n>& values);
  template <std::size_t n>
  bool require_attributes(pugi::xml_node node, const std::array<const char*, n>& names,
                          std::array<const char*, n>& values);

  void fail(pugi::xml_node node, std::string message) {
    first_error_.set(std::move(message), place_of(node));
  }
  [[nodiscard]] std::string place_of(pugi::xml_node node) const;

  const std::string& place_;
  FirstError& first_error_;
  XmlNamespaces namespaces_;
  ThreemfModel model_;
  std::set<std::uint32_t> ids_;
  DecimalDigits digits_;  // of the coordinates of an object
};

std::string ModelParser::place_of(pugi::xml_node node) const {
  std::string place = place_ + ", byte " + std::to_string(node.offset_debug());
  place += ", <" + in_quotes(node.name()).substr(1);
  place.back() = '>';
  for (pugi::xml_node outer = node; outer; outer = outer.parent())
    if (std::strcmp(outer.name(), "object") == 0)
      return place + " of object " + in_quotes(outer.attribute("id").value());
  return place;
}

// ---- attributes

/// The values of `names`, null where absent. One that is there twice is an error: pugixml takes it.
template <std::size_t n>
bool ModelParser::find_attributes(pugi::xml_node node, const std::array<const char*, n>& names,
                                  std::array<const char*, n>& values) {
  values.fill(nullptr);
  for (const pugi::xml_attribute attribute : node.attributes())
    for (std::size_t i = 0; i < n; ++i) {
      if (std::strcmp(attribute.name(), names[i]) != 0) continue;
      if (values[i] != nullptr)
        fail(node, "found the attribute " + std::string(names[i]) + " twice, expected it once");
      values[i] = attribute.value();
    }
  return !first_error_.failed();
}

template <std::size_t n>
bool ModelParser::require_attributes(pugi::xml_node node, const std::array<const char*, n>& names,
                                     std::array<const char*, n>& values) {
  if (!find_attributes(node, names, values)) return false;
  for (std::size_t i = 0; i < n; ++i)
    if (values[i] == nullptr)
      fail(node, "found no attribute " + std::string(names[i]) + ", which is required here");
  return !first_error_.failed();
}

double ModelParser::parse_coordinate(pugi::xml_node node, const char* text) {
  const std::string_view number = trimmed(text);
  double value = 0;
  const char* end = number.data() + number.size();
  if (parse_double(number.data(), end, value, digits_) == end && !number.empty()) return value;
  fail(node, "found " + in_quotes(number) + ", expected a number within the range of a double");
  return 0;
}

std::uint32_t ModelParser::parse_number(pugi::xml_node node, std::string_view attribute,
                                        const char* text, std::uint64_t below,
                                        std::string_view expected) {
  const std::string_view digits = trimmed(text);
  std::uint64_t value = 0;
  bool valid = !digits.empty();
  for (const char c : digits) {
    if (c < '0' || c > '9' || value >= below) valid = false;
    if (!valid) break;
    value = 10 * value + static_cast<unsigned>(c - '0');
  }
  if (valid && value < below) return static_cast<std::uint32_t>(value);
  fail(node, "found " + std::string(attribute) + " = " + in_quotes(digits) + ", expected " +
                 std::string(expected));
  return 0;
}

// "m00 m01 m02 m10 ... m32" acts on rows: x' = x m00 + y m10 + z m20 + m30. [3MF2021, sec. 3.3]
std::uint32_t ModelParser::parse_placement(pugi::xml_node node, std::string_view text) {
  std::array<double, 12> m{};
  std::size_t count = 0;
  std::string_view rest = trimmed(text);
  const char* end = rest.data() + rest.size();
  const char* p = rest.data();
  while (p != end && count < m.size()) {
    const char* after = parse_double(p, end, m[count]);
    if (after == nullptr || (after != end && trimmed({after, 1}) == std::string_view(after, 1)))
      break;
    ++count;
    p = after;
    while (p != end && trimmed({p, 1}).empty()) ++p;
  }
  if (p != end || count != m.size()) {
    fail(node, "found the transform " + in_quotes(text) + ", expected 12 numbers");
    return kNoIndex;
  }
  const Placement placement(
      {m[0], m[3], m[6], m[9], m[1], m[4], m[7], m[10], m[2], m[5], m[8], m[11]});
  if (placement.is_identity()) return kNoIndex;
  model_.placements.push_back(placement);
  return static_cast<std::uint32_t>(model_.placements.size() - 1);
}

/// A component or a build item.
ThreemfUse ModelParser::parse_use(pugi::xml_node node) {
  ThreemfUse use;
  std::array<const char*, 3> values{};
  if (!find_attributes<3>(node, {"objectid", "transform", "printable"}, values)) return use;
  if (values[0] == nullptr) {
    fail(node, "found no attribute objectid, which is required here");
    return use;
  }
  use.object_id = parse_number(node, "objectid", values[0], kNoIndex, "the id of an object");
  if (values[1] != nullptr) use.placement = parse_placement(node, values[1]);
  if (values[2] != nullptr)  // of slicers, not of the standard
    use.printable = trimmed(values[2]) != "0" && trimmed(values[2]) != "false";
  for (const pugi::xml_attribute attribute : node.attributes()) {
    if (std::strchr(attribute.name(), ':') == nullptr) continue;
    const XmlName name = namespaces_.resolve(attribute.name(), false);
    if (name.space != kProduction || name.local != "path") continue;
    use.path = static_cast<std::uint32_t>(model_.paths.size());
    model_.paths.emplace_back(attribute.value());
  }
  return use;
}

// ---- meshes

void ModelParser::parse_vertices(pugi::xml_node node, TriangleMesh& mesh) {
  namespaces_.for_each_child(node, [&](pugi::xml_node child, XmlName name) {
    if (name.space != kCore || name.local != "vertex") return;
    std::array<const char*, 3> values{};
    if (!require_attributes<3>(child, {"x", "y", "z"}, values)) return;
    Vec3 vertex;
    for (int i = 0; i < 3; ++i)
      vertex[i] = parse_coordinate(child, values[static_cast<std::size_t>(i)]);
    mesh.vertices.push_back(vertex);
  });
}

void ModelParser::parse_triangles(pugi::xml_node node, TriangleMesh& mesh) {
  static constexpr std::array<const char*, 3> kCorners{"v1", "v2", "v3"};
  const std::size_t count = mesh.vertices.size();
  const std::string expected =
      "the index of a vertex, below " + std::to_string(count) + ", the number of them";
  namespaces_.for_each_child(node, [&](pugi::xml_node child, XmlName name) {
    if (name.space != kCore || name.local != "triangle") return;
    std::array<const char*, 3> values{};
    if (!require_attributes(child, kCorners, values)) return;
    Triangle triangle{};
    for (std::size_t i = 0; i < 3; ++i)
      triangle[i] = parse_number(child, kCorners[i], values[i], count, expected);
    mesh.triangles.push_back(triangle);
  });
}

void ModelParser::parse_mesh(pugi::xml_node node, ThreemfObject& object) {
  bool has_vertices = false;
  bool has_triangles = false;
  namespaces_.for_each_child(node, [&](pugi::xml_node child, XmlName name) {
    if (name.space != kCore) {
      if (name.space.find(kTriangleSets) == std::string_view::npos)
        note_unread(object, name_of_unread(child, name));
      return;
    }
    bool* seen = name.local == "vertices"    ? &has_vertices
                 : name.local == "triangles" ? &has_triangles
                                             : nullptr;
    if (seen == nullptr) return;
    if (*seen) return fail(child, "found this element twice in a mesh, expected it once");
    *seen = true;
    if (seen == &has_triangles) return parse_triangles(child, object.mesh);
    digits_ = {};
    parse_vertices(child, object.mesh);
    object.resolution = digits_.unit_at(largest_coordinate(object.mesh));
  });
}

// ---- objects and the model

void ModelParser::parse_object(pugi::xml_node node) {
  ThreemfObject object;
  std::array<const char*, 2> values{};
  if (!find_attributes<2>(node, {"id", "type"}, values)) return;
  if (values[0] == nullptr) return fail(node, "found no attribute id, which is required here");
  object.id = parse_number(node, "id", values[0], kNoIndex, "a number below 2^32 - 1");
  if (!first_error_.failed() && !ids_.insert(object.id).second)
    return fail(node, "found a second object with this id, expected ids that differ");
  if (values[1] != nullptr) {
    const auto* type = std::find(kTypes.begin(), kTypes.end(), trimmed(values[1]));
    if (type == kTypes.end())
      return fail(node, "found the type " + in_quotes(values[1]) +
                            ", expected model, solidsupport, support, surface or other");
    object.type = static_cast<ThreemfType>(type - kTypes.begin());
  }
  note_unread_attributes(node, object);
  object.first_component = static_cast<std::uint32_t>(model_.components.size());
  int shapes = 0;
  namespaces_.for_each_child(node, [&](pugi::xml_node child, XmlName name) {
    if (name.space != kCore) {
      object.unknown_shape = child.name();
      note_unread(object, name_of_unread(child, name));
    } else if (name.local == "mesh") {
      ++shapes;
      parse_mesh(child, object);
    } else if (name.local == "components") {
      ++shapes;
      namespaces_.for_each_child(child, [&](pugi::xml_node component, XmlName inner) {
        if (inner.space != kCore || inner.local != "component") return;
        model_.components.push_back(parse_use(component));
      });
    }
    if (shapes > 1)
      fail(child, "found a second mesh or components in an object, expected one of them");
  });
  if (shapes == 0 && object.unknown_shape.empty()) object.unknown_shape = "nothing";
  if (shapes > 0) object.unknown_shape.clear();
  object.component_count =
      static_cast<std::uint32_t>(model_.components.size()) - object.first_component;
  model_.objects.push_back(std::move(object));
}

// [3MF2021, sec. 3.4]: prefixes of namespaces without which the part must not be read.
void ModelParser::parse_required_extensions(pugi::xml_node node, std::string_view prefixes) {
  while (!(prefixes = trimmed(prefixes)).empty() && !first_error_.failed()) {
    const std::string_view prefix = prefixes.substr(0, prefixes.find_first_of(" \t\r\n"));
    prefixes.remove_prefix(prefix.size());
    const std::string_view space = namespaces_.find(prefix);
    if (space.empty())
      return fail(node, "found requiredextensions with " + in_quotes(prefix) +
                            ", expected a prefix declared there");
    const auto* known = std::find_if(
        kExtensions.begin(), kExtensions.end(),
        [&](const Extension& e) { return space.find(e.stretch) != std::string_view::npos; });
    if (space == kCore || (known != kExtensions.end() && known->is_harmless)) continue;
    const std::string name = known != kExtensions.end()
                                 ? "the " + std::string(known->name) + " extension"
                                 : "the extension " + in_quotes(space);
    first_error_.set(ErrorCode::kUnsupported,
                     "the model needs " + name + ", which is not read here; export plain triangles",
                     place_of(node));
  }
}

void ModelParser::parse_model(pugi::xml_node node) {
  std::array<const char*, 2> values{};
  if (!find_attributes<2>(node, {"unit", "requiredextensions"}, values)) return;
  const std::string_view unit = values[0] == nullptr ? "millimeter" : trimmed(values[0]);
  const auto* known =
      std::find_if(kUnits.begin(), kUnits.end(), [&](const Unit& u) { return u.name == unit; });
  if (known == kUnits.end())
    return fail(node, "found the unit " + in_quotes(unit) +
                          ", expected micron, millimeter, centimeter, inch, foot or meter");
  model_.unit = known->name;
  model_.names_unit = values[0] != nullptr;
  model_.meters_per_unit = known->length;
  if (values[1] != nullptr) parse_required_extensions(node, values[1]);
  if (first_error_.failed()) return;
  namespaces_.for_each_child(node, [&](pugi::xml_node child, XmlName name) {
    if (name.space != kCore) return;
    const bool is_resources = name.local == "resources";
    if (!is_resources && name.local != "build") return;
    namespaces_.for_each_child(child, [&](pugi::xml_node inner, XmlName inner_name) {
      if (inner_name.space != kCore) return;
      if (is_resources && inner_name.local == "object") parse_object(inner);
      if (!is_resources && inner_name.local == "item") model_.items.push_back(parse_use(inner));
    });
  });
}

ThreemfModel ModelParser::parse(const pugi::xml_document& document) {
  namespaces_.for_each_child(document, [&](pugi::xml_node root, XmlName name) {
    if (name.local != "model" || name.space != kCore)
      return fail(root, "found the root element " + in_quotes(root.name()) + " of the namespace " +
                            in_quotes(name.space) + ", expected model of " + std::string(kCore));
    parse_model(root);
  });
  return std::move(model_);
}

}  // namespace

const char* to_string(ThreemfType type) { return kTypes[static_cast<std::size_t>(type)].data(); }

ThreemfModel parse_threemf_model(std::vector<char> text, const std::string& place,
                                 FirstError& first_error) {
  pugi::xml_document document;
  parse_xml(text, place, document, first_error);
  if (first_error.failed()) return {};
  return ModelParser(place, first_error).parse(document);
}

}  // namespace plimsoll
