# SPDX-License-Identifier: BSD-3-Clause
# WEFT_PACKED_RELOCATIONS: the linker's option for addresses in a table of bits,
# where linker and C library have it (binutils 2.38, glibc 2.36), else empty.  The
# list of kernels has 4100 of them: 98 KB as records.
include(CheckCSourceRuns)

set(WEFT_PACKED_RELOCATIONS "")
if(NOT CMAKE_CROSSCOMPILING)
    set(CMAKE_REQUIRED_FLAGS "-fPIE")
    set(CMAKE_REQUIRED_LINK_OPTIONS -pie -Wl,-z,pack-relative-relocs)
    check_c_source_runs("
        static int a, b;
        static int *volatile list[] = {&a, &b, &a, &b};
        int main(void) { return list[0] != &a || list[3] != &b; }"
        WEFT_HAS_PACKED_RELOCATIONS)
    unset(CMAKE_REQUIRED_FLAGS)
    unset(CMAKE_REQUIRED_LINK_OPTIONS)
    if(WEFT_HAS_PACKED_RELOCATIONS)
        set(WEFT_PACKED_RELOCATIONS -Wl,-z,pack-relative-relocs)
    endif()
endif()
