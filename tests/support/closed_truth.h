// The closed meshes of truth/mass.json whose faces do not cross, with their exact values.
#pragma once

#include <simdjson.h>

#include <string>
#include <vector>

#include "support/shared_meshes.h"

namespace plimsoll::test {

struct TrueMass {
  std::string name;  ///< "meshes/cgal/sphere.off"
  double volume = 0;
};

inline std::vector<TrueMass> clean_meshes() {
  simdjson::dom::parser parser;
  std::vector<TrueMass> meshes;
  for (const simdjson::dom::element entry :
       parser.load((shared_data() / "truth" / "mass.json").string())["cases"].get_array()) {
    const std::string name(entry["mesh"].get_string().value());
    if (entry["clean"].get_bool().value() && holds_plain_mesh(name))
      meshes.push_back({name, std::abs(entry["signed_volume"].get_double().value())});
  }
  return meshes;
}

}  // namespace plimsoll::test
