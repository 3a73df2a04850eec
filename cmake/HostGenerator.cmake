# SPDX-License-Identifier: BSD-3-Clause
# The target weft-gen: built here, or, when cross-compiling, given by
# -DWEFT_GEN=PROGRAM or built by a second, native build of gen/ alone.
set(WEFT_GEN "" CACHE FILEPATH "A weft-gen for this machine (cross builds)")
if(WEFT_GEN)
    add_executable(weft-gen IMPORTED GLOBAL)
    set_target_properties(weft-gen PROPERTIES IMPORTED_LOCATION ${WEFT_GEN})
elseif(CMAKE_CROSSCOMPILING)
    include(ExternalProject)
    set(host_dir ${CMAKE_BINARY_DIR}/host)
    ExternalProject_Add(weft-host
        SOURCE_DIR ${PROJECT_SOURCE_DIR}/cmake/host
        BINARY_DIR ${host_dir}
        CMAKE_ARGS -DCMAKE_BUILD_TYPE=Release -DWEFT_ROOT=${PROJECT_SOURCE_DIR}
        BUILD_ALWAYS ON
        INSTALL_COMMAND ""
        BUILD_BYPRODUCTS ${host_dir}/gen/weft-gen)
    add_executable(weft-gen IMPORTED GLOBAL)
    set_target_properties(weft-gen PROPERTIES
        IMPORTED_LOCATION ${host_dir}/gen/weft-gen)
    add_dependencies(weft-gen weft-host)
else()
    weft_room(gen)
endif()
