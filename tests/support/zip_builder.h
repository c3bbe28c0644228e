// Zip archives written byte by byte, so that a test can make one that lies.
// [PKWARE2022, sec. 4.3]
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "support/gltf_builder.h"

namespace plimsoll::test {

/// The remainder of each byte.
inline constexpr std::array<std::uint32_t, 256> kCrcOfByte = [] {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    table[byte] = byte;
    for (int bit = 0; bit < 8; ++bit)
      table[byte] = table[byte] >> 1 ^ (table[byte] & 1 ? 0xEDB88320 : 0);
  }
  return table;
}();

inline std::uint32_t crc32(std::string_view data) {
  std::uint32_t crc = 0xFFFFFFFF;
  for (const char c : data)
    crc = crc >> 8 ^ kCrcOfByte[(crc ^ static_cast<unsigned char>(c)) & 0xFF];
  return ~crc;
}

/// `data` as a deflate stream of blocks that are merely stored. [Deutsch1996, sec. 3.2.4]
inline std::string deflated(std::string_view data) {
  std::string stream;
  do {
    const std::string_view block = data.substr(0, 65535);
    data.remove_prefix(block.size());
    stream += data.empty() ? '\1' : '\0';
    const auto size = static_cast<std::uint16_t>(block.size());
    stream += bytes_of<std::uint16_t>(size, ~size) + std::string(block);
  } while (!data.empty());
  return stream;
}

class ZipBuilder {
 public:
  struct Lies {
    std::uint16_t method = 0;  ///< 0 stored, 8 deflated; others are stored too.
    std::uint16_t flags = 0;   ///< Bit 0: encrypted.
    std::optional<std::uint32_t> stated_size =
        {};  ///< Once unpacked, where it is not the true one.
    std::uint32_t crc_error = 0;
  };

  void add(const std::string& name, const std::string& content) { add(name, content, Lies()); }
  void add(const std::string& name, const std::string& content, const Lies& lies) {
    const std::string packed = lies.method == 8 ? deflated(content) : content;
    const std::string common =
        bytes_of<std::uint16_t>(20, lies.flags, lies.method, 0, 0x21) +
        bytes_of<std::uint32_t>(crc32(content) ^ lies.crc_error, packed.size(),
                                lies.stated_size.value_or(content.size())) +
        bytes_of<std::uint16_t>(name.size(), 0);
    directory_ += "PK\1\2" + bytes_of<std::uint16_t>(20) + common +
                  bytes_of<std::uint16_t>(0, 0, 0) + bytes_of<std::uint32_t>(0, files_.size()) +
                  name;
    files_ += "PK\3\4" + common + name + packed;
    ++count_;
  }

  [[nodiscard]] std::string bytes() const {
    return files_ + directory_ + "PK\5\6" + bytes_of<std::uint16_t>(0, 0, count_, count_) +
           bytes_of<std::uint32_t>(directory_.size(), files_.size()) + bytes_of<std::uint16_t>(0);
  }

 private:
  std::string files_;
  std::string directory_;
  std::uint16_t count_ = 0;
};

}  // namespace plimsoll::test
