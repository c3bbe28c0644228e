// glTF 2.0 (.gltf) and its binary container (.glb): the triangles of a scene, each mesh placed by
// every node that shows it. [Khronos2021]
//
// What will be built is counted first (the file may show one mesh a million times) and must stay
// within the limit of placement.h; then it is built in arrays of exactly that size. So is the work
// of moving vertices by morph targets and joints.

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "core/counted.h"
#include "formats/gltf_accessor.h"
#include "formats/gltf_buffers.h"
#include "formats/gltf_document.h"
#include "formats/gltf_nodes.h"
#include "formats/gltf_skins.h"
#include "formats/gltf_vertices.h"
#include "formats/readers.h"
#include "formats/text_scanner.h"

namespace plimsoll {
namespace {

enum Mode : std::uint8_t { kTriangles = 4, kTriangleStrip = 5, kTriangleFan = 6 };

// ---- what is to be built

/// The triangles of one primitive; its vertices are one block of the mesh.
struct Drawing {
  std::uint32_t primitive = 0;
  std::uint32_t first_vertex = 0;  ///< Of the block, from the start of the mesh.
};

/// A mesh without what holds no triangles. Primitives that share positions, and what moves them,
/// share a block.
struct MeshPlan {
  std::vector<std::uint32_t> blocks;  ///< The first primitive of each.
  std::vector<Drawing> drawings;
  MeshSize size;
  std::uint32_t max_influences = 0;  ///< Of a primitive.
};

/// What a primitive's vertices depend on: their accessors.
using BlockKey = std::vector<std::uint32_t>;

BlockKey block_key(const GltfDocument& document, const GltfPrimitive& primitive) {
  BlockKey key{primitive.positions, primitive.target_count};
  for (std::uint32_t k = 0; k < primitive.target_count; ++k)
    key.push_back(document.targets[primitive.first_target + k]);
  for (std::uint32_t k = 0; k < primitive.influence_count; ++k) {
    const GltfInfluence& influence = document.influences[primitive.first_influence + k];
    key.insert(key.end(), {influence.joints, influence.weights});
  }
  return key;
}

// Elements of accessors that may be read to move vertices: time is bounded by the file's size.
constexpr double kMovesBase = 2e7;
constexpr double kMovesPerByte = 20;

/// The number of triangles that `count` corners make; an error where they do not come out even.
std::uint64_t triangle_count(std::uint8_t mode, std::uint64_t count, std::uint32_t accessor,
                             FirstError& first_error) {
  if (count == 0) return 0;
  const std::string found = "found " + std::to_string(count) + " corners of ";
  if (mode == kTriangles) {
    if (count % 3 != 0)
      first_error.set(found + "triangles, expected a multiple of 3", accessor_name(accessor));
    return count / 3;
  }
  if (count < 3) {
    first_error.set(found + "a triangle strip or fan, expected at least 3",
                    accessor_name(accessor));
    return 0;
  }
  return count - 2;
}

class SceneReader {
 public:
  SceneReader(const ReaderInput& input, const GltfDocument& document)
      : input_(input), document_(document), first_error_(input.name), skins_(document) {}

  Result<MeshFile> read(std::span<const std::byte> binary_chunk);

 private:
  void plan_mesh(const GltfMesh& mesh, MeshPlan& plan);
  void plan_primitive(std::uint32_t index, std::map<BlockKey, std::uint32_t>& first_vertices,
                      MeshPlan& plan);
  void plan_node(const GltfNode& node);
  void add_moves(double count);
  void plan_weights(const MeshPlan& plan, std::span<const double> weights, bool has_skin);
  void plan_instances(const GltfNodeExtra& extra);
  void mark_plans();
  void count_node(const GltfNode& node);
  void count_instances();
  void check_size();
  void build(const GltfBuffers& buffers);
  void build_node(const GltfNode& node, const Placement& placement);
  void build_instance(const MeshPlan& plan, const GltfPose& pose);
  void build_block(const GltfPrimitive& primitive, const GltfPose& pose);
  void build_triangles(const Drawing& drawing, std::uint32_t base, bool reversed);
  void add_notices();
  template <class Visit>
  void for_each_shown(Visit visit) const;

