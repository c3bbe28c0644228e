# Installs the library with a CMake package and a pkg-config file, and the program if it was built.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(TARGETS plimsoll EXPORT plimsollTargets FILE_SET HEADERS)
if(PLIMSOLL_GL)
  install(TARGETS plimsoll_gl EXPORT plimsollTargets)
endif()
install(EXPORT plimsollTargets NAMESPACE plimsoll::
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/plimsoll)
if(PLIMSOLL_BUILD_CLI)
  # Finds a shared library of ours wherever the prefix is.
  set_target_properties(plimsoll_cli PROPERTIES
    INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
  install(TARGETS plimsoll_cli)
  install(FILES docs/schema/plimsoll.schema.json DESTINATION ${CMAKE_INSTALL_DATADIR}/plimsoll)
endif()

if(PLIMSOLL_BUILD_VIEWER)
  set_target_properties(plimsoll_viewer PROPERTIES
    INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
  install(TARGETS plimsoll_viewer)
endif()

# Whoever links the static library also links what it uses; the shared one brings that along.
get_target_property(plimsoll_type plimsoll TYPE)
set(pc_requires "eigen3 >= 3.4")
set(pc_requires_private "tbb, libhwy, libzip, simdjson, pugixml")
if(plimsoll_type STREQUAL "STATIC_LIBRARY")
  set(pc_requires "${pc_requires}, ${pc_requires_private}")
  set(pc_requires_private "")
endif()
set(pc_cflags "")
if(PLIMSOLL_ASSERTS)
  set(pc_cflags " -DPLIMSOLL_ENABLE_ASSERTS")
endif()
# Relative, so that the installed folder can be moved and `cmake --install --prefix` works.
cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX
  BASE_DIRECTORY ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig OUTPUT_VARIABLE pc_up)
configure_file(cmake/plimsoll.pc.in plimsoll.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/plimsoll.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
if(PLIMSOLL_GL)
  configure_file(cmake/plimsoll-gl.pc.in plimsoll-gl.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/plimsoll-gl.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()

configure_package_config_file(cmake/plimsollConfig.cmake.in plimsollConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/plimsoll)
# Before 1.0 a minor version may change the interface.
write_basic_package_version_file(plimsollConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/plimsollConfig.cmake
  ${PROJECT_BINARY_DIR}/plimsollConfigVersion.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/plimsoll)
