# SPDX-License-Identifier: BSD-3-Clause
# The warnings every source of weft compiles without, in gcc and clang.
add_compile_options(
    $<$<COMPILE_LANGUAGE:C>:-Wall> $<$<COMPILE_LANGUAGE:C>:-Wextra>
    $<$<COMPILE_LANGUAGE:C>:-Wpedantic>
    $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes>
    $<$<COMPILE_LANGUAGE:C>:-Wmissing-prototypes>)
# gcc's -Wshadow also minds a parameter named like a type, which is harmless.
if(CMAKE_C_COMPILER_ID MATCHES "Clang")
    add_compile_options($<$<COMPILE_LANGUAGE:C>:-Wshadow>)
else()
    add_compile_options($<$<COMPILE_LANGUAGE:C>:-Wshadow=local>)
endif()
if(WEFT_WERROR)
    add_compile_options(-Werror)
endif()
