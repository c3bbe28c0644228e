// The parts of a zip package in memory, unpacked one by one and never beyond a stated size: deflate
// can shrink a thousandfold, so a small file could otherwise ask for any amount of memory.
#pragma once

#include <plimsoll/result.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

struct zip;

namespace plimsoll {

// What all parts read may hold unpacked: kUnpackedBase + kUnpackedPerByte x the package's size.
// Meshes as XML shrink to between a fifth and a twentieth.
inline constexpr std::uint64_t kUnpackedBase = std::uint64_t{2} << 20;
inline constexpr std::uint64_t kUnpackedPerByte = 40;

class ZipPackage {
 public:
  /// Reads the directory of `data`, which must outlive the result. `file` stands for it in
  /// messages. Errors: `Malformed`, `ResourceLimit`.
  [[nodiscard]] static Result<ZipPackage> open(std::span<const std::byte> data,
                                               std::string_view file);

  /// Whether there is a part of this name, "3D/3dmodel.model". Case does not count
  /// [ECMA2021].
  [[nodiscard]] bool contains(std::string_view part) const;

  /// Unpacks a part. Errors: `Malformed`, also where it is missing, there twice, or not of the size
  /// or checksum stated; `Unsupported` where it is encrypted or neither stored nor deflated;
  /// `ResourceLimit` before it is unpacked.
  [[nodiscard]] Result<std::vector<char>> read(std::string_view part);

  /// Of all parts read so far.
  [[nodiscard]] std::uint64_t unpacked_bytes() const { return unpacked_bytes_; }

 private:
  struct Discard {
    void operator()(zip* archive) const;
  };
  struct Entry {
    std::uint64_t index = 0;
    bool is_unique = true;
  };

  std::unique_ptr<zip, Discard> archive_;
  std::map<std::string, Entry> entries_;  // by name in lower case
  std::string file_;
  std::uint64_t max_unpacked_bytes_ = 0;
  std::uint64_t unpacked_bytes_ = 0;
};

}  // namespace plimsoll