  [[nodiscard]] const GltfNodeExtra& extra_of(const GltfNode& node) const {
    static constexpr GltfNodeExtra kPlain;
    return node.extra == kNoIndex ? kPlain : document_.extras[node.extra];
  }
  [[nodiscard]] std::span<const double> weights_of(const GltfNode& node) const {
    const GltfWeights& own = extra_of(node).weights;
    const GltfWeights& range = own.count > 0 ? own : document_.meshes[node.mesh].weights;
    return std::span(document_.weights).subspan(range.first, range.count);
  }

  const ReaderInput& input_;
  const GltfDocument& document_;
  FirstError first_error_;
  const GltfBuffers* buffers_ = nullptr;
  std::vector<bool> needed_;  // buffers
  std::vector<MeshPlan> plans_;
  std::vector<bool> checked_;       // meshes whose own weights are known to be sound,
  std::vector<bool> skin_checked_;  // and those shown with a skin
  GltfSkins skins_;                 // shown ones
  MeshSize total_;
  double moves_ = 0;
  MeshFile file_;
  std::uint64_t external_bytes_ = 0;

  std::size_t without_surface_ = 0;    // primitives of points and lines
  std::size_t without_positions_ = 0;  // primitives
  std::size_t shown_ = 0;              // nodes with a mesh
  std::size_t skinned_ = 0;
  std::size_t morphed_ = 0;
  std::size_t copied_ = 0;      // nodes shown several times
  std::size_t not_copied_ = 0;  // because they have a skin
  std::size_t unbound_ = 0;     // primitives
  std::size_t unbalanced_ = 0;  // vertices
  std::size_t stretched_ = 0;   // rotations of instances
  std::size_t flattened_ = 0;
};

void SceneReader::plan_primitive(std::uint32_t index,
                                 std::map<BlockKey, std::uint32_t>& first_vertices,
                                 MeshPlan& plan) {
  const GltfPrimitive& primitive = document_.primitives[index];
  if (primitive.mode < kTriangles) {
    ++without_surface_;
    return;
  }
  if (primitive.positions == kNoIndex) {
    ++without_positions_;
    return;
  }
  const GltfAccessor& positions = document_.accessors[primitive.positions];
  const bool indexed = primitive.indices != kNoIndex;
  const std::uint32_t corners = indexed ? primitive.indices : primitive.positions;
  if (primitive.compressed &&
      (positions.view == kNoIndex || document_.accessors[corners].view == kNoIndex))
    return first_error_.set(ErrorCode::kUnsupported,
                            "found a primitive compressed by KHR_draco_mesh_compression, which is "
                            "not read here: decompress the file first",
                            accessor_name(primitive.positions));
  std::string fault = accessor_fault(document_, primitive.positions, GltfUse::kPositions);
  if (!fault.empty()) return first_error_.set(fault, accessor_name(primitive.positions));
  if (indexed) fault = accessor_fault(document_, corners, GltfUse::kIndices);
  if (!fault.empty()) return first_error_.set(fault, accessor_name(corners));
  const std::uint64_t triangles =
      triangle_count(primitive.mode, document_.accessors[corners].count, corners, first_error_);
  if (triangles == 0) return;

  const auto first =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(plan.size.vertices, kNoIndex));
  const auto [block, is_new] = first_vertices.try_emplace(block_key(document_, primitive), first);
  if (is_new) plan.blocks.push_back(index);
  plan.max_influences = std::max(plan.max_influences, primitive.influence_count);
  plan.drawings.push_back({index, block->second});
  plan.size += {is_new ? positions.count : 0, triangles};
}

void SceneReader::plan_mesh(const GltfMesh& mesh, MeshPlan& plan) {
  std::map<BlockKey, std::uint32_t> first_vertices;
  for (std::uint32_t i = 0; i < mesh.primitive_count && !first_error_.failed(); ++i)
    plan_primitive(mesh.first_primitive + i, first_vertices, plan);
}

/// Calls visit(node, placement) for each node that shows a mesh; of a file without nodes, as if
/// each mesh had one.
template <class Visit>
void SceneReader::for_each_shown(Visit visit) const {
  const auto show = [&](const GltfNode& node, const Placement& placement) {
    if (node.mesh != kNoIndex && !first_error_.failed()) visit(node, placement);
  };
  if (document_.nodes.empty())
    for (std::uint32_t mesh = 0; mesh < plans_.size(); ++mesh) show({.mesh = mesh}, {});
  for_each_node(document_, document_.roots, [&](std::uint32_t index, const Placement& placement) {
    show(document_.nodes[index], placement);
  });
}

// ---- what moves vertices

/// Counts elements that are read to move vertices.
void SceneReader::add_moves(double count) {
  moves_ += count;
  const auto bytes = static_cast<double>(input_.data.size() + external_bytes_);
  if (moves_ > kMovesBase + kMovesPerByte * bytes)
    first_error_.set(ErrorCode::kResourceLimit,
                     "found more vertices moved by morph targets and joints than a file of this "
                     "size may have",
                     {});
}

void SceneReader::plan_weights(const MeshPlan& plan, std::span<const double> weights,
                               bool has_skin) {
  add_moves(static_cast<double>(plan.blocks.size()) *
            static_cast<double>(weights.size() + (has_skin ? plan.max_influences : 0)));
  for (const std::uint32_t block : plan.blocks)
    if (!first_error_.failed())
      check_deformation(document_, document_.primitives[block], weights, has_skin, needed_,
                        first_error_);
}

void SceneReader::plan_instances(const GltfNodeExtra& extra) {
  const auto check = [&](std::uint32_t accessor, GltfUse use) {
    if (accessor == kNoIndex) return;
    const std::string fault = accessor_fault(document_, accessor, use);
    if (!fault.empty()) return first_error_.set(fault, accessor_name(accessor));
    mark_buffers(document_, accessor, needed_);
  };
  check(extra.translations, GltfUse::kVectors);
  check(extra.rotations, GltfUse::kRotations);
  check(extra.scales, GltfUse::kVectors);
}

/// Checks what moves the mesh of a node. The weights of a mesh are checked once, not by each node.
void SceneReader::plan_node(const GltfNode& node) {
  const MeshPlan& plan = plans_[node.mesh];
  if (plan.drawings.empty()) return;
  const GltfNodeExtra& extra = extra_of(node);
  const bool has_skin = extra.skin != kNoIndex;
  if (has_skin)
    skins_.add(extra.skin, needed_, first_error_);
  else
    plan_instances(extra);
  std::vector<bool>& checked = has_skin ? skin_checked_ : checked_;
  if (extra.weights.count == 0 && checked[node.mesh]) return;
  if (extra.weights.count == 0) checked[node.mesh] = true;
  plan_weights(plan, weights_of(node), has_skin);
}

void SceneReader::mark_plans() {
  for (const MeshPlan& plan : plans_) {
    for (const std::uint32_t block : plan.blocks)
      mark_buffers(document_, document_.primitives[block].positions, needed_);
    for (const Drawing& drawing : plan.drawings) {
      const std::uint32_t indices = document_.primitives[drawing.primitive].indices;
      if (indices != kNoIndex) mark_buffers(document_, indices, needed_);
    }
  }
}

void SceneReader::count_node(const GltfNode& node) {
  const MeshPlan& plan = plans_[node.mesh];
  if (plan.drawings.empty()) return;
  const GltfNodeExtra& extra = extra_of(node);
  const bool has_skin = extra.skin != kNoIndex;
  const std::uint64_t copies = has_skin ? 1 : extra.instances;
  const std::span<const double> weights = weights_of(node);
  const auto moved = static_cast<std::size_t>(
      std::count_if(weights.begin(), weights.end(), [](double weight) { return weight != 0; }));
  if (has_skin) ++skinned_;
  if (has_skin && extra.instances != 1) ++not_copied_;
  if (copies != 1) ++copied_;
  if (moved > 0) ++morphed_;
  const MeshSize size = plan.size.times(copies);
  total_ += size;
  const std::size_t each = moved + (has_skin ? 8 * std::size_t{plan.max_influences} : 0);
  add_moves(static_cast<double>(weights.size()) +
            static_cast<double>(size.vertices) * static_cast<double>(each));
}

void SceneReader::count_instances() {
  for_each_shown([&](const GltfNode& node, const Placement&) {
    if (!document_.nodes.empty()) ++shown_;
    count_node(node);
  });
}

void SceneReader::check_size() {
  if (total_.triangles == 0)
    return first_error_.set(
        ErrorCode::kNoSolid,
        "found no triangles in " + counted(document_.meshes.size(), "mesh", "meshes") +
            ", shown by " + counted(shown_, "node", "nodes") + " of the scene; expected a solid",
        {});
  const std::uint64_t bytes = input_.data.size() + external_bytes_;
  if (!is_within_limit(total_, bytes, skins_.bytes()))
    first_error_.set(ErrorCode::kResourceLimit,
                     "found " + std::to_string(total_.vertices) + " vertices and " +
                         std::to_string(total_.triangles) +
                         " triangles once every instance is counted, more than a file of this "
                         "size may describe",
                     {});
}

// ---- building it

void SceneReader::build_block(const GltfPrimitive& primitive, const GltfPose& pose) {
  const std::uint64_t count = document_.accessors[primitive.positions].count;
  GltfVertices vertices(document_, *buffers_, primitive, pose);
  for (std::uint64_t i = 0; i < count; ++i) {
    const Vec3 placed = vertices.next();
    const auto fail = [&](const std::string& message) {
      const std::string element = accessor_name(primitive.positions) + ", element ";
      first_error_.set(message, element + std::to_string(i));
    };
    if (!vertices.fault().empty()) return fail(vertices.fault());
    if (!placed.allFinite())
      return fail(vertices.stored().allFinite()
                      ? "found a position that its node moves out of the range of doubles"
                      : "found a coordinate that is not finite, expected a number");
    file_.mesh.vertices.push_back(placed);
    file_.placement_error = std::max(file_.placement_error, vertices.error());
  }
  file_.resolution = std::max(file_.resolution, vertices.resolution());
  unbalanced_ += vertices.unbalanced_vertices();
  if (vertices.unordered() != kNoIndex)
    first_error_.set("found sparse indices that do not rise or reach beyond count",
                     accessor_name(vertices.unordered()) + ".sparse");
}

/// The vertices of a primitive's corners, in order.
class CornerIndices {
 public:
  CornerIndices(const GltfDocument& document, const GltfBuffers& buffers, const Drawing& drawing,
                std::uint32_t base, FirstError& first_error)
      : accessor_(document.primitives[drawing.primitive].indices),
        positions_(document.primitives[drawing.primitive].positions),
        vertex_count_(document.accessors[positions_].count),
        base_(base + drawing.first_vertex),
        first_error_(first_error) {
    if (accessor_ == kNoIndex) return;
    indices_.emplace(document, buffers, accessor_);
    restart_ = largest_index(document.accessors[accessor_]);
  }

