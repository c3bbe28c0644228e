#include "trajectory.h"

#include <fmt/format.h>

#include "output.h"
#include "text.h"

namespace plimsoll::cli {

Trajectory::Trajectory(const std::string& path, const Scene& scene) {
  if (path != "-") file_.emplace(path);
  for (const RigidBody& body : scene.bodies) names_.push_back(csv_field(printable(body.name)));
  turns_.assign(names_.size(), Eigen::Quaterniond::Identity());
  write("time,body,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz,submerged_volume\n");
}

bool Trajectory::write(std::string_view text) {
  if (!file_) return print_output(text);
  file_->write(text);
  return true;
}

bool Trajectory::add(const World& world, double time) {
  fmt::memory_buffer rows;
  const std::vector<BodyId> ids = world.ids();
  for (std::size_t i = 0; i < names_.size(); ++i) {
    const BodyState state = *world.body(ids[i]);
    Eigen::Quaterniond turn(state.pose.linear());
    if (turn.dot(turns_[i]) < 0) turn.coeffs() = -turn.coeffs();
    turns_[i] = turn;
    const Vec3 &x = state.pose.translation(), &v = state.velocity, &w = state.angular_velocity;
    fmt::format_to(std::back_inserter(rows), "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n",
                   time, names_[i], x[0], x[1], x[2], turn.w(), turn.x(), turn.y(), turn.z(), v[0],
                   v[1], v[2], w[0], w[1], w[2], state.buoyancy.volume);
  }
  return write({rows.data(), rows.size()});
}

}  // namespace plimsoll::cli
