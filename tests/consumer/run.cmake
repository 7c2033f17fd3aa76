# SPDX-License-Identifier: Apache-2.0
# Configures, builds and runs the consumer project; `way` is `installed` or `subdirectory`.
set(work ${weft_build}/consumer/${way})
file(REMOVE_RECURSE ${work})

function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

if(way STREQUAL "installed")
  run(${CMAKE_COMMAND} --install ${weft_build} --prefix ${work}/prefix)
  set(where -D CMAKE_PREFIX_PATH=${work}/prefix)
else()
  set(where -D WEFT_SOURCE=${weft_source})
endif()
run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR} -B ${work}/build -G ${generator}
  -D CMAKE_CXX_COMPILER=${compiler} ${where})
run(${CMAKE_COMMAND} --build ${work}/build)
run(${work}/build/consumer)
