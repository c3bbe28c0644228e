// Solids as commands read them: checked, welded, with what is worth saying about the file said.
#pragma once

#include <plimsoll/shape_io.h>

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "command_line.h"
#include "input.h"
#include "notices.h"
#include "units.h"

namespace plimsoll::cli {

/// What the numbers of a file are in where nothing names a unit.
[[nodiscard]] NamedUnit meters();

/// How files are read.
struct Reading {
  std::shared_ptr<Notices> notices;              ///< Takes what there is to say.
  std::optional<NamedUnit> unit = std::nullopt;  ///< As given; else the file's own, or the meter.
  /// Vertices closer than that are made one [m]; 0: and no seams are closed.
  std::optional<double> weld = std::nullopt;
  bool units_matter = true;                               ///< Else nothing is said about them.
  std::optional<MeshFormat> input_format = std::nullopt;  ///< Of standard input.
  std::size_t parts = 1;
};

/// From --units; throws Failure (usage).
void set_unit(Reading& reading, const std::optional<std::string>& symbol);

/// From --weld; throws Failure (usage).
void set_weld(Reading& reading, const std::optional<std::string>& tolerance);
void declare_weld(CommandLine& line, std::optional<std::string>& target);

/// From --input-format, which standard input needs and nothing else takes; throws Failure (usage).
void set_input_format(Reading& reading, const std::optional<std::string>& name,
                      std::span<const PartArgument> parts);

struct SolidFile {
  MeshBody body;         ///< In the file's numbers.
  NamedUnit unit;        ///< Of these.
  bool partial = false;  ///< MeshFile::partial.

  /// What was welded, be it by --weld or to close a seam [unit].
  [[nodiscard]] std::optional<SeamWeld> welded() const;
};
/// Says what there is to say about the file, and how many vertices were made one. Throws Failure.
[[nodiscard]] SolidFile read_solid(const PartArgument& part, const Reading& reading);

/// Of a SHAPE.json. Throws Failure.
[[nodiscard]] ShapeFile read_shape_of(const std::string& name, const Reading& reading);

/// The arguments of commands about one body in one place.
struct BodyArguments {
  std::string mesh;
  std::optional<std::string> pose;
  std::optional<std::string> units;
  std::optional<std::string> weld;
  std::optional<std::string> input_format;
};
void declare_body(CommandLine& line, BodyArguments& arguments, bool with_pose = true);

/// A body in meters and in the file's frame, and where it is.
struct Body {
  std::string name;  ///< As on the command line.
  Shape shape = {};
  Similarity pose = Similarity::Identity();  ///< world_from_body
  bool partial = false;                      ///< MeshFile::partial.
  bool is_lost = false;    ///< Vertices are rounded so far that no digit of the volume is certain.
  bool is_welded = false;  ///< Vertices that are not the same were made one.
  std::shared_ptr<Notices> notices;  ///< What was said about it.

  [[nodiscard]] const TriangleMesh* mesh() const;  ///< Null for other shapes.
  /// In the world, no vertex of a mesh is farther from where the file has it, but for what the
  /// pose rounds [m].
  [[nodiscard]] double vertex_error() const;
};
/// Throws Failure where check_mesh finds fault: a pose may move vertices beyond the doubles.
[[nodiscard]] CheckedMesh checked_mesh(const TriangleMesh& mesh);

/// Throws Failure.
[[nodiscard]] Body read_body(const BodyArguments& arguments, const char* command);

/// The body that `part` names, where it was made. Throws Failure.
[[nodiscard]] Body read_body(const PartArgument& part, const Reading& reading);

/// The arguments of commands about two bodies.
struct TwoBodiesArguments {
  std::string meshes[2];
  std::optional<std::string> poses[2];
  std::optional<std::string> units;
  std::optional<std::string> weld;
  std::optional<std::string> input_format;
};
void declare_two_bodies(CommandLine& line, TwoBodiesArguments& arguments);

/// They share their notices. Throws Failure.
[[nodiscard]] std::array<Body, 2> read_two_bodies(const TwoBodiesArguments& arguments,
                                                  const char* command);

/// "a.off and b.off", of what is said about both; once where they are one file.
[[nodiscard]] std::string names_of(const std::array<Body, 2>& bodies);

/// Sixteen numbers or @file.json; what is a pose up to rounding is replaced by the nearest, which
/// is said. Throws Failure.
[[nodiscard]] Similarity parse_pose(const std::string& text, const char* option, Notices& notices);

/// As many numbers as `into` has room for, separated by commas; throws Failure (usage).
void parse_numbers(const std::string& text, const char* option, std::span<double> into);

}  // namespace plimsoll::cli
