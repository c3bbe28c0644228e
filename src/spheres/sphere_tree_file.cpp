// Files of sphere trees (.ist), version 1. Little endian, nothing between the parts; counts n of
// vertices, triangles, spheres, kept triangles and nodes:
//
//    0  8 bytes      89 "IST" 0D 0A 1A 0A: other beginnings, also those that a transfer as text
//                    makes of it, are no such file
//    8  u32          version
//   12  u32          CRC-32 of all bytes from 16 on
//   16  u32          branching, 2 to 16
//   20  u32          SecondaryRadii: 0 primary, 1 published, 2 shares
//   24  5 x u64      n_v, n_t, n_s, n_k, n_n
//   64  n_v x 3 f64  vertices of the mesh [m]
//       n_t x 3 u32  its triangles
//       n_s x 4 f64  spheres: center, radius [m]
//       n_s x 8 f64  what they stand for: volume, published volume, uncovered volume, reach, axis
//                    and angle of the cone [m, rad]
//       n_s x u32    how many triangles each keeps
//       n_k x u32    these, ascending for each sphere
//       n_n x u8     children of each node; 0: a leaf. The root first, then level by level
//       n_s x u32    the leaves' spheres
//       rest x 3 f64 centers of the other nodes [m]
//
// Nothing else is in the file, since it follows from these to the last bit: radii, volumes and
// cones of the nodes, mass properties, balls around triangles. So no number of a file can
// contradict another one. Doubles, since the spheres' places decide which pairs meet; nodes have
// no radii that 32 bits would make smaller.
#include <plimsoll/assert.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <exception>
#include <limits>
#include <new>
#include <numbers>
#include <string>
#include <utility>

#include "core/crc32.h"
#include "core/number_text.h"
#include "formats/byte_order.h"
#include "formats/file_bytes.h"
#include "formats/first_error.h"
#include "formats/whole_file.h"
#include "spheres/check_inner_spheres.h"
#include "spheres/sphere_tree_state.h"

namespace plimsoll {
namespace {

constexpr std::array<unsigned char, 8> kMagic{0x89, 'I', 'S', 'T', 0x0D, 0x0A, 0x1A, 0x0A};
constexpr std::uint32_t kVersion = 1;
constexpr std::size_t kVersionAt = 8, kChecksumAt = 12, kBranchingAt = 16, kCountsAt = 24,
                      kHeaderBytes = 64;
constexpr std::size_t kVertexBytes = 24, kTriangleBytes = 12, kSphereBytes = 32, kShareBytes = 64,
                      kWordBytes = 4;
constexpr double kLargest = 1e300;  // length, as pack_spheres_on_lattice has it [m]

struct Counts {
  std::uint64_t vertices = 0, triangles = 0, spheres = 0, kept = 0, nodes = 0;

  [[nodiscard]] std::uint64_t centers() const { return nodes - spheres; }
  /// Preconditions: no part is above 2^40 bytes; nodes >= spheres.
  [[nodiscard]] std::uint64_t file_bytes() const {
    return kHeaderBytes + vertices * kVertexBytes + triangles * kTriangleBytes +
           spheres * (kSphereBytes + kShareBytes + 2 * kWordBytes) + kept * kWordBytes + nodes +
           centers() * kVertexBytes;
  }
};

class Writer {
 public:
  explicit Writer(std::vector<std::byte>& bytes) : bytes_(bytes) {}

  template <class T>
  void put(T value) {
    const auto ordered = ordered_bytes(value, std::endian::little);
    bytes_.insert(bytes_.end(), ordered.begin(), ordered.end());
  }
  void put(const Vec3& v) {
    for (int axis = 0; axis < 3; ++axis) put(v[axis]);
  }

 private:
  std::vector<std::byte>& bytes_;
};

void put_mesh(const MeshView& mesh, Writer& out) {
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v) out.put(mesh.vertex(v));
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t)
    for (const std::uint32_t v : mesh.triangle(t)) out.put(v);
}

