#include "window.h"

#include <epoxy/gl.h>
//
#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include <cmath>
#include <vector>

#include "cli/failure.h"

namespace plimsoll::viewer {
namespace {

std::string last_words() {
  const char* words = nullptr;
  glfwGetError(&words);
  return words != nullptr ? words : "unknown";
}

cli::Failure no_display(const std::string& reason) {
  return cli::failure_of({ErrorCode::kUnavailable,
                          "no display: " + reason +
                              "; plimsoll render and plimsoll simulate --record draw without one",
                          {}});
}

/// By EGL, as the engines that draw are: only then can both be used by one thread. Where a driver
/// has no EGL for windows there are no peels.
GLFWwindow* open(picture::PixelSize size, const char* title) {
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  for (const int way : {GLFW_EGL_CONTEXT_API, GLFW_NATIVE_CONTEXT_API}) {
    glfwWindowHint(GLFW_CONTEXT_CREATION_API, way);
    if (GLFWwindow* window = glfwCreateWindow(size.width, size.height, title, nullptr, nullptr))
      return window;
  }
  return nullptr;
}

void note_key(GLFWwindow* window, int key, int, int action, int) {
  auto& keys = *static_cast<std::string*>(glfwGetWindowUserPointer(window));
  if (action != GLFW_PRESS || ImGui::GetIO().WantTextInput) return;
  if (key == GLFW_KEY_ESCAPE) keys += '\x1b';
  if (key == GLFW_KEY_SPACE || (key >= GLFW_KEY_A && key <= GLFW_KEY_Z))
    keys += static_cast<char>(key);
}

void set_style(GLFWwindow* window) {
  float across = 1, down = 1;
  glfwGetWindowContentScale(window, &across, &down);
  const float scale = std::fmax(1.0f, across);
  ImFontConfig font;
  font.SizePixels = std::floor(13 * scale);
  ImGui::GetIO().Fonts->AddFontDefault(&font);
  ImGui::GetIO().IniFilename = nullptr;  // leaves no files behind
  ImGui::StyleColorsLight();
  ImGui::GetStyle().WindowRounding = 4;
  ImGui::GetStyle().FrameBorderSize = 1;
  ImGui::GetStyle().Colors[ImGuiCol_SliderGrab].w = 0.45f;  // the number is behind it
  ImGui::GetStyle().Colors[ImGuiCol_WindowBg].w = 0.94f;
  ImGui::GetStyle().ScaleAllSizes(scale);
}

}  // namespace

Window::Window(picture::PixelSize size, const char* title, bool waits) {
  if (glfwInit() != GLFW_TRUE) throw no_display(last_words());
  window_ = open(size, title);
  if (window_ == nullptr) {
    const std::string reason = last_words();
    glfwTerminate();
    throw no_display(reason);
  }
  glfwMakeContextCurrent(window_);
  glfwSwapInterval(waits ? 1 : 0);
  ImGui::CreateContext();
  set_style(window_);
  glfwSetWindowUserPointer(window_, &keys_);
  glfwSetKeyCallback(window_, note_key);  // ImGui calls it on
  ImGui_ImplGlfw_InitForOpenGL(window_, true);
  ImGui_ImplOpenGL3_Init("#version 330 core");
}

Window::~Window() {
  ImGui_ImplOpenGL3_Shutdown();
  ImGui_ImplGlfw_Shutdown();
  ImGui::DestroyContext();
  glfwDestroyWindow(window_);
  glfwTerminate();
}

bool Window::is_closed() const { return glfwWindowShouldClose(window_) == GLFW_TRUE; }
void Window::close() { glfwSetWindowShouldClose(window_, GLFW_TRUE); }
void Window::resize(picture::PixelSize size) {
  glfwSetWindowSize(window_, size.width, size.height);
}

picture::PixelSize Window::size() const {
  picture::PixelSize size;
  glfwGetWindowSize(window_, &size.width, &size.height);
  return size;
}

picture::PixelSize Window::framebuffer() const {
  picture::PixelSize size;
  glfwGetFramebufferSize(window_, &size.width, &size.height);
  return size;
}

void Window::begin_frame() {
  keys_.clear();
  glfwPollEvents();
  ImGui_ImplOpenGL3_NewFrame();
  ImGui_ImplGlfw_NewFrame();
  ImGui::NewFrame();
}

void Window::end_frame() {
  ImGui::Render();
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

void Window::show() { glfwSwapBuffers(window_); }

picture::Picture Window::picture() const {
  const auto [width, height] = framebuffer();
  const auto at = [width = width](int x, int y) {
    return 3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                static_cast<std::size_t>(x));
  };
  std::vector<std::uint8_t> bytes(at(0, height));
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, width, height, GL_RGB, GL_UNSIGNED_BYTE, bytes.data());
  picture::Picture picture(width, height, {});
  for (int y = 0; y < height; ++y)  // OpenGL has the bottom row first
    for (int x = 0; x < width; ++x) {
      const std::size_t k = at(x, height - 1 - y);
      picture.set(x, y, {bytes[k], bytes[k + 1], bytes[k + 2]});
    }
  return picture;
}

}  // namespace plimsoll::viewer
