#include "notices.h"

#include <fmt/format.h>

#include "json_writer.h"
#include "output.h"
#include "text.h"

namespace plimsoll::cli {

void Notices::say(const char* kind, const std::string& name, const Notice& notice) {
  said_.push_back({kind, name, notice});
  print_message(
      fmt::format("plimsoll {}: {}: {}", command_, printable(name), printable(notice.message)));
}

void Notices::say(const std::string& file, const Notice& notice) { say("file", file, notice); }

void Notices::say_of_option(const std::string& option, const Notice& notice) {
  say("option", option, notice);
}

void Notices::say_once(const std::string& remark, const std::string& file, const Notice& notice) {
  if (remarks_.insert(remark).second) say(file, notice);
}

void Notices::write(JsonWriter& out, bool files) const {
  out.key("notices");
  out.begin_array(said_.empty() ? JsonWriter::Layout::kInline : JsonWriter::Layout::kLines);
  for (const Said& said : said_) {
    out.begin_object();
    out.member("code", said.notice.code);
    out.member("message", said.notice.message);
    if (files) out.member(said.kind, said.name);
    out.end_object();
  }
  out.end_array();
}

}  // namespace plimsoll::cli
