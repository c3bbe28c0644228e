// What a 3MF package says is to be built is what is measured.
#include <doctest/doctest.h>
#include <plimsoll/mesh_io.h>

#include <cmath>
#include <string>
#include <vector>

#include "formats/read_text.h"
#include "formats/scene_checks.h"
#include "mesh/mesh_properties.h"
#include "support/threemf_builder.h"

namespace plimsoll {
namespace {

using test::has_notice;
using test::kCoreNamespace;
using test::kTetrahedronMesh;
using test::ThreemfPieces;

MeshFile read(const std::string& bytes) {
  Result<MeshFile> file = test::read_text(bytes, MeshFormat::k3mf);
  REQUIRE_MESSAGE(file, file.error().where, " ", file.error().message);
  return *std::move(file);
}

MeshFile read(const ThreemfPieces& pieces) { return read(test::threemf(pieces)); }

double volume(const MeshFile& file) { return test::plain_properties(file.mesh).volume; }

// Volumes of a few units from coordinates of a few units, each rounded a few times.
constexpr double kRounding = 8e-15;

TEST_CASE("a tetrahedron in a 3MF is read in millimeters, stored or deflated") {
  for (const std::uint16_t method : {std::uint16_t{0}, std::uint16_t{8}}) {
    test::ZipBuilder zip;
    zip.add("[Content_Types].xml", "<Types/>");
    zip.add("3D/3dmodel.model", test::threemf_model({}), {.method = method});
    zip.add("_rels/.rels", test::relationships_to("/3D/3dmodel.model"), {.method = method});
    const MeshFile file = read(zip.bytes());
    CHECK(file.mesh.vertices.size() == 4);
    CHECK(file.mesh.triangles.size() == 4);
    CHECK(file.mesh.triangles[0] == Triangle{0, 2, 1});
    CHECK(std::abs(volume(file) - 1.0 / 6) <= kRounding);
    REQUIRE(file.meters_per_unit);
    CHECK(1000 * file.meters_per_unit->numerator == file.meters_per_unit->denominator);
    CHECK(file.unit.empty());  // it names none
    CHECK(file.notices.empty());
  }
}

TEST_CASE("the unit is the one that the model names") {
  const std::vector<std::pair<std::string, double>> microns{
      {"micron", 1},    {"millimeter", 1000}, {"centimeter", 10'000},
      {"inch", 25'400}, {"foot", 304'800},    {"meter", 1'000'000}};
  for (const auto& [name, length] : microns) {
    ThreemfPieces pieces;
    pieces.attributes += " unit=\"" + name + "\"";
    const MeshFile file = read(pieces);
    CHECK(file.unit == name);
    REQUIRE(file.meters_per_unit);
    // An exact ratio, which a double of meters is not.
    CHECK(1e6 * file.meters_per_unit->numerator == length * file.meters_per_unit->denominator);
    CHECK(file.mesh.vertices[1].x() == 1);  // numbers stay in the file's unit
  }
}

TEST_CASE("coordinates are the nearest doubles, in every form that the schema allows") {
  ThreemfPieces pieces;
  pieces.resources = R"(<object id="1"><mesh><vertices>
      <vertex x="0.1" y="-2.5e-3" z="+3"/><vertex x=".5" y="1E2" z="1e-400"/>
      <vertex x=" 7
" y="9007199254740993" z="4.9e-324"/></vertices>
      <triangles><triangle v1="0" v2=" 1 " v3="02"/></triangles></mesh></object>)";
  const MeshFile file = read(pieces);
  CHECK(file.mesh.vertices[0] == Vec3(0.1, -0.0025, 3));
  CHECK(file.mesh.vertices[1] == Vec3(0.5, 100, 0));
  CHECK(file.mesh.vertices[2] == Vec3(7, 9007199254740992, 0x1p-1074));
  CHECK(file.mesh.triangles == std::vector<Triangle>{{0, 1, 2}});
}

// The transform acts on rows: x' = x m00 + y m10 + z m20 + m30.
TEST_CASE("items and components place objects, the inner one first") {
  ThreemfPieces pieces;
  pieces.resources += R"(<object id="2"><components>
      <component objectid="1" transform="0 1 0 -1 0 0 0 0 1 0 0 0"/>
      <component objectid="1"/></components></object>
      <object id="3"><components><component objectid="2" transform="2 0 0 0 1 0 0 0 1 0 0 0"/>
      </components></object>)";
  pieces.items =
      R"(<item objectid="3" transform="1 0 0 0 1 0 0 0 1 10 20 30"/><item objectid="1"/>)";
  const MeshFile file = read(pieces);
  REQUIRE(file.mesh.vertices.size() == 12);
  // A quarter turn takes x to y and y to -x; then x is doubled; then all is moved.
  CHECK(file.mesh.vertices[1] == Vec3(10, 21, 30));
  CHECK(file.mesh.vertices[2] == Vec3(8, 20, 30));
  CHECK(file.mesh.vertices[5] == Vec3(12, 20, 30));
  CHECK(file.mesh.vertices[9] == Vec3(1, 0, 0));
  CHECK(std::abs(volume(file) - 5.0 / 6) <= 100 * kRounding);  // coordinates up to 31
}

TEST_CASE("a mirrored object keeps its outside, and one mirrored twice too") {
  ThreemfPieces pieces;
  pieces.items = R"(<item objectid="1" transform="-1 0 0 0 1 0 0 0 3 0 0 0"/>)";
  CHECK(std::abs(volume(read(pieces)) - 3.0 / 6) <= kRounding);
  pieces.resources += R"(<object id="2"><components>
      <component objectid="1" transform="0 1 0 1 0 0 0 0 1 0 0 0"/></components></object>)";
  pieces.items = R"(<item objectid="2" transform="-1 0 0 0 1 0 0 0 3 0 0 0"/>)";
  CHECK(std::abs(volume(read(pieces)) - 3.0 / 6) <= kRounding);
  pieces.items = R"(<item objectid="1" transform="1 0 0 0 0 0 0 0 1 0 0 0"/>)";
  CHECK(has_notice(read(pieces), "flat", "flattened"));
}

