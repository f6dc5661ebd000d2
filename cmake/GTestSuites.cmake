# CTest includes this: one test for each suite of a GoogleTest binary. (Starting a process for each test would take longer
# than most unit tests.)
#   BINARY; PREFIX, of the names; PROPERTIES, of the tests
if(NOT EXISTS "${BINARY}")
  add_test("${PREFIX}${BINARY}_NOT_BUILT" "${BINARY}")
  return()
endif()
execute_process(COMMAND "${BINARY}" --gtest_list_tests OUTPUT_VARIABLE listed)
string(REGEX MATCHALL "\n[^ \n]+\\." suites "\n${listed}")
foreach(suite IN LISTS suites)
  string(REGEX REPLACE "\n(.*)\\." "\\1" suite "${suite}")
  add_test("${PREFIX}${suite}" "${BINARY}" "--gtest_filter=${suite}.*")
  set_tests_properties("${PREFIX}${suite}" PROPERTIES ${PROPERTIES})
endforeach()
