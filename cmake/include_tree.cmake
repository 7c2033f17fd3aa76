# SPDX-License-Identifier: Apache-2.0
# Lays out WEFT_INCLUDE_TREE/weft, so that an include is spelled the same here and installed.
set(weft_include ${WEFT_INCLUDE_TREE}/weft)
file(MAKE_DIRECTORY ${weft_include})
foreach(entry graph ops engine io cli testing weft.h eigen.h op.h
    elementwise_op.h)
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/${entry} ${weft_include}/${entry} COPY_ON_ERROR SYMBOLIC)
endforeach()

# ops.h includes every op's header; nobody keeps a list. The glob is sorted by name.
file(GLOB_RECURSE headers RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/ops/*.h)
set(text "// Every op's header, listed by the build.\n#pragma once\n\n")
foreach(header ${headers})
  string(APPEND text "#include <weft/${header}>\n")
endforeach()
file(CONFIGURE OUTPUT ${weft_include}/ops.h CONTENT "${text}" @ONLY)  # writes only what differs

# So does the table of ops, which each header declares as `extern const Op NAME_op;`.
include(${CMAKE_CURRENT_LIST_DIR}/found.cmake)
weft_found("extern const Op ([a-z0-9_]+_op);" "${headers}" "      &\\1," entries)
set(text "// Every op, listed by the build.\n#include <weft/ops.h>\n\nnamespace weft {\n\n")
string(APPEND text "std::span<const Op* const> op_table() {\n  static constexpr const Op* all[] = {\n")
string(APPEND text "${entries}  };\n  return all;\n}\n\n}  // namespace weft\n")
set(weft_op_table ${PROJECT_BINARY_DIR}/op_table.cpp)
file(CONFIGURE OUTPUT ${weft_op_table} CONTENT "${text}" @ONLY)

# And the tables of kernels, each of which its file declares as `extern const KernelDefinition NAME_kernel;`,
# and of those that compute, as `extern const ComputeDefinition NAME_compute;`.
file(GLOB_RECURSE kernels CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/engine/kernels/*.cpp)
set(weft_kernel_table "")
function(weft_kernel_table type kind header)
  set(pattern "extern const ${type} ([a-z0-9_]+_${kind});")
  weft_found("${pattern}" "${kernels}" "extern const ${type} \\1;" declarations)
  weft_found("${pattern}" "${kernels}" "      &\\1," entries)
  string(CONCAT text "// Every kernel, listed by the build.\n#include <weft/engine/kernels/${header}>\n\n"
    "namespace weft {\n\n${declarations}\nstd::span<const ${type}* const> ${kind}_table() {\n"
    "  static constexpr const ${type}* all[] = {\n${entries}  };\n  return all;\n}\n\n"
    "}  // namespace weft\n")
  set(table ${PROJECT_BINARY_DIR}/${kind}_table.cpp)
  file(CONFIGURE OUTPUT ${table} CONTENT "${text}" @ONLY)
  set(weft_kernel_table ${weft_kernel_table} ${table} PARENT_SCOPE)
endfunction()
weft_kernel_table(KernelDefinition kernel kernel.h)
weft_kernel_table(ComputeDefinition compute compute.h)
