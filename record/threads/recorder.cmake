# Clang and the headers of LLVM have to be of the same version as the pass is written for.
set(llvm_version 14)
find_program(MATCHPOINT_THREADS_CC clang-${llvm_version})
find_program(MATCHPOINT_THREADS_CXX clang++-${llvm_version})
find_path(MATCHPOINT_LLVM_INCLUDE llvm/Passes/PassPlugin.h PATHS /usr/lib/llvm-${llvm_version}/include NO_DEFAULT_PATH)
mark_as_advanced(MATCHPOINT_THREADS_CC MATCHPOINT_THREADS_CXX MATCHPOINT_LLVM_INCLUDE)
if(NOT MATCHPOINT_THREADS_CC OR NOT MATCHPOINT_THREADS_CXX OR NOT MATCHPOINT_LLVM_INCLUDE)
  message(STATUS "clang-${llvm_version} or llvm-${llvm_version}-dev not found: `matchpoint-cc` will not be there to record threads")
  return()
endif()

# They are built without sanitizers, as Clang and the recorded programs load them.
set(built ${CMAKE_CURRENT_BINARY_DIR}/threads)
file(MAKE_DIRECTORY ${built}/pass ${built}/runtime)
set(warnings -Wall -Wextra -Wpedantic $<$<BOOL:${MATCHPOINT_WERROR}>:-Werror>)

