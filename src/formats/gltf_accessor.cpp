#include "formats/gltf_accessor.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace plimsoll {
namespace {

enum ComponentType : std::uint32_t {
  kByte = 5120,
  kUnsignedByte = 5121,
  kShort = 5122,
  kUnsignedShort = 5123,
  kUnsignedInt = 5125,
  kFloat = 5126
};

std::size_t size_of(std::uint32_t component_type) {
  switch (component_type) {
    case kByte:
    case kUnsignedByte:
      return 1;
    case kShort:
    case kUnsignedShort:
      return 2;
    default:
      return 4;
  }
}

// glTF is little-endian throughout; elements need not be aligned here.
template <class T>
T load(const std::byte* p) {
  std::array<std::byte, sizeof(T)> bytes;
  std::memcpy(bytes.data(), p, sizeof(T));
  if constexpr (std::endian::native == std::endian::big) std::reverse(bytes.begin(), bytes.end());
  return std::bit_cast<T>(bytes);
}

std::uint32_t load_index(const std::byte* p, std::uint32_t component_type) {
  switch (component_type) {
    case kUnsignedByte:
      return load<std::uint8_t>(p);
    case kUnsignedShort:
      return load<std::uint16_t>(p);
    default:
      return load<std::uint32_t>(p);
  }
}

double load_coordinate(const std::byte* p, std::uint32_t component_type, bool normalized) {
  switch (component_type) {
    case kByte: {
      const double value = load<std::int8_t>(p);
      return normalized ? std::max(value / 127, -1.0) : value;
    }
    case kUnsignedByte:
      return load<std::uint8_t>(p) / (normalized ? 255.0 : 1.0);
    case kShort: {
      const double value = load<std::int16_t>(p);
      return normalized ? std::max(value / 32767, -1.0) : value;
    }
    case kUnsignedShort:
      return load<std::uint16_t>(p) / (normalized ? 65535.0 : 1.0);
    default:
      return load<float>(p);
  }
}

bool is_index_type(std::uint32_t type) {
  return type == kUnsignedByte || type == kUnsignedShort || type == kUnsignedInt;
}

constexpr std::size_t components_of(GltfShape shape) {
  return shape == GltfShape::kMat4   ? 16
         : shape == GltfShape::kVec4 ? 4
         : shape == GltfShape::kVec3 ? 3
                                     : 1;
}

// What the elements of a use may be, but for indices and positions, whose rules depend on more.
struct Rule {
  GltfUse use;
  GltfShape shape;
  const char* words;
  bool floats;               // allowed
  bool normalized_unsigned;  // 8 and 16 bits
  bool normalized_signed;
  bool unsigned_integers;
};
constexpr std::array<Rule, 5> kRules{
    {{GltfUse::kJoints, GltfShape::kVec4,
      "joints, expected VEC4 of 5121 or 5123 (unsigned integers)", false, false, false, true},
     {GltfUse::kWeights, GltfShape::kVec4,
      "weights of joints, expected VEC4 of 5126 (float), or of 5121 or 5123, normalized", true,
      true, false, false},
     {GltfUse::kMatrices, GltfShape::kMat4, "matrices, expected MAT4 of 5126 (float)", true, false,
      false, false},
     {GltfUse::kVectors, GltfShape::kVec3,
      "translations or scales of instances, expected VEC3 of 5126 (float)", true, false, false,
      false},
     {GltfUse::kRotations, GltfShape::kVec4,
      "rotations of instances, expected VEC4 of 5126 (float), or of 5120 or 5122, normalized", true,
      false, true, false}}};

std::string rule_fault(const GltfAccessor& accessor, GltfUse use) {
  const auto* rule =
      std::find_if(kRules.begin(), kRules.end(), [&](const Rule& r) { return r.use == use; });
  const std::uint32_t type = accessor.component_type;
  const bool is_unsigned = type == kUnsignedByte || type == kUnsignedShort;
  const bool is_signed = type == kByte || type == kShort;
  const bool allowed =
      accessor.normalized
          ? (rule->normalized_unsigned && is_unsigned) || (rule->normalized_signed && is_signed)
          : (rule->floats && type == kFloat) || (rule->unsigned_integers && is_unsigned);
  if (allowed && accessor.shape == rule->shape) return {};
  return "found " + std::to_string(components_of(accessor.shape)) + " components of type " +
         std::to_string(type) + (accessor.normalized ? ", normalized," : "") + " for " +
         rule->words;
}

std::string type_fault(const GltfDocument& document, const GltfAccessor& accessor, GltfUse use) {
  if (use != GltfUse::kIndices && use != GltfUse::kPositions) return rule_fault(accessor, use);
  const std::uint32_t type = accessor.component_type;
  const std::string found = "found component type " + std::to_string(type);
  if (use == GltfUse::kIndices) {
    if (accessor.shape != GltfShape::kScalar)
      return "found a type other than SCALAR for indices, expected SCALAR";
    if (is_index_type(type) && !accessor.normalized) return {};
    return found + (accessor.normalized ? ", normalized," : "") +
           " for indices, expected 5121, 5123 or 5125 (unsigned integers)";
  }
  if (accessor.shape != GltfShape::kVec3)
    return "found a type other than VEC3 for positions, expected VEC3";
  if (type == kFloat) return {};
  if (type < kByte || type > kUnsignedShort) return found + " for positions, expected 5126 (float)";
  if (document.quantized_positions) return {};
  return found + " for positions, expected 5126 (float) as KHR_mesh_quantization is not in use";
}

/// What forbids `count` elements from `offset` on in a view; empty: nothing.
std::string range_fault(const GltfDocument& document, std::uint32_t view_index,
                        std::uint64_t offset, std::uint64_t count, std::size_t element_size,
                        bool strided) {
  const GltfView& view = document.views[view_index];
  const std::string name = "bufferViews[" + std::to_string(view_index) + ']';
  const std::uint64_t stride = strided && view.byte_stride != 0 ? view.byte_stride : element_size;
  if (stride < element_size)
    return "found byteStride " + std::to_string(stride) + " in " + name +
           ", expected at least the " + std::to_string(element_size) + " bytes of an element";
  if (count == 0) return {};
  const std::uint64_t length = view.byte_length;
  if (offset <= length && element_size <= length - offset &&
      count - 1 <= (length - offset - element_size) / stride)
    return {};
  return "found " + std::to_string(count) + " elements of " + std::to_string(element_size) +
         " bytes, " + std::to_string(stride) + " apart, from byte " + std::to_string(offset) +
         " on; expected them to lie within the " + std::to_string(length) + " bytes of " + name;
}

std::string sparse_fault(const GltfDocument& document, const GltfAccessor& accessor,
                         std::size_t element_size) {
  const GltfSparse& sparse = document.sparse[accessor.sparse];
  if (sparse.count > accessor.count)
    return "found sparse.count " + std::to_string(sparse.count) +
           ", expected at most count = " + std::to_string(accessor.count);
  if (!is_index_type(sparse.indices_type))
    return "found component type " + std::to_string(sparse.indices_type) +
           " for sparse indices, expected 5121, 5123 or 5125 (unsigned integers)";
  std::string fault = range_fault(document, sparse.indices_view, sparse.indices_offset,
                                  sparse.count, size_of(sparse.indices_type), false);
  if (fault.empty())
    fault = range_fault(document, sparse.values_view, sparse.values_offset, sparse.count,
                        element_size, false);
  return fault;
}

std::size_t element_size_of(const GltfAccessor& accessor) {
  return size_of(accessor.component_type) * components_of(accessor.shape);
}

}  // namespace

