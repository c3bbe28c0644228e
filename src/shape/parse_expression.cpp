// Formulas from text: recursive descent with a bound on its depth, straight into the program.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <numbers>
#include <string>

#include "formats/text_scanner.h"
#include "shape/expression_program.h"

namespace plimsoll {
namespace {

constexpr std::size_t kMaxText = std::size_t{64} << 10;
constexpr int kMaxNesting = 100;
constexpr int kMaxWholeExponent = 1024;

struct Function {
  std::string_view name;
  Operation operation;
  int arguments;  // 2 or more where it is given as -2
};
constexpr std::array<Function, 10> kFunctions{{{"abs", Operation::kAbs, 1},
                                               {"sqrt", Operation::kSqrt, 1},
                                               {"exp", Operation::kExp, 1},
                                               {"log", Operation::kLog, 1},
                                               {"sin", Operation::kSin, 1},
                                               {"cos", Operation::kCos, 1},
                                               {"tan", Operation::kTan, 1},
                                               {"atan2", Operation::kAtan2, 2},
                                               {"min", Operation::kMin, -2},
                                               {"max", Operation::kMax, -2}}};

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Result<std::vector<Instruction>> parse() {
    parse_sum();
    if (!failed_ && skip_blanks() < text_.size()) fail("an operator");
    if (failed_) return error_;
    return std::move(program_);
  }

 private:
  // Each parse_ leaves one number more on the stack, or an error.
  void parse_sum() {
    parse_product();
    while (!failed_) {
      if (take('+')) {
        parse_product();
        emit_binary(Operation::kAdd);
      } else if (take('-')) {
        parse_product();
        emit_binary(Operation::kSubtract);
      } else {
        return;
      }
    }
  }

  void parse_product() {
    parse_signed();
    while (!failed_) {
      if (take('*')) {
        parse_signed();
        emit_binary(Operation::kMultiply);
      } else if (take('/')) {
        parse_signed();
        emit_binary(Operation::kDivide);
      } else {
        return;
      }
    }
  }

  void parse_signed() {
    if (nesting_ >= kMaxNesting) {
      fail_limit("more than " + std::to_string(kMaxNesting) + " levels of nesting");
      return;
    }
    ++nesting_;
    if (take('-')) {
      parse_signed();
      emit_unary(Operation::kNegate);
    } else {
      parse_operand();
      if (!failed_ && take('^')) {
        parse_signed();
        emit_power();
      }
    }
    --nesting_;
  }

  void parse_operand() {
    const std::size_t at = skip_blanks();
    if (failed_) return;
    if (at == text_.size()) return fail("a number, a variable, a function or \"(\"");
    const char c = text_[at];
    if (take('(')) {
      parse_sum();
      if (!failed_ && !take(')')) fail("\")\" or an operator");
    } else if (TextScanner::is_digit(c) || c == '.') {
      parse_number();
    } else if (is_letter(c)) {
      parse_name();
    } else {
      fail("a number, a variable, a function or \"(\"");
    }
  }

  void parse_number() {
    const char* end = text_.data() + text_.size();
    double value = 0;
    const char* next = parse_double(text_.data() + position_, end, value);
    if (next == nullptr) return fail("a number within the range of a double");
    position_ = static_cast<std::size_t>(next - text_.data());
    emit_constant(value);
  }

  void parse_name() {
    const std::string_view name = word();
    if (name == "x" || name == "y" || name == "z") {
      position_ += 1;
      emit_push({name == "x" ? Operation::kX : name == "y" ? Operation::kY : Operation::kZ});
    } else if (name == "pi") {
      position_ += 2;
      emit_constant(std::numbers::pi);
    } else {
      const auto* known = std::find_if(kFunctions.begin(), kFunctions.end(),
                                       [&](const Function& f) { return f.name == name; });
      if (known == kFunctions.end())
        return fail("x, y, z, pi, abs, sqrt, exp, log, sin, cos, tan, atan2, min or max");
      position_ += name.size();
      parse_arguments(*known);
    }
  }

