// Formulas: what they mean, and how wrong ones are refused.
#include <doctest/doctest.h>
#include <plimsoll/expression.h>

#include <cmath>
#include <numbers>
#include <string>

#include "shape/expression_work.h"

namespace plimsoll {
namespace {

double value(const std::string& text, const Vec3& p = {2, 3, 5}) {
  const Result<Expression> parsed = Expression::parse(text);
  REQUIRE_MESSAGE(parsed, text, ": ", parsed.error().message);
  return (*parsed)(p);
}

void check_refused(const std::string& text, const std::string& where, const std::string& message,
                   ErrorCode code = ErrorCode::kMalformed) {
  CAPTURE(text.substr(0, 40));
  const Result<Expression> parsed = Expression::parse(text);
  REQUIRE_FALSE(parsed);
  CAPTURE(parsed.error().message);
  CHECK(parsed.error().code == code);
  CHECK(parsed.error().where == where);
  CHECK(parsed.error().message.find(message) != std::string::npos);
}

TEST_CASE("operators bind as in writing") {
  CHECK(value("1+2*3") == 7);
  CHECK(value("(1+2)*3") == 9);
  CHECK(value("10-4-3") == 3);
  CHECK(value("16/4/2") == 2);
  CHECK(value("2^3^2") == 512);
  CHECK(value("-2^2") == -4);
  CHECK(value("-x^2") == -4);
  CHECK(value("2^-1") == 0.5);
  CHECK(value("--x") == 2);
  CHECK(value("2*-x") == -4);
  CHECK(value(" x\t*\n( y+z ) ") == 16);
}

TEST_CASE("numbers, variables and functions have their value") {
  CHECK(value("1.5e2") == 150);
  CHECK(value(".5") == 0.5);
  CHECK(value("0.1") == 0.1);
  CHECK(value("pi") == std::numbers::pi);
  CHECK(value("x*100+y*10+z") == 235);
  CHECK(value("abs(x-y)") == 1);
  CHECK(value("sqrt(x)") == std::sqrt(2.0));
  CHECK(value("exp(x)") == std::exp(2.0));
  CHECK(value("log(x)") == std::log(2.0));
  CHECK(value("sin(x)+cos(y)+tan(z)") == std::sin(2.0) + std::cos(3.0) + std::tan(5.0));
  CHECK(value("atan2(x,y)") == std::atan2(2.0, 3.0));
  CHECK(value("min(z,x,y)") == 2);
  CHECK(value("max(x,z,y)") == 5);
}

TEST_CASE("whole powers are products, others roots of positive numbers") {
  CHECK(value("x^3") == 8);
  CHECK(value("x^-2") == 0.25);
  CHECK(value("(0-x)^3") == -8);
  CHECK(value("x^0") == 1);
  CHECK(value("x^0.5") == std::pow(2.0, 0.5));
  CHECK(value("x^y") == 8);
  CHECK(std::isnan(value("(0-x)^0.5")));
  // The base is rounded, which its power magnifies, and each of up to 20 products.
  CHECK(std::abs(value("1.0000001^1000") - std::pow(1.0000001, 1000)) < 1000 * 0x1p-53);
}

// The C library's fmin, pow and comparisons would hide it.
TEST_CASE("what has no value has none in any formula of it") {
  for (const char* text :
       {"sqrt(-1)", "0/0", "log(-x)", "min(sqrt(-x),1)", "min(1,sqrt(-x))", "max(sqrt(-x),1)",
        "max(1,sqrt(-x))", "1^sqrt(-x)", "sqrt(-x)^0", "0*sqrt(-x)", "abs(sqrt(-x))"}) {
    CAPTURE(text);
    CHECK(std::isnan(value(text)));
  }
}

TEST_CASE("a wrong formula is refused with its column and what was expected") {
  check_refused("", "column 1", "found the end, expected a number");
  check_refused("x+", "column 3", "found the end, expected a number");
  check_refused("x y", "column 3", "found \"y\", expected an operator");
  check_refused("2x", "column 2", "found \"x\", expected an operator");
  check_refused("x**y", "column 3", "found \"*\", expected a number");
  check_refused("+x", "column 1", "found \"+\", expected a number");
  check_refused("(x+1", "column 5", "found the end, expected \")\"");
  check_refused("x)", "column 2", "found \")\", expected an operator");
  check_refused("w+1", "column 1", "found \"w\", expected x, y, z, pi");
  check_refused("1+sinh(x)", "column 3", "found \"sinh\", expected x, y, z, pi");
  check_refused("sin x", "column 5", "found \"x\", expected \"(\" after sin");
  check_refused("sin(x,y)", "column 6", "found \",\", expected \")\" after the last argument");
  check_refused("atan2(x)", "column 8", "expected \",\" and another argument of atan2");
  check_refused("atan2(x,y,z)", "column 10", "expected \")\" after the last argument of atan2");
  check_refused("min(x)", "column 6", "expected \",\" and another argument of min");
  check_refused("max(x,y;z)", "column 8", "found \";\", expected \",\" or \")\"");
  check_refused("1e999", "column 1", "within the range of a double");
  check_refused(".", "column 1", "expected a number within");
  check_refused("x ^", "column 4", "found the end");
  check_refused("1\x01", "column 2", "found \"\\x01\"");
}

TEST_CASE("hostile formulas meet a limit and not the end of the stack") {
  const std::string open(60'000, '('), minus(60'000, '-');
  check_refused(open, "column 101", "more than 100 levels", ErrorCode::kResourceLimit);
  check_refused(minus + "x", "column 101", "more than 100 levels", ErrorCode::kResourceLimit);
  std::string tower = "x";
  for (int i = 0; i < 200; ++i) tower += "^x";
  check_refused(tower, "column 201", "more than 100 levels", ErrorCode::kResourceLimit);
  std::string pending = "x";
  for (int i = 0; i < 90; ++i) pending = "1+x*(" + pending + ")";
  const Result<Expression> parsed = Expression::parse(pending);
  REQUIRE_FALSE(parsed);
  CHECK(parsed.error().message.find("unfinished terms") != std::string::npos);
  check_refused(std::string(70'000, 'x'), "column 65537", "at most 65536",
                ErrorCode::kResourceLimit);
  std::string sum = "0";
  for (int i = 0; i < 20'000; ++i) sum += "+x";
  CHECK(value(sum) == 40'000);
}

ExpressionWork work(const std::string& text) {
  const Result<Expression> parsed = Expression::parse(text);
  REQUIRE_MESSAGE(parsed, text, ": ", parsed.error().message);
  return work_of(*parsed);
}

// Each line adds the same instructions to two formulas.
TEST_CASE("the work of a formula is the sum of its instructions', of values and of ranges") {
  const ExpressionWork x = work("x"), one = work("x+y"), two = work("x+y+z");
  CHECK(two.value - one.value == one.value - x.value);
  CHECK(two.range - one.range == one.range - x.range);
  const ExpressionWork sine = work("sin(x)"), sines = work("sin(sin(sin(x)))");
  CHECK(sines.value - x.value == 3 * (sine.value - x.value));
  CHECK(sines.range - x.range == 3 * (sine.range - x.range));
  // A sum is two instructions more, its second term and the operation, each of which takes time.
  CHECK(one.value - x.value >= 2);
  CHECK(one.range - x.range >= 2);
  CHECK(sine.value - x.value >= 10 * (one.value - x.value));
  CHECK(sine.range > sine.value);
}

}  // namespace
}  // namespace plimsoll
