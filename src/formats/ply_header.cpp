#include "formats/ply_header.h"

#include <algorithm>
#include <array>
#include <optional>

#include "formats/text_scanner.h"

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
  if (property.name == "vertex_indices" || property.name == "vertex_index") {
    if (element == "face") return PlyRole::kCorners;
    if (element == "tristrips") return PlyRole::kStrips;
  }
  return PlyRole::kNone;
}

class HeaderReader {
 public:
  HeaderReader(const ReaderInput& input, std::string_view text)
      : scan_(input, text, {}), begin_(text.data()) {}

  Result<PlyHeader> read() {
    if (read_statements()) return std::move(header_);
    return std::move(header_.unknown_lines > 0 ? header_.unknown : error_);
  }

 private:
  bool read_statements() {
    if (!scan_.skip_word("ply")) return fail(scan_.unexpected("ply"));
    scan_.next_line();
    if (!read_format()) return false;
    while (true) {
      if (!scan_.skip_to_token()) return fail(scan_.unexpected("end_header"));
      if (scan_.skip_word("end_header")) break;
      if (!read_statement()) return false;
      scan_.next_line();
    }
    pass_last_line();
    header_.size = static_cast<std::size_t>(scan_.position() - begin_);
    return true;
  }

  bool read_format() {
    while (scan_.skip_to_token() && !scan_.skip_word("format")) {
      for (const char* later : {"element", "property", "end_header"})
        if (scan_.token() == later) return fail(scan_.unexpected("format"));
      if (!skip_comment()) note_unknown();
      scan_.next_line();
    }
    if (scan_.at_end()) return fail(scan_.unexpected("format"));
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

  /// The data may begin with a \n of their own: one that follows a \r belongs to the header only if
  /// a line before it ends with \n too.
  void pass_last_line() {
    const char* const last = scan_.position();
    scan_.next_line();
    const char* const next = scan_.position();
    if (next - last >= 2 && next[-2] == '\r' && next[-1] == '\n' &&
        std::find(begin_, last, '\n') == last)
      scan_.set_position(next - 1);
  }

  bool skip_comment() { return scan_.skip_word("comment") || scan_.skip_word("obj_info"); }

  void note_unknown() {
    if (header_.unknown_lines++ == 0)
      header_.unknown = scan_.unexpected("element, property, comment or end_header");
  }

  bool read_statement() {
    if (skip_comment()) return true;
    if (scan_.skip_word("element")) return read_element();
    if (scan_.skip_word("property")) return read_property();
    note_unknown();
    return true;
  }

  bool read_element() {
    PlyElement element;
    scan_.skip_blanks();
    if (scan_.at_line_end()) return fail(scan_.unexpected("the name of an element"));
    element.name = take_word();
    if ((element.name == "vertex" || element.name == "face" || element.name == "tristrips") &&
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
    const bool holds_list = property.role == PlyRole::kCorners || property.role == PlyRole::kStrips;
    if (holds_list != property.is_list)
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

  [[nodiscard]] Error error_here(const std::string& message) const {
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
  return HeaderReader(input, text).read();
}

}  // namespace plimsoll
