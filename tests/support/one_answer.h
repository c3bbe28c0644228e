// An engine that has one answer to all questions.
#pragma once

#include <plimsoll/engines.h>

#include <algorithm>
#include <memory>

namespace plimsoll::test {

class OneAnswer final : public BuoyancyEngine {
 public:
  explicit OneAnswer(const Buoyancy& answer) : answer_(answer) {}

  Result<void> add(std::uint32_t /*body*/, const Shape& /*shape*/) override { return {}; }
  void remove(std::uint32_t /*body*/) override {}
  Result<void> answer(std::span<const BuoyancyQuery> /*queries*/, const SurfaceNow& /*surface*/,
                      std::span<Buoyancy> answers) override {
    std::fill(answers.begin(), answers.end(), answer_);
    return {};
  }
  std::shared_ptr<const Memory> save() const override { return nullptr; }
  void restore(const Memory& /*memory*/) override {}

 private:
  Buoyancy answer_;
};

}  // namespace plimsoll::test
