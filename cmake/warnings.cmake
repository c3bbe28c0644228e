# What every target of ours is compiled with. Contraction off: a fused multiply-add would make sums
# depend on the instruction set. GCC 12 vectorizes straight-line code in which a double is rounded to
# float and taken back to double, and leaves the rounding out: boxes would not hold what they should.
function(plimsoll_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wconversion -Wno-sign-conversion
    -Wshadow -ffp-contract=off $<$<CXX_COMPILER_ID:GNU>:-fno-tree-slp-vectorize>)
endfunction()
