#include <plimsoll/scene.h>
#include <plimsoll/world.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "formats/json_document.h"
#include "formats/text_scanner.h"
#include "shape/shape_reader.h"

namespace plimsoll {
namespace {

class SceneReader {
 public:
  SceneReader(FirstError& first_error, const std::filesystem::path& folder, SceneUse use)
      : first_error_(first_error), use_(use), shapes_(first_error, folder) {}

  Scene read(const JsonValue& root) {
    Scene scene;
    allow(root, {"fluid", "gravity", "drag", "added_mass", "contact", "bodies", "ignore"});
    scene.environment.fluid_density = 0;
    with(root, "fluid", [&](const JsonValue& v) { read_fluid(v, scene.environment); });
    with(root, "gravity", [&](const JsonValue& v) { read_gravity(v, scene.environment); });
    with(root, "drag", [&](const JsonValue& v) { read_drag(v, scene.environment.drag); });
    with(root, "added_mass", [&](const JsonValue& v) {
      allow(v, {"linear", "angular"});
      read_not_negative(v, "linear", scene.environment.added_mass.linear);
      read_not_negative(v, "angular", scene.environment.added_mass.angular);
    });
    with(root, "contact", [&](const JsonValue& v) {
      read_contact(v, scene.contact.emplace());
      scene.gives_spheres = v.member("spheres").has_value();
    });
    if (first_error_.failed()) return scene;
    note_defaults(root, scene);
    if (const std::optional<JsonValue> bodies = root.required("bodies"))
      bodies->for_each_item([&](const JsonValue& v) { read_bodies(v, scene.bodies); });
    with(root, "ignore", [&](const JsonValue& v) {
      v.for_each_item([&](const JsonValue& pair) { read_ignored(pair); });
    });
    scene.ignored.assign(ignored_.begin(), ignored_.end());
    scene.notices = shapes_.notices();
    return scene;
  }

 private:
  void allow(const JsonValue& object, std::initializer_list<std::string_view> keys) {
    if (first_error_.failed()) return;
    const std::vector<std::string_view> known(keys);
    object.allow_keys(known);
  }

  /// The value of a key that may be absent, or null as if it were.
  std::optional<JsonValue> given(const JsonValue& object, std::string_view key) {
    if (first_error_.failed()) return {};
    const std::optional<JsonValue> value = object.member(key);
    return value && !value->is_null() ? value : std::nullopt;
  }

  /// Calls read(value) for a key that may be absent.
  template <class Read>
  void with(const JsonValue& object, std::string_view key, const Read& read) {
    if (first_error_.failed()) return;
    if (const std::optional<JsonValue> value = object.member(key)) read(*value);
  }

  void read_number(const JsonValue& object, std::string_view key, double& number) {
    with(object, key, [&](const JsonValue& value) { number = value.number(); });
  }
  void read_not_negative(const JsonValue& object, std::string_view key, double& number) {
    with(object, key, [&](const JsonValue& value) {
      number = value.number();
      if (!first_error_.failed() && !(number >= 0))
        value.fail("found " + value.describe() + ", expected it not below 0");
    });
  }
  void read_vector(const JsonValue& object, std::string_view key, Vec3& vector) {
    with(object, key, [&](const JsonValue& value) { vector = shapes_.vector(value); });
  }
  void read_pair(const JsonValue& object, std::string_view key, Vec2& pair) {
    with(object, key,
         [&](const JsonValue& value) { shapes_.numbers(value, std::span(pair.data(), 2)); });
  }

  // ---- what is around the bodies

  void note_defaults(const JsonValue& root, Scene& scene) {
    if (const std::optional<JsonValue> contact = root.member("contact"))
      for (const char* key : {"stiffness", "damping", "friction"})
        if (!contact->member(key)) scene.left_out.push_back("contact." + std::string(key));
    const std::optional<JsonValue> fluid = root.member("fluid");
    if (!fluid) return;
    const bool is_still = std::holds_alternative<StillWater>(scene.environment.surface);
    if (!fluid->member("density")) scene.left_out.emplace_back("fluid.density");
    if (!is_still && !fluid->member("force")) scene.left_out.emplace_back("fluid.force");
    if (!scene.environment.drag.quadratic) scene.left_out.emplace_back("drag.quadratic");
  }

