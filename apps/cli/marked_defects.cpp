#include "marked_defects.h"

#include <fmt/format.h>

#include <algorithm>

#include "text.h"

namespace plimsoll::cli {
namespace {

// What makes a mesh unsound, in words; empty for what does not.
std::string words_of(DefectKind kind) {
  switch (kind) {
    case DefectKind::kBoundaryEdge:
      return "edge of one triangle only";
    case DefectKind::kUnbalancedEdge:
      return "edge at which triangles are turned over or too many";
    case DefectKind::kNestedShell:
      return "shell within one that is turned alike";
    case DefectKind::kInwardShell:
      return "shell turned inward";
    case DefectKind::kSelfIntersection:
      return "triangles that cross";
    default:
      return {};
  }
}

void add_holes(std::size_t part, const Rims& rims, std::vector<MarkedDefect>& marked) {
  for (const Rim& rim : rims.rims)
    marked.push_back({part,
                      fmt::format("hole of {}, {:.4g} m around",
                                  counted(rim.vertices.size(), "edge", "edges"), rim.length),
                      rim.center, rim.triangle, &rim});
}

}  // namespace

std::vector<MarkedDefect> marked_defects(const MassReport& report, bool& more) {
  constexpr std::size_t kMaxMarked = 12;
  std::vector<MarkedDefect> marked;
  for (std::size_t p = 0; p < report.parts.size(); ++p) {
    const PartReport& part = report.parts[p];
    if (is_sound(part.status)) continue;
    if (part.rims) add_holes(p, *part.rims, marked);
    for (const Defect& defect : part.health.defects) {
      const bool is_in_rim = part.rims && defect.kind == DefectKind::kBoundaryEdge;
      const std::string what = words_of(defect.kind);
      const auto is_same = [&](const MarkedDefect& other) {
        return other.part == p && other.what == what && other.triangle == defect.triangle;
      };
      if (!what.empty() && !is_in_rim && std::none_of(marked.begin(), marked.end(), is_same))
        marked.push_back({p, what, defect.at, defect.triangle, nullptr});
    }
  }
  more = marked.size() > kMaxMarked;
  if (more) marked.resize(kMaxMarked);
  return marked;
}

}  // namespace plimsoll::cli
