// What is wrong with a 3MF package is told with its part and element.
#include <doctest/doctest.h>
#include <plimsoll/mesh_io.h>

#include <string>

#include "formats/read_text.h"
#include "formats/scene_checks.h"
#include "support/threemf_builder.h"

namespace plimsoll {
namespace {

using test::kCoreNamespace;
using test::kTetrahedronMesh;
using test::ThreemfPieces;
using test::ZipBuilder;

void check_refusal(const std::string& bytes, ErrorCode code, const std::string& where,
                   const std::string& message) {
  test::check_error(test::read_text(bytes, MeshFormat::k3mf), code, where, message);
}

void check_malformed(const ThreemfPieces& pieces, const std::string& where,
                     const std::string& message) {
  check_refusal(test::threemf(pieces), ErrorCode::kMalformed, "part: 3D/3dmodel.model" + where,
                message);
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

TEST_CASE("a wrong value in a mesh is named with its element and object") {
  const auto check = [](const std::string& from, const std::string& to, const char* where,
                        const char* message) {
    CAPTURE(to);
    ThreemfPieces pieces;
    pieces.resources = R"(<object id="12">)" + replaced(kTetrahedronMesh, from, to) + "</object>";
    pieces.items = R"(<item objectid="12"/>)";
    test::check_error(test::read_text(test::threemf(pieces), MeshFormat::k3mf),
                      ErrorCode::kMalformed, where, message);
  };
  check(R"(x="1")", R"(x="one")", "<vertex> of object \"12\"", "found \"one\", expected a number");
  check(R"(x="1")", R"(x="")", "<vertex> of object \"12\"", "expected a number");
  check(R"(x="1")", R"(x="1 2")", "<vertex> of object", "found \"1 2\"");
  check(R"(x="1")", R"(x="0x10")", "<vertex> of object", "found \"0x10\"");
  check(R"(x="1")", R"(x="inf")", "<vertex> of object", "found \"inf\"");
  check(R"(x="1")", R"(x="1e999")", "<vertex> of object", "within the range of a double");
  check(R"(x="1")", "", "<vertex> of object", "found no attribute x");
  check(R"(x="1")", R"(x="1" x="2")", "<vertex> of object", "found the attribute x twice");
  check(R"(v2="2")", R"(v2="4")", "<triangle> of object \"12\"",
        "found v2 = \"4\", expected the index of a vertex, below 4");
  check(R"(v2="2")", R"(v2="-1")", "<triangle> of object", "found v2 = \"-1\"");
  check(R"(v2="2")", R"(v2="18446744073709551617")", "<triangle> of object", "below 4");
  check(R"(v2="2")", R"(v2="")", "<triangle> of object", "found v2 = \"\"");
  check(R"( v3="1")", "", "<triangle> of object", "found no attribute v3");
  check("</vertices>", "</vertices><vertices/>", "<vertices> of object", "twice in a mesh");
}

TEST_CASE("a wrong value around the meshes is named with its element") {
  const auto check = [](std::string ThreemfPieces::* piece, const std::string& text,
                        const char* where, const char* message) {
    CAPTURE(text);
    ThreemfPieces pieces;
    pieces.*piece = text;
    check_malformed(pieces, where, message);
  };
  const std::string& mesh = kTetrahedronMesh;
  const auto resources = &ThreemfPieces::resources;
  const auto items = &ThreemfPieces::items;
  const auto attributes = &ThreemfPieces::attributes;
  check(items, R"(<item objectid="2"/>)", "",
        "found a reference to object 2, but 3D/3dmodel.model has no such");
  check(items, "<item/>", ", byte", "found no attribute objectid");
  check(items, R"(<item objectid="1" transform="1 0 0"/>)", ", byte", "expected 12 numbers");
  check(items, R"(<item objectid="1" transform="1 0 0 0 1 0 0 0 1 0 0 0 7"/>)", ", byte",
        "expected 12 numbers");
  check(items, R"(<item objectid="1" transform="1 0 0 0 1 0 0 0 1 0 0 0,"/>)", ", byte",
        "expected 12 numbers");
  check(items, R"(<item objectid="1" transform="1-0 0 0 1 0 0 0 1 0 0 0"/>)", ", byte",
        "expected 12 numbers");
  check(items, R"(<item objectid="1" transform="1e999 0 0 0 1 0 0 0 1 0 0 0"/>)", ", byte",
        "expected 12 numbers");
  check(items, R"(<item objectid="1" transform="1e308 0 0 0 1 0 0 0 1 1.7e308 0 0"/>)",
        ", object 1", "out of the range of doubles");
  check(resources, "<object>" + mesh + "</object>", ", byte", "found no attribute id");
  check(resources, R"(<object id="x">)" + mesh + "</object>", ", byte", "found id = \"x\"");
  check(resources, R"(<object id="1" type="solid">)" + mesh + "</object>", ", byte",
        "found the type \"solid\"");
  check(resources, R"(<object id="1">)" + mesh + mesh + "</object>", ", byte",
        "second mesh or components");
  check(resources, R"(<object id="1"/><object id="1"/>)", ", byte", "second object with this id");
  check(attributes, kCoreNamespace + R"( unit="furlong")", ", byte", "found the unit \"furlong\"");
  check(attributes, R"(xmlns="http://example.org")", ", byte",
        "of the namespace \"http://example.org\"");
  check(attributes, kCoreNamespace + R"( requiredextensions="q")", ", byte",
        "requiredextensions with \"q\"");
  check(resources, "<q:thing/>", "", "the prefix \"q\", for which no namespace is declared");
}

TEST_CASE("an object that is part of itself is refused, at once or by a detour") {
  ThreemfPieces pieces;
  pieces.resources = R"(<object id="1"><components><component objectid="2"/></components></object>
      <object id="2"><components><component objectid="3"/></components></object>
      <object id="3"><components><component objectid="1"/></components></object>)";
  check_malformed(pieces, ", object 1", "among its own components");
}

TEST_CASE("components that nest too deep or multiply are refused before they are built") {
  ThreemfPieces deep;
  for (int id = 2; id < 400; ++id)
    deep.resources += "<object id=\"" + std::to_string(id) +
                      R"("><components><component objectid=")" + std::to_string(id - 1) +
                      R"("/></components></object>)";
  deep.items = R"(<item objectid="250"/>)";
  CHECK(test::read_text(test::threemf(deep), MeshFormat::k3mf).has_value());
  deep.items = R"(<item objectid="250"/><item objectid="399"/>)";
  check_refusal(test::threemf(deep), ErrorCode::kResourceLimit, "object", "nested deeper than 256");

