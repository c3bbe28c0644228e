// XML as 3MF allows it: UTF-8, no document type definition, hence no entities of its own.
// Names are told apart by namespace, whatever prefix a document gives it.
#pragma once

#include <pugixml.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "formats/first_error.h"

namespace plimsoll {

/// Parses `text` in place: it must outlive `document`. Memory: at most 26 x the text (a node of 64
/// bytes for two characters and a half). `place` names the part in messages.
/// Neither this nor the end of `document` recurses.
void parse_xml(std::vector<char>& text, const std::string& place, pugi::xml_document& document,
               FirstError& first_error);

/// `text` without the blanks of XML at its ends.
[[nodiscard]] std::string_view trimmed(std::string_view text);

struct XmlName {
  std::string_view space;  ///< The namespace's URI; empty if none.
  std::string_view local;
};

/// The namespaces declared by an element and those around it.
class XmlNamespaces {
 public:
  explicit XmlNamespaces(FirstError& first_error, std::string place)
      : first_error_(first_error), place_(std::move(place)) {}

  /// Calls `visit(child, name)` for each child element of `parent`, whose own declarations must be
  /// in force, until something is wrong.
  template <class Visit>
  void for_each_child(pugi::xml_node parent, Visit visit) {
    for (const pugi::xml_node child : parent.children()) {
      if (child.type() != pugi::node_element) continue;
      const std::size_t outer = declarations_.size();
      declare(child);
      const XmlName name = resolve(child.name(), true);
      if (!first_error_.failed()) visit(child, name);
      declarations_.resize(outer);
      if (first_error_.failed()) return;
    }
  }

  /// An attribute without a prefix has no namespace, an element has the default one.
  [[nodiscard]] XmlName resolve(std::string_view name, bool is_element);
  /// The URI declared for a prefix; empty if none.
  [[nodiscard]] std::string_view find(std::string_view prefix) const;

 private:
  struct Declaration {
    std::string_view prefix;
    std::string_view space;
  };
  void declare(pugi::xml_node element);

  FirstError& first_error_;
  std::string place_;
  std::vector<Declaration> declarations_;  // inner ones last
};

}  // namespace plimsoll
