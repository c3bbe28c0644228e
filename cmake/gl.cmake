# plimsoll::gl, the engines on OpenGL: a library of its own, which plimsoll::plimsoll works without.
pkg_check_modules(EPOXY REQUIRED IMPORTED_TARGET epoxy)
add_library(plimsoll_gl)
add_library(plimsoll::gl ALIAS plimsoll_gl)
set_target_properties(plimsoll_gl PROPERTIES EXPORT_NAME gl POSITION_INDEPENDENT_CODE ON
  CXX_EXTENSIONS OFF VERSION ${PROJECT_VERSION}
  SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
target_include_directories(plimsoll_gl PRIVATE src)
target_link_libraries(plimsoll_gl PUBLIC plimsoll PRIVATE PkgConfig::EPOXY ${CMAKE_DL_LIBS})
plimsoll_warnings(plimsoll_gl)
plimsoll_own_eigen(plimsoll_gl)
if(PLIMSOLL_PRECOMPILED)
  target_precompile_headers(plimsoll_gl PRIVATE <Eigen/Core> <Eigen/Geometry> <string> <vector>)
endif()
add_subdirectory(src/gl)
target_sources(plimsoll_gl PRIVATE src/cull/gl_culling.cpp src/cull/gl_visibility.cpp
  src/cull/rasterization_probe.cpp src/dynamics/gl_buoyancy.cpp src/image/gl_deforming_mesh.cpp
  src/image/gl_drawing.cpp src/image/gl_image.cpp src/image/gl_measure.cpp src/image/gl_patches.cpp
  src/image/gl_reduction.cpp src/hydro/gl_water_image.cpp src/hydro/gl_water_layers.cpp
  src/hydro/gl_water_tiles.cpp)
