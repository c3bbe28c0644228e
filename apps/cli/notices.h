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

  /// The same, but each `remark` only once.
  void say_once(const std::string& remark, const std::string& file, const Notice& notice);

  /// The member "notices". With `files`, each notice names its own.
  void write(JsonWriter& out, bool files = false) const;

 private:
  struct Said {
    std::string file;
    Notice notice;
  };
  const char* command_;  // "mass"
  std::vector<Said> said_;
  std::set<std::string> remarks_;
};

}  // namespace plimsoll::cli
