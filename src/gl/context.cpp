// Finding a device that draws, and a context on it: [EGL_EXT_device_enumeration] for hardware,
// [EGL_MESA_platform_surfaceless] for Mesa's software.
#include "gl/context.h"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace plimsoll {
namespace {

Error unavailable(std::string message) {
  return {ErrorCode::kUnavailable, std::move(message), "OpenGL"};
}

bool has_word(const char* words, std::string_view word) {
  if (words == nullptr) return false;
  std::string_view rest = words;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    if (rest.substr(0, end) == word) return true;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return false;
}

// epoxy ends the program where these are missing, so they are looked for first.
Result<void> find_libraries() {
  constexpr std::array<std::pair<const char*, const char*>, 2> kNeeded = {
      {{"libEGL.so.1", "libegl1"}, {"libOpenGL.so.0", "libopengl0"}}};
  for (const auto& [library, package] : kNeeded)
    if (dlopen(library, RTLD_LAZY | RTLD_GLOBAL) == nullptr)
      return unavailable(std::string(library) + " is missing; Debian has it in the package " +
                         package);
  return {};
}

struct Candidate {
  EGLDisplay display;
  bool is_hardware;
  std::string name;
};

// Displays on which a context may be had, the best first.
std::vector<Candidate> candidates() {
  std::vector<Candidate> found;
  const char* client = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
  if (has_word(client, "EGL_EXT_device_base") && has_word(client, "EGL_EXT_platform_device")) {
    std::array<EGLDeviceEXT, 16> devices;
    EGLint count = 0;
    if (eglQueryDevicesEXT(static_cast<EGLint>(devices.size()), devices.data(), &count) == EGL_TRUE)
      for (EGLint i = 0; i < count; ++i) {
        auto* const device = devices[static_cast<std::size_t>(i)];
        if (has_word(eglQueryDeviceStringEXT(device, EGL_EXTENSIONS), "EGL_MESA_device_software"))
          continue;
        found.push_back({eglGetPlatformDisplayEXT(EGL_PLATFORM_DEVICE_EXT, device, nullptr), true,
                         "device " + std::to_string(i)});
      }
  }
  if (has_word(client, "EGL_MESA_platform_surfaceless"))
    found.push_back(
        {eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr),
         false, "the surfaceless platform"});
  return found;
}

EGLContext create_context(EGLDisplay display) {
  if (eglBindAPI(EGL_OPENGL_API) != EGL_TRUE) return EGL_NO_CONTEXT;
  const char* extensions = eglQueryString(display, EGL_EXTENSIONS);
  if (!has_word(extensions, "EGL_KHR_surfaceless_context")) return EGL_NO_CONTEXT;
  EGLConfig config = EGL_NO_CONFIG_KHR;
  if (!has_word(extensions, "EGL_KHR_no_config_context")) {
    constexpr EGLint kAny[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_SURFACE_TYPE, EGL_DONT_CARE,
                               EGL_NONE};
    EGLint count = 0;
    if (eglChooseConfig(display, kAny, &config, 1, &count) != EGL_TRUE || count == 0)
      return EGL_NO_CONTEXT;
  }
#if defined(PLIMSOLL_ENABLE_ASSERTS)
  constexpr EGLint kDebug = EGL_TRUE;
#else
  constexpr EGLint kDebug = EGL_FALSE;
#endif
  constexpr std::array<std::pair<EGLint, EGLint>, 3> kVersions = {{{4, 5}, {4, 3}, {3, 3}}};
  for (const auto& [major, minor] : kVersions) {
    const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION,
                                 major,
                                 EGL_CONTEXT_MINOR_VERSION,
                                 minor,
                                 EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                 EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                 EGL_CONTEXT_OPENGL_DEBUG,
                                 kDebug,
                                 EGL_NONE};
    const EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, attributes);
    if (context != EGL_NO_CONTEXT) return context;
  }
  return EGL_NO_CONTEXT;
}

#if defined(PLIMSOLL_ENABLE_ASSERTS)
void APIENTRY report_debug(GLenum source, GLenum type, GLuint, GLenum, GLsizei,
                           const GLchar* message, const void*) {
  if (source == GL_DEBUG_SOURCE_SHADER_COMPILER) return;  // make_program returns what it said
  if (type == GL_DEBUG_TYPE_ERROR || type == GL_DEBUG_TYPE_UNDEFINED_BEHAVIOR)
    assertion_failed({"no OpenGL error", message, __FILE__, __LINE__});
}
#endif