  void parse_arguments(const Function& function) {
    const std::string name(function.name);
    if (!take('(')) return fail("\"(\" after " + name);
    parse_sum();
    if (function.arguments == 1) {
      emit_unary(function.operation);
    } else {
      int count = 1;
      for (; !failed_ && (count < 2 || function.arguments < 0); ++count) {
        if (count >= 2 && next_is(')')) break;
        if (!take(','))
          return fail(count < 2 ? "\",\" and another argument of " + name
                                : "\",\" or \")\" after an argument of " + name);
        parse_sum();
        emit_binary(function.operation);
      }
    }
    if (!failed_ && !take(')')) fail("\")\" after the last argument of " + name);
  }

  // ---- text

  std::size_t skip_blanks() {
    while (position_ < text_.size() && is_blank(text_[position_])) ++position_;
    return position_;
  }
  bool next_is(char c) { return skip_blanks() < text_.size() && text_[position_] == c; }
  bool take(char c) {
    if (failed_ || !next_is(c)) return false;
    ++position_;
    return true;
  }
  [[nodiscard]] std::string_view word() const {
    std::size_t end = position_;
    while (end < text_.size() && (is_letter(text_[end]) || TextScanner::is_digit(text_[end])))
      ++end;
    return text_.substr(position_, end - position_);
  }

  void fail(const std::string& expected) {
    if (failed_) return;
    skip_blanks();
    std::string found = "the end";
    if (position_ < text_.size()) {
      const std::string_view name = word();
      found = in_quotes(name.empty() ? text_.substr(position_, 1) : name);
    }
    set_error(ErrorCode::kMalformed, "found " + found + ", expected " + expected);
  }
  void fail_limit(const std::string& found) {
    if (!failed_) set_error(ErrorCode::kResourceLimit, "found " + found);
  }
  void set_error(ErrorCode code, std::string message) {
    failed_ = true;
    error_ = {code, std::move(message), "column " + std::to_string(position_ + 1)};
  }

  // ---- program

  void emit_push(const Instruction& instruction) {
    if (failed_) return;
    if (++stack_ > Expression::Program::kMaxStack)
      return fail_limit("more than " + std::to_string(Expression::Program::kMaxStack) +
                        " unfinished terms");
    program_.push_back(instruction);
  }
  void emit_constant(double value) { emit_push({Operation::kConstant, 0, value}); }

  void emit_unary(Operation operation) {
    if (failed_) return;
    program_.push_back({operation});
    fold(1);
  }
  void emit_binary(Operation operation) {
    if (failed_) return;
    --stack_;
    program_.push_back({operation});
    fold(2);
  }
  void emit_power() {
    if (failed_) return;
    const Instruction& exponent = program_.back();
    const double n = exponent.constant;
    if (exponent.operation != Operation::kConstant || n != std::floor(n) ||
        std::fabs(n) > kMaxWholeExponent)
      return emit_binary(Operation::kPower);
    --stack_;
    program_.back() = {n == 2 ? Operation::kSquare : Operation::kWholePower, static_cast<int>(n)};
    fold(1);
  }

  /// Replaces the last instruction by its value if its operands are constants.
  void fold(std::size_t operands) {
    const std::size_t first = program_.size() - 1 - operands;
    for (std::size_t i = first; i + 1 < program_.size(); ++i)
      if (program_[i].operation != Operation::kConstant) return;
    const std::vector<Instruction> tail(program_.begin() + static_cast<std::ptrdiff_t>(first),
                                        program_.end());
    RealAlgebra numbers;
    const double value = run(tail, std::array<double, 3>{}, numbers);
    if (!std::isfinite(value)) return;  // what has no value is found out in each evaluation
    program_.resize(first);
    program_.push_back({Operation::kConstant, 0, value});
  }

  std::string_view text_;
  std::size_t position_ = 0;
  int nesting_ = 0;
  std::size_t stack_ = 0;
  std::vector<Instruction> program_;
  bool failed_ = false;
  Error error_;
};

}  // namespace

Result<Expression> Expression::parse(std::string_view text) {
  if (text.size() > kMaxText)
    return Error{ErrorCode::kResourceLimit,
                 "found a formula of " + std::to_string(text.size()) + " bytes, expected at most " +
                     std::to_string(kMaxText),
                 "column " + std::to_string(kMaxText + 1)};
  Result<std::vector<Instruction>> instructions = Parser(text).parse();
  if (!instructions) return instructions.error();
  return Expression(std::make_shared<Program>(Program{*std::move(instructions)}));
}

}  // namespace plimsoll
