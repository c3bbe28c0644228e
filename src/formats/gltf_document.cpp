#include "formats/gltf_document.h"

#include <plimsoll/elementary.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "core/counted.h"
#include "formats/json_value.h"
#include "formats/text_scanner.h"
#include "formats/uri.h"

namespace plimsoll {
namespace {

// The schema itself nests to 8; extras and extensions may go deeper, but not without end.
constexpr std::size_t kMaxGltfDepth = 256;

// ---- asset and extensions

void parse_asset(const JsonValue& root) {
  const std::optional<JsonValue> asset = root.required("asset");
  if (!asset) return;
  const std::optional<JsonValue> version = asset->required("version");
  if (!version) return;
  const std::string_view text = version->text();
  if (root.first_error().failed()) return;
  if (!text.starts_with("2."))
    version->fail_unsupported("found glTF version " + in_quotes(text) + ", expected 2.x");
  const std::optional<JsonValue> minimum = asset->member("minVersion");
  if (minimum && minimum->text() != "2.0")
    minimum->fail_unsupported("found the demand for glTF version " + in_quotes(minimum->text()) +
                              ", expected 2.0");
}

constexpr std::string_view kVisibility = "KHR_node_visibility";

enum class Bearing { kNone, kQuantization, kCompression, kUnknown };

// Whether an extension is of looks, sound or data alone, whoever made it: "KHR_materials_unlit".
bool is_of_looks(std::string_view extension) {
  static constexpr std::array<std::string_view, 6> kKinds{"materials_", "texture_",  "lights_",
                                                          "packing_",   "technique", "xmp"};
  static constexpr std::array<std::string_view, 18> kNames{
      "KHR_animation_pointer",  "KHR_audio_emitter",        "KHR_environment_map",
      "KHR_interactivity",      "KHR_implicit_shapes",      "KHR_node_hoverability",
      "KHR_node_selectability", "KHR_physics_rigid_bodies", "EXT_instance_features",
      "EXT_mesh_features",      "EXT_mesh_manifold",        "EXT_structural_metadata",
      "FB_geometry_metadata",   "FB_ngon_encoding",         "GODOT_single_root",
      "AGI_stk_metadata",       "CESIUM_primitive_outline", "VRM"};
  const std::string_view kind =
      extension.substr(std::min(extension.find('_'), extension.size() - 1) + 1);
  return std::any_of(kKinds.begin(), kKinds.end(),
                     [&](std::string_view known) { return kind.starts_with(known); }) ||
         std::find(kNames.begin(), kNames.end(), extension) != kNames.end();
}

// What an extension that a file requires means for shapes.
Bearing bearing_of(std::string_view extension) {
  static constexpr std::array<std::string_view, 3> kCompressions{
      "KHR_draco_mesh_compression", "EXT_meshopt_compression", "KHR_meshopt_compression"};
  if (extension == "KHR_mesh_quantization") return Bearing::kQuantization;
  if (std::find(kCompressions.begin(), kCompressions.end(), extension) != kCompressions.end())
    return Bearing::kCompression;
  if (extension == "EXT_mesh_gpu_instancing" || extension == kVisibility || is_of_looks(extension))
    return Bearing::kNone;
  return Bearing::kUnknown;
}

// What is not known may matter to others; it is not required, so that the meshes are all there.
void note_extensions(const JsonValue& used, GltfDocument& document) {
  std::size_t unknown = 0;
  std::string first;
  used.for_each_item([&](const JsonValue& name) {
    const std::string_view text = name.text();
    if (text == "KHR_mesh_quantization") document.quantized_positions = true;
    if (text == kVisibility)
      document.notices.push_back(
          {"hidden", "nodes that KHR_node_visibility hides are measured like the others"});
    else if (bearing_of(text) == Bearing::kUnknown && ++unknown == 1)
      first = in_quotes(text);
  });
  if (unknown > 0)
    document.notices.push_back(
        {"passed_over", "passed over " + counted(unknown, "extension", "extensions") +
                            " not known here" + (unknown > 1 ? ", the first " : ", ") + first});
}

void parse_extensions(const JsonValue& root, GltfDocument& document) {
  if (const std::optional<JsonValue> used = root.member("extensionsUsed"))
    note_extensions(*used, document);
  const std::optional<JsonValue> required = root.member("extensionsRequired");
  if (!required) return;
  required->for_each_item([&](const JsonValue& name) {
    const std::string_view text = name.text();
    const Bearing bearing = bearing_of(text);
    if (bearing == Bearing::kQuantization) document.quantized_positions = true;
    if (bearing == Bearing::kCompression)
      name.fail_unsupported("the file needs " + std::string(text) +
                            ", which is not read here: decompress it first");
    if (bearing == Bearing::kUnknown)
      name.fail_unsupported("the file needs the extension " + in_quotes(text) +
                            ", which is not known here");
  });
}

// ---- buffers, views, accessors

void parse_buffer_uri(const JsonValue& uri, GltfBuffer& buffer) {
  const std::string_view text = uri.text();
  if (!is_data_uri(text)) {
    buffer.source = GltfBuffer::Source::kExternal;
    buffer.uri = text;
    return;
  }
  buffer.source = GltfBuffer::Source::kEmbedded;
  if (const std::string fault = decode_data_uri(text, buffer.content); !fault.empty())
    uri.fail(fault);
  else if (buffer.content.size() < buffer.byte_length)
    uri.fail("found " + std::to_string(buffer.content.size()) +
             " bytes in the data URI, expected byteLength = " + std::to_string(buffer.byte_length));
}

void parse_buffers(const JsonValue& root, bool has_binary_chunk, GltfDocument& document) {
  const std::optional<JsonValue> buffers = root.member("buffers");
  if (!buffers) return;
  document.buffers.reserve(buffers->count_items());
  buffers->for_each_item([&](const JsonValue& item) {
    GltfBuffer buffer;
    if (const auto length = item.required("byteLength")) buffer.byte_length = length->natural();
    const std::optional<JsonValue> uri = item.member("uri");
    if (uri)
      parse_buffer_uri(*uri, buffer);
    else if (has_binary_chunk && document.buffers.empty())
      buffer.source = GltfBuffer::Source::kBinaryChunk;
    document.buffers.push_back(std::move(buffer));
  });
}

void parse_views(const JsonValue& root, GltfDocument& document) {
  const std::optional<JsonValue> views = root.member("bufferViews");
  if (!views) return;
  document.views.reserve(views->count_items());
  views->for_each_item([&](const JsonValue& item) {
    GltfView view;
    const std::size_t buffers = document.buffers.size();
    if (const auto buffer = item.required("buffer"))
      view.buffer = buffer->index(buffers, "buffers");
    if (const auto length = item.required("byteLength")) view.byte_length = length->natural();
    view.byte_offset = natural_or(item, "byteOffset", 0);
    if (const auto stride = item.member("byteStride")) {
      view.byte_stride =
          static_cast<std::uint32_t>(std::min<std::uint64_t>(stride->natural(), 253));
      if (view.byte_stride < 4 || view.byte_stride > 252)
        stride->fail("found " + stride->describe() + ", expected a stride from 4 to 252 bytes");
    }
    if (root.first_error().failed()) return;
    const std::uint64_t held = document.buffers[view.buffer].byte_length;
    if (view.byte_offset > held || view.byte_length > held - view.byte_offset)
      item.fail("found byteOffset " + std::to_string(view.byte_offset) + " and byteLength " +
                std::to_string(view.byte_length) + ", expected a range within the " +
                std::to_string(held) + " bytes of buffers[" + std::to_string(view.buffer) + ']');
    document.views.push_back(view);
  });
}

GltfSparse parse_sparse(const JsonValue& sparse, const GltfDocument& document) {
  GltfSparse result;
  const std::size_t views = document.views.size();
  if (const auto count = sparse.required("count")) result.count = count->natural();
  if (const auto indices = sparse.required("indices")) {
    if (const auto view = indices->required("bufferView"))
      result.indices_view = view->index(views, "bufferViews");
    if (const auto type = indices->required("componentType"))
      result.indices_type = type->index(kNoIndex, "component types");
    result.indices_offset = natural_or(*indices, "byteOffset", 0);
  }
  if (const auto values = sparse.required("values")) {
    if (const auto view = values->required("bufferView"))
      result.values_view = view->index(views, "bufferViews");
    result.values_offset = natural_or(*values, "byteOffset", 0);
  }
  return result;
}

GltfShape shape_of(std::string_view type) {
  if (type == "SCALAR") return GltfShape::kScalar;
  if (type == "VEC3") return GltfShape::kVec3;
  if (type == "VEC4") return GltfShape::kVec4;
  if (type == "MAT4") return GltfShape::kMat4;
  return GltfShape::kOther;
}

void parse_accessors(const JsonValue& root, GltfDocument& document) {
  const std::optional<JsonValue> accessors = root.member("accessors");
  if (!accessors) return;
  document.accessors.reserve(accessors->count_items());
  accessors->for_each_item([&](const JsonValue& item) {
    GltfAccessor accessor;
    accessor.view = index_or(item, "bufferView", document.views.size(), "bufferViews", kNoIndex);
    accessor.byte_offset = natural_or(item, "byteOffset", 0);
    if (const auto type = item.required("componentType"))
      accessor.component_type = type->index(kNoIndex, "component types");
    if (const auto count = item.required("count")) accessor.count = count->natural();
    if (const auto type = item.required("type")) accessor.shape = shape_of(type->text());
    if (const auto normalized = item.member("normalized"))
      accessor.normalized = normalized->boolean();
    if (const auto sparse = item.member("sparse")) {
      accessor.sparse = static_cast<std::uint32_t>(document.sparse.size());
      document.sparse.push_back(parse_sparse(*sparse, document));
    }
    document.accessors.push_back(accessor);
  });
}

// ---- meshes

// Four joints each; engines use one or two. A search of attributes by name takes time by their
// count.
constexpr std::uint32_t kMaxInfluences = 16;

// JOINTS_0 and WEIGHTS_0 are of the first four joints of each vertex, and so on.
void parse_influences(const JsonValue& attributes, GltfPrimitive& primitive,
                      GltfDocument& document) {
  const std::size_t accessors = document.accessors.size();
  primitive.first_influence = static_cast<std::uint32_t>(document.influences.size());
  while (!attributes.first_error().failed()) {
    const std::string number = std::to_string(primitive.influence_count);
    const GltfInfluence influence{
        index_or(attributes, "JOINTS_" + number, accessors, "accessors", kNoIndex),
        index_or(attributes, "WEIGHTS_" + number, accessors, "accessors", kNoIndex)};
    if (influence.joints == kNoIndex || influence.weights == kNoIndex) return;
    if (primitive.influence_count == kMaxInfluences)
      return attributes.first_error().set(ErrorCode::kResourceLimit,
                                          "found JOINTS_" + number + ", expected " +
                                              std::to_string(kMaxInfluences) +
                                              " sets of joints at most",
                                          attributes.path());
    document.influences.push_back(influence);
    ++primitive.influence_count;
  }
}

void parse_targets(const JsonValue& targets, GltfPrimitive& primitive, GltfDocument& document) {
  primitive.first_target = static_cast<std::uint32_t>(document.targets.size());
  targets.for_each_item([&](const JsonValue& target) {
    document.targets.push_back(
        index_or(target, "POSITION", document.accessors.size(), "accessors", kNoIndex));
    ++primitive.target_count;
  });
}

void parse_primitive(const JsonValue& item, GltfDocument& document) {
  GltfPrimitive primitive;
  const std::size_t accessors = document.accessors.size();
  if (const auto attributes = item.required("attributes")) {
    primitive.positions = index_or(*attributes, "POSITION", accessors, "accessors", kNoIndex);
    parse_influences(*attributes, primitive, document);
  }
  primitive.indices = index_or(item, "indices", accessors, "accessors", kNoIndex);
  if (const auto mode = item.member("mode"))
    primitive.mode = static_cast<std::uint8_t>(mode->index(7, "primitive modes"));
  if (const auto targets = item.member("targets")) parse_targets(*targets, primitive, document);
  if (const auto extensions = item.member("extensions"))
    primitive.compressed = extensions->member("KHR_draco_mesh_compression").has_value();
  document.primitives.push_back(primitive);
}

GltfWeights parse_weights(const JsonValue& owner, GltfDocument& document) {
  GltfWeights range{static_cast<std::uint32_t>(document.weights.size()), 0};
  if (const auto weights = owner.member("weights"))
    weights->for_each_item([&](const JsonValue& weight) {
      document.weights.push_back(weight.number());
      ++range.count;
    });
  return range;
}

void parse_meshes(const JsonValue& root, GltfDocument& document) {
  const std::optional<JsonValue> meshes = root.member("meshes");
  if (!meshes) return;
  document.meshes.reserve(meshes->count_items());
  meshes->for_each_item([&](const JsonValue& item) {
    const std::optional<JsonValue> primitives = item.required("primitives");
    if (!primitives) return;
    const std::size_t first = document.primitives.size();
    primitives->for_each_item(
        [&](const JsonValue& primitive) { parse_primitive(primitive, document); });
    document.meshes.push_back({static_cast<std::uint32_t>(first),
                               static_cast<std::uint32_t>(document.primitives.size() - first),
                               parse_weights(item, document)});
  });
}

// ---- skins

void parse_joints(const JsonValue& joints, std::size_t nodes, GltfDocument& document) {
  GltfSkin& skin = document.skins.back();
  joints.for_each_item([&](const JsonValue& joint) {
    document.joints.push_back(joint.index(nodes, "nodes"));
    ++skin.joint_count;
  });
  std::vector<std::uint32_t> sorted(document.joints.begin() + skin.first_joint,
                                    document.joints.end());
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end())
    joints.fail("found node " + std::to_string(*twice) + " twice, expected joints that differ");
}

void parse_skins(const JsonValue& root, GltfDocument& document) {
  const std::optional<JsonValue> skins = root.member("skins");
  if (!skins) return;
  const std::optional<JsonValue> nodes = root.member("nodes");
  const std::size_t node_count = nodes ? nodes->count_items() : 0;
  skins->for_each_item([&](const JsonValue& item) {
    document.skins.push_back(
        {static_cast<std::uint32_t>(document.joints.size()), 0,
         index_or(item, "inverseBindMatrices", document.accessors.size(), "accessors", kNoIndex)});
    if (const auto joints = item.required("joints")) parse_joints(*joints, node_count, document);
  });
}

// ---- nodes

template <std::size_t n>
bool parse_numbers(const JsonValue& value, std::array<double, n>& numbers) {
  if (value.count_items() != n) {
    value.fail("found " + value.describe() + " of " + std::to_string(value.count_items()) +
               " items, expected " + std::to_string(n) + " numbers");
    return false;
  }
  std::size_t i = 0;
  value.for_each_item([&](const JsonValue& item) { numbers[i++] = item.number(); });
  return !value.first_error().failed();
}

// The file has columns first; the last row must be that of an affine map.
std::optional<Placement> parse_matrix(const JsonValue& matrix) {
  std::array<double, 16> m{};
  if (!parse_numbers(matrix, m)) return {};
  if (m[3] != 0 || m[7] != 0 || m[11] != 0 || m[15] != 1) {
    matrix.fail("found a last row other than 0 0 0 1, expected an affine map");
    return {};
  }
  return Placement({m[0], m[4], m[8], m[12], m[1], m[5], m[9], m[13], m[2], m[6], m[10], m[14]});
}

std::optional<Placement> parse_trs(const JsonValue& node, GltfDocument& document) {
  std::array<double, 3> t{0, 0, 0};
  std::array<double, 4> q{0, 0, 0, 1};
  std::array<double, 3> s{1, 1, 1};
  if (const auto translation = node.member("translation")) parse_numbers(*translation, t);
  if (const auto scale = node.member("scale")) parse_numbers(*scale, s);
  if (const auto rotation = node.member("rotation")) {
    if (!parse_numbers(*rotation, q)) return {};
    const double length = length_of(q);
    if (!(length > 0) || !std::isfinite(length)) {
      rotation->fail("found a quaternion of length " + std::to_string(length) + ", expected 1");
      return {};
    }
    if (std::fabs(length - 1) > kQuaternionSlack) ++document.stretched_rotations;
  }
  return placement_of(t, q, s);
}

void parse_placement(const JsonValue& item, GltfNode& node, GltfDocument& document) {
  const std::optional<JsonValue> matrix = item.member("matrix");
  const bool has_trs =
      item.member("translation") || item.member("rotation") || item.member("scale");
  if (matrix && has_trs)
    matrix->fail("found a matrix beside translation, rotation or scale, expected one or the other");
  if (!matrix && !has_trs) return;
  const std::optional<Placement> placement =
      matrix ? parse_matrix(*matrix) : parse_trs(item, document);
  if (!placement || placement->is_identity()) return;
  node.placement = static_cast<std::uint32_t>(document.placements.size());
  document.placements.push_back(*placement);
}

// EXT_mesh_gpu_instancing. Instances without a transform of their own coincide: one is
// as good as all.
void parse_instances(const JsonValue& extension, GltfNodeExtra& extra,
                     const GltfDocument& document) {
  const std::optional<JsonValue> attributes = extension.required("attributes");
  if (!attributes) return;
  std::optional<std::uint64_t> count;
  const auto find = [&](const char* name) {
    const std::uint32_t index =
        index_or(*attributes, name, document.accessors.size(), "accessors", kNoIndex);
    if (index == kNoIndex || extension.first_error().failed()) return index;
    const std::uint64_t found = document.accessors[index].count;
    if (count.value_or(found) != found)
      attributes->fail("found " + std::to_string(found) + " elements of " + name + " beside " +
                       std::to_string(*count) + ", expected as many of each");
    count = found;
    return index;
  };
  extra.translations = find("TRANSLATION");
  extra.rotations = find("ROTATION");
  extra.scales = find("SCALE");
  extra.instances = count.value_or(1);
}

void parse_extra(const JsonValue& item, GltfNode& node, GltfDocument& document) {
  GltfNodeExtra extra;
  extra.skin = index_or(item, "skin", document.skins.size(), "skins", kNoIndex);
  extra.weights = parse_weights(item, document);
  std::optional<JsonValue> instancing;
  const std::optional<JsonValue> extensions = item.member("extensions");
  if (extensions) instancing = extensions->member("EXT_mesh_gpu_instancing");
  if (instancing) parse_instances(*instancing, extra, document);
  if (extra.skin == kNoIndex && extra.weights.count == 0 && !instancing) return;
  node.extra = static_cast<std::uint32_t>(document.extras.size());
  document.extras.push_back(extra);
}

// Children may come before or after their parent, so `nodes` has its full size from the start.
void parse_children(const JsonValue& item, std::uint32_t self, GltfDocument& document) {
  const std::optional<JsonValue> children = item.member("children");
  if (!children) return;
  GltfNode& node = document.nodes[self];
  node.first_child = static_cast<std::uint32_t>(document.children.size());
  children->for_each_item([&](const JsonValue& child) {
    const std::uint32_t index = child.index(document.nodes.size(), "nodes");
    if (child.first_error().failed()) return;
    std::uint32_t& parent = document.nodes[index].parent;
    if (parent != kNoIndex)
      child.fail("found node " + std::to_string(index) + ", which is already a child of node " +
                 std::to_string(parent) + "; expected nodes with one parent each");
    parent = self;
    document.children.push_back(index);
    ++node.child_count;
  });
}

// A node with one parent at most that is on no path from a root is on a cycle or hangs on one.
// Each node is passed twice at most.
void check_for_cycles(const GltfDocument& document, FirstError& first_error) {
  std::vector<std::uint32_t> seen_from(document.nodes.size(), kNoIndex);
  for (std::uint32_t start = 0; start < document.nodes.size(); ++start) {
    std::uint32_t node = start;
    while (node != kNoIndex && seen_from[node] == kNoIndex) {
      seen_from[node] = start;
      node = document.nodes[node].parent;
    }
    if (node == kNoIndex || seen_from[node] != start) continue;
    const std::string name = std::to_string(node);
    return first_error.set("found node " + name + " among its own descendants, expected a tree",
                           "nodes[" + name + ']');
  }
}

void parse_nodes(const JsonValue& root, GltfDocument& document) {
  const std::optional<JsonValue> nodes = root.member("nodes");
  if (!nodes) return;
  document.nodes.resize(nodes->count_items());
  std::uint32_t self = 0;
  nodes->for_each_item([&](const JsonValue& item) {
    GltfNode& node = document.nodes[self];
    node.mesh = index_or(item, "mesh", document.meshes.size(), "meshes", kNoIndex);
    parse_extra(item, node, document);
    parse_placement(item, node, document);
    parse_children(item, self, document);
    ++self;
  });
  if (!root.first_error().failed()) check_for_cycles(document, root.first_error());
}

// ---- scenes

void parse_scene_roots(const JsonValue& scene, std::vector<bool>& taken, GltfDocument& document) {
  const std::optional<JsonValue> nodes = scene.member("nodes");
  if (!nodes) return;
  nodes->for_each_item([&](const JsonValue& item) {
    const std::uint32_t node = item.index(document.nodes.size(), "nodes");
    if (item.first_error().failed()) return;
    if (document.nodes[node].parent != kNoIndex)
      item.fail("found node " + std::to_string(node) + ", which is a child of node " +
                std::to_string(document.nodes[node].parent) + "; expected a root");
    if (taken[node]) return;  // named by several scenes
    taken[node] = true;
    document.roots.push_back(node);
  });
}

// The default scene; without one all scenes; without scenes every root.
void parse_scenes(const JsonValue& root, GltfDocument& document) {
  const std::optional<JsonValue> scenes = root.member("scenes");
  const std::size_t count = scenes ? scenes->count_items() : 0;
  const std::uint32_t wanted = index_or(root, "scene", count, "scenes", kNoIndex);
  if (root.first_error().failed()) return;
  if (count == 0) {
    for (std::uint32_t node = 0; node < document.nodes.size(); ++node)
      if (document.nodes[node].parent == kNoIndex) document.roots.push_back(node);
    if (!document.nodes.empty())
      document.notices.push_back({"scene", "the file has no scene: all its nodes are measured"});
    return;
  }
  if (wanted == kNoIndex && count > 1)
    document.notices.push_back({"scene", "the file names no default scene: its " +
                                             std::to_string(count) +
                                             " scenes are measured together"});
  std::vector<bool> taken(document.nodes.size());
  std::uint32_t index = 0;
  scenes->for_each_item([&](const JsonValue& scene) {
    if (wanted == kNoIndex || wanted == index) parse_scene_roots(scene, taken, document);
    ++index;
  });
}

GltfDocument parse_document(const JsonValue& root, bool has_binary_chunk) {
  GltfDocument document;
  if (!root.is_object()) {
    root.fail("found " + root.describe() + ", expected a glTF document, which is an object");
    return document;
  }
  const FirstError& first_error = root.first_error();
  parse_asset(root);
  if (!first_error.failed()) parse_extensions(root, document);
  if (!first_error.failed()) parse_buffers(root, has_binary_chunk, document);
  if (!first_error.failed()) parse_views(root, document);
  if (!first_error.failed()) parse_accessors(root, document);
  if (!first_error.failed()) parse_meshes(root, document);
  if (!first_error.failed()) parse_skins(root, document);
  if (!first_error.failed()) parse_nodes(root, document);
  if (!first_error.failed()) parse_scenes(root, document);
  return document;
}

Error json_error(simdjson::error_code code, std::string_view json, std::string_view file) {
  const std::string name(file);
  switch (code) {
    case simdjson::DEPTH_ERROR:
      return {ErrorCode::kMalformed,
              "found JSON nested deeper than " + std::to_string(kMaxGltfDepth) +
                  " levels, which no glTF document needs",
              name};
    case simdjson::MEMALLOC:
    case simdjson::CAPACITY:
      return {ErrorCode::kResourceLimit, "not enough memory to parse the JSON", name};
    case simdjson::EMPTY:
      return {ErrorCode::kMalformed, "found no data, expected a glTF document", name};
    default:
      return {ErrorCode::kMalformed,
              "found text that is not JSON (" + std::string(simdjson::error_message(code)) +
                  "), expected a glTF document; it begins with " + in_quotes(json.substr(0, 24)),
              name};
  }
}

}  // namespace

