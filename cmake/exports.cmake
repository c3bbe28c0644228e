# plimsoll_exports(target): the library exports what include/ declares, in a namespace that is visible
# there, and nothing else. tests/exports_test asks nm.
#
# TARGET_inside is for those who need the rest too, which are our tests and plimsoll::gl: the library
# itself where it is static, else an archive of the same objects.
function(plimsoll_exports target)
  set_target_properties(${target} PROPERTIES CXX_VISIBILITY_PRESET hidden
    VISIBILITY_INLINES_HIDDEN ON)
  get_target_property(kind ${target} TYPE)
  if(kind STREQUAL SHARED_LIBRARY)
    add_library(${target}_inside STATIC EXCLUDE_FROM_ALL $<TARGET_OBJECTS:${target}>)
    set_target_properties(${target}_inside PROPERTIES LINKER_LANGUAGE CXX)
    target_include_directories(${target}_inside
      INTERFACE $<TARGET_PROPERTY:${target},INTERFACE_INCLUDE_DIRECTORIES>)
    target_compile_definitions(${target}_inside
      INTERFACE $<TARGET_PROPERTY:${target},INTERFACE_COMPILE_DEFINITIONS>)
    target_compile_features(${target}_inside INTERFACE cxx_std_20)
  else()
    add_library(${target}_inside ALIAS ${target})
  endif()
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL GNU OR NOT CMAKE_SYSTEM_NAME STREQUAL Linux)
    return()
  endif()
  # The functions of Eigen that the compiler did not inline are the library's own. Else a linker
  # takes the first of those of one name that it finds, which may be one of the user's program,
  # compiled for other vector instructions: it rounds otherwise, and expects what it is given to be
  # aligned otherwise.
  target_compile_options(${target} PRIVATE -fno-gnu-unique)  # else there may be but one in a program
  if(kind STREQUAL SHARED_LIBRARY)
    target_link_options(${target} PRIVATE -Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/exports.map)
  else()
    # Sections that a linker would take once for all objects become plain ones of one object.
    set(whole ${CMAKE_CURRENT_BINARY_DIR}/${target}_whole.o)
    add_custom_command(TARGET ${target} POST_BUILD
      COMMAND ${CMAKE_LINKER} -r --force-group-allocation --whole-archive $<TARGET_FILE:${target}> -o ${whole}
      COMMAND ${CMAKE_OBJCOPY} --wildcard --localize-symbol=_ZN5Eigen* --localize-symbol=_ZNK5Eigen* ${whole}
      COMMAND ${CMAKE_COMMAND} -E rm $<TARGET_FILE:${target}>
      COMMAND ${CMAKE_AR} qcs $<TARGET_FILE:${target}> ${whole}
      VERBATIM)
  endif()
endfunction()
