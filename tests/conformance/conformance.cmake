# The conformance runner, with a CTest entry for each case file and way of evaluating it.
file(GLOB sources CONFIGURE_DEPENDS conformance/*.cpp)
weft_test_program(weft_conformance ${sources})
target_link_libraries(weft_conformance PRIVATE nlohmann_json::nlohmann_json)

function(weft_conformance_test stem mode)
  set(name conformance/${stem}${mode})
  set(file ${CMAKE_CURRENT_SOURCE_DIR}/conformance/cases/${stem}.jsonl)
  add_test(NAME ${name} COMMAND weft_conformance ${mode} ${ARGN} ${file})
  # A file whose every case is skipped tests nothing.
  set_tests_properties(${name} PROPERTIES FAIL_REGULAR_EXPRESSION "(^|\n)0 passed")
endfunction()

foreach(mode "" --naive --stored --tensor-parameters --programs)
  foreach(stem fills policy roll slice_scatter tile transpose)
    weft_conformance_test(${stem} "${mode}")
  endforeach()
  # These use ops that are still to come.
  foreach(stem errors extra_ops pipelines)
    weft_conformance_test(${stem} "${mode}" --skip-unknown-ops)
  endforeach()
  # What may be skipped is counted: a mistyped op name must not pass for an op still to come.
  set_tests_properties(conformance/errors${mode} PROPERTIES
    PASS_REGULAR_EXPRESSION "(^|\n)145 passed, 0 failed, 5 skipped")
  set_tests_properties(conformance/extra_ops${mode} PROPERTIES
    PASS_REGULAR_EXPRESSION "(^|\n)240 passed, 0 failed, 360 skipped")
  set_tests_properties(conformance/pipelines${mode} PROPERTIES
    PASS_REGULAR_EXPRESSION "(^|\n)827 passed, 0 failed, 1173 skipped")
endforeach()
weft_conformance_test(huge "" --skip-unknown-ops)  # too large for any way but the fused one
set_tests_properties(conformance/huge PROPERTIES
  PASS_REGULAR_EXPRESSION "(^|\n)78 passed, 0 failed, 122 skipped")