TEST_CASE("supports, surfaces and others are not part of the solid, and said to be left out") {
  ThreemfPieces pieces;
  int id = 2;
  for (const std::string type : {"solidsupport", "support", "other", "surface"})
    pieces.resources += "<object id=\"" + std::to_string(id++) + "\" type=\"" + type + "\">" +
                        kTetrahedronMesh + "</object>";
  pieces.resources += R"(<object id="9" type="other"><components><component objectid="1"/>
      <component objectid="2"/><component objectid="3"/><component objectid="4"/>
      </components></object>)";
  pieces.items = R"(<item objectid="9"/>)";
  const MeshFile file = read(pieces);
  CHECK(file.mesh.triangles.size() == 4);  // the type of an object of components does not count
  CHECK(has_notice(file, "passed_over", "1 object of type solidsupport"));
  CHECK(has_notice(file, "passed_over", "1 object of type support"));
  CHECK(has_notice(file, "passed_over", "1 object of type other"));
  CHECK_FALSE(has_notice(file, "passed_over", "surface"));  // not in the build
}

TEST_CASE("what the build does not name is not measured") {
  ThreemfPieces pieces;
  CHECK_FALSE(has_notice(read(pieces), "passed_over", "the build does not name"));
  pieces.resources += R"(<object id="2">)" + kTetrahedronMesh + "</object>";
  CHECK(read(pieces).mesh.triangles.size() == 4);
  CHECK(has_notice(read(pieces), "passed_over", "left out 1 object that the build does not name"));
  pieces.items.clear();
  test::check_error(test::read_text(test::threemf(pieces), MeshFormat::k3mf), ErrorCode::kNoSolid,
                    "3D/3dmodel.model", "in 0 items of the build");
}