std::string accessor_fault(const GltfDocument& document, std::uint32_t index, GltfUse use) {
  const GltfAccessor& accessor = document.accessors[index];
  std::string fault = type_fault(document, accessor, use);
  if (!fault.empty()) return fault;
  const std::size_t size = element_size_of(accessor);
  if (accessor.view != kNoIndex)
    fault = range_fault(document, accessor.view, accessor.byte_offset, accessor.count, size, true);
  if (fault.empty() && accessor.sparse != kNoIndex) fault = sparse_fault(document, accessor, size);
  return fault;
}

std::uint32_t largest_index(const GltfAccessor& indices) {
  switch (indices.component_type) {
    case kUnsignedByte:
      return 0xFF;
    case kUnsignedShort:
      return 0xFFFF;
    default:
      return 0xFFFFFFFF;
  }
}

void mark_buffers(const GltfDocument& document, std::uint32_t index, std::vector<bool>& needed) {
  const GltfAccessor& accessor = document.accessors[index];
  const auto mark = [&](std::uint32_t view) { needed[document.views[view].buffer] = true; };
  if (accessor.view != kNoIndex) mark(accessor.view);
  if (accessor.sparse == kNoIndex) return;
  mark(document.sparse[accessor.sparse].indices_view);
  mark(document.sparse[accessor.sparse].values_view);
}

