// Prints what the functions of the library return, to the last bit. The program computes nothing
// itself, so that it prints the same whatever it was compiled with: tests/consumer/run compares.
#include <plimsoll/body_pairs.h>
#include <plimsoll/buoyancy.h>
#include <plimsoll/contact.h>
#include <plimsoll/deforming_spheres.h>
#include <plimsoll/distance.h>
#include <plimsoll/equilibrium.h>
#include <plimsoll/image.h>
#include <plimsoll/mass_properties.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/mesh_health.h>
#include <plimsoll/mesh_io.h>
#include <plimsoll/overlap.h>
#include <plimsoll/patches.h>
#include <plimsoll/righting_arms.h>
#include <plimsoll/rims.h>
#include <plimsoll/scene.h>
#include <plimsoll/separation.h>
#include <plimsoll/shape.h>
#include <plimsoll/shape_health.h>
#include <plimsoll/shape_io.h>
#include <plimsoll/sphere_cover.h>
#include <plimsoll/sphere_packing.h>
#include <plimsoll/sphere_tree.h>
#include <plimsoll/sphere_union.h>
#include <plimsoll/submersion_tracker.h>
#include <plimsoll/surface_queries.h>
#include <plimsoll/version.h>
#include <plimsoll/water_image.h>
#include <plimsoll/world.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

using namespace plimsoll;

