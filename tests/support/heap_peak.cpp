#include "support/heap_peak.h"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<std::size_t> taken{0};
std::atomic<std::size_t> peak{0};
std::size_t base = 0;

// Each block is preceded by its size, in as many bytes as keep every alignment of operator new.
constexpr std::size_t kPrefix = alignof(std::max_align_t);

void* allocate(std::size_t size) {
  auto* block = static_cast<std::size_t*>(std::malloc(size + kPrefix));
  if (block == nullptr) return nullptr;
  *block = size;
  const std::size_t now = taken += size;
  std::size_t highest = peak.load();
  while (now > highest && !peak.compare_exchange_weak(highest, now)) {
  }
  return reinterpret_cast<char*>(block) + kPrefix;
}

void release(void* memory) {
  if (memory == nullptr) return;
  void* block = static_cast<char*>(memory) - kPrefix;
  taken -= *static_cast<std::size_t*>(block);
  std::free(block);
}

}  // namespace

namespace plimsoll::test {

void reset_heap_peak() {
  base = taken;
  peak = base;
}
std::size_t heap_peak() { return peak - base; }

}  // namespace plimsoll::test

void* operator new(std::size_t size) {
  if (void* memory = allocate(size)) return memory;
  throw std::bad_alloc();
}
void* operator new[](std::size_t size) { return ::operator new(size); }
// The sanitizers' own versions of these do not call the two above.
void* operator new(std::size_t size, const std::nothrow_t& /*tag*/) noexcept {
  return allocate(size);
}
void* operator new[](std::size_t size, const std::nothrow_t& /*tag*/) noexcept {
  return allocate(size);
}
void operator delete(void* memory) noexcept { release(memory); }
void operator delete[](void* memory) noexcept { release(memory); }
void operator delete(void* memory, std::size_t /*size*/) noexcept { release(memory); }
void operator delete[](void* memory, std::size_t /*size*/) noexcept { release(memory); }
