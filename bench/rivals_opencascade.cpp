#include <BRepAlgoAPI_Cut.hxx>
#include <BRepGProp.hxx>
#include <BRepPrimAPI_MakeCylinder.hxx>
#include <BRepPrimAPI_MakeSphere.hxx>
#include <BRepPrimAPI_MakeTorus.hxx>
#include <GProp_GProps.hxx>
#include <TopoDS_Shape.hxx>
#include <gp_Ax2.hxx>

#include "test_solids.h"

namespace plimsoll::bench {
namespace {

TopoDS_Shape make(TestSolid solid) {
  if (solid == TestSolid::kTorus) return BRepPrimAPI_MakeTorus(kMajor, kMinor).Shape();
  const TopoDS_Shape sphere = BRepPrimAPI_MakeSphere(1).Shape();
  if (solid == TestSolid::kSphere) return sphere;
  const gp_Ax2 below(gp_Pnt(0, 0, -2), gp_Dir(0, 0, 1));
  return BRepAlgoAPI_Cut(sphere, BRepPrimAPI_MakeCylinder(below, kHole, 4).Shape()).Shape();
}

Answer answer_of(const GProp_GProps& found) {
  const gp_Mat about_center = found.MatrixOfInertia();
  Mat3 inertia;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) inertia(i, j) = about_center(i + 1, j + 1) / found.Mass();
  const gp_Pnt center = found.CentreOfMass();
  return {found.Mass(), Vec3(center.X(), center.Y(), center.Z()), inertia};
}

}  // namespace

std::vector<System> opencascade_systems(TestSolid solid, double tolerance) {
  const TopoDS_Shape shape = make(solid);
  return {{"opencascade",
           [shape] {
             GProp_GProps found;
             BRepGProp::VolumeProperties(shape, found);
             return answer_of(found);
           }},
          {"opencascade_adaptive", [shape, tolerance] {
             GProp_GProps found;
             BRepGProp::VolumeProperties(shape, found, tolerance);
             return answer_of(found);
           }}};
}

}  // namespace plimsoll::bench