  std::uint32_t next() {
    const std::uint64_t element = at_++;
    if (!indices_) return base_ + static_cast<std::uint32_t>(element);
    const std::uint32_t index = indices_->next_index();
    const bool restarts = index == restart_;
    if (index < vertex_count_ && !restarts) return base_ + index;
    first_error_.set("found index " + std::to_string(index) +
                         (restarts ? ", which restarts a strip and is not allowed in glTF"
                                   : ", expected one below " + std::to_string(vertex_count_) +
                                         ", the count of " + accessor_name(positions_)),
                     accessor_name(accessor_) + ", element " + std::to_string(element));
    return 0;
  }
  [[nodiscard]] bool in_order() const { return !indices_ || indices_->sparse_in_order(); }
  [[nodiscard]] std::uint32_t accessor() const { return accessor_; }

 private:
  std::uint32_t accessor_;
  std::uint32_t positions_;
  std::uint64_t vertex_count_;
  std::uint32_t base_;
  std::optional<GltfElements> indices_;
  std::uint32_t restart_ = 0;  // the largest index, which graphics hardware takes for a mark
  std::uint64_t at_ = 0;
  FirstError& first_error_;
};

// The corners v of triangle i, [Khronos2021, sec. 3.7.2.1]:
//   triangles  v[3 i], v[3 i + 1], v[3 i + 2]
//   strip      v[i], v[i + 1 + i mod 2], v[i + 2 - i mod 2]
//   fan        v[i + 1], v[i + 2], v[0]
void SceneReader::build_triangles(const Drawing& drawing, std::uint32_t base, bool reversed) {
  const GltfPrimitive& primitive = document_.primitives[drawing.primitive];
  CornerIndices corners(document_, *buffers_, drawing, base, first_error_);
  const auto add = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    file_.mesh.triangles.push_back(reversed ? Triangle{a, c, b} : Triangle{a, b, c});
  };
  const std::uint64_t count =
      document_.accessors[primitive.indices != kNoIndex ? primitive.indices : primitive.positions]
          .count;
  if (primitive.mode == kTriangles) {
    for (std::uint64_t i = 0; i < count && !first_error_.failed(); i += 3) {
      const std::uint32_t a = corners.next();
      const std::uint32_t b = corners.next();
      add(a, b, corners.next());
    }
  } else {
    const std::uint32_t first = corners.next();
    std::uint32_t a = first;
    std::uint32_t b = corners.next();
    for (std::uint64_t i = 0; i + 2 < count && !first_error_.failed(); ++i) {
      const std::uint32_t c = corners.next();
      if (primitive.mode == kTriangleFan)
        add(b, c, first);
      else if (i % 2 == 0)
        add(a, b, c);
      else
        add(a, c, b);
      a = b;
      b = c;
    }
  }
  if (!corners.in_order())
    first_error_.set("found sparse indices that do not rise or reach beyond count",
                     accessor_name(corners.accessor()) + ".sparse");
}