  void read_gravity(const JsonValue& value, Environment& environment) {
    const Vec3 gravity = shapes_.vector(value);
    if (first_error_.failed()) return;
    if (gravity[0] != 0 || gravity[1] != 0 || !(gravity[2] <= 0))
      return value.fail(
          "found another direction, expected 0, 0, -g: z is up, and fluids have "
          "heights over z = 0");
    environment.gravity = -gravity[2];
  }

  void read_drag(const JsonValue& value, Drag& drag) {
    allow(value, {"linear", "quadratic", "angular"});
    read_not_negative(value, "linear", drag.linear);
    with(value, "quadratic", [&](const JsonValue&) {
      read_not_negative(value, "quadratic", drag.quadratic.emplace());
    });
    read_not_negative(value, "angular", drag.angular);
  }

  void read_contact(const JsonValue& value, ContactLaw& law) {
    allow(value,
          {"method", "stiffness", "damping", "friction", "spheres", "exact_fixed", "sleep_after"});
    with(value, "method", [&](const JsonValue& v) {
      const std::string_view method = v.text();
      if (first_error_.failed()) return;
      const auto* const name =
          std::find(kContactMethodNames.begin(), kContactMethodNames.end(), method);
      if (name == kContactMethodNames.end())
        return v.fail("found " + in_quotes(method) +
                      ", expected exact, lesser_depth, spheres or volume");
      law.method = static_cast<ContactMethod>(name - kContactMethodNames.begin());
    });
    with(value, "stiffness", [&](const JsonValue& v) {
      law.stiffness = v.number();
      if (!first_error_.failed() && !(*law.stiffness > 0))
        v.fail("found " + v.describe() + ", expected it above 0 [N/m^3]");
    });
    read_not_negative(value, "damping", law.damping);
    read_not_negative(value, "friction", law.friction);
    with(value, "sleep_after", [&](const JsonValue& v) {
      law.sleep_after = v.number();
      if (!first_error_.failed() && !(law.sleep_after > 0))
        v.fail("found " + v.describe() + ", expected it above 0 [s]");
    });
    with(value, "exact_fixed", [&](const JsonValue& v) { law.exact_fixed = v.boolean(); });
    with(value, "spheres", [&](const JsonValue& v) {
      const std::uint64_t count = v.natural();
      if (!first_error_.failed() && count == 0)
        v.fail("found " + v.describe() + ", expected one or more");
      law.spheres = count;
    });
  }

  void read_fluid(const JsonValue& value, Environment& environment) {
    allow(value, {"density", "surface", "force"});
    environment.fluid_density = Environment{}.fluid_density;
    read_not_negative(value, "density", environment.fluid_density);
    with(value, "force", [&](const JsonValue& v) {
      const std::string_view force = v.text();
      if (first_error_.failed()) return;
      if (force != "weight" && force != "pressure")
        return v.fail("found " + in_quotes(force) + ", expected weight or pressure");
      environment.force = force == "weight" ? FluidForce::kWeight : FluidForce::kPressure;
    });
    with(value, "surface", [&](const JsonValue& v) { read_surface(v, environment.surface); });
  }

  void read_surface(const JsonValue& value, FluidSurface& surface) {
    const std::optional<JsonValue> type = value.required("type");
    if (!type) return;
    const std::string_view name = type->text();
    if (first_error_.failed()) return;
    if (name == "plane") {
      allow(value, {"type", "height"});
      StillWater still;
      read_number(value, "height", still.height);
      surface = still;
    } else if (name == "waves") {
      surface = read_waves(value);
    } else if (name == "heights") {
      surface = read_heights(value);
    } else {
      return type->fail("found " + in_quotes(name) + ", expected plane, waves or heights");
    }
    if (first_error_.failed()) return;
    if (const Result<void> usable = check_fluid_surface(surface); !usable)
      value.fail(usable.error().where + ": " + usable.error().message);
  }

  Waves read_waves(const JsonValue& value) {
    Waves waves;
    allow(value, {"type", "height", "components"});
    read_number(value, "height", waves.height);
    if (first_error_.failed()) return waves;
    const std::optional<JsonValue> components = value.required("components");
    if (!components) return waves;
    components->for_each_item([&](const JsonValue& item) {
      WaveComponent wave;
      allow(item, {"amplitude", "wavelength", "direction_deg", "phase"});
      if (first_error_.failed()) return;
      wave.amplitude = shapes_.number(item, "amplitude");
      if (!first_error_.failed()) wave.wavelength = shapes_.number(item, "wavelength");
      read_number(item, "direction_deg", wave.direction_deg);
      read_number(item, "phase", wave.phase);
      waves.components.push_back(wave);
    });
    return waves;
  }