  ThreemfPieces laughs;  // each object is ten of the one before
  for (int id = 2; id < 40; ++id) {
    laughs.resources += "<object id=\"" + std::to_string(id) + "\"><components>";
    for (int i = 0; i < 10; ++i)
      laughs.resources += "<component objectid=\"" + std::to_string(id - 1) + "\"/>";
    laughs.resources += "</components></object>";
  }
  laughs.items = R"(<item objectid="39"/>)";
  check_refusal(test::threemf(laughs), ErrorCode::kResourceLimit, "3D/3dmodel.model",
                "more than a package of this size");
}

TEST_CASE("what needs an extension that is not read is refused by its name") {
  const auto check = [](const std::string& space, const char* message) {
    ThreemfPieces pieces;
    pieces.attributes += " xmlns:e=\"" + space + "\" requiredextensions=\" e \"";
    check_refusal(test::threemf(pieces), ErrorCode::kUnsupported, "3D/3dmodel.model, byte",
                  message);
  };
  const std::string base = "http://schemas.microsoft.com/3dmanufacturing/";
  check(base + "beamlattice/2017/02", "the beam lattice extension");
  check(base + "securecontent/2019/04", "the secure content extension");
  check("http://schemas.3mf.io/3dmanufacturing/volumetric/2022/01", "the volumetric extension");
  check("http://example.org/new", "the extension \"http://example.org/new\"");
  ThreemfPieces shape;
  shape.attributes +=
      R"( xmlns:bo="http://schemas.3mf.io/3dmanufacturing/booleanoperations/2023/07")";
  shape.resources = R"(<object id="1"><bo:booleanshape/></object>)";
  check_refusal(test::threemf(shape), ErrorCode::kUnsupported, "object 1",
                "found \"bo:booleanshape\" as the shape");
}

TEST_CASE("XML that 3MF does not allow is refused") {
  const auto check = [](const std::string& model, const char* message) {
    CAPTURE(model);
    check_refusal(test::threemf(model), ErrorCode::kMalformed, "part: 3D/3dmodel.model", message);
  };
  check("<!DOCTYPE model><model/>", "document type definition");
  check("<!DOCTYPE m [<!ENTITY a \"b\">]><model unit=\"&a;\"/>", "document type definition");
  check("", "not XML");
  check("no XML", "not XML");
  check("<model", "not XML");
  check("<model><resources></model>", "not XML");
  check("<model/><model/>", "found 2 root elements");
  check(std::string("<\0m\0/\0>\0", 8), "UTF-16");
  check("\xFF\xFE<", "UTF-16");
  std::string deep;
  for (int i = 0; i < 30000; ++i) deep += "<a>";
  check(deep, "not XML");
  for (int i = 0; i < 30000; ++i) deep += "</a>";
  check(deep, "expected model");
  std::string names = "<model";
  for (int i = 0; i < 100; ++i) names += " xmlns:n" + std::to_string(i) + "=\"u\"";
  check_refusal(test::threemf(names + "/>"), ErrorCode::kResourceLimit, "3D/3dmodel.model",
                "more than 64 namespaces");
}

TEST_CASE("a package that lies about its parts is refused") {
  const std::string model = test::threemf_model({});
  const auto package = [&](const ZipBuilder::Lies& lies) {
    ZipBuilder zip;
    zip.add("_rels/.rels", test::relationships_to("/3D/3dmodel.model"));
    zip.add("3D/3dmodel.model", model, lies);
    return zip.bytes();
  };
  const auto size = static_cast<std::uint32_t>(model.size());
  const auto check = [&](const ZipBuilder::Lies& lies, ErrorCode code, const char* message) {
    check_refusal(package(lies), code, "part: 3D/3dmodel.model", message);
  };
  check({.method = 8, .stated_size = size - 1}, ErrorCode::kMalformed, "");
  check({.method = 8, .stated_size = size + 1}, ErrorCode::kMalformed, "");
  check({.method = 8, .crc_error = 1}, ErrorCode::kMalformed, "CRC");
  check({.method = 0, .crc_error = 1}, ErrorCode::kMalformed, "CRC");
  check({.method = 0, .flags = 1}, ErrorCode::kUnsupported, "encrypted");
  check({.method = 12}, ErrorCode::kUnsupported, "compression method 12");
  check({.method = 8, .stated_size = 1U << 30}, ErrorCode::kResourceLimit,
        "found 1073741824 bytes once unpacked");
}

TEST_CASE("a package must lead to one start part") {
  const auto check = [](const std::string& relationships, const char* where, const char* message) {
    ZipBuilder zip;
    zip.add("_rels/.rels", relationships);
    zip.add("3D/3dmodel.model", test::threemf_model({}));
    zip.add("3D/A.model", test::threemf_model({}));
    zip.add("3D/a.model", test::threemf_model({}));
    check_refusal(zip.bytes(), ErrorCode::kMalformed, where, message);
  };
  check(test::relationships_to("/3D/none.model"), "3D/none.model", "found no such part");
  check(test::relationships_to("/3D/a.model"), "3D/a.model", "several parts of this name");
  check(test::relationships_to("/../a.model"), "_rels/.rels", "outside the package");
  check("<Relationships/>", "_rels/.rels", "no relationship to a 3D model");
  const std::string second =
      R"(<Relationship Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel" Target="/b"/>)";
  check(test::relationships_to("/3D/3dmodel.model", second), "_rels/.rels",
        "second model to start with");
}