double length_of(const std::array<double, 4>& q) {
  return elementary::hypot(elementary::hypot(q[0], q[1]), elementary::hypot(q[2], q[3]));
}

// R of q = (x, y, z, w) is divided by |q|^2, so that the rounding of its four numbers does not
// stretch the solid.
Placement placement_of(const std::array<double, 3>& t, const std::array<double, 4>& quaternion,
                       const std::array<double, 3>& s) {
  std::array<double, 4> q = quaternion;
  // Squares of what is far from 1 may overflow or vanish.
  if (const double length = length_of(q); std::fabs(length - 1) > kQuaternionSlack)
    for (double& component : q) component /= length;
  const auto [x, y, z, w] = q;
  const double k = 2 / ((x * x + y * y) + (z * z + w * w));
  return Placement({(1 - k * (y * y + z * z)) * s[0], k * (x * y - z * w) * s[1],
                    k * (x * z + y * w) * s[2], t[0],  //
                    k * (x * y + z * w) * s[0], (1 - k * (x * x + z * z)) * s[1],
                    k * (y * z - x * w) * s[2], t[1],  //
                    k * (x * z - y * w) * s[0], k * (y * z + x * w) * s[1],
                    (1 - k * (x * x + y * y)) * s[2], t[2]},
                   0x1p-48);  // |R S| is that of S, and no entry is off by more than 16 u of it
}

Result<GltfDocument> parse_gltf(std::string_view json, bool has_binary_chunk,
                                std::string_view file) {
  if (json.starts_with("\xEF\xBB\xBF")) json.remove_prefix(3);
  simdjson::dom::parser parser;
  simdjson::error_code failure =
      parser.allocate(std::max<std::size_t>(json.size(), 32), kMaxGltfDepth);
  simdjson::dom::element root;
  if (failure == simdjson::SUCCESS) failure = parser.parse(json.data(), json.size()).get(root);
  if (failure != simdjson::SUCCESS) return json_error(failure, json, file);
  FirstError first_error(file);
  GltfDocument document = parse_document(JsonValue(root, first_error), has_binary_chunk);
  if (first_error.failed()) return first_error.error();
  return document;
}

}  // namespace plimsoll
