# SPDX-License-Identifier: Apache-2.0
# Configures, builds and runs the consumer project; `way` is `installed` or `subdirectory`.
# As deep as weft's own build, from where the sources are named by the same relative paths: so the compiler's cache
# has what it has compiled for that. The whole library once more takes minutes.
set(work ${weft_build}-consumer-${way})
file(REMOVE_RECURSE ${work})

function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

if(way STREQUAL "installed")
  run(${CMAKE_COMMAND} --install ${weft_build} --prefix ${work}/prefix)
  set(where -D CMAKE_PREFIX_PATH=${work}/prefix)
else()
  set(where -D WEFT_SOURCE=${weft_source} -D CMAKE_BUILD_TYPE=Release
    -D WEFT_WARNINGS_AS_ERRORS=${warnings_as_errors} -D WEFT_INCLUDE_TREE=${work}/include)
endif()
run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR} -B ${work} -G ${generator}
  -D CMAKE_CXX_COMPILER=${compiler} ${where})
run(${CMAKE_COMMAND} --build ${work})
run(${work}/consumer)