TEST_CASE("names are told apart by namespace, whatever their prefix") {
  const std::string uri = "http://schemas.microsoft.com/3dmanufacturing/core/2015/02";
  std::string mesh = kTetrahedronMesh;
  for (const char* name : {"mesh", "vertices", "vertex", "triangles", "triangle"}) {
    for (const std::string before : {"<", "</"}) {
      const std::string tag = before + name;
      for (std::size_t at = mesh.find(tag); at != std::string::npos; at = mesh.find(tag, at + 1))
        if (const char after = mesh[at + tag.size()]; after == ' ' || after == '>')
          mesh.insert(at + before.size(), "core:");
    }
  }
  CHECK(read(test::threemf("<core:model xmlns:core=\"" + uri +
                           R"("><core:resources><core:object id="1">)" + mesh +
                           "</core:object></core:resources><core:build>" +
                           R"(<core:item objectid="1"/></core:build></core:model>)"))
            .mesh.triangles.size() == 4);
  // An extension may have elements of the same names; they are not the core's.
  ThreemfPieces pieces;
  pieces.attributes += R"( xmlns:v="http://example.org/vendor")";
  pieces.resources += R"(<v:object id="1"/><metadatagroup/>)";
  pieces.items += R"(<v:item objectid="99"/>)";
  CHECK(read(pieces).mesh.triangles.size() == 4);
}

TEST_CASE("objects may lie in other parts of the package") {
  const std::string production =
      kCoreNamespace +
      R"( xmlns:prod="http://schemas.microsoft.com/3dmanufacturing/production/2015/06")"
      R"( requiredextensions="prod")";
  ThreemfPieces root;
  root.attributes = production;
  root.resources += R"(<object id="2"><components>
      <component objectid="1" prod:path="/3D/Objects/a%20part.model" prod:UUID="x"/>
      <component objectid="1" prod:path="/3d/objects/second.MODEL"/>
      <component objectid="1"/></components></object>)";
  root.items = R"(<item objectid="2"/>
      <item objectid="7" q:path="/3D/Objects/a%20part.model"
            xmlns:q="http://schemas.microsoft.com/3dmanufacturing/production/2015/06"/>)";
  ThreemfPieces part;
  part.resources = R"(<object id="1">)" + kTetrahedronMesh + R"(</object><object id="7"><components>
      <component objectid="1"/><component objectid="1"/></components></object>)";
  test::ZipBuilder zip;
  zip.add("_rels/.rels", test::relationships_to("3D/start.model"));
  zip.add("3D/start.model", test::threemf_model(root));
  zip.add("3D/Objects/a part.model", test::threemf_model(part));
  zip.add("3D/Objects/second.model", test::threemf_model({}));
  CHECK(read(zip.bytes()).mesh.triangles.size() == 5 * 4);
}

TEST_CASE("a package without relationships is read from the usual part, with a warning") {
  test::ZipBuilder zip;
  zip.add("3D/3dmodel.model", test::threemf_model({}));
  CHECK(has_notice(read(zip.bytes()), "package", "no _rels/.rels"));
}

TEST_CASE("beam lattices that are not required are passed over, which makes the file partial") {
  ThreemfPieces pieces;
  pieces.attributes +=
      R"( xmlns:b="http://schemas.microsoft.com/3dmanufacturing/beamlattice/2017/02")";
  std::string mesh = kTetrahedronMesh;
  mesh.insert(mesh.find("</mesh>"), R"(<b:beamlattice radius="1"/>)");
  pieces.resources = R"(<object id="1">)" + mesh + "</object>";
  const MeshFile file = read(pieces);
  CHECK(has_notice(file, "partial", "beam lattice of 1 object"));
  CHECK(file.partial);
  CHECK_FALSE(read(ThreemfPieces()).partial);
}