namespace {

void show(double x) { std::printf(" %a", x); }
void show(std::size_t n) { std::printf(" %zu", n); }
void show(int n) { std::printf(" %d", n); }
void show(bool is) { std::printf(" %s", is ? "yes" : "no"); }
void show(const char* text) { std::printf(" %s", text); }
template <class Derived>
void show(const Eigen::DenseBase<Derived>& matrix) {
  for (Eigen::Index row = 0; row < matrix.rows(); ++row)
    for (Eigen::Index column = 0; column < matrix.cols(); ++column)
      show(static_cast<double>(matrix.derived()(row, column)));
}
template <int mode, int options>
void show(const Eigen::Transform<double, 3, mode, options>& pose) {
  show(pose.matrix());
}
void show(const Box3& box) {
  show(box.min());
  show(box.max());
}
void show(const MassError& e) { show(e.volume), show(e.center_of_mass), show(e.inertia); }
void show(const MassProperties& p) {
  show(p.density), show(p.volume), show(p.mass), show(p.center_of_mass), show(p.inertia);
  show(p.error_bound), show(p.inverted);
}
void show(const WeighedBody& body) {
  show(body.properties);
  show(body.error);
}
void show(const Submersion& wet) {
  show(wet.volume), show(wet.center_of_buoyancy), show(wet.wetted_area), show(wet.volume_error);
  const WaterSection& section = wet.waterplane;
  show(section.area), show(section.center), show(section.second_moments), show(section.axes);
}
void show(const Buoyancy& b) { show(b.volume), show(b.center), show(b.lift), show(b.lift_moment); }
void show(const BuoyantForce& pushed) {
  show(pushed.force), show(pushed.torque), show(pushed.wet);
  show(pushed.force_error), show(pushed.torque_error);
}
void show(const TriangleMesh& mesh) {
  show(mesh.vertices.size()), show(mesh.triangles.size());
  if (!mesh.vertices.empty()) show(mesh.vertices.back());
}
void show(const MeshHealth& health) {
  show(to_string(health.status)), show(health.triangles), show(health.vertices);
  show(to_string(worst_of(health.findings, RimUse::kDry)));
  show(health.surface_area), show(health.closure_residual), show(health.shift_sensitivity);
  show(health.shells.size()), show(health.boundary_edges);
  for (const Defect& defect : health.defects) show(defect.at);
}
void show(const ShapeHealth& health) {
  show(to_string(health.status)), show(to_string(worst_of(health.findings)));
  for (const SurfaceHealth& surface : health.surfaces)
    show(surface.place.c_str()), show(surface.health);
}
void show(const Rims& rims) {
  show(rims.fan_volume), show(rims.plane_volume), show(rims.cap_differences);
  for (const Rim& rim : rims.rims) {
    show(rim.length), show(rim.area), show(rim.center), show(rim.fan_cap_volume);
    show(rim.vertices.size());
  }
}
void show(const FloatingState& state) {
  show(state.up), show(state.level), show(state.wet), show(state.energy), show(state.righting_arm);
  show(state.metacentric_heights), show(state.heel_axes);
}
void show(const Equilibrium& rest) {
  show(rest.state), show(to_string(rest.kind)), show(rest.family_axis), show(rest.loop_angle);
  show(rest.residual), show(rest.starts), show(rest.arc.size());
}
void show(const HeeledState& heeled) {
  show(heeled.heel), show(heeled.trim), show(heeled.state), show(heeled.righting_arm);
  show(heeled.slope), show(heeled.area), show(heeled.piece);
}
void show(const ImageMass& image) {
  show(image.properties), show(image.error_estimate), show(image.fragments), show(image.passes);
  show(image.unbalanced_rows), show(image.unseen_pixels);
}
void show(const WaterImage& image) {
  show(image.buoyancy), show(image.second_moments), show(image.waterplane_area);
  show(image.volume_error), show(image.peels), show(image.fragments),
      show(image.unbalanced_columns);
}
void show(const ShapeMass& mass) { show(mass.body), show(mass.is_proven), show(mass.surface_area); }
void show(const BodyState& state) {
  show(state.pose), show(state.velocity), show(state.angular_velocity);
  show(state.center_of_mass), show(state.buoyancy);
}
void show(const TrianglePair& pair) { show(std::size_t{pair.a}), show(std::size_t{pair.b}); }
void show(const NearestPoint& point) {
  show(point.at), show(std::size_t{point.triangle}), show(static_cast<int>(point.part));
  show(point.number), show(std::size_t{point.leaf});
}
void show(const SurfaceDistance::Points& points) { show(points.on_a), show(points.on_b); }
template <class T>
void show(const std::optional<T>& value) {
  if (value)
    show(*value);
  else
    show("none");
}
void show(const Error& error) {
  std::printf(" %s: %s", error.where.c_str(), error.message.c_str());
}
template <class T>
void show(const Result<T>& result) {
  if (result)
    show(*result);
  else
    show(result.error());
}

template <class T>
void print(const char* title, const T& value) {
  std::printf("%s:", title);
  show(value);
  std::printf("\n");
}

const WaterPlane kWater{{0.1, 0.2, 1}, 0.05};

void weigh(const CheckedMesh& mesh) {
  print("mass, tight", mass_properties(mesh));
  print("mass, fast", mass_properties(mesh, {.density = 700, .precision = Precision::kFast}));
  const MassProperties mass = mass_properties(mesh);
  print("principal moments", principal_axes(mass.inertia).moments);
  print("principal axes", principal_axes(mass.inertia).axes);
  print("physical", is_physical(mass.inertia));
  const std::vector<AssemblyPart> parts{{mesh, {}}, {mesh, {.density = 2}}};
  const Assembly assembly = assembly_mass_properties(parts);
  print("assembly", assembly.total);
  print("part", assembly.parts[1]);
  const std::vector<WeighedBody> bodies{{mass, {}}, {mass, {}}};
  print("combined", combined(bodies));
  print("twice as dense", with_density_times(2, bodies[0]));
  print("health", examine(mesh, {.check_self_intersections = true}));
  print("box", bounding_box(mesh));
  print("welded", weld(mesh));
  print("welded near", weld(mesh, 1e-9)->mesh);
  const Shape placed{MeshSolid{std::make_shared<const TriangleMesh>(weld(mesh)), 1e-6}};
  print("swept", swept_volume(placed));
  print("displaced", displacement_error(placed, mass));
  print("image", image_mass_properties(mesh, {.width = 32, .height = 32}));
}

void submerge(const CheckedMesh& mesh) {
  print("submersion", submersion(mesh, kWater));
  const SolidTree tree(mesh);
  print("tree", tree.submersion(kWater));
  print("tree box", tree.box());
  const MeshTree triangles(mesh, TreeQuality::kTight);
  print("triangles", triangles.box());
  print("of triangles", SolidTree(triangles).submersion(kWater));
  LeaningPlanes planes;
  planes.slope = 0.1;
  const ProjectedSurface between = tree.surface_between(kWater, planes);
  print("between", between.area), print("between", between.first), print("between", between.second);
  SubmersionTracker tracker(tree);
  for (const double offset : {0.05, 0.0501, 0.0502, 0.0503})
    print("tracked", tracker.submersion({{0, 0, 1}, offset}));
  const std::optional<SolidTree> coarse = tree.coarse(100);
  print("coarse", coarse ? coarse->submersion(kWater) : Submersion{});
  print("no plane", submersion(mesh, {{0, 0, 0}, 0}));
  print("water frame", *water_frame(kWater));
}

void touch(const CheckedMesh& mesh) {
  const MeshTree tree(mesh);
  const Similarity here = Similarity::Identity();
  Similarity beside = here;
  beside.translation() = Vec3(0.25, 0.125, 0.5);
  PairSearch search;
  print("first pair", search.touch(tree, here, tree, beside));
  print("pairs within", search.self_pairs(tree)->size());
  BodyPairSearch bodies;
  const BodyId one = *bodies.add(tree), two = *bodies.add(tree, beside);
  print("touching bodies", bodies.touching().size());
  print("pairs", bodies.pairs().front().pairs.size());
  print("moved", bodies.move(two, here).has_value());
  print("reshaped", bodies.reshape(one, tree).has_value());
  print("removed", bodies.remove(one).has_value());
  print("bodies left", bodies.body_count());
}

void open_boat() {
  TriangleMesh hull = make_box({4, 2, 1});
  hull.triangles.resize(hull.triangles.size() - 1);
  const CheckedMesh mesh = *CheckedMesh::from_triangles(hull);
  print("rims", *find_rims(mesh));
  print("rim height", rim_height(mesh, kWater));
  print("rim point", rim_points(mesh).front());
  print("not closed", ClosedMesh::borrow(hull).error());
}

void shapes() {
  const std::vector<Shape> all{{BoxSolid{{1, 2, 3}}}, {Sphere{1}},      {Ellipsoid{{1, 2, 3}}},
                               {Torus{1, 0.3}},       {Cylinder{1, 2}}, {Capsule{0.5, 1}},
                               {Cone{1, 2}}};
  for (Shape shape : all) {
    shape.pose = Eigen::Translation3d(0.1, 0.2, 0.3) * Eigen::AngleAxisd(0.5, Vec3::UnitX()) *
                 Eigen::Scaling(2.0);
    print("pose", shape.pose);
    print("nearest", nearest_similarity(shape.pose));
    print("shape box", bounding_box(shape));
    print("shape mass", mass_properties(shape));
    print("shape submersion", submersion(shape, kWater));
    print("triangles", to_triangles(shape, 0.1).value()->mesh);
    print("columns", image_mass_properties(shape, {.width = 32, .height = 32}));
  }
  const Shape blob{ImplicitSolid{*Expression::parse("x^2 + y^2 + z^4 - 1"),
                                 Box3(Vec3(-2, -2, -2), Vec3(2, 2, 2))}};
  print("formula", image_mass_properties(blob, {.width = 32, .height = 32}));
  print("value", (*Expression::parse("sin(x) * y ^ 3"))(Vec3(1, 2, 3)));
  const Shape pot{PatchSolid{std::make_shared<PatchSurface>(closed_teapot())}};
  print("patches", mass_properties(pot));
  print("health of patches", examine(Shape{Boolean{BooleanOperation::kUnion, {pot}}}));
  print("point", evaluate(closed_teapot().patches[3], 0.3, 0.7).position);
  print("tangent", evaluate(closed_teapot().patches[3], 0.3, 0.7).du);
  print("tessellated", *tessellate_uniform(closed_teapot(), 3));
}

FluidSurface waves() { return Waves{0.1, {{0.1, 3, 30, 0.5}, {0.05, 1, -20, 0}}}; }

void push_by_waves(const CheckedMesh& mesh) {
  HeightGrid grid{{-9, -9}, {9, 9}, 3, 3, {0, 0.1, 0.2, 0.1, 0, 0.3, 0.1, 0.2, 0}};
  Similarity pose = Similarity::Identity();
  pose.translation() = Vec3(0.1, 0.2, 0.3);
  for (const FluidSurface& surface : {FluidSurface(StillWater{0.2}), waves(), FluidSurface(grid)}) {
    const SurfaceNow now = *FreeSurface::create(surface)->at(1.5, 9.8);
    print("height", now.height(0.3, 0.4));
    print("slope", now.slope(0.3, 0.4));
    print("velocity", now.velocity(Vec3(0.1, 0.2, -0.3)));
    print("interpolation", now.interpolation_error(Vec2(-1, -1), Vec2(1, 1)));
    print("buoyancy", buoyancy(mesh, pose, now, 1e-2));
    print("force", buoyancy(mesh, pose, now, {.about = Vec3(0.1, 0, 0)}));
    print("water image", water_image(Shape{Torus{1, 0.4}, pose}, now));
  }
  print("force by tree", buoyancy(SolidTree(mesh), pose, kWater, {.gravity = 9.8}));
  print("too fine", buoyancy(mesh, pose, *FreeSurface::create(waves())->at(0, 9.8), 1e-300));
}

void come_to_rest() {
  const TriangleMesh hull = make_box({4, 2, 1});
  const FloatingBody body = floating_body(SolidTree(*CheckedMesh::borrow(hull)), Vec3::Zero(), 3);
  print("upright", float_upright(body, Vec3::UnitZ()));
  const Equilibria rests = find_equilibria(body, {.starts = 8});
  print("complete", to_string(rests.complete));
  for (const Equilibrium& rest : rests.found) print("rest", rest);
  print("come to rest", plimsoll::come_to_rest(body, Vec3(0.1, 0.2, 1).normalized()));
  const RightingArms arms = righting_arms(body, {}, std::vector<double>{0.1, 0.2, 0.3});
  print("upright arm", arms.upright);
  for (const auto& state : arms.states) print("arm", state);
  print("largest arm", arms.largest);
  print("vanishing", arms.vanishing_angle);
  print("ball", floating_body(Shape{Sphere{1}}, 2)->volume);
}

void move() {
  std::vector<RigidBody> bodies(3);
  bodies[0] = {.name = "box", .shape = {BoxSolid{{1, 2, 3}}}};
  bodies[1] = {.name = "ball", .shape = {Sphere{1}}, .density = 300};
  bodies[2] = {.name = "knot",
               .shape = {MeshSolid{std::make_shared<TriangleMesh>(make_torus_knot({}, 100, 12))}}};
  for (std::size_t i = 0; i < bodies.size(); ++i)
    bodies[i].pose = Eigen::Translation3d(4.0 * static_cast<double>(i), 0, 0.3) *
                     Eigen::AngleAxisd(0.3, Vec3::UnitY());
  for (const FluidSurface& surface : {FluidSurface(StillWater{}), waves()}) {
    Environment environment;
    environment.surface = surface;
    World world = *World::create(environment, bodies);
    const WorldSnapshot start = world.snapshot();
    for (int step = 0; step < 50; ++step)
      if (!world.step(0.02)) std::exit(1);
    for (const BodyId id : world.ids()) {
      print(world.name(id)->c_str(), world.body(id));
      print("mass", world.mass(id));
      print("substeps", world.substeps(id, 0.02));
    }
    print("energy", world.energy().total());
    print("dissipated", world.dissipated());
    print("hash", static_cast<std::size_t>(world.state_hash()));
    if (!world.restore(start)) std::exit(1);
    print("restored", static_cast<std::size_t>(world.state_hash()));
  }
  const std::string nothing = "{}";
  print("scene", read_scene(std::as_bytes(std::span(nothing)), "none", ".").error());
}

Similarity turned_and_moved(double along_x) {
  Similarity pose = Similarity::Identity();
  return pose.rotate(Eigen::AngleAxisd(0.3, Vec3::UnitY())).pretranslate(Vec3(along_x, 0.1, 0.2));
}

/// Near each other, then across each other.
void meet(const CheckedMesh& mesh) {
  const MeshTree triangles(mesh);
  const DistanceTree tree(triangles);
  DistanceSearch distances;
  PairSearch search;
  NearPairSearch near_pairs;
  const Similarity here = Similarity::Identity();
  for (const double off : {5.0, 0.5}) {
    const Similarity there = turned_and_moved(off);
    const SurfaceDistance distance = *distances.find(tree, here, tree, there);
    print("distance", distance.distance);
    print("lower", distance.lower);
    print("upper", distance.upper);
    print("nearest", distance.nearest);
    for (const TrianglePair& pair : *search.pairs(triangles, here, triangles, there)) {
      print("a", std::size_t{pair.a});
      print("b", std::size_t{pair.b});
    }
    SurfaceProbe probe = *SurfaceProbe::of(triangles, there);
    const NearestOnSurface nearest = *probe.nearest(Vec3(0.1, 0.2, 0.3));
    print("distance", nearest.distance);
    print("lower", nearest.lower);
    print("upper", nearest.upper);
    if (nearest.at) print("at", nearest.at->at);
    print("signed", probe.signed_distance(Vec3(0.4, 0.5, 0.6))->distance);
    print("inside", std::size_t{*probe.contains(Vec3(0.4, 0.5, 0.6))});
    print("winding", *probe.generalized_winding_number(Vec3(0.4, 0.5, 0.6)));
    const std::optional<RayHit> hit = *probe.first_hit({Vec3(0.1, 0.2, 0.3), Vec3(1, 0.1, 0.05)});
    if (hit) {
      print("along", hit->along);
      print("at", hit->at);
      print("triangle", std::size_t{hit->triangle});
    }
    const double a_little_more = distance.upper + 0.01;
    for (const TrianglePair& pair : *near_pairs.pairs(tree, here, tree, there, a_little_more)) {
      print("a", std::size_t{pair.a});
      print("b", std::size_t{pair.b});
    }
  }
}

/// Apart, across each other, and with coinciding faces.
void share(const CheckedMesh& mesh) {
  const SolidTree solid{MeshTree(mesh)};
  OverlapSearch search;
  const Similarity here = Similarity::Identity();
  for (const Similarity& there : {turned_and_moved(5), turned_and_moved(0.5), here}) {
    const Overlap shared = *search.overlap(
        solid, here, solid, there, {.contacts = true, .second_derivative = true, .pieces = true});
    print("overlaps", shared.overlaps);
    print("volume", shared.volume);
    print("error", shared.volume_error);
    if (shared.center) print("center", *shared.center);
    print("force", shared.force_a);
    print("torque", shared.torque_b);
    print("length", shared.curve_length);
    for (const double area : shared.patch_areas) print("area", area);
    for (const OverlapContact& contact : shared.contacts) print("force", contact.force_a);
    if (shared.second_derivative) print("second", *shared.second_derivative);
    for (const OverlapPiece& piece : *shared.pieces) print("piece", piece.center);
    const OverlapEstimate bounds = *search.estimate(solid, here, solid, there, {.max_work = 20});
    print("lower", bounds.lower);
    print("upper", bounds.upper);
  }
  const ContactForces push = *ContactSearch().forces(solid, here, solid, turned_and_moved(0.5),
                                                     {.points = true, .energy = true});
  print("push", push.force_a);
  print("twist", push.torque_b);
  print("energy", *push.energy);
  for (const ContactPoint& point : push.points) print("point", point.push);
  print("apart", separation(search, solid, here, solid, turned_and_moved(0.5))->translation);
}

/// By the spheres inside: apart, then across each other.
void ask_spheres() {
  const ClosedMesh torus = *ClosedMesh::from_triangles(make_torus(1, 0.4, 30, 20));
  const SpherePacking packing = *pack_spheres(torus, {.max_count = 300});
  print("coverage", packing.coverage);
  print("protrusion", packing.largest_protrusion);
  for (const PlacedSphere& sphere : packing.spheres) {
    print("center", sphere.center);
    print("radius", sphere.radius);
  }
  const SphereCover cover = *cover_with_spheres(torus, {.max_count = 5});
  print("reach", cover.largest_protrusion);
  for (const PlacedSphere& sphere : cover.spheres) print("center", sphere.center);
  const MassProperties all = *union_mass_properties(cover.spheres);
  print("volume", all.volume);
  print("center", all.center_of_mass);
  DeformingSpheres carried = *DeformingSpheres::create(torus, packing.spheres);
  print("follows",
        carried.follow(*ClosedMesh::from_triangles(make_torus(1, 0.3, 30, 20))).has_value());
  for (const PlacedSphere& sphere : carried.spheres()) print("radius", sphere.radius);
  const SphereTree tree = *SphereTree::create(torus, packing.spheres);
  SphereSearch search;
  const Similarity here = Similarity::Identity();
  for (const double off : {5.0, 0.5}) {
    const Similarity there = turned_and_moved(off);
    const SphereTreeDistance distance = *search.distance(tree, here, tree, there);
    print("distance", distance.distance);
    print("lower", distance.lower);
    print("upper", distance.upper);
    const SphereVolume shared = *search.volume(tree, here, tree, there, {.with_contacts = true});
    print("volume", shared.volume);
    print("lower", shared.lower);
    print("upper", shared.upper);
    print("force", shared.force_a);
    print("torque", shared.torque_b);
    for (const SphereContact& contact : shared.contacts) {
      print("point", contact.point);
      print("force", contact.force_b);
    }
  }
}

}  // namespace

int main() {
  std::printf("version %s\n", std::string(version()).c_str());
  const CheckedMesh knot = *CheckedMesh::from_triangles(make_torus_knot({}, 200, 24));
  weigh(knot);
  submerge(knot);
  touch(knot);
  open_boat();
  shapes();
  push_by_waves(knot);
  come_to_rest();
  move();
  meet(knot);
  share(knot);
  ask_spheres();
}
