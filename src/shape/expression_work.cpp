#include "shape/expression_work.h"

#include "shape/expression_program.h"

namespace plimsoll {
namespace {

// Measured, for the slowest arguments: sines of 1e15, exponents of a million. A sine takes as long
// as twenty sums, a range with its slope two or three times as long as a value, of a product ten
// times.
ExpressionWork work_of(const Instruction& instruction) {
  switch (instruction.operation) {
    case Operation::kConstant:
    case Operation::kX:
    case Operation::kY:
    case Operation::kZ:
    case Operation::kNegate:
    case Operation::kAbs:
    case Operation::kAdd:
    case Operation::kSubtract:
    case Operation::kMin:
    case Operation::kMax:
      return {1, 2};
    case Operation::kMultiply:
      return {1, 10};
    case Operation::kSquare:
      return {1, 12};
    case Operation::kDivide:
      return {2, 15};
    case Operation::kSqrt:
      return {5, 12};
    case Operation::kWholePower:
      return {25, 55};
    case Operation::kExp:
      return {15, 25};
    case Operation::kLog:
      return {20, 35};
    case Operation::kSin:
    case Operation::kCos:
    case Operation::kTan:
      return {25, 45};
    case Operation::kAtan2:
      return {25, 80};
    case Operation::kPower:
      return {40, 160};
  }
  return {};
}

constexpr ExpressionWork kOfCall{4, 6};

}  // namespace

ExpressionWork work_of(const Expression& expression) {
  ExpressionWork sum = kOfCall;
  for (const Instruction& instruction : Expression::Program::instructions_of(expression)) {
    const ExpressionWork work = work_of(instruction);
    sum.value += work.value;
    sum.range += work.range;
  }
  return sum;
}

}  // namespace plimsoll