  HeightGrid read_heights(const JsonValue& value) {
    HeightGrid grid;
    allow(value, {"type", "origin", "spacing", "heights"});
    read_pair(value, "origin", grid.origin);
    read_pair(value, "spacing", grid.spacing);
    if (first_error_.failed()) return grid;
    const std::optional<JsonValue> rows = value.required("heights");
    if (!rows) return grid;
    rows->for_each_item([&](const JsonValue& row) {
      const std::size_t before = grid.heights.size();
      row.for_each_item([&](const JsonValue& item) { grid.heights.push_back(item.number()); });
      const auto count = static_cast<int>(grid.heights.size() - before);
      if (grid.rows++ == 0) grid.columns = count;
      if (count != grid.columns)
        row.fail("found " + std::to_string(count) + " heights, expected " +
                 std::to_string(grid.columns) + " as in the first row");
    });
    return grid;
  }

  // ---- bodies

  void read_bodies(const JsonValue& value, std::vector<RigidBody>& bodies) {
    allow(value, {"name", "shape", "density", "mass", "center_of_mass", "inertia", "fixed", "pose",
                  "velocity", "angular_velocity", "count", "spacing"});
    RigidBody body;
    read_name(value, bodies.size(), body.name);
    with(value, "fixed", [&](const JsonValue& v) { body.is_kinematic = v.boolean(); });
    read_weight(value, body);
    with(value, "pose", [&](const JsonValue& v) { shapes_.read_pose(v, body.pose); });
    read_vector(value, "velocity", body.velocity);
    read_vector(value, "angular_velocity", body.angular_velocity);
    if (body.is_kinematic) body.velocity = body.angular_velocity = Vec3::Zero();  // it stays
    if (first_error_.failed()) return;
    const std::uint64_t count = natural_or(value, "count", 1);
    Vec3 spacing = Vec3::Ones();
    read_vector(value, "spacing", spacing);
    if (first_error_.failed()) return;
    if (count == 0) return value.fail("found a count of 0, expected 1 at least");
    if (count > kMaxBodies - bodies.size())
      return first_error_.set(ErrorCode::kResourceLimit,
                              "found more than " + std::to_string(kMaxBodies) + " bodies",
                              value.path());
    if (const std::optional<JsonValue> shape = value.required("shape")) {
      body.shape = shapes_.read(*shape);
      check_body_shape(*shape, body.shape);
    }
    if (!first_error_.failed()) repeat(value, body, count, spacing, bodies);
  }

  void read_name(const JsonValue& value, std::size_t index, std::string& name) {
    name = "body " + std::to_string(index);
    with(value, "name", [&](const JsonValue& v) { name = v.text(); });
  }

  void read_weight(const JsonValue& value, RigidBody& body) {
    const std::optional<JsonValue> density = given(value, "density"), mass = given(value, "mass");
    if (first_error_.failed()) return;
    if (density && mass)
      return mass->fail("found a mass beside a density, expected one of the two");
    if (!density && !mass && !body.is_kinematic && use_ == SceneUse::kMotion)
      return value.fail("found neither \"density\" nor \"mass\", expected one of the two");
    read_given_mass(value, mass, body);
    if (!density) return;
    body.density = density->number();
    if (!first_error_.failed() && !(body.density > 0))
      density->fail("found " + density->describe() + ", expected it positive");
  }

  void read_given_mass(const JsonValue& value, const std::optional<JsonValue>& mass,
                       RigidBody& body) {
    const std::optional<JsonValue> center = given(value, "center_of_mass");
    const std::optional<JsonValue> inertia = given(value, "inertia");
    for (const std::optional<JsonValue>& part : {center, inertia})
      if (part && !mass) return part->fail("found it without a \"mass\", which it goes with");
    if (!mass || first_error_.failed()) return;
    GivenMass& weight = body.mass.emplace();
    weight.mass = mass->number();
    if (center) weight.center_of_mass = shapes_.vector(*center);
    if (inertia) weight.inertia = read_tensor(*inertia);
    if (first_error_.failed()) return;
    const Result<void> usable = check_given_mass(weight);
    if (usable) return;
    const std::string& where = usable.error().where;
    (where == "inertia" ? inertia : where == "mass" ? mass : center)->fail(usable.error().message);
  }

