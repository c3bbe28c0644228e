#include "formats/whole_file.h"

#include <cerrno>
#include <memory>
#include <random>
#include <string>
#include <system_error>

namespace plimsoll {
namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using FileHandle = std::unique_ptr<std::FILE, CloseFile>;

Error cannot_write(const std::filesystem::path& path, const std::string& why) {
  return {ErrorCode::kUnreadable, "cannot be written: " + why, path.string()};
}

/// A new name beside `path`.
std::filesystem::path temporary_beside(const std::filesystem::path& path) {
  std::random_device random;
  return path.string() + ".part" + std::to_string(random());
}

Result<void> write_and_rename(const std::filesystem::path& path,
                              const std::function<bool(std::FILE*)>& write) {
  const std::filesystem::path temporary = temporary_beside(path);
  FileHandle file(std::fopen(temporary.c_str(), "wbx"));
  if (file == nullptr) return cannot_write(path, std::generic_category().message(errno));
  std::setvbuf(file.get(), nullptr, _IOFBF, std::size_t{1} << 18);
  bool written = write(file.get());
  int reason = errno;
  written = std::fclose(file.release()) == 0 && written;
  std::error_code failure;
  if (written) {
    std::filesystem::rename(temporary, path, failure);
    if (!failure) return {};
    reason = failure.value();
  }
  std::filesystem::remove(temporary, failure);
  return cannot_write(path, std::generic_category().message(reason));
}

}  // namespace

Result<void> write_whole_file(const std::filesystem::path& path,
                              const std::function<bool(std::FILE*)>& write) {
  std::error_code failure;
  std::filesystem::path target = path;
  if (std::filesystem::is_symlink(path, failure)) {
    target = std::filesystem::weakly_canonical(path, failure);
    if (failure) return cannot_write(path, failure.message());
  }
  if (std::filesystem::exists(target, failure) &&
      !std::filesystem::is_regular_file(target, failure))
    return cannot_write(path, "it is there and not a regular file");
  return write_and_rename(target, write);
}

}  // namespace plimsoll
