// Patches from a file either name what is wrong, or can be measured and tessellated.
#include <plimsoll/patches.h>

#include "check_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace plimsoll;
  const Result<PatchSurface> surface = read_bpt(std::as_bytes(std::span(data, size)), "input");
  if (!surface) {
    fuzz::require(!surface.error().message.empty(), "an error without a message");
    fuzz::require(surface.error().where.starts_with("input"),
                  "an error that does not name the file");
    return 0;
  }
  fuzz::require(!surface->patches.empty(), "a surface without patches");
  fuzz::require(check_patches(*surface).has_value(), "a patch that cannot be evaluated");
  const Result<TriangleMesh> mesh = tessellate_uniform(*surface, 2);
  fuzz::require(mesh.has_value(), "a surface that is not tessellated");
  return 0;
}