void put_spheres(std::span<const PlacedSphere> spheres, const SphereShares& parts, Writer& out) {
  for (const PlacedSphere& sphere : spheres) {
    out.put(sphere.center);
    out.put(sphere.radius);
  }
  for (const SphereShare& share : parts.shares) {
    for (const double x : {share.volume, share.published_volume, share.uncovered, share.reach})
      out.put(x);
    out.put(share.cone.axis);
    out.put(share.cone.angle);
  }
  for (std::size_t i = 0; i < spheres.size(); ++i)
    out.put(static_cast<std::uint32_t>(parts.first_triangle[i + 1] - parts.first_triangle[i]));
  for (const std::uint32_t t : parts.triangles) out.put(t);
}

void put_layout(const HierarchyLayout& layout, Writer& out) {
  for (const std::uint8_t count : layout.children) out.put(count);
  for (const std::uint32_t sphere : layout.spheres) out.put(sphere);
  for (const Vec3& center : layout.centers) out.put(center);
}

/// Reads numbers one after the other. Precondition of all: so many bytes are left.
class Reader {
 public:
  Reader(std::span<const std::byte> bytes, std::size_t at) : bytes_(bytes), at_(at) {}

  [[nodiscard]] std::size_t at() const { return at_; }

  template <class T>
  [[nodiscard]] T take() {
    PLIMSOLL_ASSERT(at_ + sizeof(T) <= bytes_.size(), "the end of the file");
    at_ += sizeof(T);
    return load<T>(bytes_.data() + at_ - sizeof(T), std::endian::little);
  }

 private:
  std::span<const std::byte> bytes_;
  std::size_t at_;
};

/// Reads a whole file; what is wrong is found before memory is taken for what a count promises.
class TreeFile {
 public:
  TreeFile(std::span<const std::byte> bytes, std::string_view name)
      : reader_(bytes, 0), bytes_(bytes), error_(name) {}

  /// The parts of a tree. Members are empty where failed().
  std::size_t branching = 0;
  SecondaryRadii secondary = SecondaryRadii::kShares;
  TriangleMesh mesh;
  std::vector<PlacedSphere> spheres;
  SphereShares parts;
  HierarchyLayout layout;

  void read() {
    for (const auto step : {&TreeFile::read_header, &TreeFile::read_counts, &TreeFile::check_sum,
                            &TreeFile::read_mesh, &TreeFile::read_spheres, &TreeFile::read_shares,
                            &TreeFile::read_kept, &TreeFile::read_children, &TreeFile::read_leaves,
                            &TreeFile::read_centers})
      if (!failed()) (this->*step)();
  }

  [[nodiscard]] bool failed() const { return error_.failed(); }
  [[nodiscard]] const Error& error() const { return error_.error(); }

 private:
  void fail(const std::string& message, std::size_t at) {
    error_.set(message, "byte " + std::to_string(at));
  }

  double real(double low, double high, const char* what) {
    const std::size_t at = reader_.at();
    const auto x = reader_.take<double>();
    if (x >= low && x <= high) return x;
    fail("found " + to_text(x) + " as " + what + ", expected a number from " + to_text(low) +
             " to " + to_text(high),
         at);
    return 0;
  }
  Vec3 point(const char* what, double largest = kLargest) {
    Vec3 p;
    for (int axis = 0; axis < 3; ++axis) p[axis] = real(-largest, largest, what);
    return p;
  }
  double volume(const char* what) { return real(0, std::numeric_limits<double>::max(), what); }
  /// A word from `low` to below `end`.
  std::uint32_t word(std::uint32_t low, std::uint64_t end, const char* what) {
    const std::size_t at = reader_.at();
    const auto x = reader_.take<std::uint32_t>();
    if (x >= low && x < end) return x;
    fail("found " + std::to_string(x) + " as " + what + ", expected one from " +
             std::to_string(low) + " to " + std::to_string(end - 1),
         at);
    return low;
  }

