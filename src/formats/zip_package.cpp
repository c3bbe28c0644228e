#include "formats/zip_package.h"

#include <zip.h>

#include <utility>

#include "formats/text_scanner.h"

namespace plimsoll {
namespace {

std::string lower_case(std::string_view name) {
  std::string lower(name);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

struct CloseEntry {
  void operator()(zip_file_t* entry) const { zip_fclose(entry); }
};

/// Frees what libzip may keep in an error.
class ZipFailure {
 public:
  ZipFailure() { zip_error_init(&error_); }
  ~ZipFailure() { zip_error_fini(&error_); }
  ZipFailure(const ZipFailure&) = delete;
  ZipFailure& operator=(const ZipFailure&) = delete;

  zip_error_t* get() { return &error_; }
  Error describe(std::string_view file) {
    const bool memory = zip_error_code_zip(&error_) == ZIP_ER_MEMORY;
    return {memory ? ErrorCode::kResourceLimit : ErrorCode::kMalformed,
            "found no readable zip archive (" + std::string(zip_error_strerror(&error_)) +
                "), expected a 3MF package, which is one",
            std::string(file)};
  }

 private:
  zip_error_t error_;
};

}  // namespace

void ZipPackage::Discard::operator()(zip* archive) const { zip_discard(archive); }

Result<ZipPackage> ZipPackage::open(std::span<const std::byte> data, std::string_view file) {
  ZipFailure failure;
  zip_source_t* source = zip_source_buffer_create(data.data(), data.size(), 0, failure.get());
  if (source == nullptr) return failure.describe(file);
  ZipPackage package;
  package.archive_.reset(zip_open_from_source(source, ZIP_RDONLY, failure.get()));
  if (package.archive_ == nullptr) {
    zip_source_free(source);
    return failure.describe(file);
  }
  package.file_ = file;
  package.max_unpacked_bytes_ = kUnpackedBase + kUnpackedPerByte * data.size();
  const zip_int64_t count = zip_get_num_entries(package.archive_.get(), 0);
  for (zip_int64_t i = 0; i < count; ++i) {
    const auto index = static_cast<zip_uint64_t>(i);
    const char* name = zip_get_name(package.archive_.get(), index, ZIP_FL_ENC_RAW);
    if (name == nullptr) continue;
    const auto [entry, is_new] = package.entries_.try_emplace(lower_case(name), Entry{index, true});
    if (!is_new) entry->second.is_unique = false;
  }
  return package;
}

bool ZipPackage::contains(std::string_view part) const {
  return entries_.contains(lower_case(part));
}

Result<std::vector<char>> ZipPackage::read(std::string_view part) {
  const std::string where = file_ + ": " + std::string(part);
  const auto malformed = [&](std::string message) {
    return Error{ErrorCode::kMalformed, std::move(message), where};
  };
  const auto entry = entries_.find(lower_case(part));
  if (entry == entries_.end()) return malformed("found no such part in the package");
  if (!entry->second.is_unique)
    return malformed("found several parts of this name in the package, expected one");
  zip* archive = archive_.get();
  const std::uint64_t index = entry->second.index;

  zip_stat_t stat;
  constexpr zip_uint64_t kWanted =
      ZIP_STAT_SIZE | ZIP_STAT_COMP_METHOD | ZIP_STAT_ENCRYPTION_METHOD;
  if (zip_stat_index(archive, index, 0, &stat) != 0 || (stat.valid & kWanted) != kWanted)
    return malformed("found no size of the part");
  if (stat.encryption_method != ZIP_EM_NONE)
    return Error{ErrorCode::kUnsupported, "the part is encrypted, expected plain data", where};
  if (stat.comp_method != ZIP_CM_STORE && stat.comp_method != ZIP_CM_DEFLATE)
    return Error{ErrorCode::kUnsupported,
                 "found compression method " + std::to_string(stat.comp_method) +
                     ", expected 0 (stored) or 8 (deflated)",
                 where};
  if (stat.size > max_unpacked_bytes_ - unpacked_bytes_)
    return Error{ErrorCode::kResourceLimit,
                 "found " + std::to_string(stat.size) + " bytes once unpacked, of " +
                     std::to_string(max_unpacked_bytes_ - unpacked_bytes_) +
                     " that a package of this size may still hold",
                 where};

  const std::unique_ptr<zip_file_t, CloseEntry> file(zip_fopen_index(archive, index, 0));
  if (file == nullptr)
    return malformed("cannot be unpacked: " + std::string(zip_strerror(archive)));
  std::vector<char> text(stat.size);
  std::size_t filled = 0;
  while (true) {
    // One byte more than stated shows a stated size that is too small, and makes libzip compare the
    // checksum at the end.
    char beyond = 0;
    const bool full = filled == text.size();
    const zip_int64_t got = full
                                ? zip_fread(file.get(), &beyond, 1)
                                : zip_fread(file.get(), text.data() + filled, text.size() - filled);
    if (got < 0)
      return malformed("cannot be unpacked: " + std::string(zip_file_strerror(file.get())));
    if (full && got > 0)
      return malformed("found more than the " + std::to_string(stat.size) + " bytes stated");
    if (got == 0) break;
    filled += static_cast<std::size_t>(got);
  }
  if (filled < text.size())
    return malformed("found " + std::to_string(filled) + " bytes once unpacked, expected the " +
                     std::to_string(stat.size) + " stated");
  unpacked_bytes_ += filled;
  return text;
}

}  // namespace plimsoll
