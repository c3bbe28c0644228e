// A text document or, where the input has a zero byte, the JSON and the binary chunk on its two
// sides, in a container whose lengths are right: so the fuzzer need not learn these.
#include <string>
#include <string_view>

#include "check_reader.h"
#include "support/gltf_builder.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace plimsoll;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t zero = input.find('\0');
  if (zero == std::string_view::npos) return fuzz::check_reader(data, size, MeshFormat::kGltf);
  const std::string file = test::glb_file(
      test::glb_chunk("JSON", std::string(input.substr(0, zero)), ' ') +
      test::glb_chunk(std::string_view("BIN\0", 4), std::string(input.substr(zero + 1)), '\0'));
  return fuzz::check_reader(reinterpret_cast<const std::uint8_t*>(file.data()), file.size(),
                            MeshFormat::kGlb);
}
