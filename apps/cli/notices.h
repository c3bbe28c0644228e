// What a command says about its input: on stderr at once, and in its JSON as "notices".
#pragma once

#include <plimsoll/mesh_io.h>

#include <set>
#include <string>
#include <vector>

namespace plimsoll::cli {

class JsonWriter;

class Notices {
 public:
  explicit Notices(const char* command) : command_(command) {}

  /// Says it on stderr and keeps it. `file` is its name as people know it.
  void say(const std::string& file, const Notice& notice);

  /// The same about an option: "--pose".
  void say_of_option(const std::string& option, const Notice& notice);

  /// As say, but each `remark` only once.
  void say_once(const std::string& remark, const std::string& file, const Notice& notice);

  /// The member "notices". With `files`, each notice names its file, or the option that it is of.
  void write(JsonWriter& out, bool files = false) const;

 private:
  struct Said {
    const char* kind;  // "file" or "option"
    std::string name;  // of that
    Notice notice;
  };
  void say(const char* kind, const std::string& name, const Notice& notice);

  const char* command_;  // "mass"
  std::vector<Said> said_;
  std::set<std::string> remarks_;
};

}  // namespace plimsoll::cli
