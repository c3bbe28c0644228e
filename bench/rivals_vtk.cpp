#include <vtkCellArray.h>
#include <vtkCenterOfMass.h>
#include <vtkDoubleArray.h>
#include <vtkMassProperties.h>
#include <vtkMultiObjectMassProperties.h>
#include <vtkNew.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkSmartPointer.h>

#include <cstdlib>

#include "systems.h"

namespace plimsoll::bench {
namespace {

vtkSmartPointer<vtkPolyData> converted(const TriangleMesh& from) {
  vtkNew<vtkPoints> points;
  points->SetDataTypeToDouble();
  for (const Vec3& v : from.vertices) points->InsertNextPoint(v.data());
  vtkNew<vtkCellArray> cells;
  for (const Triangle& t : from.triangles) cells->InsertNextCell({t[0], t[1], t[2]});
  auto mesh = vtkSmartPointer<vtkPolyData>::New();
  mesh->SetPoints(points);
  mesh->SetPolys(cells);
  return mesh;
}

// Filters answer from their cache until they are told that something changed.
template <class Filter>
vtkSmartPointer<Filter> filter_for(const vtkSmartPointer<vtkPolyData>& mesh) {
  auto filter = vtkSmartPointer<Filter>::New();
  filter->SetInputData(mesh);
  return filter;
}

}  // namespace

std::vector<System> vtk_systems(const TriangleMesh& mesh) {
  setenv("VTK_SMP_MAX_THREADS", "1", 1);  // vtkSMPTools.h does not compile as C++20
  const auto data = converted(mesh);
  const auto single = filter_for<vtkMassProperties>(data);
  const auto multi = filter_for<vtkMultiObjectMassProperties>(data);
  multi->SkipValidityCheckOn();  // the generous setting
  const auto center = filter_for<vtkCenterOfMass>(data);
  return {{"vtk_mass_properties",
           [single] {
             single->Modified();
             single->Update();
             return Answer{single->GetVolume(), {}, {}};
           }},
          {"vtk_multi_object_mass_properties",
           [multi] {
             multi->Modified();
             multi->Update();
             return Answer{multi->GetTotalVolume(), {}, {}};
           }},
          {"vtk_center_of_mass", [center] {
             center->Modified();
             center->Update();
             return Answer{{}, Vec3(center->GetCenter()), {}};
           }}};
}

}  // namespace plimsoll::bench
