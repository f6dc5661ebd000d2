# Installs the build into an empty prefix, builds a program outside the project against what find_package(matchpoint)
# finds there, and runs it and the installed binary.
#   cmake -DBUILD=... -DSOURCE=... -DWORK=... -P run.cmake
file(REMOVE_RECURSE ${WORK})
set(prefix ${WORK}/prefix)

function(run expected)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0 OR NOT output MATCHES "${expected}")
    message(FATAL_ERROR "${ARGN}\nexit ${result}, wanted 0 and \"${expected}\"; printed:\n${output}")
  endif()
endfunction()

run("" ${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})
run("" ${CMAKE_COMMAND} -S ${SOURCE}/consumer -B ${WORK}/build -DCMAKE_PREFIX_PATH=${prefix} -DCMAKE_BUILD_TYPE=Release)
run("" ${CMAKE_COMMAND} --build ${WORK}/build)
run("failure, 2 matches: r1 = s1, r2 = s2" ${WORK}/build/consumer)
run("matchpoint 0\\.1\\.0" ${prefix}/bin/matchpoint --version)
