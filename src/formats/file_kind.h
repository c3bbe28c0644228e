// What a file is that is no mesh, or not the one that its name says: for messages.
#pragma once

#include <plimsoll/mesh_io.h>

#include <optional>
#include <string>
#include <string_view>

namespace plimsoll {

/// Says what `text` begins with if no mesh of our formats begins like that: the pointer that
/// git-lfs leaves instead of a file, a page of HTML, another format. Empty if it is none of these.
[[nodiscard]] std::string foreign_kind(std::string_view text);

/// The format in text that `text` looks like: STL, OBJ or glTF.
[[nodiscard]] std::optional<MeshFormat> likely_format(std::string_view text);

}  // namespace plimsoll