std::string gl_string(GLenum name) {
  const GLubyte* text = glGetString(name);
  return text != nullptr ? reinterpret_cast<const char*>(text) : "";
}

void describe(GlInfo& info) {
  info.vendor = gl_string(GL_VENDOR);
  info.renderer = gl_string(GL_RENDERER);
  info.version = gl_string(GL_VERSION);
  glGetIntegerv(GL_MAJOR_VERSION, &info.major);
  glGetIntegerv(GL_MINOR_VERSION, &info.minor);
  GLint viewport[2] = {0, 0};
  glGetIntegerv(GL_MAX_VIEWPORT_DIMS, viewport);
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &info.largest_image);
  info.largest_image = std::min({info.largest_image, viewport[0], viewport[1]});
#if defined(PLIMSOLL_ENABLE_ASSERTS)
  if (gl::has_version(info, 4, 3)) {
    glEnable(GL_DEBUG_OUTPUT);
    glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
    glDebugMessageCallback(report_debug, nullptr);
  }
#endif
}

}  // namespace

GlContext::State::~State() {
  if (context != EGL_NO_CONTEXT) eglDestroyContext(display, context);
  // The display is shared by all of the process and stays.
}

GlContext::GlContext(std::shared_ptr<State> state) : state_(std::move(state)) {}
GlContext::GlContext(GlContext&&) noexcept = default;
GlContext& GlContext::operator=(GlContext&&) noexcept = default;
GlContext::~GlContext() = default;

const GlInfo& GlContext::info() const { return state_->info; }

Result<GlContext> GlContext::create() {
  if (Result<void> found = find_libraries(); !found) return found.error();
  std::string tried;
  const auto note = [&tried](const Candidate& candidate, const char* failure) {
    char code[16];
    std::snprintf(code, sizeof code, " (0x%04X)", eglGetError());
    tried += (tried.empty() ? "" : "; ") + candidate.name + " " + failure + code;
  };
  for (const Candidate& candidate : candidates()) {
    EGLint major = 0, minor = 0;
    if (candidate.display == EGL_NO_DISPLAY ||
        eglInitialize(candidate.display, &major, &minor) != EGL_TRUE) {
      note(candidate, "does not start");
      continue;
    }
    auto state = std::make_shared<State>();
    state->display = candidate.display;
    state->context = create_context(candidate.display);
    if (state->context == EGL_NO_CONTEXT) {
      note(candidate, "gives no context of OpenGL 3.3, core profile");
      continue;
    }
    const gl::Current current(*state);
    if (!current.status()) {
      note(candidate, "does not make its context current");
      continue;
    }
    describe(state->info);
    state->info.is_hardware = candidate.is_hardware;
    return GlContext(std::move(state));
  }
  return unavailable(tried.empty()
                         ? "EGL found no device that draws; Debian's package libgl1-mesa-dri has "
                           "one that needs no hardware"
                         : "no device here draws: " + tried);
}

namespace gl {

Current::Current(const GlContext::State& state)
    : display_(state.display),
      display_before_(eglGetCurrentDisplay()),
      context_before_(eglGetCurrentContext()),
      draw_before_(eglGetCurrentSurface(EGL_DRAW)),
      read_before_(eglGetCurrentSurface(EGL_READ)),
      made_(eglMakeCurrent(state.display, EGL_NO_SURFACE, EGL_NO_SURFACE, state.context) ==
            EGL_TRUE) {}

Result<void> Current::status() const {
  if (made_) return {};
  return unavailable("the context cannot be made current");
}

Current::~Current() {
  if (context_before_ != EGL_NO_CONTEXT)
    eglMakeCurrent(display_before_, draw_before_, read_before_, context_before_);
  else
    eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
}

Result<void> reported_error(const char* operation) {
  const GLenum first = glGetError();
  if (first == GL_NO_ERROR) return {};
  // A lost context goes on reporting for ever.
  for (int i = 0; i < 16 && glGetError() != GL_NO_ERROR; ++i) {
  }
  if (first == GL_OUT_OF_MEMORY)
    return Error{ErrorCode::kResourceLimit, "OpenGL has not enough memory", operation};
  char code[16];
  std::snprintf(code, sizeof code, "0x%04X", first);
  return Error{ErrorCode::kUnavailable, std::string("OpenGL reported error ") + code, operation};
}

}  // namespace gl
}  // namespace plimsoll
