// 3MF: the objects that a package's build names, each placed as its item and components say.
// [3MF2021] [3MF2018]
//
// As for glTF, what will be built is counted first and must stay within the limit of placement.h.

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/counted.h"
#include "formats/placement.h"
#include "formats/readers.h"
#include "formats/text_scanner.h"
#include "formats/threemf_model.h"
#include "formats/uri.h"
#include "formats/xml_text.h"
#include "formats/zip_package.h"

namespace plimsoll {
namespace {

constexpr std::string_view kRelationships = "_rels/.rels";
constexpr std::string_view kUsualStart = "3D/3dmodel.model";
constexpr std::string_view kModelRelationship =
    "http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel";

// Components may nest so deep; also the depth of recursion here. Real assemblies stay below 20.
constexpr std::uint32_t kMaxDepth = 256;

constexpr std::size_t kUnreadKinds = 8;  // of what is passed over, each with a notice

/// "/3D/a.model" as the package has it: "3D/a.model". Empty where it is no name of a part.
std::string part_name(std::string_view target) {
  while (target.starts_with('/')) target.remove_prefix(1);
  if (target.starts_with("../") || target.find("/../") != std::string_view::npos) return {};
  return std::string(target);
}

class PackageReader {
 public:
  PackageReader(const ReaderInput& input, ZipPackage package)
      : package_(std::move(package)), first_error_(input.name) {}

  Result<MeshFile> read();

 private:
  enum class State : std::uint8_t { kNew, kOpen, kDone };
  struct Object {
    const ThreemfObject* object = nullptr;
    const ThreemfModel* model = nullptr;
    std::uint32_t part = 0;
    State state = State::kNew;
    std::uint32_t height = 0;  ///< Of the components below it.
    MeshSize size;             ///< Once each component is counted.
  };
  struct Part {
    std::string name;
    std::unique_ptr<ThreemfModel> model;
    std::vector<std::uint32_t> components;  ///< What each names, once count() found it.
    // By id: index into `objects_`. Ordered, as ids could be chosen to collide in a hash table.
    std::map<std::uint32_t, std::uint32_t> objects;
  };

  std::string find_start();
  std::uint32_t load_part(const std::string& name);
  std::uint32_t find_object(const ThreemfUse& use, std::uint32_t part);
  void count(std::uint32_t index, std::uint32_t depth);
  void count_mesh(Object& object);
  void build(std::uint32_t index, const Placement& placement);
  void build_mesh(const Object& object, const Placement& placement);
  void note_left_out();
  void note_unread();
  void note(const char* code, std::string message) {
    file_.notices.push_back({code, std::move(message)});
  }
  [[nodiscard]] std::string name_of(const Object& object) const {
    return parts_[object.part].name + ", object " + std::to_string(object.object->id);
  }