GltfElements::GltfElements(const GltfDocument& document, const GltfBuffers& buffers,
                           std::uint32_t index) {
  const GltfAccessor& accessor = document.accessors[index];
  const auto start_of = [&](std::uint32_t v, std::uint64_t offset) {
    const GltfView& view = document.views[v];
    return buffers[view.buffer].data() + view.byte_offset + offset;
  };
  count_ = accessor.count;
  component_type_ = accessor.component_type;
  normalized_ = accessor.normalized;
  value_size_ = element_size_of(accessor);
  if (count_ == 0) return;
  if (accessor.view != kNoIndex) {
    const std::uint32_t stride = document.views[accessor.view].byte_stride;
    stride_ = stride == 0 ? value_size_ : stride;
    element_ = start_of(accessor.view, accessor.byte_offset);
  }
  if (accessor.sparse == kNoIndex) return;
  const GltfSparse& sparse = document.sparse[accessor.sparse];
  if (sparse.count == 0) return;
  sparse_type_ = sparse.indices_type;
  sparse_left_ = sparse.count;
  sparse_index_ = start_of(sparse.indices_view, sparse.indices_offset);
  sparse_value_ = start_of(sparse.values_view, sparse.values_offset);
  sparse_at_ = load_index(sparse_index_, sparse_type_);
  sparse_in_order_ = sparse_at_ < count_;
}

// Goes to the next replaced element, which must come after this one.
void GltfElements::advance_sparse() {
  const std::uint64_t before = sparse_at_;
  sparse_at_ = ~std::uint64_t{0};
  if (--sparse_left_ == 0) return;
  sparse_index_ += size_of(sparse_type_);
  sparse_value_ += value_size_;
  sparse_at_ = load_index(sparse_index_, sparse_type_);
  if (sparse_at_ <= before || sparse_at_ >= count_) sparse_in_order_ = false;
}

const std::byte* GltfElements::next() {
  const std::byte* element = element_;
  if (at_ == sparse_at_) {
    element = sparse_value_;
    advance_sparse();
  }
  ++at_;
  // Not past the last element: the buffer may end there.
  if (element_ != nullptr && at_ < count_) element_ += stride_;
  return element;
}

template <std::size_t n>
std::array<double, n> GltfElements::next_components() {
  std::array<double, n> components{};
  const std::byte* p = next();
  if (p == nullptr) return components;
  const std::size_t step = size_of(component_type_);
  for (std::size_t i = 0; i < n; ++i)
    components[i] = load_coordinate(p + i * step, component_type_, normalized_);
  return components;
}

Vec3 GltfElements::next_position() {
  const auto [x, y, z] = next_components<3>();
  return {x, y, z};
}

std::array<double, 4> GltfElements::next_four() { return next_components<4>(); }

std::array<double, 16> GltfElements::next_matrix() { return next_components<16>(); }

std::uint32_t GltfElements::next_index() {
  const std::byte* p = next();
  return p == nullptr ? 0 : load_index(p, component_type_);
}

}  // namespace plimsoll
