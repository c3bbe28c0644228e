#include "formats/xml_text.h"

#include "formats/text_scanner.h"

namespace plimsoll {
namespace {

// Looking a prefix up passes all declarations in force, so there may not be many.
constexpr std::size_t kMaxDeclarations = 64;

constexpr unsigned kParseOptions = pugi::parse_escapes | pugi::parse_doctype;

bool is_wide(const std::vector<char>& text) {
  const std::string_view start(text.data(), std::min<std::size_t>(text.size(), 4));
  return start.starts_with("\xFE\xFF") || start.starts_with("\xFF\xFE") ||
         start.find('\0') != std::string_view::npos;
}

}  // namespace

void parse_xml(std::vector<char>& text, const std::string& place, pugi::xml_document& document,
               FirstError& first_error) {
  if (is_wide(text)) return first_error.set("found UTF-16 or UTF-32 text, expected UTF-8", place);
  const pugi::xml_parse_result result =
      document.load_buffer_inplace(text.data(), text.size(), kParseOptions, pugi::encoding_utf8);
  if (result.status == pugi::status_out_of_memory)
    return first_error.set(ErrorCode::kResourceLimit, "not enough memory to parse the XML", place);
  if (!result)
    return first_error.set("found text that is not XML (" + std::string(result.description()) + ')',
                           place + ", byte " + std::to_string(result.offset));
  std::size_t roots = 0;
  for (const pugi::xml_node node : document.children()) {
    if (node.type() == pugi::node_doctype)
      return first_error.set("found a document type definition, which 3MF forbids", place);
    if (node.type() == pugi::node_element) ++roots;
  }
  if (roots != 1)
    first_error.set("found " + std::to_string(roots) + " root elements, expected one", place);
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

void XmlNamespaces::declare(pugi::xml_node element) {
  for (const pugi::xml_attribute attribute : element.attributes()) {
    std::string_view name = attribute.name();
    if (!name.starts_with("xmlns")) continue;
    name.remove_prefix(5);
    if (!name.empty() && name.front() != ':') continue;
    if (!name.empty()) name.remove_prefix(1);
    declarations_.push_back({name, attribute.value()});
    if (declarations_.size() > kMaxDeclarations)
      return first_error_.set(ErrorCode::kResourceLimit,
                              "found more than " + std::to_string(kMaxDeclarations) +
                                  " namespaces declared at one place",
                              place_ + ", byte " + std::to_string(element.offset_debug()));
  }
}

std::string_view XmlNamespaces::find(std::string_view prefix) const {
  for (std::size_t i = declarations_.size(); i-- > 0;)
    if (declarations_[i].prefix == prefix) return declarations_[i].space;
  return {};
}

XmlName XmlNamespaces::resolve(std::string_view name, bool is_element) {
  const std::size_t colon = name.find(':');
  if (colon == std::string_view::npos) return {is_element ? find({}) : std::string_view(), name};
  const std::string_view prefix = name.substr(0, colon);
  const std::string_view space = find(prefix);
  if (space.empty() && prefix != "xml" && prefix != "xmlns")
    first_error_.set(
        "found the prefix " + in_quotes(prefix) + ", for which no namespace is declared", place_);
  return {space, name.substr(colon + 1)};
}

}  // namespace plimsoll
