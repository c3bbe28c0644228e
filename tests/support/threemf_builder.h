// 3MF packages of a tetrahedron, of which a test replaces the piece it is about.
#pragma once

#include <string>

#include "support/zip_builder.h"

namespace plimsoll::test {

inline const std::string kCoreNamespace =
    R"(xmlns="http://schemas.microsoft.com/3dmanufacturing/core/2015/02")";

/// Corners at the origin and at 1 on each axis, faces outward, volume 1/6.
inline const std::string kTetrahedronMesh =
    R"(<mesh><vertices><vertex x="0" y="0" z="0"/><vertex x="1" y="0" z="0"/>)"
    R"(<vertex x="0" y="1" z="0"/><vertex x="0" y="0" z="1"/></vertices>)"
    R"(<triangles><triangle v1="0" v2="2" v3="1"/><triangle v1="0" v2="1" v3="3"/>)"
    R"(<triangle v1="0" v2="3" v3="2"/><triangle v1="1" v2="2" v3="3"/></triangles></mesh>)";

struct ThreemfPieces {
  std::string attributes = kCoreNamespace;  ///< Of <model>.
  std::string resources = R"(<object id="1">)" + kTetrahedronMesh + "</object>";
  std::string items = R"(<item objectid="1"/>)";
};

inline std::string threemf_model(const ThreemfPieces& pieces) {
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<model " + pieces.attributes +
         "><resources>" + pieces.resources + "</resources><build>" + pieces.items +
         "</build></model>";
}

inline std::string relationships_to(const std::string& target, const std::string& more = {}) {
  return R"(<?xml version="1.0"?><Relationships )"
         R"(xmlns="http://schemas.openxmlformats.org/package/2006/relationships">)"
         R"(<Relationship Id="r0" Type="http://schemas.openxmlformats.org/package/2006/)"
         R"(relationships/metadata/thumbnail" Target="/Metadata/thumbnail.png"/>)"
         R"(<Relationship Id="r1" Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/)"
         R"(3dmodel" Target=")" +
         target + "\"/>" + more + "</Relationships>";
}

/// A package whose start part is the model.
inline std::string threemf(const std::string& model) {
  ZipBuilder zip;
  zip.add("_rels/.rels", relationships_to("/3D/3dmodel.model"));
  zip.add("3D/3dmodel.model", model);
  return zip.bytes();
}

inline std::string threemf(const ThreemfPieces& pieces) { return threemf(threemf_model(pieces)); }

}  // namespace plimsoll::test
