// Times Plimsoll's mass properties once for each line that comes in, so that a program in another
// language can take turns with it. Answers with the nanoseconds per triangle of both precisions,
// one thread, the median of nine batches.
//
//   on_request SCENARIO MESH.ply [--cache DIR]    also writes the mesh for the others to read
#include <plimsoll/mass_properties.h>
#include <plimsoll/mesh_io.h>

#include <iostream>
#include <string>
#include <vector>

#include "checked.h"
#include "harness.h"
#include "scenarios.h"

namespace plimsoll::bench {
namespace {

volatile double sink;  // what is computed must look used

Result<TriangleMesh> make(const std::string& name, const std::string& cache) {
  for (const Scenario& scenario : scenarios(cache))
    if (scenario.name == name) return scenario.make();
  return Error{ErrorCode::kInvalidArgument, "there is no scenario of this name", name};
}

void answer_requests(const TriangleMesh& mesh) {
  std::vector<Row> rows;
  for (const Precision precision : {Precision::kFast, Precision::kTight})
    rows.push_back({"", 1, 0, [&mesh, precision] {
                      sink = mass_properties(checked(mesh), {.precision = precision}).volume;
                    }});
  for (std::string line; std::getline(std::cin, line);) {
    const std::vector<double> seconds = time_interleaved(rows, 9);
    const double each = 1e9 / static_cast<double>(mesh.triangles.size());
    std::cout << seconds[0] * each << ' ' << seconds[1] * each << std::endl;
  }
}

int main(const std::vector<std::string>& arguments) {
  if (arguments.size() != 2 && !(arguments.size() == 4 && arguments[2] == "--cache")) {
    std::cerr << "usage: on_request SCENARIO MESH.ply [--cache DIR]\n";
    return 2;
  }
  const Result<TriangleMesh> mesh =
      make(arguments[0], arguments.size() == 4 ? arguments[3] : "data/cache");
  const Result<void> written = mesh ? write_mesh(*mesh, arguments[1]) : mesh.error();
  if (!written) {
    std::cerr << written.error().where << ": " << written.error().message << '\n';
    return 1;
  }
  const MassProperties truth = mass_properties(checked(*mesh));
  std::cout.precision(17);
  std::cout << mesh->triangles.size() << ' ' << truth.volume << ' '
            << truth.center_of_mass.transpose() << std::endl;
  answer_requests(*mesh);
  return 0;
}

}  // namespace
}  // namespace plimsoll::bench

int main(int argc, char** argv) { return plimsoll::bench::main({argv + 1, argv + argc}); }
