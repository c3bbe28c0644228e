# What every target of ours is compiled with. Contraction off: a fused multiply-add would make sums
# depend on the instruction set.
function(plimsoll_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wconversion -Wno-sign-conversion
    -Wshadow -ffp-contract=off)
endfunction()
