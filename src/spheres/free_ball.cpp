#include "spheres/free_ball.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "spheres/clearance.h"

namespace plimsoll {
namespace {

constexpr std::size_t kMost = NearContacts::kMost;
constexpr std::size_t kActive = 5;

/// Numbers of at most five directions, and the weights with which they make the point of their hull
/// that is nearest to 0.
struct ActiveSet {
  std::array<std::size_t, kActive> number;
  std::array<double, kActive> weight;
  std::size_t count = 0;
};

/// Weights of sum 1 of the point nearest to 0 of the plane, line or point through the directions;
/// false where they do not span one.
bool affine_weights(const Vec3* u, std::size_t count, double* weight) {
  if (count == 1) {
    weight[0] = 1;
    return true;
  }
  const std::size_t n = count - 1;
  Vec3 side[3];
  for (std::size_t i = 0; i < n; ++i) side[i] = u[i + 1] - u[0];
  double a[3][4];
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) a[i][j] = side[i].dot(side[j]);
    a[i][n] = -side[i].dot(u[0]);
  }
  for (std::size_t i = 0; i < n; ++i) {
    if (!(a[i][i] > 1e-9)) return false;
    for (std::size_t j = i + 1; j < n; ++j) {
      const double share = a[j][i] / a[i][i];
      for (std::size_t k = i; k <= n; ++k) a[j][k] -= share * a[i][k];
    }
  }
  weight[0] = 1;
  for (std::size_t i = n; i-- > 0;) {
    double x = a[i][n];
    for (std::size_t j = i + 1; j < n; ++j) x -= a[i][j] * weight[j + 1];
    weight[i + 1] = x / a[i][i];
    weight[0] -= weight[i + 1];
  }
  return true;
}

/// Finds the weights of the point nearest to 0 in the hull of the active directions, and drops
/// those of weight 0.
Vec3 nearest_in_hull(const Vec3* u, ActiveSet& active) {
  double best = std::numeric_limits<double>::infinity();
  Vec3 nearest = Vec3::Zero();
  ActiveSet kept;
  // The newest is among them: without it the planes were on no side of where the others led.
  const unsigned newest = 1U << (active.count - 1);
  for (unsigned chosen = newest; chosen < 2 * newest; ++chosen) {
    Vec3 some[kActive];
    ActiveSet part;
    for (std::size_t i = 0; i < active.count; ++i)
      if (chosen >> i & 1) {
        some[part.count] = u[active.number[i]];
        part.number[part.count++] = active.number[i];
      }
    if (part.count > 4 || !affine_weights(some, part.count, part.weight.data())) continue;
    if (*std::min_element(part.weight.begin(),
                          part.weight.begin() + static_cast<std::ptrdiff_t>(part.count)) < 0)
      continue;
    Vec3 sum = Vec3::Zero();
    for (std::size_t i = 0; i < part.count; ++i) sum += part.weight[i] * some[i];
    if (const double squared = sum.squaredNorm(); squared < best) {
      best = squared;
      nearest = sum;
      kept = part;
    }
  }
  active = kept;
  return nearest;
}

/// How large a ball about the center is that touches the contact.
double radius_to(const Contact& contact, const Vec3& center) {
  const Vec3 off = center - contact.at;
  return contact.normal.isZero() ? off.norm() - contact.radius : off.dot(contact.normal);
}

Contact wall_contact(const TriangleTree& walls, const NearestWall& wall, const Vec3& center) {
  Contact contact{point_on_wall(walls, wall, center)};
  const Vec3 off = center - contact.at;
  if (const double length = off.norm(); length > 0) contact.normal = off / length;
  return contact;
}

/// The plane as one contact, whichever ball touches it: its point next to the origin.
Contact plane_contact(const KeptSpace& kept) {
  return {.at = kept.offset * kept.normal, .normal = kept.normal};
}

/// A plane that lies farther in than the wall does stands for a convex part of it: there its point
/// is what a ball may not contain.
void correct_planes(NearContacts& near, const Vec3& center, double radius) {
  for (std::size_t k = 0; k < near.count; ++k)
    if (radius_to(near.contacts[k], center) < (1 - 1e-6) * radius)
      near.contacts[k].normal = Vec3::Zero();
}

