# SPDX-License-Identifier: Apache-2.0
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
  foreach(stem errors extra_ops fills pipelines policy roll slice_scatter tile transpose)
    weft_conformance_test(${stem} "${mode}")
  endforeach()
endforeach()
weft_conformance_test(huge "")  # too large for any way but the fused one
