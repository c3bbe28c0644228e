// A document is refused with its place, or columns through the shape are sorted spans.
#include <plimsoll/shape_io.h>

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "check_reader.h"
#include "columns/columns.h"

namespace {

/// Formulas may take 2500 ranges each: the shapes of a few are enough.
std::size_t count_shapes(const plimsoll::Shape& shape) {
  const auto* boolean = std::get_if<plimsoll::Boolean>(&shape.solid);
  if (boolean == nullptr) return 1;
  std::size_t count = 1;
  for (const plimsoll::Shape& part : boolean->of) count += count_shapes(part);
  return count;
}

void check_columns(const plimsoll::Columns& columns) {
  using namespace plimsoll;
  const int u = (columns.axis() + 1) % 3, v = (columns.axis() + 2) % 3;
  const Box3& box = columns.bounds();
  Columns::Scratch scratch;
  std::vector<Span> spans;
  for (const double part : {0.0, 0.3, 0.5, 1.0}) {
    const Vec3 p = box.min() + part * (box.max() - box.min());
    columns.spans(p[u], p[v], scratch, spans);
    double before = -std::numeric_limits<double>::infinity();
    for (const Span& span : spans) {
      fuzz::require(span.enter > before && span.leave > span.enter, "spans out of order");
      fuzz::require(span.enter_surface < columns.surface_count() &&
                        span.leave_surface < columns.surface_count(),
                    "a surface that is not counted");
      before = span.leave;
    }
    fuzz::require(spans.empty() || !columns.certainly_empty({p[u], p[u], p[v], p[v]}, scratch),
                  "a span where there is certainly none");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace plimsoll;
  const Result<ShapeFile> file = read_shape(std::as_bytes(std::span(data, size)), "input", {});
  if (!file) {
    fuzz::require(!file.error().message.empty(), "an error without a message");
    fuzz::require(file.error().where.starts_with("input"), "an error that names no place");
    return 0;
  }
  const Shape* shape = &file->shape;
  fuzz::require(check_shape(*shape).has_value(), "a shape that does not pass its check");
  if (count_shapes(*shape) > 20) return 0;
  for (int axis = 0; axis < 3; ++axis) {
    const Result<Columns> columns = Columns::of(*shape, axis, 0.1);
    if (columns) check_columns(*columns);
  }
  return 0;
}
