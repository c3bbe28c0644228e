#include "sphere_files.h"

#include <fmt/format.h>
#include <plimsoll/robot_formats.h>
#include <plimsoll/text.h>

#include <array>
#include <filesystem>
#include <span>
#include <vector>

#include "clump_files.h"
#include "failure.h"
#include "json_writer.h"
#include "sphere_set.h"
#include "text.h"

namespace plimsoll::cli {
namespace {

std::string csv_file(const SphereSet& set) {
  std::string text = "x,y,z,radius\n";
  for (const PlacedSphere& sphere : set.spheres)
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

std::string json_file(const SphereSet& set) {
  return json_object([&](JsonWriter& out) {
    out.key("spheres");
    out.begin_array(JsonWriter::Layout::kLines);
    for (const PlacedSphere& sphere : set.spheres) {
      out.begin_object();
      out.member("center", sphere.center);
      out.member("radius", sphere.radius);
      out.end_object();
    }
    out.end_array();
    out.member("status", to_string(set.status));
    out.member("end", set.end);
    if (set.covers) out.member("covers", true);
    out.member("coverage", set.coverage);
    out.member("largest_protrusion", set.largest_protrusion);
    if (set.doubtful_share) out.member("doubtful_share", *set.doubtful_share);
    if (const std::optional<HalfSpace>& keep = set.keep)
      out.array_member("keep",
                       std::array{keep->normal[0], keep->normal[1], keep->normal[2], keep->offset});
    else
      out.null_member("keep");
    write_mass(out, "solid", set.solid);
    write_mass(out, set.covers ? "union" : "packing", union_mass(set));
  });
}

/// A number with a point, in which alone YAML 1.1 takes an exponent for one.
std::string yaml_number(double value) {
  std::string text = fmt::format("{}", value);
  if (text.find('.') == std::string::npos) text.insert(std::min(text.find('e'), text.size()), ".0");
  return text;
}

std::string yaml_file(const SphereSet& set, const std::optional<std::string>& link_name) {
  std::string text;
  for (const std::string& line : provenance(set)) text += "# " + printable(line) + "\n";
  // A string of JSON is one of YAML too.
  JsonWriter link;
  link.value(link_name.value_or(body_name(set)));
  text += fmt::format("collision_spheres:\n  {}:", link.text());
  text += set.spheres.empty() ? " []\n" : "\n";
  for (const PlacedSphere& sphere : set.spheres)
    text += fmt::format("    - center: [{}, {}, {}]\n      radius: {}\n",
                        yaml_number(sphere.center[0]), yaml_number(sphere.center[1]),
                        yaml_number(sphere.center[2]), yaml_number(sphere.radius));
  return text;
}

std::string srdf_file(const SphereSet& set, const std::optional<std::string>& link_name) {
  std::string text = "<?xml version=\"1.0\"?>\n";
  for (const std::string& line : provenance(set)) text += "<!-- " + xml_comment(line) + " -->\n";
  const std::string robot = robot_name(body_name(set));
  text += fmt::format("<robot name=\"{}\">\n  <link_sphere_approximation link=\"{}\">\n",
                      xml_attribute(robot), xml_attribute(link_name.value_or(robot)));
  for (const PlacedSphere& sphere : set.spheres)
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

std::string text_file(const SphereSet& set, SphereFormat format,
                      const std::optional<std::string>& link_name) {
  if (format == SphereFormat::kJson) return json_file(set);
  if (format == SphereFormat::kYaml) return yaml_file(set, link_name);
  if (format == SphereFormat::kSrdf) return srdf_file(set, link_name);
  if (format == SphereFormat::kLiggghts) return liggghts_file(set);
  if (format == SphereFormat::kLammps) return lammps_file(set);
  if (format == SphereFormat::kYade) return yade_file(set);
  return csv_file(set);
}

}  // namespace

SphereFormat sphere_format_of(const std::string& path) {
  const std::string extension = extension_of(path);
  if (path == "-" || extension == ".csv") return SphereFormat::kCsv;
  if (extension == ".json") return SphereFormat::kJson;
  if (extension == ".yaml") return SphereFormat::kYaml;
  if (extension == ".srdf") return SphereFormat::kSrdf;
  if (extension == ".liggghts") return SphereFormat::kLiggghts;
  if (extension == ".lammps") return SphereFormat::kLammps;
  if (extension == ".yade") return SphereFormat::kYade;
  if (extension == ".ist") return SphereFormat::kIst;
  throw usage_failure(fmt::format("found \"{}\", expected .csv, .json, .yaml, .srdf, .liggghts, "
                                  ".lammps, .yade or .ist",
                                  printable(path)),
                      "--out");
}

std::string sphere_file(const PackedBody& packed, SphereFormat format,
                        const std::optional<std::string>& link_name) {
  if (format == SphereFormat::kIst) return ist_file(packed);
  const SpherePacking& packing = packed.packing;
  return text_file({packed.body, packed.status, packing.spheres, false, packing.coverage,
                    packing.largest_protrusion, packed.doubtful_share, packed.options.keep,
                    packed.mass, end_name(packed)},
                   format, link_name);
}

std::string sphere_file(const CoveredBody& covered, SphereFormat format,
                        const std::optional<std::string>& link_name) {
  const SphereCover& cover = covered.cover;
  return text_file({covered.body, covered.status, cover.spheres, true, 1, cover.largest_protrusion,
                    std::nullopt, covered.options.keep, covered.mass, end_name(covered)},
                   format, link_name);
}

}  // namespace plimsoll::cli
