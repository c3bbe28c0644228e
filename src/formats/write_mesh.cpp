// Writers of STL, PLY, OBJ and OFF.
#include <plimsoll/mesh_io.h>

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <string>

#include "formats/byte_order.h"
#include "formats/stl_layout.h"
#include "formats/whole_file.h"

namespace plimsoll {
namespace {

class Output {
 public:
  explicit Output(std::FILE* file) : file_(file) {}

  void text(std::string_view text) { bytes(text.data(), text.size()); }
  void decimal(double value) { number(value); }
  void count(std::uint64_t value) { number(value); }
  template <class T>
  void little(T value) {
    const auto ordered = ordered_bytes(value, std::endian::little);
    bytes(ordered.data(), ordered.size());
  }
  /// False if anything could not be written.
  [[nodiscard]] bool finish() { return std::fflush(file_) == 0 && !failed_; }

 private:
  template <class T>
  void number(T value) {
    std::array<char, 32> digits;  // the longest double takes 24
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    bytes(digits.data(), static_cast<std::size_t>(end - digits.data()));
  }
  void bytes(const void* data, std::size_t size) {
    if (std::fwrite(data, 1, size, file_) != size) failed_ = true;
  }

  std::FILE* file_;
  bool failed_ = false;
};

/// The unit normal, or 0 for a triangle without area. Scaled first, so that no square overflows.
Vec3 normal_of(const Vec3& a, const Vec3& b, const Vec3& c) {
  Vec3 ab = b - a;
  Vec3 ac = c - a;
  const double scale = std::max(ab.cwiseAbs().maxCoeff(), ac.cwiseAbs().maxCoeff());
  if (!(scale > 0)) return Vec3::Zero();
  ab /= scale;
  ac /= scale;
  const Vec3 normal = ab.cross(ac);
  const double length = normal.norm();
  return length > 0 ? Vec3(normal / length) : Vec3(Vec3::Zero());
}

void write_stl(const MeshView& mesh, Output& out) {
  std::string header = "binary STL, lengths in the unit of its maker";
  header.resize(kStlCountAt, ' ');
  out.text(header);
  out.little(static_cast<std::uint32_t>(mesh.triangle_count()));
  const auto floats = [&](const Vec3& v) {
    for (int axis = 0; axis < 3; ++axis) out.little(static_cast<float>(v[axis]));
  };
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t) {
    const auto [a, b, c] = mesh.triangle(t);
    floats(normal_of(mesh.vertex(a), mesh.vertex(b), mesh.vertex(c)));
    for (const std::uint32_t v : {a, b, c}) floats(mesh.vertex(v));
    out.little(std::uint16_t{0});
  }
}

void write_ply(const MeshView& mesh, Output& out) {
  out.text("ply\nformat binary_little_endian 1.0\nelement vertex ");
  out.count(mesh.vertex_count());
  out.text("\nproperty double x\nproperty double y\nproperty double z\nelement face ");
  out.count(mesh.triangle_count());
  out.text("\nproperty list uchar uint vertex_indices\nend_header\n");
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v)
    for (int axis = 0; axis < 3; ++axis) out.little(mesh.vertex(v)[axis]);
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t) {
    out.little(std::uint8_t{3});
    for (const std::uint32_t v : mesh.triangle(t)) out.little(v);
  }
}

/// Lines of numbers, each preceded by `vertex_start` or `face_start`.
void write_lines(const MeshView& mesh, Output& out, std::string_view vertex_start,
                 std::string_view face_start, std::uint64_t first_index) {
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
    out.text(vertex_start);
    const Vec3 point = mesh.vertex(v);
    for (int axis = 0; axis < 3; ++axis) {
      out.decimal(point[axis]);
      out.text(axis < 2 ? " " : "\n");
    }
  }
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t) {
    out.text(face_start);
    for (const std::uint32_t v : mesh.triangle(t)) {
      out.text(" ");
      out.count(first_index + v);
    }
    out.text("\n");
  }
}

void write_off(const MeshView& mesh, Output& out) {
  out.text("OFF\n");
  out.count(mesh.vertex_count());
  out.text(" ");
  out.count(mesh.triangle_count());
  out.text(" 0\n");
  write_lines(mesh, out, "", "3", 0);
}

bool write_as(MeshFormat format, const MeshView& mesh, Output& out) {
  switch (format) {
    case MeshFormat::kStl:
      write_stl(mesh, out);
      return out.finish();
    case MeshFormat::kPly:
      write_ply(mesh, out);
      return out.finish();
    case MeshFormat::kObj:
      write_lines(mesh, out, "v ", "f", 1);
      return out.finish();
    case MeshFormat::kOff:
      write_off(mesh, out);
      return out.finish();
    default:
      return false;
  }
}

/// Whether `format` can hold every vertex.
Result<void> check_vertices(const MeshView& mesh, MeshFormat format) {
  const bool is_stl = format == MeshFormat::kStl;
  if (format == MeshFormat::kPly) return {};
  const auto fits = [is_stl](double c) {
    return is_stl ? std::isfinite(static_cast<float>(c)) : std::isfinite(c);
  };
  const auto fault = [&](std::size_t v, const std::string& where) {
    const Vec3 point = mesh.vertex(v);
    if (fits(point.x()) && fits(point.y()) && fits(point.z())) return Result<void>{};
    return Result<void>(Error{
        ErrorCode::kInvalidArgument,
        "vertex " + std::to_string(v) + " has a coordinate that " + to_string(format) +
            (is_stl ? " cannot hold: beyond the range of a float" : " cannot hold: not finite"),
        where});
  };
  if (is_stl) {  // holds only the vertices that triangles name
    for (std::size_t t = 0; t < mesh.triangle_count(); ++t)
      for (const std::uint32_t v : mesh.triangle(t))
        if (auto checked = fault(v, "triangle " + std::to_string(t)); !checked) return checked;
    return {};
  }
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v)
    if (auto checked = fault(v, {}); !checked) return checked;
  return {};
}

Result<void> write_checked(const MeshView& given, const std::filesystem::path& path) {
  const auto format = mesh_format_from_name(path.string());
  if (!format || *format > MeshFormat::kOff)
    return Error{ErrorCode::kUnsupported,
                 "the name ends in none of .stl .ply .obj .off, which can "
                 "be written",
                 path.string()};
  const Result<CheckedMesh> checked = CheckedMesh::borrow(given);
  if (!checked) return checked.error();
  const MeshView& mesh = checked->view();
  if (Result<void> fine = check_vertices(mesh, *format); !fine) return fine;
  return write_whole_file(path, [&](std::FILE* file) {
    Output out(file);
    return write_as(*format, mesh, out);
  });
}

}  // namespace

Result<void> write_mesh(const MeshView& mesh, const std::filesystem::path& path) {
  try {
    return write_checked(mesh, path);
  } catch (const std::exception& exception) {
    return Error{ErrorCode::kResourceLimit, exception.what(), {}};
  }
}

Result<void> write_mesh(const TriangleMesh& mesh, const std::filesystem::path& path) {
  return write_mesh(MeshView(mesh), path);
}

}  // namespace plimsoll
