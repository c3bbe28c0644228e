#include <doctest/doctest.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/sphere_tree.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "core/crc32.h"
#include "core/random.h"
#include "solids.h"
#include "support/heap_peak.h"
#include "support/sanitizers.h"
#include "support/scratch_folder.h"

namespace plimsoll {
namespace {

using Bytes = std::vector<std::byte>;

SphereTree packed(const ClosedMesh& solid, std::size_t count, const SphereTreeOptions& options) {
  const Result<SpherePacking> packing = pack_spheres(solid, {.max_count = count});
  REQUIRE(packing);
  Result<SphereTree> tree = SphereTree::create(solid, packing->spheres, options);
  REQUIRE(tree);
  return *std::move(tree);
}

// The address sanitizer looks at some of the places of a file: 3 and 7 have no part in common with
// the sizes of its numbers, so that each byte of some number, and each bit of some byte, is among
// them.
constexpr std::size_t kByteStep = test::kAddressSanitizer ? 3 : 1;
constexpr std::size_t kBitStep = test::kAddressSanitizer ? 7 : 1;

/// A few kilobytes.
SphereTree small_tree() {
  return packed(test::closed(make_box({2, 1, 1})), 12, {.branching = 3, .resolution = 4});
}

Similarity moved_by(const Vec3& shift) {
  Similarity pose = Similarity::Identity();
  pose.translation() = shift;
  return pose;
}

/// All numbers that a search answers, in one row, for poses apart by some of `size`.
std::vector<double> answers(const SphereTree& a, const SphereTree& b, double size = 1) {
  std::vector<double> row{a.solid_volume(), a.coverage(), static_cast<double>(a.memory())};
  const auto add = [&](const Vec3& v) { row.insert(row.end(), {v[0], v[1], v[2]}); };
  add(a.center_of_mass());
  SphereSearch search;
  for (const double shift : {0.1, 0.7, 3.0}) {
    const Similarity pose = moved_by(size * Vec3(shift, 0.05, -0.02));
    const Result<SphereTreeDistance> apart = search.distance(a, Similarity::Identity(), b, pose);
    const Result<SphereVolume> shared =
        search.volume(a, Similarity::Identity(), b, pose, {.with_forces = size < 1e70});
    row.insert(row.end(), {apart ? 1.0 : 0.0, shared ? 1.0 : 0.0});
    if (!apart || !shared) continue;  // numbers that only a forged file has overflow
    row.insert(row.end(), {apart->distance, apart->lower, apart->upper, apart->surfaces_lower});
    add(apart->point_a.value_or(Vec3::Zero()));
    add(apart->point_b.value_or(Vec3::Zero()));
    row.insert(row.end(), {shared->volume, shared->lower, shared->upper});
    add(shared->center.value_or(Vec3::Zero()));
    add(shared->force_a);
    add(shared->torque_b);
  }
  return row;
}

/// Equal to the bit, which NaN is to itself.
bool are_same(const std::vector<double>& x, const std::vector<double>& y) {
  return x.size() == y.size() && std::memcmp(x.data(), y.data(), x.size() * sizeof(double)) == 0;
}

template <class T>
T number_at(const Bytes& bytes, std::size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}
template <class T>
void set_number(Bytes& bytes, std::size_t at, T value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
}
void repair_checksum(Bytes& bytes) { set_number(bytes, 12, crc32(std::span(bytes).subspan(16))); }

/// Where the parts of a file begin, from its documented layout. For machines whose bytes have the
/// order of the file, as number_at() is too.
struct Parts {
  std::size_t vertices, triangles, spheres, shares, kept_counts, kept, children, leaves, centers;