void SceneReader::build_instance(const MeshPlan& plan, const GltfPose& pose) {
  const auto base = static_cast<std::uint32_t>(file_.mesh.vertices.size());
  // [Khronos2021, sec. 3.7.3.3]: a skin has joints in place of the transform of its node.
  const auto is_held = [&](const GltfPrimitive& primitive) {
    return pose.skin != nullptr && primitive.influence_count > 0;
  };
  const int orientation = pose.placement.orientation();
  for (const std::uint32_t block : plan.blocks)
    if (!first_error_.failed()) build_block(document_.primitives[block], pose);
  // [Khronos2021, sec. 3.7.4]: a negative determinant reverses the winding.
  for (const Drawing& drawing : plan.drawings) {
    const bool held = is_held(document_.primitives[drawing.primitive]);
    if (first_error_.failed()) return;
    build_triangles(drawing, base, held ? pose.skin->is_mirrored : orientation < 0);
    if (pose.skin != nullptr && !held) ++unbound_;
  }
  if (pose.skin == nullptr && orientation == 0) ++flattened_;
}

/// Shows a mesh once, or for each of its instances: node * T R S, as EXT_mesh_gpu_instancing has
/// it.
void SceneReader::build_node(const GltfNode& node, const Placement& placement) {
  const MeshPlan& plan = plans_[node.mesh];
  if (plan.drawings.empty()) return;
  const GltfNodeExtra& extra = extra_of(node);
  GltfPose pose{placement, weights_of(node), nullptr};
  if (extra.skin != kNoIndex) pose.skin = &skins_[extra.skin];
  const auto elements = [&](std::uint32_t accessor) {
    return accessor == kNoIndex ? std::nullopt
                                : std::optional(GltfElements(document_, *buffers_, accessor));
  };
  std::optional<GltfElements> translations = elements(extra.translations);
  std::optional<GltfElements> rotations = elements(extra.rotations);
  std::optional<GltfElements> scales = elements(extra.scales);
  if (pose.skin != nullptr || (!translations && !rotations && !scales))
    return build_instance(plan, pose);
  const auto three = [](std::optional<GltfElements>& source, double otherwise) {
    const Vec3 v = source ? source->next_position() : Vec3::Constant(otherwise);
    return std::array<double, 3>{v.x(), v.y(), v.z()};
  };
  for (std::uint64_t i = 0; i < extra.instances && !first_error_.failed(); ++i) {
    const std::array<double, 4> q =
        rotations ? rotations->next_four() : std::array<double, 4>{0, 0, 0, 1};
    const double length = length_of(q);
    if (!(length > 0) || !std::isfinite(length))
      return first_error_.set(
          "found a quaternion of length " + std::to_string(length) + ", expected 1",
          accessor_name(extra.rotations) + ", element " + std::to_string(i));
    if (std::fabs(length - 1) > kQuaternionSlack) ++stretched_;
    const std::array<double, 3> t = three(translations, 0);
    pose.placement = placement * placement_of(t, q, three(scales, 1));
    build_instance(plan, pose);
  }
}

