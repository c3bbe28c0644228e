#include <doctest/doctest.h>
#include <plimsoll/haptics.h>

#include <string>
#include <string_view>

namespace plimsoll {
namespace {

const std::string kHeader = "time,x,y,z,qw,qx,qy,qz\n";

Result<std::vector<Pose>> read(std::string_view text) {
  return read_device_path(std::as_bytes(std::span(text)), "path.csv");
}

TEST_CASE("a path is read whatever ends its lines") {
  for (const std::string& text :
       {kHeader + "5,1,2,3,1,0,0,0\n5.001,1,2,4,0,0,0,-1\n",
        std::string("\xEF\xBB\xBFtime,x,y,z,qw,qx,qy,qz\r\n5, 1, 2, 3, 1, 0, 0, "
                    "0\r\n\r\n5.001,1,2,4,0,0,0,-1"),
        std::string("time,x,y,z,qw,qx,qy,qz\r5,1,2,3,1,0,0,0\r \r5.001,1,2,4,0,0,0,-1\r")}) {
    const Result<std::vector<Pose>> path = read(text);
    REQUIRE(path);
    REQUIRE(path->size() == 2);
    CHECK((*path)[1].translation() == Vec3(1, 2, 4));
    CHECK((*path)[1].linear() == Mat3(Vec3(-1, -1, 1).asDiagonal()));
  }
}

TEST_CASE("what is no path is refused by its line") {
  const auto refused = [](const std::string& text, const char* where, const char* words) {
    const Result<std::vector<Pose>> path = read(text);
    REQUIRE_FALSE(path);
    CHECK(path.error().code == ErrorCode::kMalformed);
    CHECK(path.error().where == where);
    CHECK_MESSAGE(path.error().message.find(words) != std::string::npos, path.error().message);
  };
  const std::string first = kHeader + "0,0,0,0,1,0,0,0\n";
  refused("", "path.csv:1", "header");
  refused("t,x,y,z,qw,qx,qy,qz\n", "path.csv:1", "header");
  refused(kHeader, "path.csv:1", "a pose");
  refused(first + "0.001,0,0,0,1,0,0\n", "path.csv:3", "eight finite numbers");
  refused(first + "0.001,0,0,0,1,0,0,0,0\n", "path.csv:3", "eight finite numbers");
  refused(first + "0.001,0,0,x,1,0,0,0\n", "path.csv:3", "eight finite numbers");
  refused(first + "0.001,0,0,nan,1,0,0,0\n", "path.csv:3", "eight finite numbers");
  refused(first + "0.002,0,0,0,1,0,0,0\n", "path.csv:3", "0.001 s");
  refused(first + "0.001,0,0,0,0,0,0,0\n", "path.csv:3", "length 1");
  refused(first + "0.001,0,0,0,1,1,0,0\n", "path.csv:3", "length 1");
  refused("time,x,y,z,qw,qx,qy,qz\r\n0,0,0,0,1,0,0,0\r\n0.001,0\r\n", "path.csv:3",
          "eight finite numbers");
}

TEST_CASE("a path that is not there is told by its name") {
  const Result<std::vector<Pose>> path = read_device_path("no/such/path.csv");
  REQUIRE_FALSE(path);
  CHECK(path.error().code == ErrorCode::kUnreadable);
}

}  // namespace
}  // namespace plimsoll
