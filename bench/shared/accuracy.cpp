#include "shared/accuracy.h"
#include "checked.h"

#include <plimsoll/mass_properties.h>

#include <algorithm>
#include <cmath>

namespace plimsoll::bench {
namespace {

// Within the options' range by construction, and the mesh was checked when it was made.
RelativeErrors errors_of(const MeshView& mesh, const ImageOptions& options,
                         const MassProperties& truth) {
  const Result<ImageMass> found = image_mass_properties(checked(mesh), options);
  PLIMSOLL_ASSERT(found.has_value(), "an image of these objects can be made");
  return relative_errors(found->properties, truth);
}

// Placement i of the body in the image: shifted by up to half a pixel, and n - 1 to n - 2 pixels
// wide. A width of whole pixels would hide what the rule for pixels does to walls parallel to the
// view: n pixels cover it wherever the lattice lies. The three numbers are a lattice of rank 1.
ImageOptions placed(ImageOptions options, int i) {
  const auto fraction = [i](int generator) {
    return (generator * i % kPlacements + 0.5) / kPlacements;
  };
  options.shift_u = fraction(1) - 0.5;
  options.shift_v = fraction(13) - 0.5;
  options.margin = options.width / (options.width - 1 - fraction(7)) - 1;
  return options;
}

}  // namespace

RelativeErrors relative_errors(const MassProperties& found, const MassProperties& truth) {
  RelativeErrors errors = {std::abs(found.mass / truth.mass - 1)};
  for (int k = 0; k < 3; ++k)
    errors[static_cast<std::size_t>(k) + 1] =
        std::abs(found.inertia(k, k) / truth.inertia(k, k) - 1);
  return errors;
}

Accuracy accuracy_of(const MeshView& mesh, int resolution, Coverage coverage) {
  const MassProperties truth = mass_properties(checked(mesh));
  Accuracy accuracy;
  ImageOptions options = {.width = resolution, .height = resolution, .coverage = coverage};
  for (options.axis = 0; options.axis < 3; ++options.axis) {
    const RelativeErrors fitted = errors_of(mesh, options, truth);
    for (std::size_t q = 0; q < fitted.size(); ++q)
      accuracy.fitted[q] = std::max(accuracy.fitted[q], fitted[q]);
    for (int i = 0; i < kPlacements; ++i) {
      const RelativeErrors errors = errors_of(mesh, placed(options, i), truth);
      for (std::size_t q = 0; q < errors.size(); ++q) {
        accuracy.worst[q] = std::max(accuracy.worst[q], errors[q]);
        accuracy.rms[q] += errors[q] * errors[q] / (3 * kPlacements);
      }
    }
  }
  for (double& mean_square : accuracy.rms) mean_square = std::sqrt(mean_square);
  return accuracy;
}

}  // namespace plimsoll::bench
