#include <fmt/color.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "diagnosis.h"
#include "marked_defects.h"
#include "reports.h"
#include "text.h"

namespace plimsoll::cli {
namespace {

constexpr std::size_t kLabelWidth = 16;
constexpr std::size_t kLineWidth = 100;
constexpr std::string_view kIndent = "  ";

// Columns of numbers start alike with and without a sign.
std::string signed_column(const std::string& number) {
  return number.starts_with('-') ? number : fmt::format(" {}", number);
}

// Two digits, rounded up: 6 % is more than half a unit of the second.
std::string rounded_up(double bound) { return fmt::format("{:.2g}", bound * 1.06); }

// What is less than sums of doubles can tell is 0.
std::string percent(double ratio) {
  return fmt::format("{:.3g} %", std::abs(ratio) < 1e-12 ? 0 : 100 * std::abs(ratio));
}

// "the sum below is 3 % too small"
std::string off_by(double missing) {
  if (std::abs(missing) < 1e-12) return "the sum below is as large";
  return fmt::format("the sum below is {} too {}", percent(missing),
                     missing < 0 ? "large" : "small");
}

// The volume with caps over the rims, where they close the mesh; else how it moves with the point
// of reference. A tube open at both ends does not move, and is a third too small.
std::string how_far_off(const PartReport& part) {
  if (part.closing) {
    const double missing = 1 - part.mass.volume / part.closing->volume;
    return fmt::format("welded so, the volume is {:.6g} m^3: {}", part.closing->volume,
                       off_by(missing));
  }
  const std::optional<CappedVolume> capped = capped_volume(part);
  if (!capped) {
    const double shift = part.health.shift_sensitivity;
    if (!std::isfinite(shift))
      return "the volume is 0 here and is what you like if the reference point moves";
    return fmt::format(
        "the volume changes by {} if the reference point moves by the size of the box",
        percent(shift));
  }
  // Sums of the caps' triangles, rounded, of a body that encloses nothing.
  const bool is_flat = !(capped->by_fans > 1e-9 * part.mass.volume);
  const std::size_t count = part.rims->rims.size();
  const std::string closed = count == 1 ? "closed by a cap over its rim"
                                        : fmt::format("closed by caps over its {} rims", count);
  if (is_flat) return closed + ", the surface encloses nothing";
  return fmt::format(
      "{}, the volume is {:.6g} m^3: {}. Fans from the rims' centers and "
      "flat "
      "caps differ by {}; a missing part that bulges can differ by more",
      closed, capped->by_fans, off_by(capped->missing),
      percent(capped->differences / capped->by_fans));
}

// The answer first, in the order in which it is looked for; before it only what forbids to use it.
class TextReport {
 public:
  TextReport(const MassReport& report, bool color) : report_(report), color_(color) {}

  std::string write() {
    write_heading();
    for (const PartReport& part : report_.parts) write_faults(part);
    write_marked();
    text_ += '\n';
    if (report_.is_assembly()) write_part_table();
    write_scalars();
    write_tensor();
    write_principal_axes();
    write_certainty();
    for (const PartReport& part : report_.parts) write_health(part);
    if (report_.is_assembly())
      row("not checked", "whether parts overlap: space that two of them share counts twice");
    return std::move(text_);
  }

 private:
  // A label and what belongs to it, broken between words into lines of kLineWidth.
  void row(std::string_view label, std::string_view content) {
    const std::size_t width = kLineWidth - kIndent.size() - kLabelWidth;
    while (content.size() > width) {
      const std::size_t space = content.rfind(' ', width);
      if (space == std::string_view::npos || space == 0) break;
      line(label, content.substr(0, space));
      content.remove_prefix(space + 1);
      label = "";
    }
    line(label, content);
  }

  void line(std::string_view label, std::string_view content) {
    text_ += fmt::format("{}{:<{}}{}\n", kIndent, label, kLabelWidth, content);
  }

  void value(std::string_view label, const std::string& number, std::string_view unit) {
    line(label, fmt::format("{} {}", signed_column(number), unit));
  }

  [[nodiscard]] std::string in_style(const fmt::text_style& style, const std::string& text) const {
    return color_ ? fmt::format(style, "{}", text) : text;
  }

  [[nodiscard]] std::string status_word(Status status) const {
    const fmt::terminal_color color = status == Status::kOk         ? fmt::terminal_color::green
                                      : status == Status::kInverted ? fmt::terminal_color::yellow
                                                                    : fmt::terminal_color::red;
    return in_style(fmt::emphasis::bold | fmt::fg(color), to_string(status));
  }

  void write_heading() {
    const std::string subject = report_.is_assembly()
                                    ? fmt::format("assembly of {} parts", report_.parts.size())
                                    : printable(report_.parts.front().name);
    text_ += fmt::format("{}: {} - {}\n", in_style(fmt::emphasis::bold, subject),
                         status_word(report_.status), in_words(report_.status));
    if (is_sound(report_.status)) return;
    const fmt::text_style style = fmt::emphasis::bold | fmt::fg(fmt::terminal_color::red);
    text_ += in_style(style, "WARNING: do not trust the numbers below.") + '\n';
  }

  void write_faults(const PartReport& part) {
    if (is_sound(part.status)) return;
    text_ += '\n';
    if (report_.is_assembly()) row("part", printable(part.name));
    for (const Finding& fault : diagnose(part).faults) {
      row("why", fault.what);
      row("what to do", fault.advice);
    }
    if (part.health.unbalanced_edges > 0) row("how far off", how_far_off(part));
  }

