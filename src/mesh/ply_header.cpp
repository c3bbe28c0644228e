#include "mesh/ply_header.h"

#include <algorithm>
#include <array>
#include <optional>

#include "mesh/text_scanner.h"

namespace plimsoll {
namespace {

struct TypeName {
  std::string_view name;
  PlyType type;
};
constexpr std::array<TypeName, 16> kTypeNames{{{"char", PlyType::kInt8},
                                               {"int8", PlyType::kInt8},
                                               {"uchar", PlyType::kUint8},
                                               {"uint8", PlyType::kUint8},
                                               {"short", PlyType::kInt16},
                                               {"int16", PlyType::kInt16},
                                               {"ushort", PlyType::kUint16},
                                               {"uint16", PlyType::kUint16},
                                               {"int", PlyType::kInt32},
                                               {"int32", PlyType::kInt32},
                                               {"uint", PlyType::kUint32},
                                               {"uint32", PlyType::kUint32},
                                               {"float", PlyType::kFloat32},
                                               {"float32", PlyType::kFloat32},
                                               {"double", PlyType::kFloat64},
                                               {"float64", PlyType::kFloat64}}};

PlyRole role_of(std::string_view element, const PlyProperty& property) {
  if (element == "vertex") {
    if (property.name == "x") return PlyRole::kX;
    if (property.name == "y") return PlyRole::kY;
    if (property.name == "z") return PlyRole::kZ;
  }
  if (element == "face" && (property.name == "vertex_indices" || property.name == "vertex_index"))
    return PlyRole::kCorners;
  return PlyRole::kNone;
}

class HeaderReader {
 public:
  HeaderReader(const ReaderInput& input, std::string_view text, char line_end)
      : scan_(input, text, line_end, {}), begin_(text.data()) {
    header_.line_end = line_end;
  }

  Result<PlyHeader> read() {
    if (!scan_.skip_word("ply")) return scan_.unexpected("ply");
    scan_.next_line();
    if (!read_format()) return std::move(error_);
    while (true) {
      if (!scan_.skip_to_token()) return scan_.unexpected("end_header");
      if (scan_.skip_word("end_header")) break;
      if (!read_statement()) return std::move(error_);
      scan_.next_line();
    }
    scan_.next_line();
    header_.size = static_cast<std::size_t>(scan_.position() - begin_);
    return std::move(header_);
  }

 private:
  bool read_format() {
    skip_comments();
    if (!scan_.skip_word("format")) return fail(scan_.unexpected("format"));
    scan_.skip_blanks();
    if (scan_.skip_word("ascii"))
      header_.is_text = true;
    else if (scan_.skip_word("binary_big_endian"))
      header_.order = std::endian::big;
    else if (!scan_.skip_word("binary_little_endian"))
      return fail(scan_.unexpected("ascii, binary_little_endian or binary_big_endian"));
    scan_.next_line();
    return true;
  }

  void skip_comments() {
    while (scan_.skip_to_token() && (scan_.skip_word("comment") || scan_.skip_word("obj_info")))
      scan_.next_line();
  }

  bool read_statement() {
    if (scan_.skip_word("comment") || scan_.skip_word("obj_info")) return true;
    if (scan_.skip_word("element")) return read_element();
    if (scan_.skip_word("property")) return read_property();
    return fail(scan_.unexpected("element, property, comment or end_header"));
  }

  bool read_element() {
    PlyElement element;
    scan_.skip_blanks();
    if (scan_.at_line_end()) return fail(scan_.unexpected("the name of an element"));
    element.name = take_word();
    if ((element.name == "vertex" || element.name == "face") &&
        header_.find(element.name) != nullptr)
      return fail(error_here("found a second element " + in_quotes(element.name)));
    scan_.skip_blanks();
    if (!scan_.read_count(element.count))
      return fail(scan_.unexpected("the number of elements " + in_quotes(element.name)));
    header_.elements.push_back(std::move(element));
    return true;
  }

  bool read_property() {
    if (header_.elements.empty()) return fail(scan_.unexpected("an element before its properties"));
    PlyElement& element = header_.elements.back();
    PlyProperty property;
    scan_.skip_blanks();
    property.is_list = scan_.skip_word("list");
    if (property.is_list && !read_type(property.count_type)) return false;
    if (!read_type(property.type)) return false;
    scan_.skip_blanks();
    if (scan_.at_line_end()) return fail(scan_.unexpected("the name of a property"));
    property.name = take_word();
    property.role = role_of(element.name, property);
    if (!check_role(element, property)) return false;
    element.properties.push_back(std::move(property));
    return true;
  }

  bool check_role(const PlyElement& element, const PlyProperty& property) {
    const std::string name = "property " + in_quotes(property.name);
    if (property.is_list && !is_integer(property.count_type))
      return fail(error_here(name + " is a list whose length is not an integer"));
    if (property.role == PlyRole::kNone) return true;
    if (element.find(property.role) != nullptr)
      return fail(error_here("found a second " + name + " in " + in_quotes(element.name)));
    if ((property.role == PlyRole::kCorners) != property.is_list)
      return fail(error_here(name + (property.is_list ? " is a list, expected one number"
                                                      : " is one number, expected a list")));
    if (property.is_list && !is_integer(property.type))
      return fail(error_here(name + " holds numbers that are not integers"));
    return true;
  }

  bool read_type(PlyType& type) {
    scan_.skip_blanks();
    const auto* found = std::find_if(kTypeNames.begin(), kTypeNames.end(),
                                     [&](const TypeName& t) { return t.name == scan_.token(); });
    if (found == kTypeNames.end())
      return fail(scan_.unexpected("a type: [u]char, [u]short, [u]int, float or double"));
    type = found->type;
    scan_.skip_token();
    return true;
  }

  std::string take_word() {
    std::string word(scan_.token());
    scan_.skip_token();
    return word;
  }

  Error error_here(const std::string& message) const {
    return scan_.malformed(message, scan_.position());
  }

  bool fail(Error error) {
    error_ = std::move(error);
    return false;
  }

  TextScanner scan_;
  const char* begin_;
  PlyHeader header_;
  Error error_;
};

}  // namespace

std::size_t size_of(PlyType type) {
  switch (type) {
    case PlyType::kInt8:
    case PlyType::kUint8:
      return 1;
    case PlyType::kInt16:
    case PlyType::kUint16:
      return 2;
    case PlyType::kInt32:
    case PlyType::kUint32:
    case PlyType::kFloat32:
      return 4;
    case PlyType::kFloat64:
      return 8;
  }
  return 8;
}

const PlyProperty* PlyElement::find(PlyRole role) const {
  const auto found = std::find_if(properties.begin(), properties.end(),
                                  [role](const PlyProperty& p) { return p.role == role; });
  return found == properties.end() ? nullptr : &*found;
}

const PlyElement* PlyHeader::find(std::string_view name) const {
  const auto found = std::find_if(elements.begin(), elements.end(),
                                  [name](const PlyElement& e) { return e.name == name; });
  return found == elements.end() ? nullptr : &*found;
}

Result<PlyHeader> read_ply_header(const ReaderInput& input, std::string_view text) {
  // Binary data may hold any byte, so only the header tells how its lines end.
  const char line_end = line_end_of(text.substr(0, text.find("end_header")));
  return HeaderReader(input, text, line_end).read();
}

}  // namespace plimsoll