  void read_header() {
    const std::size_t compared = std::min(bytes_.size(), kMagic.size());
    for (std::size_t i = 0; i < compared; ++i)
      if (std::to_integer<unsigned char>(bytes_[i]) != kMagic[i])
        return fail("found another beginning than that of a file of a sphere tree", i);
    if (bytes_.size() < kHeaderBytes)
      return fail("found " + std::to_string(bytes_.size()) + " bytes, expected a header of " +
                      std::to_string(kHeaderBytes),
                  bytes_.size());
    reader_ = Reader(bytes_, kVersionAt);
    if (const auto version = reader_.take<std::uint32_t>(); version != kVersion)
      return error_.set(ErrorCode::kUnsupported,
                        "found version " + std::to_string(version) + ", expected " +
                            std::to_string(kVersion) + ", the one that is read",
                        "byte " + std::to_string(kVersionAt));
    reader_ = Reader(bytes_, kBranchingAt);
    branching = word(2, 17, "the number of children");
    secondary = static_cast<SecondaryRadii>(word(0, 3, "the kind of secondary radii"));
  }

  /// No more than the file has room for: so all sums and products below are small.
  std::uint64_t count(std::uint64_t least, std::size_t bytes_each, const char* what) {
    const std::size_t at = reader_.at();
    const auto n = reader_.take<std::uint64_t>();
    const std::uint64_t most =
        std::min<std::uint64_t>(bytes_.size() / bytes_each, std::uint64_t{0xFFFFFFFF});
    if (n < least || n > most)
      fail("found a count of " + std::to_string(n) + " " + what + ", expected from " +
               std::to_string(least) + " to the " + std::to_string(most) +
               " that the file has room for",
           at);
    return n;
  }

  void read_counts() {
    reader_ = Reader(bytes_, kCountsAt);
    counts_.vertices = count(1, kVertexBytes, "vertices");
    counts_.triangles = count(1, kTriangleBytes, "triangles");
    counts_.spheres = count(1, kSphereBytes + kShareBytes, "spheres");
    counts_.kept = count(0, kWordBytes, "kept triangles");
    counts_.nodes = count(counts_.spheres, 1, "nodes");
    if (!failed() && counts_.file_bytes() != bytes_.size())
      fail("found " + std::to_string(bytes_.size()) + " bytes, expected the " +
               std::to_string(counts_.file_bytes()) + " that its counts make",
           bytes_.size());
  }

  void check_sum() {
    Reader stated(bytes_, kChecksumAt);
    if (stated.take<std::uint32_t>() != crc32(bytes_.subspan(kBranchingAt)))
      fail("found a checksum that is not that of the content: the file was damaged", kChecksumAt);
  }

  void read_mesh() {
    mesh.vertices.resize(counts_.vertices);
    for (Vec3& vertex : mesh.vertices) {
      if (failed()) return;
      vertex = point("a coordinate");
    }
    mesh.triangles.resize(counts_.triangles);
    for (Triangle& triangle : mesh.triangles)
      for (std::uint32_t& v : triangle) {
        if (failed()) return;
        v = word(0, counts_.vertices, "a vertex");
      }
  }

  void read_spheres() {
    spheres.resize(counts_.spheres);
    for (PlacedSphere& sphere : spheres) {
      if (failed()) return;
      sphere.center = point("a coordinate");
      sphere.radius = real(0, kLargest, "a radius");
      largest_ = std::max({largest_, sphere.center.cwiseAbs().maxCoeff(), sphere.radius});
    }
  }

