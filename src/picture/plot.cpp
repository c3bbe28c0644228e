#include "picture/plot.h"

#include <cairo-svg.h>
#include <fmt/format.h>
#include <plimsoll/text.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <new>
#include <numbers>
#include <optional>
#include <span>

#include "picture/label_places.h"
#include "picture/lettering.h"
#include "picture/pen.h"

namespace plimsoll::picture {
namespace {

constexpr Color kInk{34, 34, 34}, kPaper{255, 255, 255};
constexpr double kWidth = 900, kHeight = 560;
constexpr double kRight = 28, kTop = 56, kBottom = 64;
constexpr double kCapital = 10, kLabelHeight = 14;  // of letters, and of their line

/// An axis with round steps.
struct Axis {
  double low, high, step;
};

/// Ten steps at most: 1, 2 or 5 times a power of ten.
double round_step(double range) {
  const double power = std::pow(10.0, std::floor(std::log10(range / 4)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (range / (factor * power) <= 10) return factor * power;
  return 10 * power;
}

/// Of degrees: parts of a circle.
double angle_step(double range) {
  for (const double step : {1.0, 2.0, 5.0, 10.0, 15.0, 30.0, 45.0, 90.0})
    if (range / step <= 13 && range / step >= 3) return step;
  return round_step(range);
}

Axis axis_of(double low, double high, bool is_angle) {
  const double size = std::max(std::fabs(low), std::fabs(high));
  if (!(high - low > 1e-12 * size)) {
    low -= 0.5;
    high += 0.5;
  }
  const double step = is_angle ? angle_step(high - low) : round_step(high - low);
  return {std::floor(low / step + 1e-9) * step, std::ceil(high / step - 1e-9) * step, step};
}

/// "0.2", and "-0" never.
std::string tick(double value, double step) {
  return fmt::format("{:.6g}", std::fabs(value) < step / 2 ? 0.0 : value);
}

/// How a line is drawn; solid without dashes.
struct Style {
  Color color;
  double width = 1;
  double dash = 0, gap = 0;
};

/// A page of SVG.
class Page {
 public:
  Page()
      : surface_(cairo_svg_surface_create_for_stream(append_to_string, &document_, kWidth, kHeight),
                 cairo_surface_destroy) {
    cairo_svg_surface_set_document_unit(surface_.get(), CAIRO_SVG_UNIT_PX);
    pen_.emplace(surface_.get());
    cairo_set_line_cap(context(), CAIRO_LINE_CAP_BUTT);
    fill({0, 0, kWidth, kHeight}, kPaper);
  }

  void fill(const Rectangle& frame, Color color, double cover = 1) {
    pen_->dip(color, cover);
    cairo_rectangle(context(), frame.x, frame.y, frame.width, frame.height);
    cairo_fill(context());
  }

  void line(std::span<const Spot> points, const Style& style) {
    pen_->dip(style.color);
    cairo_set_line_width(context(), style.width);
    const std::array pattern{style.dash, style.gap};
    cairo_set_dash(context(), pattern.data(), style.dash > 0 ? 2 : 0, 0);
    for (const Spot& p : points) cairo_line_to(context(), p.x, p.y);
    cairo_stroke(context());
  }

  void dot(const Spot& at, Color inside, const Style& rim) {
    constexpr double kRadius = 4.5;
    cairo_arc(context(), at.x, at.y, kRadius, 0, 2 * std::numbers::pi);
    pen_->dip(inside);
    cairo_fill_preserve(context());
    pen_->dip(rim.color);
    cairo_set_line_width(context(), rim.width);
    cairo_set_dash(context(), nullptr, 0, 0);
    cairo_stroke(context());
  }

  /// `share` of the text lies to the left of `at`. Upwards where it is turned.
  void text(const Spot& at, const std::string& words, double share, double size = kCapital,
            bool is_bold = false, bool is_turned = false) {
    pen_->dip(kInk);
    use_font(context(), size, is_bold);
    cairo_save(context());
    cairo_translate(context(), at.x, at.y);
    if (is_turned) cairo_rotate(context(), -std::numbers::pi / 2);
    cairo_move_to(context(), -share * lettered_width(words, size, is_bold), 0);
    cairo_show_text(context(), printable(words).c_str());
    cairo_new_path(context());  // it would go on from the end of the text
    cairo_restore(context());
  }

  /// With a title and a description in words. The page is no more.
  [[nodiscard]] std::string finished(const std::string& title, const std::string& description) {
    pen_.reset();
    cairo_surface_finish(surface_.get());
    if (cairo_surface_status(surface_.get()) != CAIRO_STATUS_SUCCESS) throw std::bad_alloc();
    const std::size_t inside = document_.find('>', document_.find("<svg")) + 1;
    return document_.substr(0, inside) +
           fmt::format("\n<title>{}</title>\n<desc>{}</desc>", xml_attribute(title),
                       xml_attribute(description)) +
           document_.substr(inside);
  }

 private:
  [[nodiscard]] cairo_t* context() const { return pen_->context(); }

  std::string document_;
  std::unique_ptr<cairo_surface_t, void (*)(cairo_surface_t*)> surface_;
  std::optional<Pen> pen_;
};

/// A label that has found its place.
struct Name {
  std::string text;
  Rectangle place;
};

/// Where the axes begin: the numbers beside them have room, and the label beside those.
double left_of(const Axis& y) {
  double widest = 0;
  for (double at = y.low; at <= y.high + y.step / 2; at += y.step)
    widest = std::max(widest, lettered_width(tick(at, y.step), kCapital));
  return std::max(84.0, widest + 54);
}

class Drawing {
 public:
  Drawing(const Plot& plot, const Axis& x, const Axis& y)
      : plot_(plot),
        x_(x),
        y_(y),
        left_(left_of(y)),
        places_({left_, kTop, kWidth - left_ - kRight, kHeight - kTop - kBottom}) {
    for (const PlotLine& line : plot.lines) lines_.push_back(within(line));
  }

  std::string document() {
    note_what_is_drawn();
    find_names();
    draw_grid();
    for (const Name& name : names_) {
      const auto& [x, y, width, height] = name.place;
      page_.fill({x - 2, y - 2, width + 4, height + 4}, kPaper, 0.85);
    }
    draw_titles();
    draw_curves();
    for (const Name& name : names_)
      page_.text({name.place.x + name.place.width / 2, name.place.y + name.place.height - 2},
                 name.text, 0.5);
    return page_.finished(plot_.title, description());
  }

 private:
  [[nodiscard]] Spot spot(const PlotPoint& p) const {
    return {left_ + (p.x - x_.low) / (x_.high - x_.low) * (kWidth - left_ - kRight),
            kHeight - kBottom - (p.y - y_.low) / (y_.high - y_.low) * (kHeight - kTop - kBottom)};
  }
  [[nodiscard]] std::vector<Spot> spots(std::span<const PlotPoint> points) const {
    std::vector<Spot> spots;
    for (const PlotPoint& p : points) spots.push_back(spot(p));
    return spots;
  }
  [[nodiscard]] std::array<PlotPoint, 2> ends(const PlotBorder& border) const {
    return {{{border.x, y_.low}, {border.x, y_.high}}};
  }

  /// The part of a line within the axes.
  [[nodiscard]] PlotLine within(PlotLine line) const {
    const double rise = line.to.y - line.from.y;
    const double limit = rise > 0 ? y_.high : y_.low;
    double share = rise == 0 ? 1 : std::min(1.0, (limit - line.from.y) / rise);
    share = std::min(share, (x_.high - line.from.x) / (line.to.x - line.from.x));
    line.to = {line.from.x + share * (line.to.x - line.from.x), line.from.y + share * rise};
    return line;
  }

  void note_what_is_drawn() {
    places_.add_line(spot({x_.low, 0}), spot({x_.high, 0}));
    for (const PlotLine& line : lines_) places_.add_line(spot(line.from), spot(line.to));
    for (const PlotBorder& border : plot_.borders)
      places_.add_line(spot(ends(border)[0]), spot(ends(border)[1]));
    for (const std::vector<PlotPoint>& curve : plot_.curves)
      for (std::size_t i = 0; i < curve.size(); ++i)
        places_.add_line(spot(curve[i == 0 ? 0 : i - 1]), spot(curve[i]));
    for (const PlotMark& mark : plot_.marks) {
      const Spot at = spot(mark.at);
      places_.add_line({at.x - 5, at.y - 5}, {at.x + 5, at.y + 5});
    }
  }

  /// Near one of these points.
  void add_name(const std::string& text, std::span<const PlotPoint> points) {
    if (text.empty()) return;
    const Rectangle place =
        places_.take(spots(points), lettered_width(text, kCapital), kLabelHeight);
    names_.push_back({text, place});
  }

  /// Points along the part of a line that has to be named.
  static std::array<PlotPoint, 6> along(const PlotPoint& from, const PlotPoint& to) {
    std::array<PlotPoint, 6> points;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const double share = 1 - 0.08 * static_cast<double>(i);
      points[i] = {from.x + share * (to.x - from.x), from.y + share * (to.y - from.y)};
    }
    return points;
  }

  void find_names() {
    for (const PlotMark& mark : plot_.marks) add_name(mark.text, {&mark.at, 1});
    for (const PlotLine& line : lines_) add_name(line.text, along(line.from, line.to));
    for (const PlotBorder& border : plot_.borders)
      add_name(border.text, along(ends(border)[0], ends(border)[1]));
  }

  void draw_line(const PlotPoint& a, const PlotPoint& b, const Style& style) {
    page_.line(std::array{spot(a), spot(b)}, style);
  }

  void draw_grid() {
    const Style fine{{228, 228, 228}}, axis{kInk};
    for (double x = x_.low; x <= x_.high + x_.step / 2; x += x_.step) {
      draw_line({x, y_.low}, {x, y_.high}, fine);
      page_.text({spot({x, 0}).x, kHeight - kBottom + 20}, x_tick(x), 0.5);
    }
    for (double y = y_.low; y <= y_.high + y_.step / 2; y += y_.step) {
      draw_line({x_.low, y}, {x_.high, y}, fine);
      page_.text({left_ - 10, spot({0, y}).y + 5}, tick(y, y_.step), 1);
    }
    draw_line({x_.low, y_.low}, {x_.low, y_.high}, axis);
    draw_line({x_.low, 0}, {x_.high, 0}, axis);
  }

  void draw_titles() {
    constexpr double kTitle = 13;
    const double room = kWidth - left_ - kRight;
    const double width = lettered_width(plot_.title, kTitle, true);
    page_.text({left_, kTop - 22}, plot_.title, 0, kTitle * std::min(1.0, room / width), true);
    page_.text({(left_ + kWidth - kRight) / 2, kHeight - 16}, plot_.x_label, 0.5);
    page_.text({24, kHeight / 2}, plot_.y_label, 0.5, kCapital, false, true);
  }

  void draw_curves() {
    for (const PlotLine& line : lines_) draw_line(line.from, line.to, {{119, 119, 119}, 1.5, 7, 4});
    for (const PlotBorder& border : plot_.borders)
      draw_line(ends(border)[0], ends(border)[1], {{180, 95, 6}, 1.5, 2, 4});
    for (const std::vector<PlotPoint>& curve : plot_.curves)
      page_.line(spots(curve), {{11, 83, 148}, 2.5});
    for (const PlotMark& mark : plot_.marks) {
      const Color red{204, 0, 0};
      page_.dot(spot(mark.at), mark.is_ring ? kPaper : red, {red, 1.5});
    }
  }

  [[nodiscard]] std::string x_tick(double x) const {
    return tick(x, x_.step) + (plot_.x_is_angle ? "°" : "");
  }

  [[nodiscard]] std::string description() const {
    std::string words =
        fmt::format("{}, from {} to {}; {}, from {} to {}", plot_.x_label, x_tick(x_.low),
                    x_tick(x_.high), plot_.y_label, tick(y_.low, y_.step), tick(y_.high, y_.step));
    for (const Name& name : names_) words += "; " + name.text;
    return words;
  }

  const Plot& plot_;
  Axis x_, y_;
  std::vector<PlotLine> lines_;  // as far as they are drawn
  double left_;                  // where the axes begin
  LabelPlaces places_;
  std::vector<Name> names_;
  Page page_;
};

struct Range {
  PlotPoint low, high;
};
Range range_of(const Plot& plot) {
  constexpr double kFar = std::numeric_limits<double>::infinity();
  Range range{{kFar, 0}, {-kFar, 0}};
  const auto extend = [&](const PlotPoint& p) {
    range.low = {std::min(range.low.x, p.x), std::min(range.low.y, p.y)};
    range.high = {std::max(range.high.x, p.x), std::max(range.high.y, p.y)};
  };
  for (const auto& curve : plot.curves) std::for_each(curve.begin(), curve.end(), extend);
  for (const PlotMark& mark : plot.marks) extend(mark.at);
  // Room for a label above the highest point, and below the lowest.
  const double room = 0.06 * (range.high.y - range.low.y);
  if (range.high.y > 0) range.high.y += room;
  if (range.low.y < 0) range.low.y -= room;
  return range;
}

}  // namespace

std::string svg_document(const Plot& plot) {
  const Range range = range_of(plot);
  return Drawing(plot, axis_of(range.low.x, range.high.x, plot.x_is_angle),
                 axis_of(range.low.y, range.high.y, false))
      .document();
}

namespace {

void replace_all(std::string& text, std::string_view from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

/// The page as a part of a document, its identifiers apart from those of others.
std::string placed(std::string page, std::size_t number) {
  page.erase(0, page.find("<svg"));
  const std::string prefix = fmt::format("p{}-", number);
  replace_all(page, "id=\"", "id=\"" + prefix);
  replace_all(page, "href=\"#", "href=\"#" + prefix);
  replace_all(page, "url(#", "url(#" + prefix);
  return page.insert(4, fmt::format(" y=\"{}\"", static_cast<double>(number) * kHeight));
}

}  // namespace

std::string svg_document(std::span<const Plot> plots) {
  const double height = kHeight * static_cast<double>(plots.size());
  std::string text = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" "
      "xmlns:xlink=\"http://www.w3.org/1999/xlink\" width=\"{0}\" height=\"{1}\" "
      "viewBox=\"0 0 {0} {1}\">\n",
      kWidth, height);
  for (std::size_t i = 0; i < plots.size(); ++i) text += placed(svg_document(plots[i]), i);
  return text + "</svg>\n";
}

}  // namespace plimsoll::picture
