# SPDX-License-Identifier: BSD-3-Clause
# What `make install` puts under PREFIX, and how others find it there.
include(CMakePackageConfigHelpers)

install(TARGETS weft weft_static EXPORT weft-targets
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/weft DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
    FILES_MATCHING PATTERN "*.h")

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/weft)
install(EXPORT weft-targets NAMESPACE weft:: DESTINATION ${package_dir})
configure_package_config_file(cmake/weft-config.cmake.in
    ${CMAKE_BINARY_DIR}/weft-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/weft-config-version.cmake
    COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/weft-config.cmake
    ${CMAKE_BINARY_DIR}/weft-config-version.cmake DESTINATION ${package_dir})

# From the folder of weft.pc to the prefix; folders outside of it by their full paths.
file(RELATIVE_PATH weft_prefix_from_pc
    ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" weft_prefix_from_pc "${weft_prefix_from_pc}")
foreach(kind LIBDIR INCLUDEDIR)
    string(TOLOWER weft_pc_${kind} variable)
    if(IS_ABSOLUTE "${CMAKE_INSTALL_${kind}}")
        set(${variable} "${CMAKE_INSTALL_${kind}}")
    else()
        set(${variable} "\${prefix}/${CMAKE_INSTALL_${kind}}")
    endif()
endforeach()
configure_file(cmake/weft.pc.in weft.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/weft.pc
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
