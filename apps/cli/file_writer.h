// Files that commands write: whole or not at all.
#pragma once

#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "failure.h"

namespace plimsoll::cli {

/// Writes a draft beside `path` and moves it there, so that no half of a file is ever seen and an
/// earlier one stays until the new one is complete; pipes and devices are written as they are, and
/// stdout, "-". Throws Failure.
void write_file(std::string_view data, const std::string& path);

/// The same for what is written bit by bit: it is there once it is finished, and not at all where
/// it is not. All throw Failure.
class FileStream {
 public:
  explicit FileStream(const std::string& path);
  ~FileStream();
  FileStream(const FileStream&) = delete;
  FileStream& operator=(const FileStream&) = delete;

  void write(std::string_view data);
  void finish();

 private:
  std::string name_;
  std::filesystem::path target_;
  std::filesystem::path draft_;  // empty where it is written as it is
  int slot_ = -1;                // of the draft among those that a signal removes
  std::FILE* file_ = nullptr;
};

/// Refuses an output that could not be written, before long work: by a draft that is removed again.
/// Pipes and devices are not tried. Throws Failure.
void check_writable(const std::optional<std::string>& path);

/// Removes the drafts of all files that are not finished. For signal handlers: it only unlinks.
void remove_drafts();

/// Refuses an output that another of a command's arguments names too, or a shape, scene or document
/// among them: what is to be read. Throws Failure (exit code 2).
void spare_inputs(const std::optional<std::string>& output,
                  const std::vector<std::string>& arguments);

/// Refuses one file for two outputs; `option` is the second's. Throws Failure (exit code 2).
void check_apart(const std::optional<std::string>& first, const std::optional<std::string>& second,
                 const char* option);

/// Why `path` is not written: exit code 6 where there is no room, else 2.
[[nodiscard]] Failure output_failure(const std::string& path, const std::error_code& reason);

}  // namespace plimsoll::cli