  ZipPackage package_;
  FirstError first_error_;
  std::vector<Part> parts_;  // the first is the start part
  std::map<std::string, std::uint32_t> parts_by_name_;
  std::vector<Object> objects_;
  MeshFile file_;
  std::array<std::size_t, 5> left_out_{};                     // objects by type
  std::map<std::string, std::vector<std::uint32_t>> unread_;  // indices into objects_
  std::size_t flattened_ = 0;
};

// ---- parts

// The package says which part the model starts with. [3MF2021, sec. 2.1]
std::string PackageReader::find_start() {
  if (!package_.contains(kRelationships)) {
    note("package", "the package has no _rels/.rels: it is read from " + std::string(kUsualStart));
    return std::string(kUsualStart);
  }
  const std::string place(kRelationships);
  Result<std::vector<char>> text = package_.read(place);
  if (!text) {
    first_error_.set(text.error());
    return {};
  }
  pugi::xml_document document;
  parse_xml(*text, place, document, first_error_);
  if (first_error_.failed()) return {};
  std::string start;
  for (const pugi::xml_node node : document.document_element().children()) {
    if (trimmed(node.attribute("Type").value()) != kModelRelationship) continue;
    const std::string target = part_name(trimmed(node.attribute("Target").value()));
    if (target.empty() || std::string_view(node.attribute("TargetMode").value()) == "External") {
      first_error_.set(
          "found a model outside the package: " + in_quotes(node.attribute("Target").value()),
          place);
    } else if (!start.empty() && start != target) {
      first_error_.set(
          "found a second model to start with, " + in_quotes(target) + ", expected one", place);
    }
    start = target;
  }
  if (start.empty()) first_error_.set("found no relationship to a 3D model, expected one", place);
  return start;
}

/// The index of the part; it is read when first asked for.
std::uint32_t PackageReader::load_part(const std::string& name) {
  const auto [known, is_new] =
      parts_by_name_.try_emplace(name, static_cast<std::uint32_t>(parts_.size()));
  if (!is_new) return known->second;
  // Names are URIs, but not every writer of packages encodes them.
  std::string fault;
  const std::string decoded = decode_percent(name, fault);
  const bool is_encoded = package_.contains(name) || !fault.empty();
  Result<std::vector<char>> text = package_.read(is_encoded ? name : decoded);
  if (!text) {
    first_error_.set(text.error());
    return 0;
  }
  parts_.push_back({name, nullptr, {}, {}});
  Part& part = parts_.back();
  part.model =
      std::make_unique<ThreemfModel>(parse_threemf_model(std::move(*text), name, first_error_));
  if (first_error_.failed()) return 0;
  if (part.model->unit != parts_.front().model->unit)
    first_error_.set(ErrorCode::kUnsupported,
                     "found the unit " + part.model->unit + ", expected the " +
                         parts_.front().model->unit + " of " + parts_.front().name,
                     name);
  part.components.resize(part.model->components.size());
  for (const ThreemfObject& object : part.model->objects) {
    part.objects[object.id] = static_cast<std::uint32_t>(objects_.size());
    objects_.push_back({&object, part.model.get(), known->second, State::kNew, 0, {}});
  }
  return known->second;
}

/// The index into `objects_` of what an item or a component of `part` names.
std::uint32_t PackageReader::find_object(const ThreemfUse& use, std::uint32_t part) {
  const std::uint32_t user = part;
  const auto fail = [&](const std::string& message) {
    first_error_.set(message, parts_[user].name);
    return std::uint32_t{0};
  };
  if (use.path != kNoIndex) {
    const std::string& path = parts_[part].model->paths[use.path];
    // [3MF2018, sec. 3.2]: only the start part may look into others.
    if (part != 0)
      return fail("found the path " + in_quotes(path) +
                  " in a part that is not the first, where none may be");
    const std::string target = part_name(path);
    if (target.empty()) return fail("found the path " + in_quotes(path) + ", expected a part");
    part = load_part(target);
    if (first_error_.failed()) return 0;
  }
  const auto object = parts_[part].objects.find(use.object_id);
  if (object != parts_[part].objects.end()) return object->second;
  return fail("found a reference to object " + std::to_string(use.object_id) + ", but " +
              parts_[part].name + " has no such object");
}

// ---- counting

void PackageReader::count_mesh(Object& object) {
  const ThreemfObject& source = *object.object;
  if (!source.unknown_shape.empty())
    return first_error_.set(
        ErrorCode::kUnsupported,
        "found " + in_quotes(source.unknown_shape) + " as the shape, expected a mesh or components",
        name_of(object));
  if (source.type != ThreemfType::kModel) {
    ++left_out_[static_cast<std::size_t>(source.type)];
    return;
  }
  if (!source.mesh.triangles.empty())
    object.size = {source.mesh.vertices.size(), source.mesh.triangles.size()};
}

/// Finds the size of an object and everything below it, and whether it is part of itself.
void PackageReader::count(std::uint32_t index, std::uint32_t depth) {
  if (first_error_.failed() || objects_[index].state == State::kDone) return;
  const ThreemfObject& source = *objects_[index].object;
  if (objects_[index].state == State::kOpen)
    return first_error_.set("found the object among its own components, expected a tree",
                            name_of(objects_[index]));
  objects_[index].state = State::kOpen;
  const ThreemfModel& model = *objects_[index].model;
  MeshSize size;
  std::uint32_t height = 0;
  for (std::uint32_t c = 0; c < source.component_count && depth <= kMaxDepth; ++c) {
    const std::uint32_t part = objects_[index].part;
    const std::uint32_t use = source.first_component + c;
    const std::uint32_t component = find_object(model.components[use], part);
    if (!first_error_.failed()) count(component, depth + 1);
    if (first_error_.failed()) return;
    parts_[part].components[use] = component;
    size += objects_[component].size;
    height = std::max(height, objects_[component].height + 1);
  }
  Object& object = objects_[index];  // loading a part may have moved it
  if (depth > kMaxDepth || height > kMaxDepth)
    return first_error_.set(ErrorCode::kResourceLimit,
                            "found components nested deeper than " + std::to_string(kMaxDepth),
                            name_of(object));
  object.size = size;
  object.height = height;
  if (source.component_count == 0) count_mesh(object);
  if (source.component_count > 0 || source.type == ThreemfType::kModel)
    for (const std::string& what : source.unread) {
      const bool is_named = unread_.contains(what) || unread_.size() < kUnreadKinds;
      auto& holders = unread_[is_named ? what : "other elements"];
      if (holders.empty() || holders.back() != index) holders.push_back(index);
    }
  object.state = State::kDone;
}

// ---- building

void PackageReader::build_mesh(const Object& object, const Placement& placement) {
  const TriangleMesh& source = object.object->mesh;
  const auto base = static_cast<std::uint32_t>(file_.mesh.vertices.size());
  for (const Vec3& vertex : source.vertices) {
    const Vec3 placed = placement(vertex);
    if (!placed.allFinite())
      return first_error_.set("found a vertex that transforms move out of the range of doubles",
                              name_of(object));
    file_.mesh.vertices.push_back(placed);
    file_.placement_error = std::max(file_.placement_error, placement.error(vertex));
  }
  file_.resolution = std::max(file_.resolution, placement.stretch() * object.object->resolution);
  // [3MF2021, sec. 3.3]: a negative determinant must not change the sign of the volume.
  const int orientation = placement.orientation();
  if (orientation == 0) ++flattened_;
  for (const auto& [a, b, c] : source.triangles)
    file_.mesh.triangles.push_back(orientation < 0 ? Triangle{base + a, base + c, base + b}
                                                   : Triangle{base + a, base + b, base + c});
}

/// Precondition: count() went through it. Objects without triangles are not entered, so the work is
/// bounded by kMaxDepth for each mesh that is built.
void PackageReader::build(std::uint32_t index, const Placement& placement) {
  const Object& object = objects_[index];
  if (object.size.triangles == 0 || first_error_.failed()) return;
  if (object.object->component_count == 0) return build_mesh(object, placement);
  for (std::uint32_t c = 0; c < object.object->component_count; ++c) {
    const std::uint32_t index_of_use = object.object->first_component + c;
    const ThreemfUse& use = object.model->components[index_of_use];
    build(parts_[object.part].components[index_of_use],
          use.placement == kNoIndex ? placement
                                    : placement * object.model->placements[use.placement]);
  }
}

void PackageReader::note_unread() {
  constexpr std::size_t kNamed = 3;
  for (const auto& [what, holders] : unread_) {
    std::string which;
    for (const std::uint32_t holder : std::span(holders).first(std::min(holders.size(), kNamed)))
      which += (which.empty() ? "" : ", ") + std::to_string(objects_[holder].object->id);
    if (holders.size() > kNamed) which += ", ...";
    file_.partial = true;
    note("partial", "passed over " + what + " of " + counted(holders.size(), "object", "objects") +
                        " (" + which + "): only triangles are measured");
  }
}

void PackageReader::note_left_out() {
  for (std::size_t type = 1; type < left_out_.size(); ++type)
    if (left_out_[type] > 0)
      note("passed_over", "left out " + counted(left_out_[type], "object", "objects") +
                              " of type " + to_string(static_cast<ThreemfType>(type)) +
                              ", not part of the solid");
  const auto unnamed = static_cast<std::size_t>(
      std::count_if(objects_.begin(), objects_.end(), [](const Object& object) {
        return object.state == State::kNew && !object.object->mesh.triangles.empty();
      }));
  if (unnamed > 0)
    note("passed_over",
         "left out " + counted(unnamed, "object", "objects") + " that the build does not name");
  note_unread();
}

Result<MeshFile> PackageReader::read() {
  const std::string start = find_start();
  if (!first_error_.failed()) load_part(start);
  if (first_error_.failed()) return first_error_.error();
  const ThreemfModel& model = *parts_.front().model;

  MeshSize total;
  std::size_t not_printable = 0;
  std::vector<std::uint32_t> built;
  for (const ThreemfUse& item : model.items) {
    built.push_back(find_object(item, 0));
    if (!first_error_.failed()) count(built.back(), 0);
    if (first_error_.failed()) return first_error_.error();
    const MeshSize& size = objects_[built.back()].size;
    total += size;
    if (!item.printable && size.triangles > 0) ++not_printable;
  }
  note_left_out();
  if (total.triangles == 0)
    return Error{ErrorCode::kNoSolid,
                 "found no triangles in " + counted(model.items.size(), "item", "items") +
                     " of the build, expected a solid" +
                     (file_.notices.empty() ? "" : "; " + file_.notices.front().message),
                 first_error_.file() + ": " + start};
  if (!is_within_limit(total, package_.unpacked_bytes()))
    return Error{ErrorCode::kResourceLimit,
                 "found " + std::to_string(total.vertices) + " vertices and " +
                     std::to_string(total.triangles) +
                     " triangles once every component is counted, more than a package of this "
                     "size may describe",
                 first_error_.file() + ": " + start};
  file_.mesh.vertices.reserve(total.vertices);
  file_.mesh.triangles.reserve(total.triangles);
  for (std::size_t i = 0; i < built.size(); ++i) {
    const std::uint32_t placement = model.items[i].placement;
    build(built[i], placement == kNoIndex ? Placement() : model.placements[placement]);
  }
  if (first_error_.failed()) return first_error_.error();
  if (not_printable > 0)
    note("not_printable", "measured " + counted(not_printable, "item", "items") +
                              " that the file marks as not to be printed, like the others");
  if (flattened_ > 0)
    note("flat", "found " + counted(flattened_, "object", "objects") +
                     " without volume: flattened by transforms");
  if (model.names_unit) file_.unit = model.unit;
  file_.meters_per_unit = model.meters_per_unit;
  return std::move(file_);
}

}  // namespace

Result<MeshFile> read_3mf(const ReaderInput& input) {
  Result<ZipPackage> package = ZipPackage::open(input.data, input.name);
  if (!package) return package.error();
  return PackageReader(input, *std::move(package)).read();
}

}  // namespace plimsoll
