#include "formats/file_kind.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace plimsoll {
namespace {

struct Kind {
  std::string_view begin;  ///< In lower case.
  std::string_view what;
};

constexpr std::array<Kind, 13> kKinds{{
    {"version https://git-lfs",
     "a git-lfs pointer, which stands for a file: fetch that with git lfs pull"},
    {"<!doctype html", "a page of HTML, expected a mesh: the download failed or was of a web page"},
    {"<html", "a page of HTML, expected a mesh: the download failed or was of a web page"},
    {"<?xml", "XML (COLLADA, X3D, AMF or a part of a 3MF), expected a mesh: convert it first"},
    {"iso-10303-21", "a STEP file, expected a mesh: export triangles first"},
    {"#vrml", "a VRML file, expected a mesh: convert it first"},
    {"kaydara fbx", "an FBX file, expected a mesh: convert it first"},
    {"blender-v", "a Blender file, expected a mesh: export one first"},
    {"#usda", "a USD file, expected a mesh: convert it first"},
    {"pxr-usdc", "a USD file, expected a mesh: convert it first"},
    {"# vtk datafile", "a VTK file, expected a mesh: convert it first"},
    {"%pdf-", "a PDF document, expected a mesh"},
    {"\x89png", "a PNG picture, expected a mesh"},
}};

constexpr std::size_t kEnough = 1 << 16;  // bytes of text that tell its format

std::string_view without_mark(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  return text.substr(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
}

bool begins_like(std::string_view text, std::string_view lower_case) {
  return text.size() >= lower_case.size() &&
         std::equal(lower_case.begin(), lower_case.end(), text.begin(), [](char l, char c) {
           return l == static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
         });
}

bool has_line(std::string_view text, std::string_view begin) {
  for (std::size_t at = text.find(begin); at != std::string_view::npos;
       at = text.find(begin, at + 1))
    if (at == 0 || text[at - 1] == '\n' || text[at - 1] == '\r') return true;
  return false;
}

}  // namespace

std::string foreign_kind(std::string_view text) {
  text = without_mark(text);
  for (const Kind& kind : kKinds)
    if (begins_like(text, kind.begin)) return "found " + std::string(kind.what);
  return {};
}

std::optional<MeshFormat> likely_format(std::string_view text) {
  text = without_mark(text).substr(0, kEnough);
  const bool printable = std::all_of(text.begin(), text.end(), [](char c) {
    return c < 0 || c >= ' ' || (c >= '\t' && c <= '\r');
  });
  if (!printable) return std::nullopt;
  if (begins_like(text, "solid") && text.find("facet") != std::string_view::npos)
    return MeshFormat::kStl;
  if (text.starts_with('{') && text.find("\"asset\"") != std::string_view::npos)
    return MeshFormat::kGltf;
  if (has_line(text, "v ")) return MeshFormat::kObj;
  return std::nullopt;
}

}  // namespace plimsoll
