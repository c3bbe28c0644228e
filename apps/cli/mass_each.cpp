#include "mass_each.h"

#include <fmt/format.h>

#include <algorithm>

#include "answer.h"
#include "reports.h"
#include "text.h"

namespace plimsoll::cli {
namespace {

constexpr std::string_view kTextColumns = "{:<17}  {:>14}  {:>14}  {:>14}  {}\n";

std::string heading(const std::string& format) {
  if (format == "json") return {};
  if (format == "csv") return csv_heading_of_each();
  return fmt::format(kTextColumns, "status", "density kg/m^3", "volume m^3", "mass kg", "file");
}

std::string text_row(const MassReport& report) {
  const MassProperties& mass = report.mass;
  const double bound = report.error.volume;
  return fmt::format(kTextColumns, to_string(report.status), certain_digits(mass.density, 0),
                     certain_digits(mass.volume, bound),
                     certain_digits(mass.mass, bound * mass.density),
                     printable(report.parts.front().name));
}

template <class Content>
std::string json_row(const std::string& name, const Content& write) {
  const auto write_all = [&](JsonWriter& out) {
    out.member("file", name);
    write(out);
  };
  return json_object(write_all, true);
}

std::string row(const MassReport& report, const std::string& format) {
  if (format == "csv") return csv_row_of(report);
  if (format == "text") return text_row(report);
  return json_row(report.parts.front().name, [&](JsonWriter& out) { write_members(out, report); });
}

std::string row(const std::string& name, const Failure& failure, const std::string& format) {
  if (format == "csv") return csv_row_of(name, failure);
  if (format == "json") return json_row(name, [&](JsonWriter& out) { write_error(out, failure); });
  // The place names the file already, unless it is something within.
  const std::string& place = failure.where.starts_with(name) ? failure.where : name;
  return fmt::format("{:<17}  {}: {}\n", "failed", printable(place), printable(failure.message));
}

// What is said of one file is not said of all.
MassJob job_of(const PartArgument& part, const MassJob& all) {
  MassJob job = all;
  job.parts = {part};
  job.reading.parts = 1;
  job.reading.notices = std::make_shared<Notices>("mass");
  return job;
}

}  // namespace

ExitCode weigh_each(const MassJob& job, const std::string& format) {
  if (!print_output(heading(format))) return kDone;
  std::size_t failed = 0;
  Status gravest = Status::kOk;
  for (const PartArgument& part : job.parts) {
    std::string line;
    try {
      const MassReport report = weigh(job_of(part, job)).report;
      gravest = std::min(gravest, report.status);
      line = row(report, format);
    } catch (...) {
      ++failed;
      line = row(part.name, current_failure(), format);
    }
    if (!print_output(line)) break;
  }
  if (failed == 0) return exit_code_of(gravest);
  print_message(fmt::format("plimsoll mass: {} of {} could not be weighed", failed,
                            counted(job.parts.size(), "body", "bodies")));
  return kSomeFailed;
}

}  // namespace plimsoll::cli
