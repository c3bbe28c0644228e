// What an engine remembers that can be copied: a snapshot is the copy.
#pragma once

#include <plimsoll/engines.h>

#include <memory>
#include <utility>

namespace plimsoll {

template <class Value>
struct EngineMemory final : BuoyancyEngine::Memory {
  explicit EngineMemory(Value given) : value(std::move(given)) {}
  Value value;
};

template <class Value>
[[nodiscard]] std::shared_ptr<const BuoyancyEngine::Memory> remembered(const Value& value) {
  return std::make_shared<const EngineMemory<Value>>(value);
}

/// Of what remembered() made of such a value; null of what another kind of engine made.
template <class Value>
[[nodiscard]] const Value* recalled(const BuoyancyEngine::Memory& memory) {
  const auto* known = dynamic_cast<const EngineMemory<Value>*>(&memory);
  return known != nullptr ? &known->value : nullptr;
}

}  // namespace plimsoll
