#include "columns/implicit_columns.h"

#include <algorithm>
#include <cmath>

namespace plimsoll {
namespace {

bool is_inside(double f) { return f < 0; }  // NaN is outside

/// The crossing between `low` and `high`, of which one is inside: the method of Chandrupatla,
/// inverse quadratic interpolation where the last three points lie on a curve that allows it, else
/// halving [Chandrupatla1997].
double find_crossing(const Expression& f, const Line& line, const LineSegment& segment,
                     FormulaWork& work) {
  double a = segment.low, b = segment.high, fa = segment.f_low, fb = segment.f_high;
  if (fb == 0) return b;
  if (fa == 0) return a;
  const double size = std::max(std::fabs(a), std::fabs(b));
  double c = a, fc = fa, part = 0.5;
  for (int i = 0; i < 200; ++i) {
    const double x = a + part * (b - a);
    const double fx = f(line.origin + x * line.direction);
    ++work.values;
    if (is_inside(fx) == is_inside(fa)) {
      c = a;
      fc = fa;
    } else {
      c = b;
      fc = fb;
      b = a;
      fb = fa;
    }
    a = x;
    fa = fx;
    const bool a_nearer = std::fabs(fa) < std::fabs(fb);
    const double best = a_nearer ? a : b;
    const double room = 0x1p-53 * size / std::fabs(b - a);  // one rounding, as part of the bracket
    if (fa == 0 || !(room < 0.5)) return best;
    const double xi = (a - b) / (c - b), phi = (fa - fb) / (fc - fb);
    part = 0.5;
    if (phi * phi < xi && (1 - phi) * (1 - phi) < 1 - xi)
      part = fa / (fb - fa) * fc / (fb - fc) + (c - a) / (b - a) * fa / (fc - fa) * fb / (fc - fb);
    if (!(part >= room)) part = part < room ? room : 0.5;
    part = std::min(part, 1 - room);
  }
  return a;
}

/// The way along a line, told in order which pieces of it are inside.
class Way {
 public:
  Way(const Span& within, bool inside, std::vector<Span>& out) : inside_(inside), out_(out) {
    span_ = {within.enter, within.leave, within.enter_surface + 1, within.leave_surface + 1};
  }
  void cross(double at) {
    inside_ = !inside_;
    if (inside_) {
      span_.enter = at;
      span_.enter_surface = 0;
    } else {
      append({span_.enter, at, span_.enter_surface, 0}, out_);
    }
  }
  void end() {
    if (inside_) append(span_, out_);
  }

 private:
  Span span_;
  bool inside_;
  std::vector<Span>& out_;
};

/// Whether the ends of the segment tell all there is to know about it.
bool is_decided(const SlopeRange& range) {
  if (range.value.is_empty() || range.value.low >= 0) return true;
  if (!range.is_continuous) return false;
  return range.value.high < 0 || range.slope.low >= 0 || range.slope.high <= 0;
}

/// The pieces, where segments shorter than `thinnest` are judged by their ends. False, with part of
/// the line left, after kMaxRanges.
bool try_crossings(const Expression& expression, const Line& line, const Span& within,
                   double thinnest, std::vector<LineSegment>& waiting, std::vector<Span>& out,
                   FormulaWork& work) {
  const auto point = [&](double s) -> Vec3 { return line.origin + s * line.direction; };
  const auto value = [&](double s) {
    ++work.values;
    return expression(point(s));
  };
  const double f_enter = value(within.enter);
  Way way(within, is_inside(f_enter), out);
  int ranges = 0;
  waiting.clear();
  waiting.push_back({within.enter, within.leave, f_enter, value(within.leave)});
  while (!waiting.empty()) {
    const LineSegment segment = waiting.back();
    waiting.pop_back();
    const double width = segment.high - segment.low;
    if (width > thinnest) {
      if (ranges++ == kMaxRanges) return false;
      ++work.ranges;
      const Vec3 low = point(segment.low), high = point(segment.high);
      const Box3 box(low.cwiseMin(high), low.cwiseMax(high));
      if (!is_decided(expression.range_along(box, line.direction))) {
        const double middle = segment.low + width / 2;
        const double f_middle = value(middle);
        waiting.push_back({middle, segment.high, f_middle, segment.f_high});
        waiting.push_back({segment.low, middle, segment.f_low, f_middle});
        continue;
      }
    }
    if (is_inside(segment.f_low) != is_inside(segment.f_high))
      way.cross(find_crossing(expression, line, segment, work));
  }
  way.end();
  return true;
}

}  // namespace

bool implicit_crossings(const Expression& expression, const Line& line, const Span& within,
                        std::vector<LineSegment>& waiting, std::vector<Span>& out,
                        FormulaWork& work) {
  const double height = within.leave - within.enter;
  for (const double thinnest : {kThinnest, 1e3 * kThinnest, kCoarsest}) {
    out.clear();
    if (try_crossings(expression, line, within, thinnest * height, waiting, out, work))
      return thinnest == kThinnest;
  }
  return false;
}

}  // namespace plimsoll
