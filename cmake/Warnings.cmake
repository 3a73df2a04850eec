# SPDX-License-Identifier: BSD-3-Clause
# The warnings every source of weft compiles without, in gcc and clang.
add_compile_options(
    $<$<COMPILE_LANGUAGE:C>:-Wall> $<$<COMPILE_LANGUAGE:C>:-Wextra>
    $<$<COMPILE_LANGUAGE:C>:-Wpedantic> $<$<COMPILE_LANGUAGE:C>:-Wshadow>
    $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes>
    $<$<COMPILE_LANGUAGE:C>:-Wmissing-prototypes>)
if(WEFT_WERROR)
    add_compile_options(-Werror)
endif()