/// Planes f_k + u_k . s of the contacts about a point.
struct Planes {
  double value[kMost];
  Vec3 normal[kMost];
  std::size_t count = 0;

  Planes(const NearContacts& near, const Vec3& center) : count(near.count) {
    for (std::size_t k = 0; k < count; ++k) {
      const Contact& contact = near.contacts[k];
      value[k] = radius_to(contact, center);
      normal[k] = contact.normal.isZero() ? (center - contact.at).normalized() : contact.normal;
    }
  }
};

struct Move {
  Vec3 step = Vec3::Zero();
  double value = 0;  ///< Of the lowest plane there.
};

/// The step of at most `longest` up the lowest of the planes, from one edge of them to the next.
Move best_move(const Planes& planes, double longest) {
  Move move;
  double value[kMost];
  std::copy_n(planes.value, planes.count, value);
  const std::size_t lowest =
      static_cast<std::size_t>(std::min_element(value, value + planes.count) - value);
  ActiveSet active;
  active.number[active.count++] = lowest;
  move.value = value[lowest];
  for (int turn = 0; turn < 8; ++turn) {
    const Vec3 up = nearest_in_hull(planes.normal, active);
    const double rate = up.squaredNorm();
    if (rate < 1e-8) break;  // planes on all sides
    double along = std::numeric_limits<double>::infinity();
    std::size_t next = kMost;
    for (std::size_t k = 0; k < planes.count; ++k) {
      const double slower = rate - planes.normal[k].dot(up);
      if (slower < 1e-9) continue;
      const double x = std::max(0.0, value[k] - move.value) / slower;
      if (x < along) {
        along = x;
        next = k;
      }
    }
    // |step + x up| = longest
    const double across = move.step.dot(up);
    const double room = longest * longest - move.step.squaredNorm();
    const double farthest =
        (std::sqrt(across * across + rate * std::max(0.0, room)) - across) / rate;
    const bool ends = farthest <= along;
    const double x = std::min(along, farthest);
    move.step += x * up;
    move.value += x * rate;
    for (std::size_t k = 0; k < planes.count; ++k) value[k] += x * planes.normal[k].dot(up);
    if (ends || active.count == kActive) break;
    active.number[active.count++] = next;
  }
  return move;
}

/// Adds a contact that is not there yet; of too many, the farthest is dropped.
void add_contact(NearContacts& near, const Contact& contact, const Vec3& center) {
  const auto is_there = [&](const Contact& other) {
    return other.ball == contact.ball && other.at == contact.at;
  };
  if (std::any_of(near.contacts.begin(),
                  near.contacts.begin() + static_cast<std::ptrdiff_t>(near.count), is_there))
    return;
  if (near.count == kMost) {
    std::size_t farthest = 0;
    double most = -std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < kMost; ++k) {
      const double value = radius_to(near.contacts[k], center);
      if (value > most) {
        most = value;
        farthest = k;
      }
    }
    near.contacts[farthest] = near.contacts[--near.count];
  }
  near.contacts[near.count++] = contact;
}

constexpr double kGain = 2e-3;  // of the radius: what is not worth another step

}  // namespace

FreeBall free_ball(const Obstacles& obstacles, const Vec3& center, double limit,
                   const NearContacts* known) {
  FreeBall ball{center, limit, {}};
  const auto touch = [&](double radius, const Contact& contact) {
    ball.radius = radius;
    ball.near.count = 1;
    ball.near.contacts[0] = contact;
  };
  for (std::size_t k = 0; known != nullptr && k < known->count; ++k) {
    const Contact& contact = known->contacts[k];
    const double radius = (center - contact.at).norm() - contact.radius;
    if (radius < ball.radius) touch(radius, contact);
  }
  if (obstacles.kept != nullptr)
    if (const double depth = obstacles.kept->depth(center); depth < ball.radius)
      touch(depth, plane_contact(*obstacles.kept));
  if (ball.radius <= 0) return ball;
  const NearestBall nearest = obstacles.balls->nearest(center, ball.radius);
  if (nearest.found()) {
    const PlacedSphere& touched = obstacles.balls->ball(nearest.ball);
    touch(nearest.distance, {touched.center, touched.radius, nearest.ball, Vec3::Zero()});
    if (ball.radius <= 0) return ball;
  }
  const NearestWall wall = nearest_wall(*obstacles.walls, center, ball.radius);
  if (wall.found()) touch(wall.distance, wall_contact(*obstacles.walls, wall, center));
  return ball;
}

