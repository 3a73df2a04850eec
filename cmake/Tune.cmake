# SPDX-License-Identifier: BSD-3-Clause
# What `weft tune` needs beside a compiler: the generator and the headers of
# what it writes, in the same places below the build tree as below PREFIX.
set(WEFT_TUNE_GENERATOR libexec/weft)
set(WEFT_TUNE_HEADERS share/weft)

file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/libexec ${CMAKE_BINARY_DIR}/share/weft)
file(CREATE_LINK ${PROJECT_SOURCE_DIR}/src/kernel
    ${CMAKE_BINARY_DIR}/${WEFT_TUNE_HEADERS}/kernel SYMBOLIC)
set(generator_folder ${CMAKE_BINARY_DIR}/gen)
if(CMAKE_CROSSCOMPILING OR WEFT_GEN)
    get_target_property(generator weft-gen IMPORTED_LOCATION)
    cmake_path(GET generator PARENT_PATH generator_folder)
endif()
file(CREATE_LINK ${generator_folder}
    ${CMAKE_BINARY_DIR}/${WEFT_TUNE_GENERATOR} SYMBOLIC)

# A generator of another machine is of no use there.
if(NOT CMAKE_CROSSCOMPILING)
    if(WEFT_GEN)
        install(PROGRAMS ${WEFT_GEN} DESTINATION ${WEFT_TUNE_GENERATOR})
    else()
        install(TARGETS weft-gen RUNTIME DESTINATION ${WEFT_TUNE_GENERATOR})
    endif()
    file(GLOB vocabularies ${PROJECT_SOURCE_DIR}/src/kernel/vec/*.h)
    install(FILES src/kernel/pass.h src/kernel/tuned.h
        DESTINATION ${WEFT_TUNE_HEADERS}/kernel)
    install(FILES ${vocabularies} DESTINATION ${WEFT_TUNE_HEADERS}/kernel/vec)
endif()
