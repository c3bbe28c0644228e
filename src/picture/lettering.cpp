#include "picture/lettering.h"

#include <fmt/format.h>
#include <fontconfig/fontconfig.h>
#include <plimsoll/text.h>

#include <cmath>
#include <memory>

#include "picture/pen.h"

namespace plimsoll::picture {
namespace {

constexpr const char* kFamily = "DejaVu Sans";

struct Destroy {
  void operator()(cairo_font_options_t* options) const { cairo_font_options_destroy(options); }
  void operator()(cairo_font_face_t* face) const { cairo_font_face_destroy(face); }
  void operator()(cairo_scaled_font_t* font) const { cairo_scaled_font_destroy(font); }
  void operator()(FcPattern* pattern) const { FcPatternDestroy(pattern); }
};
template <class T>
using Owned = std::unique_ptr<T, Destroy>;

/// Outlines as they are, whatever the system prefers: pictures are the same everywhere.
Owned<cairo_font_options_t> plain_options() {
  Owned<cairo_font_options_t> options(cairo_font_options_create());
  cairo_font_options_set_hint_style(options.get(), CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics(options.get(), CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_antialias(options.get(), CAIRO_ANTIALIAS_GRAY);
  return options;
}

Owned<cairo_font_face_t> face_of(bool is_bold) {
  return Owned<cairo_font_face_t>(
      cairo_toy_font_face_create(kFamily, CAIRO_FONT_SLANT_NORMAL,
                                 is_bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL));
}

/// The font in one size, to measure with: widths without hints grow as sizes do.
class Measure {
 public:
  explicit Measure(bool is_bold) {
    cairo_matrix_t size, place;
    cairo_matrix_init_scale(&size, kSize, kSize);
    cairo_matrix_init_identity(&place);
    font_.reset(
        cairo_scaled_font_create(face_of(is_bold).get(), &size, &place, plain_options().get()));
    capital_ = extents("H").height / kSize;
    if (!(capital_ > 0)) capital_ = 0.73;  // a font without an H; that of DejaVu Sans
  }

  /// The height of a capital, in sizes of the font.
  [[nodiscard]] double capital() const { return capital_; }

  /// In sizes of the font.
  [[nodiscard]] double width(const std::string& text) const {
    return extents(text).x_advance / kSize;
  }

 private:
  static constexpr double kSize = 1000;

  [[nodiscard]] cairo_text_extents_t extents(const std::string& text) const {
    cairo_text_extents_t extents{};
    cairo_scaled_font_text_extents(font_.get(), text.c_str(), &extents);
    return extents;
  }

  Owned<cairo_scaled_font_t> font_;
  double capital_ = 0;
};

const Measure& measure(bool is_bold) {
  static const Measure book(false), bold(true);
  return is_bold ? bold : book;
}

/// Letters that begin farther away are not in any picture, and Cairo would draw them anywhere.
bool can_be_seen(const Spot& at) {
  constexpr double kFar = 1e5;
  return std::fabs(at.x) < kFar && std::fabs(at.y) < kFar;
}

}  // namespace

void use_font(cairo_t* context, double size, bool is_bold) {
  cairo_set_font_face(context, face_of(is_bold).get());
  cairo_set_font_size(context, size / measure(is_bold).capital());
  cairo_set_font_options(context, plain_options().get());
}

// As outlines, for Cairo moves the letters that it keeps as images to whole pixels.
void letter(Picture& picture, const Spot& at, std::string_view text, double size, Color color) {
  if (!can_be_seen(at)) return;
  const Pen pen(picture, color);
  use_font(pen.context(), size);
  cairo_move_to(pen.context(), at.x, at.y);
  cairo_text_path(pen.context(), printable(text).c_str());
  cairo_fill(pen.context());
}

void letter_on(Picture& picture, const Spot& at, std::string_view text, double size, Color color,
               Color paper) {
  constexpr double kRim = 0.36;  // how wide the paper's lines are, half of it within the letters
  if (!can_be_seen(at)) return;
  {
    const Pen pen(picture, paper);
    use_font(pen.context(), size);
    cairo_move_to(pen.context(), at.x, at.y);
    cairo_text_path(pen.context(), printable(text).c_str());
    cairo_set_line_width(pen.context(), kRim * size);
    cairo_stroke(pen.context());
  }
  letter(picture, at, text, size, color);
}

double lettered_width(std::string_view text, double size, bool is_bold) {
  const Measure& font = measure(is_bold);
  return font.width(printable(text)) * size / font.capital();
}

std::optional<std::string> font_problem() {
  const Owned<FcPattern> wanted(FcPatternCreate());
  FcPatternAddString(wanted.get(), FC_FAMILY, reinterpret_cast<const FcChar8*>(kFamily));
  FcConfigSubstitute(nullptr, wanted.get(), FcMatchPattern);
  FcDefaultSubstitute(wanted.get());
  FcResult result = FcResultMatch;
  const Owned<FcPattern> found(FcFontMatch(nullptr, wanted.get(), &result));
  FcChar8* family = nullptr;
  if (found) FcPatternGetString(found.get(), FC_FAMILY, 0, &family);
  const std::string name = family ? reinterpret_cast<const char*>(family) : "";
  if (name == kFamily) return std::nullopt;
  return fmt::format("the font {} is missing (Debian: fonts-dejavu-core); letters are {}", kFamily,
                     name.empty() ? "rough" : "those of " + printable(name));
}

}  // namespace plimsoll::picture
