#include <plimsoll/overlap.h>

#include <cstdio>
#include <iostream>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "corefinement.h"
#include "harness.h"
#include "overlap_modes.h"
#include "write_bytes.h"

namespace plimsoll::bench {
namespace {

/// Poses of all shares, and what is shared there.
struct Questions {
  std::vector<double> shares;
  OverlapPoses poses;
};

Result<Questions> questions_for(const TwoSolids& solids) {
  constexpr std::size_t kLarge = 400'000;  // triangles, which take other libraries seconds
  Questions questions;
  for (const double share : kShares) {
    const std::size_t count = triangles_of(solids) < kLarge ? 4 : 2;
    const Result<OverlapPoses> poses = sharing_poses(solids, share, count, kPoseSeed);
    if (!poses) return poses.error();
    questions.shares.insert(questions.shares.end(), count, share);
    questions.poses.insert(questions.poses.end(), poses->begin(), poses->end());
  }
  return questions;
}

void print_pose(const Similarity& pose) {
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 4; ++column) std::printf(",%.17g", pose.matrix()(row, column));
}

void print_questions(const Questions& questions, const TwoSolids& solids) {
  OverlapSearch search;
  std::printf("%zu\n", questions.poses.size());
  for (std::size_t i = 0; i < questions.poses.size(); ++i) {
    const PosedPair& pair = questions.poses[i];
    std::printf("%g,%.17g", questions.shares[i], ask(search, solids, pair).volume);
    print_pose(pair.world_from_a);
    print_pose(pair.world_from_b);
    std::puts("");
  }
  std::fflush(stdout);
}

void answer_for_us(const TwoSolids& solids, const OverlapPoses& poses) {
  constexpr int kRounds = 3;
  const std::vector<OverlapMode> modes = {exact_mode("volume_and_force", solids, {})};
  const std::vector<std::vector<double>> seconds = time_modes(modes, poses, kRounds);
  for (const double of_pose : seconds[0]) std::printf("%.4g ", 1e6 * of_pose);
}

void answer_for_cgal(const TwoMeshes& meshes, const OverlapPoses& poses) {
  for (const PosedPair& pair : poses) {
    Corefinement bodies(posed(meshes.a, pair.world_from_a), posed(meshes.b, pair.world_from_b));
    const double start = seconds_now(1);
    const std::optional<double> volume = bodies.shared_volume();
    std::printf("%.4g %.17g ", 1e6 * (seconds_now(1) - start),
                volume.value_or(std::numeric_limits<double>::quiet_NaN()));
  }
}

Result<void> write_meshes(const TwoMeshes& meshes, const std::filesystem::path& folder) {
  for (const auto& [mesh, name] : {std::pair(&meshes.a, "a"), {&meshes.b, "b"}}) {
    Result<void> written = write_bytes(mesh->vertices, folder / (std::string("vertices_") + name));
    if (written)
      written = write_bytes(mesh->triangles, folder / (std::string("triangles_") + name));
    if (!written) return written;
  }
  return {};
}

}  // namespace

Result<void> answer_overlap_requests(const Options& options, const std::string& folder) {
  std::size_t found = 0;
  const auto answer = [&](const OverlapScene&, const TwoMeshes& meshes) -> Result<void> {
    ++found;
    if (const Result<void> written = write_meshes(meshes, folder); !written) return written;
    const TwoSolids solids(meshes);
    const Result<Questions> questions = questions_for(solids);
    if (!questions) return questions.error();
    print_questions(*questions, solids);
    for (std::string line; std::getline(std::cin, line);) {
      if (line == "cgal")
        answer_for_cgal(meshes, questions->poses);
      else
        answer_for_us(solids, questions->poses);
      std::puts("");
      std::fflush(stdout);
    }
    return {};
  };
  const Result<void> done = for_scenes(overlap_scenes(options.cache), options, answer);
  if (done && found == 0)
    return Error{ErrorCode::kInvalidArgument, "there is no scene of this name", options.only};
  return done;
}

}  // namespace plimsoll::bench
