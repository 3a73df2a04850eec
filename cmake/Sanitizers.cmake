# SPDX-License-Identifier: BSD-3-Clause
# WEFT_SANITIZE=address;undefined or thread: the first report ends the test.
if(WEFT_SANITIZE)
    list(JOIN WEFT_SANITIZE "," sanitizers)
    add_compile_options(-fsanitize=${sanitizers} -fno-sanitize-recover=all
        -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${sanitizers})
endif()
if(WEFT_FUZZ)
    if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
        message(FATAL_ERROR "weft: WEFT_FUZZ needs clang (libFuzzer)")
    endif()
    # Coverage for the fuzzer everywhere; its main only in the targets.
    add_compile_options(-fsanitize=fuzzer-no-link)
endif()

# Kernels are megabytes of straight-line loads and stores: checked inline, by
# every check, they compile for ten minutes.  Here addresses are checked by
# calls, and undefined behaviour only where arithmetic on integers can have it.
function(weft_lighten_sanitizers target)
    if(NOT WEFT_SANITIZE MATCHES "address")
        return()
    endif()
    set(threshold asan-instrumentation-with-call-threshold=0)
    target_compile_options(${target} PRIVATE -O1
        -fno-sanitize=pointer-overflow,null,alignment,object-size)
    if(CMAKE_C_COMPILER_ID MATCHES "Clang")
        target_compile_options(${target} PRIVATE "SHELL:-mllvm -${threshold}")
    else()
        target_compile_options(${target} PRIVATE "SHELL:--param ${threshold}")
    endif()
endfunction()

# Loops of loads and stores by pointers that move: with a check of each move the
# hand-written kernels compile for two minutes; what a pointer that left its
# array touches is seen without it.
function(weft_let_pointers_move target)
    if(WEFT_SANITIZE MATCHES "undefined")
        target_compile_options(${target} PRIVATE
            -fno-sanitize=pointer-overflow)
    endif()
endfunction()