TEST_CASE("other parts must exist, have the same unit and not refer to further parts") {
  const std::string production =
      kCoreNamespace +
      R"( xmlns:p="http://schemas.microsoft.com/3dmanufacturing/production/2015/06")";
  const auto check = [&](const std::string& attributes, const std::string& resources,
                         const std::string& path, ErrorCode code, const char* where,
                         const char* message) {
    ThreemfPieces root;
    root.attributes = production;
    root.items = R"(<item objectid="1" p:path=")" + path + "\"/>";
    ThreemfPieces part{.attributes = attributes, .resources = resources, .items = ""};
    ZipBuilder zip;
    zip.add("3D/3dmodel.model", test::threemf_model(root));
    zip.add("3D/b.model", test::threemf_model(part));
    check_refusal(zip.bytes(), code, where, message);
  };
  const std::string mesh = R"(<object id="1">)" + kTetrahedronMesh + "</object>";
  check(production, mesh, "/3D/c.model", ErrorCode::kMalformed, "3D/c.model", "no such part");
  check(production, mesh, "/3D/../../b.model", ErrorCode::kMalformed, "3D/3dmodel.model",
        "expected a part");
  check(production + " unit=\"inch\"", mesh, "/3D/b.model", ErrorCode::kUnsupported, "3D/b.model",
        "found the unit inch");
  check(
      production,
      R"(<object id="1"><components><component objectid="1" p:path="/3D/3dmodel.model"/></components></object>)",
      "/3D/b.model", ErrorCode::kMalformed, "3D/b.model", "where none may be");
}

TEST_CASE("every cut of a package is refused") {
  const std::string whole = test::threemf(ThreemfPieces{});
  for (std::size_t size = 0; size < whole.size(); ++size)
    REQUIRE_FALSE(test::read_text(whole.substr(0, size), MeshFormat::k3mf).has_value());
}

}  // namespace
}  // namespace plimsoll
