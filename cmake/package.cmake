# Installing: the library with its headers, the CMake package discern::discern, the pkg-config file and,
# where the command-line tool is built, the tool with its man page and shell completions.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/discern)
set(package_build_dir ${PROJECT_BINARY_DIR}/package)

install(TARGETS discern EXPORT discern ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
# The public headers: discern.hpp and what it includes. Everything else may change from one day to the next.
set(include_dir ${CMAKE_INSTALL_INCLUDEDIR}/discern)
install(FILES ${PROJECT_SOURCE_DIR}/discern/discern.hpp DESTINATION ${include_dir})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/discern/api ${PROJECT_SOURCE_DIR}/discern/options DESTINATION ${include_dir}
        FILES_MATCHING PATTERN "*.hpp" PATTERN tables.hpp EXCLUDE)
foreach(header certificate error fields index progress)
  install(FILES ${PROJECT_SOURCE_DIR}/discern/base/${header}.hpp DESTINATION ${include_dir}/base)
endforeach()

install(EXPORT discern NAMESPACE discern:: FILE discernTargets.cmake DESTINATION ${package_dir})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/discernConfig.cmake.in
  ${package_build_dir}/discernConfig.cmake INSTALL_DESTINATION ${package_dir})
# Before 1.0 a new minor version may change the interface.
write_basic_package_version_file(${package_build_dir}/discernConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${package_build_dir}/discernConfig.cmake ${package_build_dir}/discernConfigVersion.cmake
              ${PROJECT_SOURCE_DIR}/cmake/FindxxHash.cmake
        DESTINATION ${package_dir})

# The .pc file finds its own prefix, so that the installed tree can be moved as a whole.
set(pkgconfig_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH prefix_from_pc /prefix/${pkgconfig_dir} /prefix)
string(REGEX REPLACE "/$" "" prefix_from_pc "${prefix_from_pc}")
get_target_property(pkgconfig_definitions discern INTERFACE_COMPILE_DEFINITIONS)
list(TRANSFORM pkgconfig_definitions PREPEND -D)
list(JOIN pkgconfig_definitions " " pkgconfig_definitions)
configure_file(${PROJECT_SOURCE_DIR}/cmake/discern.pc.in ${package_build_dir}/discern.pc @ONLY)
install(FILES ${package_build_dir}/discern.pc DESTINATION ${pkgconfig_dir})

# The man page and the completions come from the tool itself, so they cannot disagree with it.
if(TARGET discern_cli AND NOT CMAKE_CROSSCOMPILING)
  set(extras_dir ${PROJECT_BINARY_DIR}/extras)
  file(MAKE_DIRECTORY ${extras_dir})
  add_custom_command(
    OUTPUT ${extras_dir}/discern.1 ${extras_dir}/discern.bash ${extras_dir}/_discern ${extras_dir}/discern.fish
    COMMAND discern_cli man > ${extras_dir}/discern.1
    COMMAND discern_cli completion bash > ${extras_dir}/discern.bash
    COMMAND discern_cli completion zsh > ${extras_dir}/_discern
    COMMAND discern_cli completion fish > ${extras_dir}/discern.fish
    DEPENDS discern_cli
    COMMENT "Writing the man page and the shell completions" VERBATIM)
  add_custom_target(discern_extras ALL DEPENDS ${extras_dir}/discern.1)
  install(FILES ${extras_dir}/discern.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES ${extras_dir}/discern.bash RENAME discern
          DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${extras_dir}/_discern DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  install(FILES ${extras_dir}/discern.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()

install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