TEST_CASE("slices beside the triangles make the file partial, also where slices are required") {
  const auto with = [](const std::string& attributes, const std::string& required) {
    ThreemfPieces pieces;
    pieces.attributes +=
        R"( xmlns:s="http://schemas.microsoft.com/3dmanufacturing/slice/2015/07")" + required;
    pieces.resources = R"(<s:slicestack id="2"/><object id="1" s:slicestackid="2")" + attributes +
                       ">" + kTetrahedronMesh + "</object>";
    return read(pieces);
  };
  for (const char* required : {"", R"( requiredextensions="s")"}) {
    const MeshFile coarse = with(R"( s:meshresolution="lowres")", required);
    CHECK(coarse.partial);
    CHECK(has_notice(coarse, "partial", "slices of 1 object (1)"));
    // Slices may differ from the triangles whatever is said of these.
    CHECK(with(R"( s:meshresolution="fullres")", required).partial);
    CHECK(with("", required).partial);
  }
}

// [3MF slice 1.0.2, production 1.2, beam lattice 1.2, volumetric 1.0, displacement 1.0]: whatever
// these may put on or into an object, a mesh, a component or an item.
TEST_CASE("every element and attribute of extensions that changes the solid makes a file partial") {
  struct Case {
    const char* on_object;
    const char* in_object;
    const char* in_mesh;
    const char* unread;  // empty: the triangles are the solid
  };
  const Case cases[] = {
      {R"(s:slicestackid="9")", "", "", "the slices of 1 object (1)"},
      {R"(s:slicestackid="9" s:meshresolution="fullres")", "", "", "the slices"},
      {R"(s:slicestackid="9" s:meshresolution="lowres")", "", "", "the slices"},
      {R"(s:meshresolution="fullres")", "", "", ""},
      {R"(p:UUID="0")", "", "", ""},
      {R"(pa:modelresolution="fullres")", "", "", ""},
      {R"(pa:modelresolution="lowres")", "", "", "the full resolution of 1 object (1)"},
      {R"(pa:modelresolution="obfuscated")", "", "", "the full resolution"},
      {"", R"(<pa:alternatives><pa:alternative objectid="3"/></pa:alternatives>)", "",
       "the alternatives of 1 object (1)"},
      {"", R"(<metadatagroup><metadata name="Title">t</metadata></metadatagroup>)", "", ""},
      {"", "", R"(<b:beamlattice radius="1" minlength="0"><b:beams/></b:beamlattice>)",
       "the beam lattice of 1 object (1)"},
      {"", "",
       R"(<b:beamlattice radius="1" minlength="0" clippingmode="inside" clippingmesh="3"/>)",
       "the beam lattice"},
      {"", "", R"(<b:beamlattice radius="1" minlength="0" bb:ballmode="all" bb:ballradius="2"/>)",
       "the beam lattice"},
      {"", "", R"(<t:trianglesets><t:triangleset name="a" identifier="a"/></t:trianglesets>)", ""},
      {"", "", R"(<v:volumedata><v:levelset/></v:volumedata>)",
       "the element \"v:volumedata\" of 1 object (1)"},
      {"", R"(<v:levelset functionid="4" channel="x" meshid="1"/>)", "",
       "the element \"v:levelset\""},
      {"", R"(<d:displacementmesh/>)", "", "the element \"d:displacementmesh\""},
      {"", R"(<bo:booleanshape objectid="1"/>)", "", "the element \"bo:booleanshape\""},
      {"", "", R"(<n:new/>)", "the element \"n:new\""},
  };
  ThreemfPieces pieces;
  const auto declare = [&](const char* prefix, const std::string& space) {
    pieces.attributes += std::string(" xmlns:") + prefix + "=\"" + space + "\"";
  };
  const std::string base = "http://schemas.microsoft.com/3dmanufacturing/";
  const std::string later = "http://schemas.3mf.io/3dmanufacturing/";
  declare("s", base + "slice/2015/07");
  declare("p", base + "production/2015/06");
  declare("pa", base + "production/alternatives/2021/04");
  declare("b", base + "beamlattice/2017/02");
  declare("bb", base + "beamlattice/balls/2020/07");
  declare("t", base + "trianglesets/2021/07");
  declare("v", later + "volumetric/2022/01");
  declare("d", later + "displacement/2023/10");
  declare("bo", later + "booleanoperations/2023/07");
  declare("n", "http://example.org/new");
  for (const Case& c : cases) {
    CAPTURE(c.on_object);
    CAPTURE(c.in_object);
    CAPTURE(c.in_mesh);
    std::string mesh = kTetrahedronMesh;
    mesh.insert(mesh.find("</mesh>"), c.in_mesh);
    const std::string rest = std::string(c.on_object) + ">" + c.in_object;
    const std::string whole = R"(<object id="1" )" + rest + mesh + "</object>";
    pieces.items = R"(<item objectid="1"/>)";
    pieces.resources = R"(<s:slicestack id="9"/>)" + whole;
    const bool is_whole = c.unread[0] == '\0';
    const MeshFile file = read(pieces);
    CHECK(file.partial == !is_whole);
    CHECK(file.mesh.triangles.size() == 4);
    if (!is_whole) CHECK(has_notice(file, "partial", std::string("passed over ") + c.unread));
    // Beside another object, without triangles of its own.
    std::string bare = whole;
    bare.erase(bare.find("<triangles>"), bare.find("</triangles>") + 12 - bare.find("<triangles>"));
    pieces.items = R"(<item objectid="1"/><item objectid="5"/>)";
    pieces.resources = bare + R"(<object id="5">)" + kTetrahedronMesh + "</object>";
    CHECK(read(pieces).partial == !is_whole);
    // An assembly; a support, which is left out with all that it has.
    if (c.in_mesh[0] == '\0') {
      pieces.resources = R"(<object id="5">)" + kTetrahedronMesh + R"(</object><object id="1" )" +
                         rest + R"(<components><component objectid="5"/></components></object>)";
      CHECK(read(pieces).partial == !is_whole);
    }
    pieces.resources = R"(<object id="1" type="support" )" + rest + mesh +
                       R"(</object><object id="5">)" + kTetrahedronMesh + "</object>";
    CHECK_FALSE(read(pieces).partial);
  }
}

