#include <vtkCellArray.h>
#include <vtkClipClosedSurface.h>
#include <vtkMassProperties.h>
#include <vtkNew.h>
#include <vtkObject.h>
#include <vtkPlane.h>
#include <vtkPlaneCollection.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkSmartPointer.h>

#include <cstdlib>
#include <memory>

#include "clip_systems.h"

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

/// The pipeline from a mesh to the volume under a plane.
class WetVolume {
 public:
  explicit WetVolume(vtkPolyData* mesh) {
    vtkNew<vtkPlaneCollection> planes;
    planes->AddItem(plane_);
    clip_->SetInputData(mesh);
    clip_->SetClippingPlanes(planes);
    volume_->SetInputConnection(clip_->GetOutputPort());
  }

  double operator()(const WaterPlane& water) {
    const Vec3 down = -water.normal;  // the filter keeps the side that the normal points to
    const Vec3 origin = water.normal * (water.offset / water.normal.squaredNorm());
    plane_->SetNormal(down.x(), down.y(), down.z());
    plane_->SetOrigin(origin.x(), origin.y(), origin.z());
    clip_->Modified();
    volume_->Update();
    return volume_->GetVolume();
  }

 private:
  vtkNew<vtkPlane> plane_;
  vtkNew<vtkClipClosedSurface> clip_;
  vtkNew<vtkMassProperties> volume_;
};

}  // namespace

std::vector<ClipSystem> vtk_clip_systems(const TriangleMesh& mesh) {
  setenv("VTK_SMP_MAX_THREADS", "1", 1);  // vtkSMPTools.h does not compile as C++20
  const auto wet_volume = std::make_shared<WetVolume>(converted(mesh));
  return {{"vtk_clip_closed_surface",
           [wet_volume](const WaterPlane& water) { return (*wet_volume)(water); },
           {}}};
}

}  // namespace plimsoll::bench
