// glTF 2.0 (.gltf) and its binary container (.glb): the triangles of a scene, each mesh placed by
// every node that shows it. [Khronos2021]
//
// What will be built is counted first (the file may show one mesh a million times) and must stay
// within the limit of placement.h; then it is built in arrays of exactly that size.

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "mesh/counted.h"
#include "mesh/gltf_accessor.h"
#include "mesh/gltf_buffers.h"
#include "mesh/gltf_document.h"
#include "mesh/readers.h"
#include "mesh/text_scanner.h"

namespace plimsoll {
namespace {

enum Mode : std::uint8_t { kTriangles = 4, kTriangleStrip = 5, kTriangleFan = 6 };

// ---- what is to be built

/// The triangles of one primitive; its vertices are one block of the mesh.
struct Drawing {
  std::uint32_t primitive = 0;
  std::uint32_t positions = 0;     ///< Accessor.
  std::uint32_t first_vertex = 0;  ///< Of the block, from the start of the mesh.
};

/// A mesh without what holds no triangles. Primitives that share positions share a block.
struct MeshPlan {
  std::vector<std::uint32_t> blocks;  ///< Accessors of positions.
  std::vector<Drawing> drawings;
  MeshSize size;
};

std::string accessor_name(std::uint32_t index) {
  return "accessors[" + std::to_string(index) + ']';
}

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
      : input_(input), document_(document), first_error_(input.name) {}

  Result<MeshFile> read(std::span<const std::byte> binary_chunk);

 private:
  void plan_mesh(const GltfMesh& mesh, MeshPlan& plan);
  void plan_primitive(std::uint32_t primitive, std::map<std::uint32_t, std::uint32_t>&,
                      MeshPlan& plan);
  void count_instances();
  void check_size();
  void build(const GltfBuffers& buffers);
  void build_instance(const MeshPlan& plan, const Placement& placement);
  void build_block(std::uint32_t accessor, const Placement& placement);
  void build_triangles(const Drawing& drawing, std::uint32_t base, bool reversed);
  void add_notices();
  template <class Visit>
  void for_each_instance(Visit visit) const;

  const ReaderInput& input_;
  const GltfDocument& document_;
  FirstError first_error_;
  const GltfBuffers* buffers_ = nullptr;
  std::vector<MeshPlan> plans_;
  MeshSize total_;
  MeshFile file_;
  std::uint64_t external_bytes_ = 0;

