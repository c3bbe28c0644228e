#include <embree3/rtcore.h>

#include <cmath>
#include <limits>
#include <mutex>
#include <string>
#include <utility>

#include "pair_systems.h"
#include "triangle_soup.h"

// rtcCollide lists the pairs of user primitives whose boxes meet. Embree has no pose for it: what
// moves is built anew, in the world, rigid or not.

namespace plimsoll::bench {
namespace {

// Rounded to float, and then moved away by more than that can have changed.
float room(float x) { return 0x1p-23F * std::abs(x) + std::numeric_limits<float>::min(); }
float below(double x) { return static_cast<float>(x) - room(static_cast<float>(x)); }
float above(double x) { return static_cast<float>(x) + room(static_cast<float>(x)); }

class Device {
 public:
  explicit Device(int threads)
      : device_(rtcNewDevice(("threads=" + std::to_string(threads) + ",set_affinity=0").c_str())) {
    if (device_ == nullptr) std::abort();
  }
  ~Device() { rtcReleaseDevice(device_); }
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  [[nodiscard]] RTCDevice get() const { return device_; }

 private:
  RTCDevice device_;
};

struct Build {
  RTCBuildQuality of_scene, of_geometry;
};

/// A scene of one user geometry, a box around each triangle.
class Scene {
 public:
  Scene(const Device& device, const Build& build)
      : scene_(rtcNewScene(device.get())),
        geometry_(rtcNewGeometry(device.get(), RTC_GEOMETRY_TYPE_USER)) {
    rtcSetSceneBuildQuality(scene_, build.of_scene);
    rtcSetGeometryBuildQuality(geometry_, build.of_geometry);
    rtcSetSceneFlags(scene_, RTC_SCENE_FLAG_DYNAMIC);
    rtcSetGeometryUserData(geometry_, &soup_);
    rtcSetGeometryBoundsFunction(geometry_, &Scene::bound, nullptr);
    rtcAttachGeometry(scene_, geometry_);
  }
  ~Scene() {
    rtcReleaseGeometry(geometry_);
    rtcReleaseScene(scene_);
  }
  Scene(const Scene&) = delete;
  Scene& operator=(const Scene&) = delete;

  void take(TriangleSoup soup) { soup_ = std::move(soup); }
  void build() {
    if (soup_.size() != count_)
      rtcSetGeometryUserPrimitiveCount(geometry_, static_cast<unsigned>(soup_.size()));
    count_ = soup_.size();
    rtcCommitGeometry(geometry_);
    rtcCommitScene(scene_);
  }
  [[nodiscard]] RTCScene get() const { return scene_; }
  [[nodiscard]] const SoupTriangle& operator[](unsigned i) const { return soup_[i]; }

 private:
  static void bound(const RTCBoundsFunctionArguments* arguments) {
    const auto& soup = *static_cast<const TriangleSoup*>(arguments->geometryUserPtr);
    const auto& [a, b, c] = soup[arguments->primID].corners;
    const Vec3 low = a.cwiseMin(b).cwiseMin(c), high = a.cwiseMax(b).cwiseMax(c);
    RTCBounds& box = *arguments->bounds_o;
    box.lower_x = below(low.x());
    box.lower_y = below(low.y());
    box.lower_z = below(low.z());
    box.upper_x = above(high.x());
    box.upper_y = above(high.y());
    box.upper_z = above(high.z());
  }

  TriangleSoup soup_;
  std::size_t count_ = 0;  // that Embree knows
  RTCScene scene_;
  RTCGeometry geometry_;
};

/// Asks our exact test about what rtcCollide lists, in batches and perhaps from several threads.
class Collision {
 public:
  explicit Collision(Question question) : question_(question) {}

  void find(const Scene& a, const Scene& b) {
    a_ = &a;
    b_ = &b;
    found_.clear();
    rtcCollide(a.get(), b.get(), &Collision::take, this);
  }
  [[nodiscard]] std::vector<FoundPair> found() const { return found_; }

 private:
  static void take(void* self, RTCCollision* collisions, unsigned count) {
    static_cast<Collision*>(self)->decide(collisions, count);
  }
  void decide(const RTCCollision* collisions, unsigned count) {
    std::vector<FoundPair> touching;
    for (unsigned i = 0; i < count; ++i) {
      const SoupTriangle& t = (*a_)[collisions[i].primID0];
      const SoupTriangle& u = (*b_)[collisions[i].primID1];
      if (is_wanted(question_, t, u) && touch_exactly(t.corners, u.corners))
        touching.push_back(pair_of(t, u));
    }
    if (touching.empty()) return;
    const std::lock_guard lock(mutex_);
    found_.insert(found_.end(), touching.begin(), touching.end());
  }

  Question question_;
  const Scene* a_ = nullptr;
  const Scene* b_ = nullptr;
  std::mutex mutex_;
  std::vector<FoundPair> found_;
};

class TwoScenes {
 public:
  TwoScenes(Question question, const Build& build, int threads)
      : device_(threads), a_(device_, build), b_(device_, build), collision_(question) {}

  void prepare(const PosedFrame& frame) {
    a_.take(soup_of(frame, 0, 1));
    b_.take(soup_of(frame, 1, 2));
  }
  void find() {
    a_.build();
    b_.build();
    collision_.find(a_, b_);
  }
  [[nodiscard]] std::vector<FoundPair> found() const { return collision_.found(); }

 private:
  Device device_;
  Scene a_, b_;
  Collision collision_;
};

/// All triangles of all bodies, or of one that folds, in one scene that is asked against itself.
class OneScene {
 public:
  OneScene(Question question, const Build& build, int threads)
      : device_(threads), scene_(device_, build), collision_(question) {}

  void prepare(const PosedFrame& frame) { scene_.take(soup_of(frame, 0, frame.bodies.size())); }
  void find() {
    scene_.build();
    collision_.find(scene_, scene_);
  }
  [[nodiscard]] std::vector<FoundPair> found() const { return collision_.found(); }

 private:
  Device device_;
  Scene scene_;
  Collision collision_;
};

template <class T>
PairSystems systems(Question question) {
  const auto system = [&](const char* name, const Build& build, int threads) {
    return pair_system(name, std::make_shared<T>(question, build, threads), threads);
  };
  constexpr Build kFast = {RTC_BUILD_QUALITY_LOW, RTC_BUILD_QUALITY_LOW};
  constexpr Build kUsual = {RTC_BUILD_QUALITY_MEDIUM, RTC_BUILD_QUALITY_MEDIUM};
  constexpr Build kRefit = {RTC_BUILD_QUALITY_LOW, RTC_BUILD_QUALITY_REFIT};
  PairSystems all = {system("embree_rebuilt_low", kFast, 1),
                     system("embree_rebuilt_medium", kUsual, 1),
                     system("embree_rebuilt_low", kFast, 2)};
  if (question != Question::kBodies) all.push_back(system("embree_refit", kRefit, 1));
  return all;
}

}  // namespace

PairSystems embree_systems(Question question) {
  return question == Question::kTwoBodies ? systems<TwoScenes>(question)
                                          : systems<OneScene>(question);
}

}  // namespace plimsoll::bench
