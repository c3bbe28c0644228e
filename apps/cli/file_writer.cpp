#include "file_writer.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <fstream>
#include <system_error>
#include <utility>

#include "output.h"

namespace plimsoll::cli {
namespace {

namespace fs = std::filesystem;

// What a link points to is written, there already or not, and the link stays.
fs::path behind_links(fs::path path) {
  constexpr int kMaxLinks = 40;  // as many as Linux follows
  for (int k = 0; k < kMaxLinks && fs::is_symlink(fs::symlink_status(path)); ++k)
    path = path.parent_path() / fs::read_symlink(path);  // the latter alone where it is absolute
  return path;
}

// Whether a shape, a scene or a glTF document has a string that names such a file, from its folder.
template <class IsFile>
bool names_file(const fs::path& document, const IsFile& is_file) {
  std::error_code ignored;
  const fs::path extension = document.extension();
  if ((extension != ".json" && extension != ".gltf") || !fs::is_regular_file(document, ignored))
    return false;
  std::ifstream in(document, std::ios::binary);
  bool is_string = false;
  for (std::string piece; std::getline(in, piece, '"'); is_string = !is_string)
    if (is_string && piece.size() < 4096 && is_file(document.parent_path() / piece)) return true;
  return false;
}

// Names of drafts, for a signal handler to read. More at a time than there are slots would only be
// left behind.
std::array<std::atomic<const char*>, 8> drafts;

int enter_draft(const char* path) {
  for (std::size_t slot = 0; slot < drafts.size(); ++slot) {
    const char* expected = nullptr;
    if (drafts[slot].compare_exchange_strong(expected, path)) return static_cast<int>(slot);
  }
  return -1;
}

void leave_draft(int slot) {
  if (slot >= 0) drafts[static_cast<std::size_t>(slot)] = nullptr;
}

bool is_written_in_place(const fs::path& path) {
  const fs::file_status there = fs::status(path);
  if (fs::is_directory(there))
    throw std::system_error(std::make_error_code(std::errc::is_a_directory));
  return fs::exists(there) && !fs::is_regular_file(there);
}

}  // namespace

void spare_inputs(const std::optional<std::string>& output,
                  const std::vector<std::string>& arguments) {
  std::error_code ignored;
  if (!output || *output == "-" || !fs::is_regular_file(*output, ignored)) return;
  const auto is_output = [&](const fs::path& path) {
    return fs::equivalent(path, *output, ignored);
  };
  int named = 0;
  for (const std::string& argument : arguments) {
    // --option=FILE, @FILE for what stands in a file, - for what is piped.
    const std::size_t start = argument.starts_with("--") ? argument.find('=') + 1 : 0;
    const std::string path = argument.substr(start);
    const bool is_named = is_output(path == "-" ? "/dev/stdin" : path) ||
                          (path.starts_with('@') && is_output(path.substr(1)));
    if (is_named) ++named;
    if (!is_named && names_file(path, is_output)) named = 2;
  }
  if (named > 1)
    throw usage_failure("the output file is also an input; choose another name", *output);
}

void check_writable(const std::optional<std::string>& path) {
  if (!path || *path == "-") return;
  std::error_code ignored;
  if (!fs::is_other(*path, ignored)) const FileStream draft(*path);
}

void check_apart(const std::optional<std::string>& first, const std::optional<std::string>& second,
                 const char* option) {
  const auto place = [](const std::string& path) { return fs::absolute(path).lexically_normal(); };
  if (first && second && place(*first) == place(*second))
    throw usage_failure("the file is another output's too; choose another name", option);
}

// Where there is no room left more of it would do; else another place is wanted.
Failure output_failure(const std::string& path, const std::error_code& reason) {
  const bool is_full = reason == std::errc::no_space_on_device || reason.value() == EDQUOT ||
                       reason == std::errc::file_too_large;
  return {is_full ? kResourceLimit : kUsage, "output",
          fmt::format("cannot be written: {}", reason.message()), path};
}

FileStream::FileStream(const std::string& path) : name_(path), target_(path) {
  try {
    if (!is_written_in_place(path)) {
      target_ = behind_links(path);
      draft_ = target_;
      draft_ += fmt::format(".{}.part", getpid());
    }
  } catch (const std::system_error& error) {
    throw output_failure(path, error.code());
  }
  if (!draft_.empty()) slot_ = enter_draft(draft_.c_str());
  // "x": the draft must be new.
  file_ = draft_.empty() ? std::fopen(path.c_str(), "wb") : std::fopen(draft_.c_str(), "wbx");
  if (file_ != nullptr) return;
  const std::error_code failure(errno, std::generic_category());
  leave_draft(slot_);
  throw output_failure(path, failure);
}

FileStream::~FileStream() {
  if (file_ == nullptr) return;
  std::fclose(file_);
  std::error_code ignored;
  if (!draft_.empty()) fs::remove(draft_, ignored);
  leave_draft(slot_);
}

void FileStream::write(std::string_view data) {
  if (std::fwrite(data.data(), 1, data.size(), file_) != data.size())
    throw output_failure(name_, {errno, std::generic_category()});
}

void FileStream::finish() {
  std::error_code failure;
  const bool closed = std::fclose(std::exchange(file_, nullptr)) == 0;
  if (!closed) failure = {errno, std::generic_category()};
  if (closed && !draft_.empty()) fs::rename(draft_, target_, failure);
  std::error_code ignored;
  if (failure && !draft_.empty()) fs::remove(draft_, ignored);
  leave_draft(slot_);
  if (failure) throw output_failure(name_, failure);
}

void remove_drafts() {
  for (const std::atomic<const char*>& draft : drafts)
    if (const char* path = draft) unlink(path);
}

void write_file(std::string_view data, const std::string& path) {
  if (path == "-") {
    print_data(data);
    return;
  }
  FileStream file(path);
  file.write(data);
  file.finish();
}

}  // namespace plimsoll::cli