TEST_CASE("elements without end that are not read are few notices") {
  ThreemfPieces pieces;
  pieces.attributes += R"( xmlns:n="http://example.org/new")";
  pieces.resources.clear();
  pieces.items.clear();
  int kinds = 0;
  for (int i = 1; i <= 20; ++i) {
    std::string mesh = kTetrahedronMesh;
    for (int k = 0; k < 20; ++k)
      mesh.insert(mesh.find("</mesh>"), "<n:new" + std::to_string(++kinds) + "/>");
    pieces.resources += R"(<object id=")" + std::to_string(i) + "\">" + mesh + "</object>";
    pieces.items += R"(<item objectid=")" + std::to_string(i) + "\"/>";
  }
  const MeshFile file = read(pieces);
  CHECK(file.partial);
  CHECK(file.notices.size() <= 10);
  CHECK(has_notice(file, "partial", "other elements of 18 objects (3, 4, 5, ...)"));
}

TEST_CASE("items that are marked as not to be printed are measured, and that is said") {
  ThreemfPieces pieces;
  pieces.items = R"(<item objectid="1"/><item objectid="1" printable="1"/>
                    <item objectid="1" printable="0" transform="1 0 0 0 1 0 0 0 1 9 0 0"/>)";
  const MeshFile file = read(pieces);
  CHECK(file.mesh.triangles.size() == 12);
  CHECK_FALSE(file.partial);
  CHECK(has_notice(file, "not_printable", "1 item that the file marks as not to be printed"));
}

TEST_CASE("comments, instructions, character data and entities of XML are read as XML") {
  ThreemfPieces pieces;
  pieces.resources = R"(<!-- <object id="1"/> --><?pi x?>text<![CDATA[<object id="1"/>]]>
      <object id="&#49;" name="&lt;&amp;&quot;">)" +
                     kTetrahedronMesh + "</object>";
  CHECK(read(pieces).mesh.triangles.size() == 4);
  CHECK(read(test::threemf("\xEF\xBB\xBF" + test::threemf_model({}))).mesh.triangles.size() == 4);
}

}  // namespace
}  // namespace plimsoll
