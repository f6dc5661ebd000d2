# `cpack -G DEB` makes two Debian packages: matchpoint, the tool, and libmatchpoint-dev, the static libraries and
# headers. cmake/DebianFiles.cmake adds what Debian wants of every package.
set(MATCHPOINT_MAINTAINER "The Matchpoint developers <matchpoint@users.noreply.example>"
    CACHE STRING "Name and address of whoever builds packages")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_VENDOR "The Matchpoint developers")
set(CPACK_PACKAGE_CONTACT "${MATCHPOINT_MAINTAINER}")
set(CPACK_VERBATIM_VARIABLES ON)
# The first line of both descriptions; the rest is below.
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "reference semantics of asynchronous message passing")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
    WORLD_READ WORLD_EXECUTE)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL matchpoint development)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/DebianFiles.cmake)
set(CPACK_MATCHPOINT_SOURCE ${PROJECT_SOURCE_DIR})
set(CPACK_MATCHPOINT_DATE ${matchpoint_date})

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

set(CPACK_DEBIAN_MATCHPOINT_PACKAGE_NAME matchpoint)
set(CPACK_DEBIAN_MATCHPOINT_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_MATCHPOINT_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_MATCHPOINT_PACKAGE_DEPENDS libdw1) # loaded when needed, so not among the shlibdeps
set(CPACK_DEBIAN_MATCHPOINT_PACKAGE_RECOMMENDS z3)
set(CPACK_DEBIAN_MATCHPOINT_PACKAGE_SUGGESTS "clang-14, cvc5, cvc4, python3")
set(CPACK_DEBIAN_MATCHPOINT_DESCRIPTION "Matchpoint runs concurrent trace programs (MCAPI, or point-to-point calls of
MPI) on the abstract machine of \"Proving MCAPI Executions are Correct\", and
decides whether any execution of such a program can fail.
.
This package has the command-line tool: it runs, steps through, checks,
encodes and draws programs, and tests other people's encoders.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libmatchpoint-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
    "libcadical-dev, libdw1, libfmt-dev, libgmp-dev")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SUGGESTS "matchpoint, cmake, pkg-config")
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION "Matchpoint runs concurrent trace programs (MCAPI, or point-to-point calls of
MPI) on the abstract machine of \"Proving MCAPI Executions are Correct\", and
decides whether any execution of such a program can fail.
.
This package has the static libraries and C++20 headers, for CMake and
pkg-config.")
include(CPack)
