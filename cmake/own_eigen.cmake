# plimsoll_own_eigen(target): makes the functions of Eigen that the compiler did not inline the
# library's own. Else a linker takes the first of those of one name that it finds, which may be one of
# the user's program, compiled for other vector instructions: it rounds otherwise, and expects what it
# is given to be aligned otherwise.
function(plimsoll_own_eigen target)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL GNU OR NOT CMAKE_SYSTEM_NAME STREQUAL Linux)
    return()
  endif()
  target_compile_options(${target} PRIVATE -fno-gnu-unique)  # else there may be but one in a program
  get_target_property(kind ${target} TYPE)
  if(kind STREQUAL SHARED_LIBRARY)
    target_link_options(${target} PRIVATE -Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/own_eigen.map)
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
