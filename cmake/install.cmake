# SPDX-License-Identifier: Apache-2.0
# Installs headers, library and the package files that find_package(weft) reads.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/weft)
install(TARGETS ${weft_libraries} EXPORT weftTargets)
install(EXPORT weftTargets NAMESPACE weft:: DESTINATION ${package_dir})
install(DIRECTORY graph ops engine testing DESTINATION include/weft FILES_MATCHING PATTERN *.h)
if(TARGET weft_io)
  # What files are made of stays here.
  foreach(header file options npy npz safetensors png jpeg raw program_json)
    install(FILES io/${header}.h DESTINATION include/weft/io)
  endforeach()
endif()
install(FILES cli/parse_pipeline.h DESTINATION include/weft/cli)
if(TARGET weft_command)
  install(TARGETS weft_command)
  install(FILES ${PROJECT_BINARY_DIR}/weft.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES ${PROJECT_BINARY_DIR}/weft.bash RENAME weft
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${PROJECT_BINARY_DIR}/_weft DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
endif()
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES weft.h eigen.h op.h elementwise_op.h ${weft_include}/ops.h DESTINATION include/weft)

get_target_property(weft_type weft TYPE)
string(JOIN " " weft_io_needs ${weft_io_packages})
configure_package_config_file(cmake/weftConfig.cmake.in weftConfig.cmake
  INSTALL_DESTINATION ${package_dir} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(weftConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/weftConfig.cmake ${PROJECT_BINARY_DIR}/weftConfigVersion.cmake
  DESTINATION ${package_dir})
