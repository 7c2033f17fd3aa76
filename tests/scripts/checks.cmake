# SPDX-License-Identifier: Apache-2.0
# Checks of the tree itself: layers, the table of ops, formatting, README, and weft as another project's dependency.
set(scripts ${PROJECT_SOURCE_DIR}/scripts)
set(python ${Python3_EXECUTABLE} -B)  # -B: no caches in the source tree

add_test(NAME layers COMMAND ${python} ${scripts}/check_layers.py ${PROJECT_SOURCE_DIR})
get_property(rooms GLOBAL PROPERTY weft_rooms)
set(text "")
foreach(room ${rooms})
  string(REPLACE "/" "_" target weft_${room})
  string(APPEND text "${room} $<JOIN:$<TARGET_OBJECTS:${target}>, >\n")
endforeach()
file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/rooms.txt CONTENT "${text}")
add_test(NAME links COMMAND ${python} ${scripts}/check_links.py ${PROJECT_BINARY_DIR}/rooms.txt)
add_test(NAME licence COMMAND ${python} ${scripts}/check_licence.py ${PROJECT_SOURCE_DIR})
add_test(NAME op_table COMMAND ${python} ${scripts}/op_table.py --check ${PROJECT_SOURCE_DIR})
foreach(test check_layers check_links check_snippets check_op_table)
  add_test(NAME scripts/${test}_test
    COMMAND ${python} ${CMAKE_CURRENT_SOURCE_DIR}/scripts/${test}_test.py)
endforeach()

add_test(NAME quotes COMMAND ${python} ${scripts}/check_quotes.py
  ${PROJECT_SOURCE_DIR}/docs/adding-an-op.md ${PROJECT_SOURCE_DIR}/examples/own_op.cpp
  ${PROJECT_SOURCE_DIR}/examples/own_elementwise_op.cpp)

add_test(NAME format COMMAND bash ${scripts}/format.sh --check)
set_tests_properties(format PROPERTIES SKIP_RETURN_CODE 77)  # another clang-format's opinion

# The C++ blocks of README and the pages become programs when CMake runs, which it does again when those change. Once
# is enough, without sanitizers: they are not what finds mistakes in them.
if(NOT is_sanitized)
  file(GLOB pages CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/docs/*.md)
  list(REMOVE_ITEM pages ${PROJECT_SOURCE_DIR}/docs/adding-an-op.md)  # quotes an example, which is compiled
  list(APPEND pages ${PROJECT_SOURCE_DIR}/README.md)
  set(snippets ${PROJECT_BINARY_DIR}/readme)
  set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
    ${pages} ${scripts}/check_snippets.py)
  execute_process(COMMAND ${python} ${scripts}/check_snippets.py extract ${pages} ${snippets}
    COMMAND_ERROR_IS_FATAL ANY)
  file(GLOB sources ${snippets}/*.cpp)
  foreach(source ${sources})
    cmake_path(GET source STEM name)
    add_executable(${name} ${source})
    target_link_libraries(${name} PRIVATE weft::io)
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${snippets}/bin)
  endforeach()
  add_test(NAME readme COMMAND ${python} ${scripts}/check_snippets.py run ${snippets})
endif()

# Builds the library anew, so once is enough: where users' flags are.
if(CMAKE_BUILD_TYPE STREQUAL "Release")
  foreach(way installed subdirectory)
    add_test(NAME consumer/${way} COMMAND ${CMAKE_COMMAND}
      -D way=${way}
      -D weft_source=${PROJECT_SOURCE_DIR}
      -D weft_build=${PROJECT_BINARY_DIR}
      -D warnings_as_errors=${WEFT_WARNINGS_AS_ERRORS}
      -D generator=${CMAKE_GENERATOR}
      -D compiler=${CMAKE_CXX_COMPILER}
      -P ${CMAKE_CURRENT_SOURCE_DIR}/consumer/run.cmake)
  endforeach()
endif()
