#include "sphere_files.h"

#include <fmt/format.h>
#include <plimsoll/robot_formats.h>
#include <plimsoll/text.h>
#include <plimsoll/version.h>

#include <array>
#include <filesystem>
#include <numbers>
#include <vector>

#include "diagnosis.h"
#include "failure.h"
#include "json_writer.h"
#include "text.h"

namespace plimsoll::cli {
namespace {

std::string csv_file(const SpherePacking& packing) {
  std::string text = "x,y,z,radius\n";
  for (const PlacedSphere& sphere : packing.spheres)
    text += fmt::format("{},{},{},{}\n", sphere.center[0], sphere.center[1], sphere.center[2],
                        sphere.radius);
  return text;
}

void write_mass(JsonWriter& out, const char* name, const PackedMass& mass) {
  out.key(name);
  out.begin_object();
  out.member("volume", mass.volume);
  out.member("center_of_mass", mass.center_of_mass);
  if (mass.inertia)
    out.member("inertia", *mass.inertia);
  else
    out.null_member("inertia");
  out.end_object();
}

/// Of density 1, which the solid's has too.
PackedMass mass_of(const std::vector<PlacedSphere>& spheres) {
  std::vector<WeighedBody> bodies;
  for (const PlacedSphere& sphere : spheres) {
    MassProperties ball;
    const double square = sphere.radius * sphere.radius;
    ball.volume = ball.mass = 4 * std::numbers::pi / 3 * square * sphere.radius;
    ball.center_of_mass = sphere.center;
    ball.inertia = Mat3::Identity() * (0.4 * ball.mass * square);
    bodies.push_back({ball, {}});
  }
  const MassProperties all = combined(bodies).properties;
  return {all.volume, all.center_of_mass, all.inertia};
}

std::string json_file(const PackedBody& packed) {
  return json_object([&](JsonWriter& out) {
    out.key("spheres");
    out.begin_array(JsonWriter::Layout::kLines);
    for (const PlacedSphere& sphere : packed.packing.spheres) {
      out.begin_object();
      out.member("center", sphere.center);
      out.member("radius", sphere.radius);
      out.end_object();
    }
    out.end_array();
    out.member("status", to_string(packed.status));
    out.member("end", end_name(packed));
    out.member("coverage", packed.packing.coverage);
    out.member("largest_protrusion", packed.packing.largest_protrusion);
    if (const std::optional<HalfSpace>& keep = packed.options.keep)
      out.array_member("keep",
                       std::array{keep->normal[0], keep->normal[1], keep->normal[2], keep->offset});
    else
      out.null_member("keep");
    write_mass(out, "solid", packed.mass);
    write_mass(out, "packing", mass_of(packed.packing.spheres));
  });
}

std::string file_name(const PackedBody& packed) {
  return packed.body.name == "-" ? "standard input" : packed.body.name;
}

/// From the file's: "finger" for "meshes/finger.obj".
std::string body_name(const PackedBody& packed) {
  const std::string& name = packed.body.name;
  return name == "-" ? "body" : std::filesystem::path(name).stem().string();
}

/// The file, what the spheres leave out, and what the status says against them.
std::vector<std::string> provenance(const PackedBody& packed) {
  const char* what = packed.options.keep ? "part of the solid that is kept" : "solid";
  std::vector<std::string> lines{fmt::format(
      "plimsoll {}, from {}: {} that cover {:.4f} of the {}", version(), file_name(packed),
      counted(packed.packing.spheres.size(), "inner sphere", "inner spheres"),
      packed.packing.coverage, what)};
  if (!packed.packing.spheres.empty())
    lines.push_back(fmt::format(
        "they do not contain the {}: no point of it is farther than {} m from them, which is "
        "proved; with radii larger by that they contain it",
        what, packed.packing.largest_protrusion));
  if (!is_sound(packed.status))
    lines.push_back(fmt::format("DO NOT TRUST THESE SPHERES: status {}, {}",
                                to_string(packed.status), in_words(packed.status)));
  return lines;
}

/// A number with a point, in which alone YAML 1.1 takes an exponent for one.
std::string yaml_number(double value) {
  std::string text = fmt::format("{}", value);
  if (text.find('.') == std::string::npos) text.insert(std::min(text.find('e'), text.size()), ".0");
  return text;
}

std::string yaml_file(const PackedBody& packed, const std::optional<std::string>& link_name) {
  std::string text;
  for (const std::string& line : provenance(packed)) text += "# " + printable(line) + "\n";
  // A string of JSON is one of YAML too.
  JsonWriter link;
  link.value(link_name.value_or(body_name(packed)));
  text += fmt::format("collision_spheres:\n  {}:", link.text());
  text += packed.packing.spheres.empty() ? " []\n" : "\n";
  for (const PlacedSphere& sphere : packed.packing.spheres)
    text += fmt::format("    - center: [{}, {}, {}]\n      radius: {}\n",
                        yaml_number(sphere.center[0]), yaml_number(sphere.center[1]),
                        yaml_number(sphere.center[2]), yaml_number(sphere.radius));
  return text;
}

std::string srdf_file(const PackedBody& packed, const std::optional<std::string>& link_name) {
  std::string text = "<?xml version=\"1.0\"?>\n";
  for (const std::string& line : provenance(packed)) text += "<!-- " + xml_comment(line) + " -->\n";
  const std::string robot = robot_name(body_name(packed));
  text += fmt::format("<robot name=\"{}\">\n  <link_sphere_approximation link=\"{}\">\n",
                      xml_attribute(robot), xml_attribute(link_name.value_or(robot)));
  for (const PlacedSphere& sphere : packed.packing.spheres)
    text += fmt::format("    <sphere center=\"{} {} {}\" radius=\"{}\"/>\n", sphere.center[0],
                        sphere.center[1], sphere.center[2], sphere.radius);
  return text + "  </link_sphere_approximation>\n</robot>\n";
}

std::string ist_file(const PackedBody& packed) {
  require_mesh(packed.body, "trees of spheres");
  if (!packed.tree)
    throw Failure{kUnsound, "no_spheres", "found no spheres, expected one to make a tree of",
                  packed.body.name};
  const std::vector<std::byte> bytes = packed.tree->to_bytes();
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

SphereFormat sphere_format_of(const std::string& path) {
  const std::string extension = extension_of(path);
  if (path == "-" || extension == ".csv") return SphereFormat::kCsv;
  if (extension == ".json") return SphereFormat::kJson;
  if (extension == ".yaml") return SphereFormat::kYaml;
  if (extension == ".srdf") return SphereFormat::kSrdf;
  if (extension == ".ist") return SphereFormat::kIst;
  throw usage_failure(
      fmt::format("found \"{}\", expected .csv, .json, .yaml, .srdf or .ist", printable(path)),
      "--out");
}

std::string sphere_file(const PackedBody& packed, SphereFormat format,
                        const std::optional<std::string>& link_name) {
  switch (format) {
    case SphereFormat::kCsv:
      return csv_file(packed.packing);
    case SphereFormat::kJson:
      return json_file(packed);
    case SphereFormat::kYaml:
      return yaml_file(packed, link_name);
    case SphereFormat::kSrdf:
      return srdf_file(packed, link_name);
    case SphereFormat::kIst:
      break;
  }
  return ist_file(packed);
}

}  // namespace plimsoll::cli
