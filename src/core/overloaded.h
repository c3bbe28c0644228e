// One function object of several lambdas, for std::visit.
#pragma once

namespace plimsoll {

template <class... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};
template <class... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

}  // namespace plimsoll