void SceneReader::build(const GltfBuffers& buffers) {
  buffers_ = &buffers;
  skins_.pose(buffers, first_error_);
  file_.mesh.vertices.reserve(total_.vertices);
  file_.mesh.triangles.reserve(total_.triangles);
  for_each_shown(
      [&](const GltfNode& node, const Placement& placement) { build_node(node, placement); });
}

void SceneReader::add_notices() {
  file_.notices = document_.notices;
  file_.partial = not_copied_ > 0;
  const auto add = [&](const char* code, const char* what, std::size_t count, const char* one,
                       const char* many, const char* more) {
    if (count > 0) file_.notices.push_back({code, what + counted(count, one, many) + more});
  };
  if (document_.nodes.empty())
    file_.notices.push_back(
        {"scene", "the file has no nodes: its meshes are measured where they are"});
  const auto with_mesh =
      static_cast<std::size_t>(std::count_if(document_.nodes.begin(), document_.nodes.end(),
                                             [](const GltfNode& n) { return n.mesh != kNoIndex; }));
  add("passed_over", "left out ", with_mesh - shown_, "node", "nodes",
      " with a mesh outside the scene");
  add("passed_over", "passed over ", without_surface_, "primitive", "primitives",
      " of points or lines, which have no surface");
  add("passed_over", "passed over ", without_positions_, "primitive", "primitives",
      " without positions");
  add("instances", "measured every instance of ", copied_, "node", "nodes", " with several");
  add("partial", "measured ", not_copied_, "node", "nodes",
      " with a skin beside several instances only once");
  add("morph", "measured ", morphed_, "mesh", "meshes",
      " with morph targets at the weights that the file gives");
  add("skin", "measured ", skinned_, "skinned mesh", "skinned meshes",
      " at rest: where the nodes of its joints are, without animation");
  add("skin", "found ", unbound_, "primitive", "primitives",
      " without joints in a skinned mesh: placed by the node");
  add("skin", "found ", unbalanced_, "vertex", "vertices",
      " whose weights of joints do not sum to 1: taken in proportion");
  add("rotation", "found ", document_.stretched_rotations + stretched_, "quaternion", "quaternions",
      " of another length than 1: taken at that length");
  add("flat", "found ", flattened_, "mesh", "meshes",
      " without volume: flattened by the transform of the node");
}