  void read_shares() {
    parts.shares.resize(counts_.spheres);
    for (std::size_t i = 0; i < spheres.size() && !failed(); ++i) {
      SphereShare& share = parts.shares[i];
      share.volume = volume("the volume of a part");
      share.published_volume = volume("a published volume");
      share.uncovered = volume("an uncovered volume");
      share.reach = real(spheres[i].radius, kLargest, "a reach");
      share.cone = cone();
    }
  }
  NormalCone cone() {
    constexpr double kUnit = 1e-9;  // far above the rounding of a unit vector
    const std::size_t at = reader_.at();
    NormalCone cone;
    cone.axis = point("the axis of a cone", 1 + kUnit);
    cone.angle = real(0, std::numbers::pi, "the angle of a cone");
    const double length = cone.axis.norm();
    if (length != 0 && std::fabs(length - 1) > kUnit)
      fail("found an axis of the length " + digits(length) + ", expected 1 or 0", at);
    return cone;
  }

  void read_kept() {
    parts.first_triangle.assign(1, 0);
    parts.first_triangle.reserve(counts_.spheres + 1);
    std::uint64_t left = counts_.kept;
    for (std::size_t i = 0; i < spheres.size() && !failed(); ++i) {
      left -= word(0, left + 1, "how many triangles a sphere keeps");
      parts.first_triangle.push_back(counts_.kept - left);
    }
    if (!failed() && left != 0)
      fail("found " + std::to_string(counts_.kept - left) + " triangles that spheres keep, " +
               "expected the " + std::to_string(counts_.kept) + " of the header",
           reader_.at());
    if (failed()) return;
    parts.triangles.resize(counts_.kept);
    for (std::size_t i = 0; i < spheres.size(); ++i) {
      std::uint32_t least = 0;
      for (std::size_t k = parts.first_triangle[i]; k < parts.first_triangle[i + 1]; ++k) {
        if (failed()) return;
        parts.triangles[k] =
            word(least, counts_.triangles, "the next triangle that a sphere keeps");
        least = parts.triangles[k] + 1;
      }
    }
  }

  void read_children() {
    layout.branching = branching;
    layout.children.resize(counts_.nodes);
    std::vector<std::uint8_t> depths(counts_.nodes);
    std::uint64_t known = 1, leaves = 0;  // nodes that are the root or children so far
    for (std::uint64_t i = 0; i < counts_.nodes; ++i) {
      const std::size_t at = reader_.at();
      const auto children = reader_.take<std::uint8_t>();
      layout.children[i] = children;
      leaves += children == 0 ? 1 : 0;
      if (children > branching || known + children > counts_.nodes)
        return fail("found " + std::to_string(children) + " children, expected up to " +
                        std::to_string(std::min<std::uint64_t>(branching, counts_.nodes - known)),
                    at);
      if (i >= known) return fail("found a node that is no child of one before it", at);
      if (children > 0 && depths[i] >= kMaxSphereDepth)
        return fail("found a node of the depth " + std::to_string(kMaxSphereDepth) +
                        " that has children, expected no deeper ones",
                    at);
      std::fill_n(depths.begin() + static_cast<std::ptrdiff_t>(known), children,
                  static_cast<std::uint8_t>(depths[i] + 1));
      known += children;
    }
    if (leaves != counts_.spheres)
      fail("found " + std::to_string(leaves) + " leaves, expected one for each of the " +
               std::to_string(counts_.spheres) + " spheres",
           reader_.at());
  }

  void read_leaves() {
    std::vector<bool> has_leaf(counts_.spheres);
    layout.spheres.resize(counts_.spheres);
    for (std::uint32_t& sphere : layout.spheres) {
      const std::size_t at = reader_.at();
      sphere = word(0, counts_.spheres, "the sphere of a leaf");
      if (failed()) return;
      if (has_leaf[sphere])
        return fail("found sphere " + std::to_string(sphere) + " in a second leaf", at);
      has_leaf[sphere] = true;
    }
  }

  void read_centers() {
    layout.centers.resize(counts_.centers());
    for (Vec3& center : layout.centers) {
      if (failed()) return;
      center = point("the center of a node", 2 * largest_);
    }
  }