FreeBall climb(const Obstacles& obstacles, FreeBall ball) {
  double longest = 0.9 * ball.radius;
  for (int turn = 0; turn < 30 && ball.radius > 0; ++turn) {
    const Move move = best_move(Planes(ball.near, ball.center), longest);
    if (move.value <= ball.radius * (1 + kGain)) break;
    FreeBall next = free_ball(obstacles, ball.center + move.step, 4 * move.value, &ball.near);
    const double gain = next.radius - ball.radius;
    const double step = move.step.norm();
    if (gain > 0.1 * (move.value - ball.radius)) {
      const Contact touched = next.near.contacts[0];
      const bool touches = next.near.count > 0;
      next.near = ball.near;
      correct_planes(next.near, next.center, next.radius);
      if (touches) add_contact(next.near, touched, next.center);
      ball = next;
      longest = std::min(2 * std::max(step, longest), 0.9 * ball.radius);
    } else {
      if (next.near.count > 0) add_contact(ball.near, next.near.contacts[0], ball.center);
      longest = 0.7 * step;
    }
  }
  return ball;
}

FreeBall climb_among_contacts(FreeBall ball, double enough) {
  const auto radius_at = [&](const Vec3& center) {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < ball.near.count; ++k)
      least = std::min(least, radius_to(ball.near.contacts[k], center));
    return least;
  };
  ball.radius = radius_at(ball.center);
  double longest = ball.radius;
  for (int turn = 0; turn < 12 && ball.radius < enough; ++turn) {
    const Move move = best_move(Planes(ball.near, ball.center), longest);
    if (move.value <= ball.radius * (1 + kGain)) break;
    const Vec3 center = ball.center + move.step;
    const double radius = radius_at(center);
    if (radius > ball.radius) {
      ball.center = center;
      ball.radius = radius;
      longest *= 2;
    } else {
      longest = 0.5 * move.step.norm();
    }
  }
  return ball;
}

std::vector<Contact> contacts_of(const Obstacles& obstacles, const Vec3& center, double radius,
                                 std::uint32_t except) {
  struct Candidate {
    double distance;
    Contact contact;
  };
  std::vector<Candidate> near;
  for (const NearestBall& other : obstacles.balls->near(center, radius)) {
    if (other.ball == except) continue;
    const PlacedSphere& ball = obstacles.balls->ball(other.ball);
    near.push_back({other.distance, {ball.center, ball.radius, other.ball, Vec3::Zero()}});
  }
  for (const NearestWall& wall : walls_near(*obstacles.walls, center, radius))
    near.push_back({wall.distance, wall_contact(*obstacles.walls, wall, center)});
  if (obstacles.kept != nullptr)
    if (const double depth = obstacles.kept->depth(center); depth <= radius) {
      const Vec3& normal = obstacles.kept->normal;
      near.push_back({depth, {.at = center - depth * normal, .normal = normal}});
    }
  std::sort(near.begin(), near.end(),
            [](const Candidate& a, const Candidate& b) { return a.distance < b.distance; });
  constexpr double kApart = 0.866;  // cos 30 degrees
  std::vector<Contact> contacts;
  std::vector<Vec3> walls;
  for (const Candidate& candidate : near) {
    if (contacts.size() == kMost) break;
    if (candidate.contact.ball == kNoIndex) {
      const Vec3 direction = (candidate.contact.at - center).normalized();
      if (std::any_of(walls.begin(), walls.end(),
                      [&](const Vec3& wall) { return wall.dot(direction) > kApart; }))
        continue;
      walls.push_back(direction);
    }
    contacts.push_back(candidate.contact);
  }
  return contacts;
}

}  // namespace plimsoll
