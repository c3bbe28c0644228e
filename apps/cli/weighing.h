// Bodies read, diagnosed and weighed.
#pragma once

#include <plimsoll/shape.h>

#include <memory>
#include <optional>
#include <vector>

#include "engine_options.h"
#include "input.h"
#include "mass_report.h"
#include "solid_input.h"

namespace plimsoll::cli {

/// What is to be weighed, and how.
struct MassJob {
  std::vector<PartArgument> parts;
  std::optional<double> density;  ///< [kg/m^3]
  std::optional<double> mass;     ///< [kg]
  Reading reading{.notices = std::make_shared<Notices>("mass")};
  HealthOptions health;  ///< What is examined, and how much work that may take.
  std::optional<EngineOptions> image = std::nullopt;  ///< Else exact.
  bool offers_image = true;                           ///< The command has --method image.
};

/// A part as a shape, for engines that take one.
struct WeighedShape {
  Shape shape;
  /// What is diagnosed, and drawn as it is: a mesh, or patches as one; null for other shapes.
  std::shared_ptr<const TriangleMesh> mesh = nullptr;
  CheckedMesh checked = {};   ///< Borrows `mesh`.
  NamedUnit unit = meters();  ///< What the numbers of `shape` and `mesh` are in.
  bool partial = false;
  double vertex_error = 0;         ///< MeshSolid::vertex_error of `mesh` [unit].
  std::optional<SeamWeld> welded;  ///< [unit]
};

struct Weighing {
  MassReport report;
  std::vector<WeighedShape> bodies;  ///< As many as parts.
};

/// The parts of a body. Throws Failure.
[[nodiscard]] Weighing weigh(const MassJob& job);

}  // namespace plimsoll::cli
