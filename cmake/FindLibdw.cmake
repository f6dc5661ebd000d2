# The headers of libdw, which reads debug information (elfutils): Libdw_INCLUDE_DIR.
find_path(Libdw_INCLUDE_DIR elfutils/libdwfl.h)
mark_as_advanced(Libdw_INCLUDE_DIR)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Libdw REQUIRED_VARS Libdw_INCLUDE_DIR)
