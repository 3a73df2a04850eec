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