  Mat3 read_tensor(const JsonValue& value) {
    Eigen::Matrix<double, 3, 3, Eigen::RowMajor> rows;
    rows.setZero();
    const std::size_t count = value.count_items();
    if (!first_error_.failed() && count != 3)
      value.fail("found " + std::to_string(count) + " items, expected 3 rows of 3 numbers");
    int row = 0;
    if (!first_error_.failed())
      value.for_each_item(
          [&](const JsonValue& item) { shapes_.numbers(item, std::span(&rows(row++, 0), 3)); });
    return rows;
  }

  void check_body_shape(const JsonValue& value, const Shape& shape) {
    if (first_error_.failed()) return;
    const Result<void> usable = check_shape(shape);
    if (usable) return;
    const bool is_limit = usable.error().code == ErrorCode::kResourceLimit;
    std::string place = value.path();
    if (!usable.error().where.empty()) place.append(".").append(usable.error().where);
    first_error_.set(is_limit ? ErrorCode::kResourceLimit : ErrorCode::kMalformed,
                     usable.error().message, place);
  }

  void repeat(const JsonValue& value, const RigidBody& body, std::uint64_t count,
              const Vec3& spacing, std::vector<RigidBody>& bodies) {
    std::uint64_t side = 1;
    while (side * side * side < count) ++side;
    for (std::uint64_t n = 0; n < count; ++n) {
      bodies.push_back(body);
      const Vec3 step(static_cast<double>(n % side), static_cast<double>(n / side % side),
                      static_cast<double>(n / (side * side)));
      bodies.back().pose.translation() += spacing.cwiseProduct(step);
      std::string& name = bodies.back().name;
      if (count > 1) name.append("[").append(std::to_string(n)).append("]");
      if (!places_.emplace(name, static_cast<std::uint32_t>(bodies.size() - 1)).second)
        return value.fail("found the name " + in_quotes(name) + " twice, expected each once");
    }
  }

  // ---- pairs

  void read_ignored(const JsonValue& value) {
    const std::size_t count = value.count_items();
    if (first_error_.failed()) return;
    if (count != 2)
      return value.fail("found " + std::to_string(count) +
                        " items, expected the names of 2 bodies");
    std::vector<std::uint32_t> pair;
    value.for_each_item([&](const JsonValue& item) { pair.push_back(place_of(item)); });
    if (first_error_.failed()) return;
    if (pair[0] == pair[1]) return value.fail("found one body twice, expected two");
    if (!ignored_.insert(std::minmax(pair[0], pair[1])).second)
      return value.fail("found this pair of bodies before, expected each once");
  }

  /// The place of the body of a name.
  std::uint32_t place_of(const JsonValue& name) {
    const std::string text(name.text());
    if (first_error_.failed()) return 0;
    const auto found = places_.find(text);
    if (found != places_.end()) return found->second;
    name.fail("found the name " + in_quotes(text) + ", which no body has");
    return 0;
  }

  FirstError& first_error_;
  SceneUse use_;
  ShapeReader shapes_;
  std::map<std::string, std::uint32_t> places_;  // of bodies, by name
  std::set<std::pair<std::uint32_t, std::uint32_t>> ignored_;
};

Result<Scene> parse_scene(std::span<const std::byte> data, const std::string& name,
                          const std::filesystem::path& folder, SceneUse use) {
  return parse_document(
      data, name,
      [&](const JsonValue& root, FirstError& first_error) {
        return SceneReader(first_error, folder, use).read(root);
      },
      [](const Scene& scene) -> Result<void> {
        if (!scene.bodies.empty()) return {};
        return Error{ErrorCode::kMalformed, "found no body, expected one at least", "bodies"};
      });
}

}  // namespace

Result<Scene> read_scene(const std::filesystem::path& path, SceneUse use) {
  const Result<FileBytes> bytes = read_file(path, kMaxDocument);
  if (!bytes) return bytes.error();
  return read_scene(bytes->span(), path.string(), path.has_parent_path() ? path.parent_path() : ".",
                    use);
}

Result<Scene> read_scene(std::span<const std::byte> text, const std::string& name,
                         const std::filesystem::path& folder, SceneUse use) {
  return guarded(name, [&] { return parse_scene(text, name, folder, use); });
}

Result<void> apply_contact(const Scene& scene, World& world) {
  if (!scene.contact) return {};
  const std::vector<BodyId> ids = world.ids();
  for (const auto& [a, b] : scene.ignored)
    if (Result<void> done = world.ignore(ids[a], ids[b]); !done) return done;
  return world.set_contact(scene.contact);
}

}  // namespace plimsoll