Result<MeshFile> SceneReader::read(std::span<const std::byte> binary_chunk) {
  plans_.resize(document_.meshes.size());
  for (std::size_t m = 0; m < plans_.size() && !first_error_.failed(); ++m)
    plan_mesh(document_.meshes[m], plans_[m]);
  if (first_error_.failed()) return first_error_.error();

  needed_.resize(document_.buffers.size());
  checked_.resize(plans_.size());
  skin_checked_.resize(plans_.size());
  mark_plans();
  for_each_shown([&](const GltfNode& node, const Placement&) { plan_node(node); });
  if (first_error_.failed()) return first_error_.error();
  moves_ = 0;
  Result<GltfBuffers> buffers =
      GltfBuffers::load(document_, binary_chunk, input_.directory, needed_, input_.name);
  if (!buffers) return buffers.error();
  external_bytes_ = buffers->external_bytes();

  count_instances();
  check_size();
  if (!first_error_.failed()) build(*buffers);
  if (first_error_.failed()) return first_error_.error();
  add_notices();
  file_.meters_per_unit = LengthUnit{1, 1};
  return std::move(file_);
}

Result<MeshFile> read_document(const ReaderInput& input, std::string_view json,
                               std::optional<std::span<const std::byte>> binary_chunk) {
  const Result<GltfDocument> document = parse_gltf(json, binary_chunk.has_value(), input.name);
  if (!document) return document.error();
  return SceneReader(input, *document).read(binary_chunk.value_or(std::span<const std::byte>()));
}