file(GLOB runtime_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/threads/runtime/*.c)
file(GLOB runtime_headers CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/threads/runtime/*.h ${CMAKE_CURRENT_SOURCE_DIR}/threads/*.h)
set(runtime_objects)
foreach(source IN LISTS runtime_sources)
  get_filename_component(name ${source} NAME_WE)
  set(object ${built}/runtime/${name}.o)
  add_custom_command(OUTPUT ${object}
    COMMAND ${MATCHPOINT_THREADS_CC} -std=gnu11 -O2 -g -fPIC -fexceptions -fvisibility=hidden ${warnings} -Wconversion -c ${source} -o ${object}
    DEPENDS ${source} ${runtime_headers} VERBATIM COMMAND_EXPAND_LISTS COMMENT "Compiling ${name}.c for the recorder of threads")
  list(APPEND runtime_objects ${object})
endforeach()
set(runtime ${built}/libmatchpoint_threads.so)
add_custom_command(OUTPUT ${runtime} COMMAND ${MATCHPOINT_THREADS_CC} -shared -s -Wl,-z,defs -o ${runtime} ${runtime_objects}
  DEPENDS ${runtime_objects} VERBATIM COMMENT "Linking libmatchpoint_threads")

file(GLOB pass_headers CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/threads/pass/*.hpp ${CMAKE_CURRENT_SOURCE_DIR}/threads/*.h)
set(pass_objects)
foreach(source IN LISTS pass_sources)
  get_filename_component(name ${source} NAME_WE)
  set(object ${built}/pass/${name}.o)
  add_custom_command(OUTPUT ${object}
    COMMAND ${MATCHPOINT_THREADS_CXX} -std=c++20 -O2 -fPIC -fvisibility=hidden ${warnings} -isystem ${MATCHPOINT_LLVM_INCLUDE} -I${PROJECT_SOURCE_DIR}
      -c ${CMAKE_CURRENT_SOURCE_DIR}/${source} -o ${object}
    DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${source} ${pass_headers} VERBATIM COMMAND_EXPAND_LISTS COMMENT "Compiling ${name}.cpp for the recorder of threads")
  list(APPEND pass_objects ${object})
endforeach()
set(pass ${built}/matchpoint_threads_pass.so)
add_custom_command(OUTPUT ${pass} COMMAND ${MATCHPOINT_THREADS_CXX} -shared -s -o ${pass} ${pass_objects}
  DEPENDS ${pass_objects} VERBATIM COMMENT "Linking matchpoint_threads_pass")

# The runtime of OpenMP, which is compiled with the pass. Which mutex a critical section has is no part of a program.
file(GLOB openmp_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/threads/openmp/*.c)
file(GLOB openmp_headers CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/threads/openmp/*.h)
file(MAKE_DIRECTORY ${built}/openmp)
set(openmp_objects)
foreach(source IN LISTS openmp_sources)
  get_filename_component(name ${source} NAME_WE)
  set(object ${built}/openmp/${name}.o)
  set(with_pass -fpass-plugin=${pass})
  if(name STREQUAL "critical")
    set(with_pass)
  endif()
  add_custom_command(OUTPUT ${object}
    COMMAND ${MATCHPOINT_THREADS_CC} -std=gnu11 -O2 -g -fPIC -fexceptions -fno-vectorize -fno-slp-vectorize ${with_pass} ${warnings} -Wconversion
      -ffile-prefix-map=${CMAKE_CURRENT_SOURCE_DIR}/threads/= -fdebug-compilation-dir=matchpoint -c ${source} -o ${object}
    DEPENDS ${source} ${openmp_headers} ${pass} VERBATIM COMMAND_EXPAND_LISTS COMMENT "Compiling ${name}.c for recorded programs with OpenMP")
  list(APPEND openmp_objects ${object})
endforeach()
set(openmp ${built}/libmatchpoint_openmp.a)
add_custom_command(OUTPUT ${openmp} COMMAND ${CMAKE_COMMAND} -E rm -f ${openmp} COMMAND ${CMAKE_AR} rcs ${openmp} ${openmp_objects}
  DEPENDS ${openmp_objects} VERBATIM COMMENT "Linking libmatchpoint_openmp")
configure_file(threads/openmp/omp.h ${built}/openmp/omp.h COPYONLY)
install(FILES ${built}/openmp/omp.h DESTINATION ${CMAKE_INSTALL_LIBDIR}/matchpoint/openmp COMPONENT matchpoint)

# The compilers, which find the two beside them in the build tree, and by a relative path when they are installed.
set(MATCHPOINT_THREADS_FROM_BIN ${from_installed})
foreach(wrapper cc c++)
  set(MATCHPOINT_THREADS_VARIABLE CC)
  set(MATCHPOINT_THREADS_COMPILER clang-${llvm_version})
  if(wrapper STREQUAL "c++")
    set(MATCHPOINT_THREADS_VARIABLE CXX)
    set(MATCHPOINT_THREADS_COMPILER clang++-${llvm_version})
  endif()
  configure_file(threads/matchpoint-cc.in ${built}/matchpoint-${wrapper} @ONLY FILE_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
  install(PROGRAMS ${built}/matchpoint-${wrapper} DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT matchpoint)
  configure_file(threads/matchpoint-cc.1 ${built}/matchpoint-${wrapper}.1 COPYONLY)
  install(FILES ${built}/matchpoint-${wrapper}.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT matchpoint)
endforeach()
# GCC with the instrumentation of ThreadSanitizer, whose library an empty script of the linker replaces.
file(WRITE ${built}/gcc/libtsan.so "/* The functions are in libmatchpoint_threads.so. */\n")
install(FILES ${built}/gcc/libtsan.so DESTINATION ${CMAKE_INSTALL_LIBDIR}/matchpoint/gcc COMPONENT matchpoint)
foreach(wrapper gcc g++)
  set(MATCHPOINT_THREADS_VARIABLE GCC)
  if(wrapper STREQUAL "g++")
    set(MATCHPOINT_THREADS_VARIABLE GXX)
  endif()
  set(MATCHPOINT_THREADS_COMPILER ${wrapper})
  configure_file(threads/matchpoint-gcc.in ${built}/matchpoint-${wrapper} @ONLY FILE_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
  install(PROGRAMS ${built}/matchpoint-${wrapper} DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT matchpoint)
  configure_file(threads/matchpoint-cc.1 ${built}/matchpoint-${wrapper}.1 COPYONLY)
  install(FILES ${built}/matchpoint-${wrapper}.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT matchpoint)
endforeach()
install(FILES ${runtime} ${pass} ${openmp} DESTINATION ${CMAKE_INSTALL_LIBDIR}/matchpoint COMPONENT matchpoint)
add_custom_target(matchpoint_thread_recorder ALL DEPENDS ${runtime} ${pass} ${openmp})
add_dependencies(matchpoint_recorders matchpoint_thread_recorder)
