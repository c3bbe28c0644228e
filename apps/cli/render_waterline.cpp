#include "render_waterline.h"

#include <plimsoll/mass_properties.h>
#include <plimsoll/water_image.h>

#include <filesystem>

#include "failure.h"
#include "far_off.h"
#include "float_picture.h"
#include "floating_scene.h"
#include "judge.h"
#include "picture/waterline_picture.h"

namespace plimsoll::cli {
namespace {

/// Where it was put, in the water that was given.
WaterlinePicture under_plane(const WaterlineArguments& arguments, picture::PixelSize size) {
  const FloatingArguments& floating = arguments.floating;
  if (floating.mass || floating.density || floating.rho || floating.up)
    throw usage_failure("--mass, --density, --rho and --up are of a body that finds its own water",
                        "--plane");
  const WaterPlane water = parse_plane(arguments.plane);
  const Body body = read_body(floating.body, "render");
  remark_if_far(water, "--plane", bounding_box(body.shape).transformed(body.pose), body.name,
                *body.notices);
  remark_if_far(body.pose, bounding_box(body.shape), body.name, *body.notices);
  Shape shape = body.shape;
  if (auto* solid = std::get_if<MeshSolid>(&shape.solid))
    *solid = posed(*solid, body.pose);
  else
    shape.pose = body.pose * shape.pose;
  const Status status = status_in_water(judge(body.name, shape, body.partial), shape, water);
  const Result<Submersion> wet = submersion(shape, water);
  if (!wet) throw failure_of(wet.error());
  const Result<ShapeMass> mass = mass_properties(shape);
  if (!mass) throw failure_of(mass.error());
  const Vec3 center = floating.com ? Vec3(body.pose * parse_point(*floating.com, "--com"))
                                   : mass->body.properties.center_of_mass;
  const Pose water_from_world = water_frame(water)->inverse();
  picture::FloatingScene scene = floating_scene(shape, water_from_world, *wet, center);
  scene.title = std::filesystem::path(body.name).filename().string() + " under a plane";
  return {picture::draw_waterline(scene, size), status, body.notices};
}

/// In the stable pose nearest to upright.
WaterlinePicture afloat(const WaterlineArguments& arguments, picture::PixelSize size) {
  if (!arguments.floating.mass && !arguments.floating.density)
    throw usage_failure("found no water, expected --plane, or --mass or --density to float by");
  const FloatingInput input = read_floating(arguments.floating, "render", false);
  if (!input.floats)
    throw Failure{kUnsound, "sinks", "the body is too heavy to float: there is nothing to draw",
                  input.name};
  const Equilibria rest = find_equilibria(input.body, {.all_kinds = false});
  return {float_picture(input, rest.found, std::nullopt, size), input.status, input.notices};
}

}  // namespace

WaterlinePicture render_waterline(const WaterlineArguments& arguments, picture::PixelSize size) {
  return arguments.plane ? under_plane(arguments, size) : afloat(arguments, size);
}

}  // namespace plimsoll::cli