  Reader reader_;
  std::span<const std::byte> bytes_;
  FirstError error_;
  Counts counts_;
  double largest_ = 0;  // of the spheres' coordinates and radii
};

/// Calls `work` and turns what it throws into an Error.
template <class Work>
auto without_exceptions(const Work& work, std::string_view name) -> decltype(work()) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return Error{ErrorCode::kResourceLimit, "not enough memory", std::string(name)};
  } catch (const std::exception& exception) {
    return Error{ErrorCode::kUnreadable, exception.what(), std::string(name)};
  }
}

}  // namespace

std::vector<std::byte> SphereTree::to_bytes() const {
  const State& state = *state_;
  const MeshView& mesh = state.solid.view();
  const HierarchyLayout layout = layout_of(state.hierarchy);
  const Counts counts{mesh.vertex_count(), mesh.triangle_count(), state.spheres.size(),
                      state.shares.triangles.size(), layout.children.size()};
  std::vector<std::byte> bytes;
  bytes.reserve(counts.file_bytes());
  Writer out(bytes);
  for (const unsigned char byte : kMagic) out.put(byte);
  out.put(kVersion);
  out.put(std::uint32_t{0});  // the checksum
  out.put(static_cast<std::uint32_t>(layout.branching));
  out.put(static_cast<std::uint32_t>(state.secondary));
  for (const std::uint64_t n :
       {counts.vertices, counts.triangles, counts.spheres, counts.kept, counts.nodes})
    out.put(n);
  put_mesh(mesh, out);
  put_spheres(state.spheres, state.shares, out);
  put_layout(layout, out);
  const auto sum =
      ordered_bytes(crc32(std::span(bytes).subspan(kBranchingAt)), std::endian::little);
  std::copy(sum.begin(), sum.end(), bytes.begin() + kChecksumAt);
  return bytes;
}

Result<SphereTree> SphereTree::from_bytes(std::span<const std::byte> data, std::string_view name) {
  return without_exceptions(
      [&]() -> Result<SphereTree> {
        TreeFile file(data, name);
        file.read();
        if (file.failed()) return file.error();
        const auto malformed = [&](const std::string& message) {
          return Error{ErrorCode::kMalformed, message, std::string(name) + ": mesh"};
        };
        const Result<ClosedMesh> solid = ClosedMesh::from_triangles(std::move(file.mesh));
        if (!solid) return malformed(solid.error().message);
        if (const Result<void> usable = check_inner_spheres(*solid, file.spheres); !usable)
          return Error{ErrorCode::kMalformed, usable.error().message,
                       std::string(name) + ": " + usable.error().where};
        SphereHierarchy hierarchy =
            make_sphere_hierarchy(file.spheres, file.parts.shares, file.secondary, file.layout);
        auto state =
            std::make_shared<const State>(*solid, std::move(file.spheres), std::move(file.parts),
                                          file.secondary, std::move(hierarchy));
        if (!std::isfinite(state->solid_volume) || !state->center_of_mass.allFinite())
          return malformed("found the volume " + digits(state->solid_volume) +
                           ", expected a solid with a center of mass");
        return SphereTree(std::move(state));
      },
      name);
}

Result<void> SphereTree::save(const std::filesystem::path& path) const {
  return without_exceptions(
      [&]() -> Result<void> {
        const std::vector<std::byte> bytes = to_bytes();
        return write_whole_file(path, [&](std::FILE* file) {
          return std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size() &&
                 std::fflush(file) == 0;
        });
      },
      path.string());
}

Result<SphereTree> SphereTree::load(const std::filesystem::path& path) {
  return without_exceptions(
      [&]() -> Result<SphereTree> {
        const Result<FileBytes> file = read_file(path);
        if (!file) return file.error();
        return from_bytes(file->span(), path.string());
      },
      path.string());
}

}  // namespace plimsoll
