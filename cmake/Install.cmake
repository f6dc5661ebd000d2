# What `cmake --install` installs, apart from the binary with its manual pages and completions (cli/CMakeLists.txt) and
# the libraries with their headers (matchpoint_library). There are two components: `matchpoint`, the tool, and
# `development`.

# The package that find_package(matchpoint) finds, with the modules that find its libraries.
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/matchpoint)
install(EXPORT matchpoint NAMESPACE matchpoint:: FILE matchpointTargets.cmake DESTINATION ${package} COMPONENT development)
configure_package_config_file(cmake/matchpointConfig.cmake.in matchpointConfig.cmake INSTALL_DESTINATION ${package})
write_basic_package_version_file(matchpointConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/matchpointConfig.cmake ${PROJECT_BINARY_DIR}/matchpointConfigVersion.cmake
        cmake/FindGMP.cmake cmake/FindCaDiCaL.cmake DESTINATION ${package} COMPONENT development)

# For pkg-config. The linker wants a room before those that it builds on; the file finds its prefix by where it is.
get_property(libraries GLOBAL PROPERTY matchpoint_libraries)
list(REVERSE libraries)
list(JOIN libraries " " libraries)
file(RELATIVE_PATH prefix_from_pc /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" prefix_from_pc ${prefix_from_pc})
configure_file(cmake/matchpoint.pc.in matchpoint.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/matchpoint.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)

# Pages, with the programs that they speak of, and JSON schemas, which are data of the tool.
install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT matchpoint)
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT matchpoint USE_SOURCE_PERMISSIONS
        PATTERN schema EXCLUDE)
install(DIRECTORY traces DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples COMPONENT matchpoint
        FILES_MATCHING PATTERN "*.ctp")
install(DIRECTORY docs/schema DESTINATION ${CMAKE_INSTALL_DATADIR}/matchpoint COMPONENT matchpoint)
file(RELATIVE_PATH schema_from_docs /${CMAKE_INSTALL_DOCDIR}/docs /${CMAKE_INSTALL_DATADIR}/matchpoint/schema)
install(CODE "
  set(link \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DOCDIR}/docs/schema\")
  file(REMOVE_RECURSE \"\${link}\")
  file(CREATE_LINK ${schema_from_docs} \"\${link}\" SYMBOLIC)" COMPONENT matchpoint)

# The checkers of certificates.
install(PROGRAMS scripts/check_certificate scripts/check_rma_certificate
        DESTINATION ${CMAKE_INSTALL_DATADIR}/matchpoint/scripts COMPONENT matchpoint)
install(DIRECTORY scripts/certificate_checker scripts/rma_certificate_checker
        DESTINATION ${CMAKE_INSTALL_DATADIR}/matchpoint/scripts COMPONENT matchpoint FILES_MATCHING PATTERN "*.py")
