// A window with OpenGL 3.3 and Dear ImGui in it.
#pragma once

#include <plimsoll/types.h>

#include <string>

#include "picture/picture.h"

struct GLFWwindow;

namespace plimsoll::viewer {

class Window {
 public:
  /// `waits` for the screen between frames. Throws cli::Failure where there is no display.
  Window(picture::PixelSize size, const char* title, bool waits);
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  [[nodiscard]] bool is_closed() const;
  void close();
  /// Asks for another size; the window has it some frames later.
  void resize(picture::PixelSize size);
  [[nodiscard]] picture::PixelSize size() const;         ///< In units of the mouse.
  [[nodiscard]] picture::PixelSize framebuffer() const;  ///< In pixels.

  /// Takes events and begins a frame of ImGui.
  void begin_frame();
  /// The keys pressed since the frame before: letters in capitals, ' ' and '\x1b' (escape).
  [[nodiscard]] const std::string& keys() const { return keys_; }
  /// Draws what ImGui was given.
  void end_frame();
  void show();

  /// What end_frame() left, before show().
  [[nodiscard]] picture::Picture picture() const;

 private:
  GLFWwindow* window_ = nullptr;
  std::string keys_;
};

}  // namespace plimsoll::viewer