  std::size_t without_surface_ = 0;    // primitives of points and lines
  std::size_t without_positions_ = 0;  // primitives
  std::size_t shown_ = 0;              // instances of meshes
  std::size_t skinned_ = 0;
  std::size_t flattened_ = 0;
};

void SceneReader::plan_primitive(std::uint32_t index,
                                 std::map<std::uint32_t, std::uint32_t>& first_vertices,
                                 MeshPlan& plan) {
  const GltfPrimitive& primitive = document_.primitives[index];
  if (primitive.mode < kTriangles) {
    ++without_surface_;
    return;
  }
  if (primitive.positions == kNone) {
    ++without_positions_;
    return;
  }
  const GltfAccessor& positions = document_.accessors[primitive.positions];
  const bool indexed = primitive.indices != kNone;
  const std::uint32_t corners = indexed ? primitive.indices : primitive.positions;
  if (primitive.compressed &&
      (positions.view == kNone || document_.accessors[corners].view == kNone))
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

  const auto first = static_cast<std::uint32_t>(std::min<std::uint64_t>(plan.size.vertices, kNone));
  const auto [block, is_new] = first_vertices.try_emplace(primitive.positions, first);
  if (is_new) plan.blocks.push_back(primitive.positions);
  plan.drawings.push_back({index, primitive.positions, block->second});
  plan.size += {is_new ? positions.count : 0, triangles};
}

void SceneReader::plan_mesh(const GltfMesh& mesh, MeshPlan& plan) {
  std::map<std::uint32_t, std::uint32_t> first_vertices;
  for (std::uint32_t i = 0; i < mesh.primitive_count && !first_error_.failed(); ++i)
    plan_primitive(mesh.first_primitive + i, first_vertices, plan);
}

/// Calls visit(mesh, node, placement) for each node that shows a mesh, parents before children, in
/// the order of the file. Each node is passed once: nodes form a forest and roots differ.
template <class Visit>
void SceneReader::for_each_instance(Visit visit) const {
  struct Level {
    std::uint32_t node;
    std::uint32_t next_child;
    Placement placement;
  };
  const auto place = [&](const GltfNode& node, const Placement& outer) {
    return node.placement == kNone ? outer : outer * document_.placements[node.placement];
  };
  std::vector<Level> levels;  // not the call stack: nodes may nest as deep as the file is long
  const auto enter = [&](std::uint32_t index, const Placement& outer) {
    const GltfNode& node = document_.nodes[index];
    levels.push_back({index, 0, place(node, outer)});
    // [Khronos2021, sec. 3.7.3.2]: a skinned mesh ignores the transform of its node.
    if (node.mesh != kNone)
      visit(node.mesh, node, node.skinned ? Placement() : levels.back().placement);
  };
  for (const std::uint32_t root : document_.roots) {
    enter(root, Placement());
    while (!levels.empty()) {
      Level& level = levels.back();
      const GltfNode& node = document_.nodes[level.node];
      if (level.next_child == node.child_count) {
        levels.pop_back();
        continue;
      }
      const std::uint32_t child = document_.children[node.first_child + level.next_child++];
      const Placement outer = level.placement;
      enter(child, outer);
    }
  }
}

void SceneReader::count_instances() {
  if (document_.nodes.empty()) {
    for (const MeshPlan& plan : plans_) total_ += plan.size;
    return;
  }
  for_each_instance([&](std::uint32_t mesh, const GltfNode& node, const Placement& placement) {
    total_ += plans_[mesh].size;
    ++shown_;
    if (node.skinned) ++skinned_;
    if (placement.orientation() == 0) ++flattened_;
  });
}

void SceneReader::check_size() {
  if (total_.triangles == 0)
    return first_error_.set(
        ErrorCode::kNoSolid,
        "found no triangles in " + counted(document_.meshes.size(), "mesh", "meshes") +
            ", shown by " + counted(shown_, "node", "nodes") + " of the scene; expected a solid",
        {});
  if (!is_within_limit(total_, input_.data.size() + external_bytes_))
    first_error_.set(ErrorCode::kResourceLimit,
                     "found " + std::to_string(total_.vertices) + " vertices and " +
                         std::to_string(total_.triangles) +
                         " triangles once every instance is counted, more than a file of this "
                         "size may describe",
                     {});
}

// ---- building it

void SceneReader::build_block(std::uint32_t accessor, const Placement& placement) {
  const std::uint64_t count = document_.accessors[accessor].count;
  GltfElements elements(document_, *buffers_, accessor);
  for (std::uint64_t i = 0; i < count; ++i) {
    const Vec3 position = elements.next_position();
    const Vec3 placed = placement(position);
    if (!placed.allFinite()) {
      const std::string element = accessor_name(accessor) + ", element " + std::to_string(i);
      return first_error_.set(
          position.allFinite() ? "found a position that its node moves out of the range of doubles"
                               : "found a coordinate that is not finite, expected a number",
          element);
    }
    file_.mesh.vertices.push_back(placed);
  }
  if (!elements.sparse_in_order())
    first_error_.set("found sparse indices that do not rise or reach beyond count",
                     accessor_name(accessor) + ".sparse");
}

/// The vertices of a primitive's corners, in order.
class Corners {
 public:
  Corners(const GltfDocument& document, const GltfBuffers& buffers, const Drawing& drawing,
          std::uint32_t base, FirstError& first_error)
      : accessor_(document.primitives[drawing.primitive].indices),
        positions_(drawing.positions),
        vertex_count_(document.accessors[drawing.positions].count),
        base_(base + drawing.first_vertex),
        first_error_(first_error) {
    if (accessor_ == kNone) return;
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
  Corners corners(document_, *buffers_, drawing, base, first_error_);
  const auto add = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    file_.mesh.triangles.push_back(reversed ? Triangle{a, c, b} : Triangle{a, b, c});
  };
  const std::uint64_t count =
      document_.accessors[primitive.indices != kNone ? primitive.indices : drawing.positions].count;
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

void SceneReader::build_instance(const MeshPlan& plan, const Placement& placement) {
  const auto base = static_cast<std::uint32_t>(file_.mesh.vertices.size());
  for (const std::uint32_t block : plan.blocks)
    if (!first_error_.failed()) build_block(block, placement);
  // [Khronos2021, sec. 3.7.4]: a negative determinant reverses the winding.
  const bool reversed = placement.orientation() < 0;
  for (const Drawing& drawing : plan.drawings)
    if (!first_error_.failed()) build_triangles(drawing, base, reversed);
}

void SceneReader::build(const GltfBuffers& buffers) {
  buffers_ = &buffers;
  file_.mesh.vertices.reserve(total_.vertices);
  file_.mesh.triangles.reserve(total_.triangles);
  if (document_.nodes.empty())
    for (const MeshPlan& plan : plans_) build_instance(plan, Placement());
  for_each_instance([&](std::uint32_t mesh, const GltfNode&, const Placement& placement) {
    if (!plans_[mesh].drawings.empty() && !first_error_.failed())
      build_instance(plans_[mesh], placement);
  });
}

void SceneReader::add_notices() {
  file_.notices = document_.notices;
  file_.partial = document_.partial;
  const auto add = [&](std::size_t count, const char* code, const std::string& sentence) {
    if (count > 0) file_.notices.push_back({code, sentence});
  };
  add(document_.nodes.empty() ? 1 : 0, "scene",
      "the file has no nodes: its meshes are measured where they are");
  std::size_t hidden = 0;
  for (const GltfNode& node : document_.nodes)
    if (node.mesh != kNone) ++hidden;
  hidden -= shown_;
  add(hidden, "passed_over",
      "left out " + counted(hidden, "node", "nodes") + " with a mesh outside the scene");
  add(without_surface_, "passed_over",
      "passed over " + counted(without_surface_, "primitive", "primitives") +
          " of points or lines, which have no surface");
  add(without_positions_, "passed_over",
      "passed over " + counted(without_positions_, "primitive", "primitives") +
          " without positions");
  add(skinned_, "skin",
      "measured " + counted(skinned_, "skinned mesh", "skinned meshes") +
          " at rest: as stored, without joints and the transform of the node");
  add(flattened_, "flat",
      "found " + counted(flattened_, "mesh", "meshes") +
          " without volume: flattened by the transform of the node");
}

Result<MeshFile> SceneReader::read(std::span<const std::byte> binary_chunk) {
  plans_.resize(document_.meshes.size());
  for (std::size_t m = 0; m < plans_.size() && !first_error_.failed(); ++m)
    plan_mesh(document_.meshes[m], plans_[m]);
  if (first_error_.failed()) return first_error_.error();

  std::vector<bool> needed(document_.buffers.size());
  for (const MeshPlan& plan : plans_) {
    for (const std::uint32_t block : plan.blocks) mark_buffers(document_, block, needed);
    for (const Drawing& drawing : plan.drawings) {
      const std::uint32_t indices = document_.primitives[drawing.primitive].indices;
      if (indices != kNone) mark_buffers(document_, indices, needed);
    }
  }
  Result<GltfBuffers> buffers =
      GltfBuffers::load(document_, binary_chunk, input_.directory, needed, input_.name);
  if (!buffers) return buffers.error();
  external_bytes_ = buffers->external_bytes();

  count_instances();
  check_size();
  if (!first_error_.failed()) build(*buffers);
  if (first_error_.failed()) return first_error_.error();
  add_notices();
  file_.meters_per_unit = 1;
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
      return malformed("found chunk " + std::to_string(chunk) + " of type " + std::to_string(type) +
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
