# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` and `cpack` put where. The package carries the two libraries of libtorch that a CPU run loads, so
# it works where setup.sh never ran.
include_guard()
include(GNUInstallDirs)
set(package_libraries ${CMAKE_INSTALL_LIBDIR}/concertina)

foreach(program concertina concertina-rank concertina-workbench)
    if(TARGET ${program})
        set_target_properties(${program} PROPERTIES INSTALL_RPATH "$ORIGIN/../${package_libraries}")
        install(TARGETS ${program} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
    endif()
endforeach()
install(FILES ${TORCH_DIR}/lib/libtorch_cpu.so ${TORCH_DIR}/lib/libc10.so ${TORCH_cudart} ${TORCH_cupti}
    DESTINATION ${package_libraries})
install(DIRECTORY experiments/first experiments/smoke DESTINATION ${CMAKE_INSTALL_DATADIR}/concertina/experiments)
install(FILES LICENSE LICENSE-APACHE-2.0 LICENSE-GPL-3.0 README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
if(HAVE_GUI)
    install(FILES installer/concertina.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
    install(FILES resources/icons/concertina.svg DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps)
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "The Concertina developers <concertina@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS dataset-fashion-mnist)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${torch_runtime_dirs})
include(CPack)
