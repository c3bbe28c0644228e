#include "check_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return plimsoll::fuzz::check_reader(data, size, plimsoll::MeshFormat::k3mf);
}
