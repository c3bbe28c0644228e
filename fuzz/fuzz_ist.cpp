// A file of a sphere tree is refused with its place, or makes a tree that answers, and that is
// written and read again to the same bits. The checksum is made to fit, which would keep most data
// from being looked at.
#include <plimsoll/sphere_tree.h>

#include <cstring>
#include <string>
#include <vector>

#include "check_reader.h"
#include "core/crc32.h"
#include "formats/byte_order.h"

namespace {

using namespace plimsoll;

void set_checksum(std::vector<std::byte>& bytes) {
  constexpr std::size_t kAt = 12, kSummed = 16;
  if (bytes.size() < kSummed) return;
  const auto sum = ordered_bytes(crc32(std::span(bytes).subspan(kSummed)), std::endian::little);
  std::copy(sum.begin(), sum.end(), bytes.begin() + kAt);
}

/// A tree answers, unless its coordinates are so large that the answer is no double.
template <class T>
void require_answer(const Result<T>& answer, const char* what) {
  fuzz::require(
      answer || (answer.error().code == ErrorCode::kInvalidArgument &&
                 answer.error().message.find("beyond the largest double") != std::string::npos),
      what);
}

void ask(const SphereTree& tree) {
  SphereSearch search;
  Similarity beside = Similarity::Identity();
  beside.translation() = Vec3(0.7, 0.1, 0.2);
  fuzz::require(search.spheres_meet(tree, beside, tree, Similarity::Identity()).has_value(),
                "a question without an answer");
  require_answer(search.distance(tree, beside, tree, Similarity::Identity()),
                 "a distance without an answer");
  const Result<SphereTreeDistance> in_no_time =
      search.distance(tree, beside, tree, Similarity::Identity(), {.max_time = 0});
  require_answer(in_no_time, "a distance in no time without an answer");
  const Result<SphereVolume> shared = search.volume(tree, beside, tree, Similarity::Identity());
  require_answer(shared, "a volume without an answer");
  fuzz::require(!shared || !(shared->upper < shared->lower), "bounds that enclose nothing");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto given = std::as_bytes(std::span(data, size));
  std::vector<std::byte> bytes(given.begin(), given.end());
  set_checksum(bytes);
  const Result<SphereTree> tree = SphereTree::from_bytes(bytes, "input");
  if (!tree) {
    fuzz::require(!tree.error().message.empty(), "an error without a message");
    fuzz::require(tree.error().where.starts_with("input"), "an error that does not name the file");
    return 0;
  }
  fuzz::require(!tree->spheres().empty(), "a tree without spheres");
  const std::vector<std::byte> written = tree->to_bytes();
  fuzz::require(written.size() == bytes.size(), "another size than that of the file");
  const Result<SphereTree> again = SphereTree::from_bytes(written, "input");
  fuzz::require(again.has_value(), "a tree that cannot be read again");
  fuzz::require(again->to_bytes() == written, "a tree that changes when it is read again");
  ask(*tree);
  return 0;
}