  explicit Parts(const Bytes& file) {
    static_assert(std::endian::native == std::endian::little);
    const auto count = [&](std::size_t i) { return number_at<std::uint64_t>(file, 24 + 8 * i); };
    vertices = 64;
    triangles = vertices + 24 * count(0);
    spheres = triangles + 12 * count(1);
    shares = spheres + 32 * count(2);
    kept_counts = shares + 64 * count(2);
    kept = kept_counts + 4 * count(2);
    children = kept + 4 * count(3);
    leaves = children + count(4);
    centers = leaves + 4 * count(2);
  }
};

TEST_CASE("CRC-32 has the published check value") {
  const char* digits = "123456789";
  CHECK(crc32(std::as_bytes(std::span(digits, 9))) == 0xCBF43926U);
}

TEST_CASE("a tree that was written and read is the same to the last bit") {
  const ClosedMesh torus = test::closed(make_torus(1, 0.4, 24, 12));
  for (const SphereTreeOptions& options :
       {SphereTreeOptions{},
        {.branching = 2, .secondary = SecondaryRadii::kPrimary},
        {.branching = 16, .secondary = SecondaryRadii::kPublished}}) {
    const SphereTree tree = packed(torus, test::kAddressSanitizer ? 60 : 300, options);
    const Bytes bytes = tree.to_bytes();
    const Result<SphereTree> read = SphereTree::from_bytes(bytes);
    REQUIRE(read);
    CHECK(read->to_bytes() == bytes);
    CHECK(are_same(answers(*read, *read), answers(tree, tree)));
    CHECK(are_same(answers(*read, tree), answers(tree, tree)));
  }
}

TEST_CASE("a single sphere is written and read too") {
  const SphereTree tree = packed(test::closed(make_box({1, 1, 1})), 1, {});
  const Result<SphereTree> read = SphereTree::from_bytes(tree.to_bytes());
  REQUIRE(read);
  CHECK(read->spheres().size() == 1);
  CHECK(are_same(answers(*read, *read), answers(tree, tree)));
}

TEST_CASE("the size of a body does not change what a file brings back") {
  for (const double scale : {1e-60, 1e-3, 1e60}) {
    TriangleMesh mesh = make_torus(scale, 0.4 * scale, 12, 8);
    const SphereTree tree = packed(test::closed(std::move(mesh)), 50, {});
    const Bytes bytes = tree.to_bytes();
    const Result<SphereTree> read = SphereTree::from_bytes(bytes);
    REQUIRE(read);
    CHECK(read->to_bytes() == bytes);
    CHECK(are_same(answers(*read, *read, scale), answers(tree, tree, scale)));
  }
}

TEST_CASE("a mesh that is turned inward has the volume of its solid") {
  TriangleMesh box = make_box({2, 1, 1});
  for (Triangle& t : box.triangles) std::swap(t[1], t[2]);
  const SphereTree tree = packed(test::closed(std::move(box)), 12, {});
  CHECK(tree.solid_volume() == 2);  // exact: all products are
  const Result<SphereTree> read = SphereTree::from_bytes(tree.to_bytes());
  REQUIRE(read);
  CHECK(are_same(answers(*read, *read), answers(tree, tree)));
}

TEST_CASE("a file holds what to_bytes returns and is read from its path") {
  const test::ScratchFolder folder;
  const SphereTree tree = small_tree();
  REQUIRE(tree.save(folder / "box.ist"));
  const std::string content = test::read_bytes(folder / "box.ist");
  const Bytes bytes = tree.to_bytes();
  REQUIRE(content.size() == bytes.size());
  CHECK(std::memcmp(content.data(), bytes.data(), bytes.size()) == 0);
  const Result<SphereTree> read = SphereTree::load(folder / "box.ist");
  REQUIRE(read);
  CHECK(read->to_bytes() == bytes);
}

TEST_CASE("paths that cannot be read or written are said") {
  const test::ScratchFolder folder;
  const Result<SphereTree> missing = SphereTree::load(folder / "none.ist");
  REQUIRE(!missing);
  CHECK(missing.error().code == ErrorCode::kUnreadable);
  const Result<void> nowhere = small_tree().save(folder / "no" / "box.ist");
  REQUIRE(!nowhere);
  CHECK(nowhere.error().code == ErrorCode::kUnreadable);
  test::write_bytes(folder / "text.ist", "solid box\n");
  const Result<SphereTree> other = SphereTree::load(folder / "text.ist");
  REQUIRE(!other);
  CHECK(other.error().code == ErrorCode::kMalformed);
  CHECK(other.error().where == (folder / "text.ist").string() + ": byte 0");
}

TEST_CASE("a file with any bit turned is refused") {
  const Bytes file = small_tree().to_bytes();
  for (std::size_t bit = 0; bit < 8 * file.size(); bit += kBitStep) {
    Bytes turned = file;
    turned[bit / 8] ^= static_cast<std::byte>(1U << bit % 8);
    REQUIRE(!SphereTree::from_bytes(turned));
  }
}

TEST_CASE("a file of any other length is refused") {
  Bytes file = small_tree().to_bytes();
  for (std::size_t length = 0; length < file.size(); ++length) {
    const Result<SphereTree> read = SphereTree::from_bytes(std::span(file).first(length));
    REQUIRE(!read);
    REQUIRE(read.error().code == ErrorCode::kMalformed);
  }
  file.push_back(std::byte{0});
  repair_checksum(file);
  CHECK(!SphereTree::from_bytes(file));
}

/// Data are refused with a place, or make a tree that can be asked and written again.
void check_refused_or_usable(const Bytes& data) {
  const Result<SphereTree> read = SphereTree::from_bytes(data, "data");
  if (!read) {
    REQUIRE(!read.error().message.empty());
    REQUIRE(read.error().where.starts_with("data: "));
    return;
  }
  const Result<SphereTree> again = SphereTree::from_bytes(read->to_bytes());
  REQUIRE(again);
  REQUIRE(are_same(answers(*again, *again), answers(*read, *read)));
}

TEST_CASE("a file with any byte changed and the checksum made to fit is refused or usable") {
  const Bytes file = small_tree().to_bytes();
  Random random(1);
  for (std::size_t at = 16; at < file.size(); at += kByteStep)
    for (const auto turn : {std::uint64_t{1}, std::uint64_t{0x80}, 1 + random.below(255)}) {
      Bytes turned = file;
      turned[at] ^= static_cast<std::byte>(turn);
      repair_checksum(turned);
      check_refused_or_usable(turned);
    }
}

TEST_CASE("what no tree has is refused with its place and what was expected") {
  const Bytes file = small_tree().to_bytes();
  const Parts at(file);
  const double infinite = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto refused = [&](std::size_t place, auto value, const std::string& words) {
    Bytes changed = file;
    set_number(changed, place, value);
    repair_checksum(changed);
    const Result<SphereTree> read = SphereTree::from_bytes(changed, "data");
    CAPTURE(words);
    REQUIRE(!read);
    CHECK(read.error().code == ErrorCode::kMalformed);
    CHECK(read.error().message.find(words) != std::string::npos);
    CHECK(read.error().where == "data: byte " + std::to_string(place));
  };
  refused(16, 1U, "the number of children");
  refused(16, 17U, "the number of children");
  refused(20, 3U, "the kind of secondary radii");
  for (std::size_t k = 0; k < 5; ++k) refused(24 + 8 * k, std::uint64_t{1} << 60, "a count of");
  refused(40, std::uint64_t{0}, "a count of 0 spheres");
  refused(at.vertices + 8, infinite, "a coordinate");
  refused(at.triangles + 4, 8U, "a vertex, expected one from 0 to 7");
  refused(at.spheres, nan, "a coordinate");
  refused(at.spheres + 24, -1.0, "a radius");
  refused(at.shares, -1e-9, "the volume of a part");
  refused(at.shares + 8, nan, "a published volume");
  refused(at.shares + 16, infinite, "an uncovered volume");
  refused(at.shares + 24, number_at<double>(file, at.spheres + 24) / 2, "a reach");
  refused(at.shares + 56, 3.2, "the angle of a cone");
  refused(at.kept_counts, 10'000U, "how many triangles a sphere keeps");
  refused(at.kept, 12U, "the next triangle");
  refused(at.kept + 4, number_at<std::uint32_t>(file, at.kept), "the next triangle");
  refused(at.children, std::uint8_t{4}, "found 4 children, expected up to 3");
  refused(at.children + 1, std::uint8_t{200}, "found 200 children");
  refused(at.leaves, 12U, "the sphere of a leaf");
  refused(at.leaves + 4, number_at<std::uint32_t>(file, at.leaves), "a second leaf");
  refused(at.centers, 3.0, "the center of a node");  // no coordinate of a sphere is above 1
}

TEST_CASE("an axis that is no direction is refused") {
  Bytes file = small_tree().to_bytes();
  const Parts at(file);
  set_number(file, at.shares + 32, 0.5);
  set_number(file, at.shares + 40, 0.5);
  repair_checksum(file);
  const Result<SphereTree> read = SphereTree::from_bytes(file);
  REQUIRE(!read);
  CHECK(read.error().message.find("an axis of the length") != std::string::npos);
}

TEST_CASE("nodes that nothing leads to are refused") {
  Bytes file = small_tree().to_bytes();
  const Parts at(file);
  set_number(file, at.children, std::uint8_t{0});
  repair_checksum(file);
  const Result<SphereTree> read = SphereTree::from_bytes(file);
  REQUIRE(!read);
  CHECK(read.error().message == "found a node that is no child of one before it");
}

TEST_CASE("a later version is not taken for this one") {
  Bytes file = small_tree().to_bytes();
  set_number(file, 8, 2U);
  const Result<SphereTree> read = SphereTree::from_bytes(file);
  REQUIRE(!read);
  CHECK(read.error().code == ErrorCode::kUnsupported);
}

TEST_CASE("an open mesh is refused") {
  Bytes file = small_tree().to_bytes();
  const Parts at(file);
  set_number(file, at.triangles, number_at<std::uint32_t>(file, at.triangles + 4));
  repair_checksum(file);
  const Result<SphereTree> read = SphereTree::from_bytes(file, "data");
  REQUIRE(!read);
  CHECK(read.error().code == ErrorCode::kMalformed);
  CHECK(read.error().where == "data: mesh");
}

// A cube of 2e101 is written with a volume that is a number; vertices that are 100 times as far out
// make a cube that contains the same spheres, and whose volume is 8e309.
TEST_CASE("a mesh whose volume is no double is refused") {
  constexpr double kSize = 2e101;
  Bytes file = packed(test::closed(make_box({kSize, kSize, kSize})), 1, {}).to_bytes();
  REQUIRE(SphereTree::from_bytes(file));
  const Parts at(file);
  for (std::size_t place = at.vertices; place < at.triangles; place += 8)
    set_number(file, place, 100 * number_at<double>(file, place));
  repair_checksum(file);
  const Result<SphereTree> read = SphereTree::from_bytes(file, "data");
  REQUIRE(!read);
  CHECK(read.error().code == ErrorCode::kMalformed);
  CHECK(read.error().where == "data: mesh");
  CHECK(read.error().message == "found the volume inf, expected a solid with a center of mass");
}

/// A chain of nodes with one child each above the one leaf, `depth` of them.
Bytes chain(std::size_t depth) {
  const Bytes file = packed(test::closed(make_box({1, 1, 1})), 1, {}).to_bytes();
  const Parts at(file);
  const auto part = [&](std::size_t begin) {
    return file.begin() + static_cast<std::ptrdiff_t>(begin);
  };
  Bytes made(part(0), part(at.children));
  made.insert(made.end(), depth, std::byte{1});
  made.insert(made.end(), part(at.children), part(at.centers));
  made.insert(made.end(), 24 * depth, std::byte{0});
  set_number(made, 56, std::uint64_t{depth + 1});
  repair_checksum(made);
  return made;
}

TEST_CASE("trees may be as deep as searches allow, and no deeper") {
  CHECK(SphereTree::from_bytes(chain(128)));
  const Result<SphereTree> read = SphereTree::from_bytes(chain(129));
  REQUIRE(!read);
  CHECK(read.error().message.find("found a node of the depth 128") == 0);
}

TEST_CASE("counts that promise more than there is take no memory") {
  Bytes file = small_tree().to_bytes();
  for (std::size_t k = 0; k < 5; ++k) {
    Bytes promising = file;
    set_number(promising, 24 + 8 * k, file.size() / 2);
    repair_checksum(promising);
    test::reset_heap_peak();
    CHECK(!SphereTree::from_bytes(promising));
    CHECK(test::heap_peak() < 2000);  // words of the message
  }
}

// A node takes 160 bytes for 25 in a file, a triangle and its edges while they are counted some 100
// for 12; the header says 16 times.
TEST_CASE("reading takes no more memory than 16 times the file") {
  constexpr int kRings = test::kAddressSanitizer ? 20 : 40;
  for (const Bytes& file :
       {packed(test::closed(make_sphere(1, kRings, 2 * kRings)), 1, {}).to_bytes(),
        packed(test::closed(make_box({1, 1, 1})), test::kAddressSanitizer ? 200 : 1000,
               {.branching = 2})
            .to_bytes(),
        chain(128)}) {
    test::reset_heap_peak();
    CHECK(SphereTree::from_bytes(file));
    CHECK(test::heap_peak() < 16 * file.size());
    MESSAGE("times the file: ",
            static_cast<double>(test::heap_peak()) / static_cast<double>(file.size()));
  }
}

}  // namespace
}  // namespace plimsoll
