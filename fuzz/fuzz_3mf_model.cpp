// The XML of a model in a package whose checksums are right: a fuzzer does not find these. What
// follows a zero byte is a second part, /3D/b.model.
#include <string>
#include <string_view>

#include "check_reader.h"
#include "support/threemf_builder.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace plimsoll;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t zero = input.find('\0');
  test::ZipBuilder zip;
  zip.add("_rels/.rels", test::relationships_to("/3D/a.model"));
  zip.add("3D/a.model", std::string(input.substr(0, zero)));
  if (zero != std::string_view::npos) zip.add("3D/b.model", std::string(input.substr(zero + 1)));
  const std::string file = zip.bytes();
  return fuzz::check_reader(reinterpret_cast<const std::uint8_t*>(file.data()), file.size(),
                            MeshFormat::k3mf);
}