  // The numbers are those of the picture.
  void write_marked() {
    bool more = false;
    const std::vector<MarkedDefect> marked = marked_defects(report_, more);
    for (std::size_t i = 0; i < marked.size(); ++i) {
      const Vec3& at = marked[i].at;
      row(i == 0 ? "where" : "",
          fmt::format(
              "{:>2}  {} at triangle {}, {} ({:.6g}, {:.6g}, {:.6g}) m{}", i + 1, marked[i].what,
              marked[i].triangle, marked[i].rim ? "about" : "near", at.x(), at.y(), at.z(),
              report_.is_assembly() ? " of " + printable(report_.parts[marked[i].part].name) : ""));
    }
    if (more) row("", "    and more");
  }

  void write_part_table() {
    constexpr std::string_view kColumns = "{}{:<17}  {:>14}  {:>14}  {:>14}  {}\n";
    text_ +=
        fmt::format(kColumns, kIndent, "status", "density kg/m^3", "volume m^3", "mass kg", "part");
    for (const PartReport& part : report_.parts) {
      const MassProperties& mass = part.mass;
      text_ += fmt::format(
          kColumns, kIndent, to_string(part.status), certain_digits(mass.density, 0),
          certain_digits(mass.volume, part.error.volume),
          certain_digits(mass.mass, part.error.volume * mass.density), printable(part.name));
    }
    text_ += '\n';
  }

  void write_scalars() {
    const MassProperties& mass = report_.mass;
    const double bound = report_.error.volume;
    value("volume", certain_digits(mass.volume, bound), "m^3");
    value("mass", certain_digits(mass.mass, bound * mass.density), "kg");
    value("density", certain_digits(mass.density, 0),
          !report_.density_given  ? "kg/m^3, for want of --density or --mass"
          : report_.is_assembly() ? "kg/m^3, the mean"
                                  : "kg/m^3");
    if (std::isfinite(report_.health.surface_area))
      value("surface area", certain_digits(report_.health.surface_area, 0), "m^2");
    else
      line("surface area", " not known");
    const double center_bound = report_.error.center_of_mass;
    const auto coordinate = [&](int axis) {
      return certain_digits(mass.center_of_mass[axis], center_bound);
    };
    if (mass.center_of_mass.allFinite())
      line("center of mass",
           fmt::format("{:<15} {:<15} {:<15} m", signed_column(coordinate(0)),
                       signed_column(coordinate(1)), signed_column(coordinate(2))));
    else
      line("center of mass", " none");
  }

  void write_tensor() {
    const Mat3& inertia = report_.mass.inertia;
    if (!inertia.allFinite()) return line("inertia", " none");
    constexpr std::array<std::string_view, 3> kLabels = {"inertia", "", ""};
    constexpr std::array<std::string_view, 3> kRemarks = {"kg m^2, about the", "center of mass, in",
                                                          "the file's axes"};
    for (int i = 0; i < 3; ++i) {
      std::string content;
      for (int j = 0; j < 3; ++j)
        content += fmt::format("{:<15} ",
                               signed_column(certain_digits(inertia(i, j), report_.error.inertia)));
      content += kRemarks[static_cast<std::size_t>(i)];
      line(kLabels[static_cast<std::size_t>(i)], content);
    }
  }

  void write_principal_axes() {
    const std::optional<PrincipalAxes> axes = axes_of(report_.mass);
    if (!axes) return;
    const double bound = moment_bound(*axes, report_.error);
    for (int k = 0; k < 3; ++k)
      line(k == 0 ? "principal" : "",
           fmt::format(" {:<14} kg m^2 about ({: .6f}, {: .6f}, {: .6f})",
                       certain_digits(axes->moments[k], bound), shown_component(axes->axes(k, 0)),
                       shown_component(axes->axes(k, 1)), shown_component(axes->axes(k, 2))));
  }

  void write_certainty() {
    const MassError& bound = report_.error;
    if (!report_.mass.inertia.allFinite()) return;
    if (!std::isfinite(bound.volume)) return line("error", " not bounded");
    line(report_.estimated ? "error about" : "error below",
         fmt::format(" {} m^3 in volume, {} m in center, {} kg m^2 in inertia",
                     rounded_up(bound.volume), rounded_up(bound.center_of_mass),
                     rounded_up(bound.inertia)));
    if (report_.estimated)
      return line("",
                  " estimated, not proven: held in 99 of 100 random cases; --json has all digits");
    line("", has_bound(report_.status)
                 ? " for the vertices as given: the last digit shown is right to 1, --json has all"
                 : " in the sums themselves; it says nothing about the body");
  }

  void write_health(const PartReport& part) {
    text_ += '\n';
    if (report_.is_assembly()) row("part", printable(part.name));
    if (part.image) {
      const ImageReport& image = *part.image;
      row("image",
          fmt::format("{} x {} pixels, {}, {}: {}, {}", image.width, image.height, image.algorithm,
                      counted(static_cast<std::size_t>(image.passes), "pass", "passes"),
                      counted(image.fragments, "crossing", "crossings"),
                      printable(image.renderer)));
    }
    if (!part.is_mesh) return;
    row("mesh",
        fmt::format("{}, {}, {}{}; read in {}", counted(part.health.vertices, "vertex", "vertices"),
                    counted(part.health.triangles, "triangle", "triangles"),
                    counted(part.health.shells.size(), "shell", "shells"),
                    part.health.unbalanced_edges == 0 ? ", closed" : "", part.unit));
    for (const std::string& note : diagnose(part).notes) row("note", note);
    if (!part.health.self_intersecting_pairs && is_sound(part.status))
      row("not checked", "whether the surface passes through itself: --check-intersections");
  }

  const MassReport& report_;
  bool color_;
  std::string text_;
};

}  // namespace

std::string text_report(const MassReport& report, bool color) {
  return TextReport(report, color).write();
}

}  // namespace plimsoll::cli