// ---- the binary container

std::uint32_t load_word(std::span<const std::byte> data, std::size_t at) {
  std::uint32_t word = 0;
  for (std::size_t i = 4; i-- > 0;) word = word << 8 | static_cast<std::uint8_t>(data[at + i]);
  return word;
}

std::string_view as_text(std::span<const std::byte> data) {
  return {reinterpret_cast<const char*>(data.data()), data.size()};
}

constexpr std::size_t kHeaderSize = 12;      // magic, version, length
constexpr std::size_t kChunkHeaderSize = 8;  // length, type
constexpr std::uint32_t kJsonChunk = 0x4E4F534A;
constexpr std::uint32_t kBinaryChunk = 0x004E4942;

struct GlbChunks {
  std::string_view json;
  std::optional<std::span<const std::byte>> binary;
  std::size_t bytes_after = 0;  ///< Beyond the length that the header states.
};

Result<GlbChunks> split_glb(const ReaderInput& input) {
  std::span<const std::byte> data = input.data;
  const auto malformed = [&](const std::string& message, std::size_t at) {
    return Error{ErrorCode::kMalformed, message, at_byte(input.name, at)};
  };
  if (!as_text(data).starts_with("glTF"))
    return malformed("found " + in_quotes(as_text(data).substr(0, 4)) +
                         ", expected \"glTF\", which begins a binary glTF",
                     0);
  if (data.size() < kHeaderSize)
    return malformed("found " + std::to_string(data.size()) + " bytes, expected a header of 12", 0);
  if (const std::uint32_t version = load_word(data, 4); version != 2)
    return Error{ErrorCode::kUnsupported,
                 "found binary glTF version " + std::to_string(version) + ", expected 2",
                 at_byte(input.name, 4)};
  const std::uint32_t length = load_word(data, 8);
  if (length > data.size() || length < kHeaderSize)
    return malformed("found a total length of " + std::to_string(length) + ", but the file has " +
                         std::to_string(data.size()) + " bytes",
                     8);
  GlbChunks chunks;
  chunks.bytes_after = data.size() - length;
  data = data.first(length);
  std::size_t at = kHeaderSize;
  for (std::size_t chunk = 0; data.size() - at >= kChunkHeaderSize; ++chunk) {
    const std::uint32_t size = load_word(data, at);
    const std::uint32_t type = load_word(data, at + 4);
    const std::size_t left = data.size() - at - kChunkHeaderSize;
    if (size > left)
      return malformed("found a chunk of " + std::to_string(size) + " bytes, but " +
                           std::to_string(left) + " are left",
                       at);
    const std::span<const std::byte> content = data.subspan(at + kChunkHeaderSize, size);
    if ((chunk == 0) != (type == kJsonChunk))
      return malformed("found chunk " + std::to_string(chunk) + " of type " +
                           in_quotes(as_text(data.subspan(at + 4, 4))) +
                           ", expected one JSON chunk, the first",
                       at);
    if (chunk == 0) chunks.json = as_text(content);
    if (chunk == 1 && type == kBinaryChunk) chunks.binary = content;
    at += kChunkHeaderSize + size;
  }
  if (chunks.json.data() == nullptr) return malformed("found no JSON chunk, expected one", at);
  return chunks;
}

}  // namespace

Result<MeshFile> read_gltf(const ReaderInput& input) {
  if (as_text(input.data).starts_with("glTF"))
    return Error{ErrorCode::kMalformed,
                 "found a binary glTF, expected JSON; its name should end in .glb",
                 at_byte(input.name, 0)};
  return read_document(input, as_text(input.data), {});
}

Result<MeshFile> read_glb(const ReaderInput& input) {
  const Result<GlbChunks> chunks = split_glb(input);
  if (!chunks) return chunks.error();
  Result<MeshFile> file = read_document(input, chunks->json, chunks->binary);
  if (file && chunks->bytes_after > 0)
    file->notices.push_back({"passed_over", "passed over " + std::to_string(chunks->bytes_after) +
                                                " bytes after the end of the binary glTF"});
  return file;
}

}  // namespace plimsoll
