# Tests that are scripts.
if(MATCHPOINT_TEST_PREFIX)
  # With sanitizers: bad arguments and bad input, a two-hundredth as large.
  matchpoint_script_test(usage tests/cli/usage.py)
  matchpoint_script_test(torture tests/cli/torture.py --part 200)
else()
  # The tree.
  matchpoint_script_test(architecture tests/architecture.py)
  add_test(NAME format COMMAND ${PROJECT_SOURCE_DIR}/scripts/format --check)
  add_test(NAME tidy COMMAND ${PROJECT_SOURCE_DIR}/scripts/tidy --jobs 1)
  # The binary.
  matchpoint_script_test(golden_traces tests/golden/transcript.py --check traces traces/errata)
  matchpoint_script_test(documentation tests/golden/transcript.py --check README.md docs/*.md tests/golden/*.md)
  matchpoint_script_test(citations tests/docs/links.py)
  matchpoint_script_test(expectations tests/golden/expectations.py)
  matchpoint_script_test(json_schema tests/cli/json_schema.py)
  matchpoint_script_test(help tests/cli/help.py)
  matchpoint_script_test(draw tests/cli/draw.py)
  matchpoint_script_test(page tests/cli/page.py)
  matchpoint_script_test(oracle tests/cli/oracle.py)
  matchpoint_script_test(gen tests/cli/gen.py)
  matchpoint_script_test(limits tests/cli/limits.py)
  matchpoint_script_test(tables tests/cli/tables.py)
  matchpoint_script_test(step tests/cli/step.py)
  matchpoint_script_test(step_stops tests/cli/step_stops.py)
  matchpoint_script_test(step_terminal tests/cli/step_terminal.py)
  matchpoint_script_test(suite tests/cli/suite.py)
  matchpoint_script_test(mutants tests/mutants/mutants.py)
  set_property(TEST mutants APPEND PROPERTY ENVIRONMENT "MATCHPOINT_MUTANTS=$<TARGET_FILE:mutants>")
  matchpoint_script_test(usage tests/cli/usage.py)
  matchpoint_script_test(certificate tests/cli/certificate.py)
  matchpoint_script_test(certificate_attacks tests/cli/certificate_attacks.py)
  matchpoint_script_test(certificate_reader tests/cli/certificate_reader.py)
  matchpoint_script_test(certificate_reasons tests/cli/certificate_reasons.py)
  matchpoint_script_test(check tests/cli/check.py)
  matchpoint_script_test(validate tests/cli/validate.py)
  matchpoint_script_test(errata tests/cli/errata.py)
  matchpoint_script_test(faults tests/cli/faults.py)
  matchpoint_script_test(fmt_in_place tests/cli/fmt_in_place.py)
  matchpoint_script_test(torture tests/cli/torture.py --part 4)
  # The installed package.
  matchpoint_script_test(install_and_consume tests/install/install.py --build ${PROJECT_BINARY_DIR}
    --work ${CMAKE_CURRENT_BINARY_DIR}/install)

  set_tests_properties(format PROPERTIES LABELS quick)
  set_tests_properties(tidy PROPERTIES COST 200) # takes longest
  set_tests_properties(tidy errata faults torture mutants validate certificate certificate_attacks certificate_reasons fmt_in_place
    json_schema install_and_consume draw page suite PROPERTIES LABELS slow)
endif()
