# `cmake --install`: the program, its models and samples, the manual page, completions, notices, and what a desktop needs to
# list it. The manual page and
# the completions are written by the program itself, from the declarations of its commands, with a home of its own: who
# installs may have none, or one whose configuration does not suit.
include(GNUInstallDirs)

install(TARGETS mneme RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
# Where the program looks for them: ../share/mneme, seen from its own folder (app/session.cpp).
install(DIRECTORY "${PROJECT_SOURCE_DIR}/assets/models" "${PROJECT_SOURCE_DIR}/assets/samples"
  DESTINATION "${CMAKE_INSTALL_DATADIR}/mneme")
install(FILES README.md CHANGELOG.md THIRD-PARTY.md LICENSE DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(DIRECTORY docs/ DESTINATION "${CMAKE_INSTALL_DOCDIR}/docs" FILES_MATCHING PATTERN "*.md" PATTERN "*.svg"
  PATTERN "*.png")

get_target_property(ui_type mneme_ui TYPE)
if(NOT ui_type STREQUAL "INTERFACE_LIBRARY") # it has a window
  set(desktop "${PROJECT_SOURCE_DIR}/assets/desktop")
  set(icons "${CMAKE_INSTALL_DATADIR}/icons/hicolor")
  install(FILES "${desktop}/mneme.desktop" DESTINATION "${CMAKE_INSTALL_DATADIR}/applications")
  install(FILES "${desktop}/mneme.svg" DESTINATION "${icons}/scalable/apps")
  foreach(size 48 128)
    install(FILES "${desktop}/mneme-${size}.png" DESTINATION "${icons}/${size}x${size}/apps" RENAME mneme.png)
  endforeach()
endif()

set(reference "${PROJECT_BINARY_DIR}/reference")
# Another installation from this folder waits: it writes the same files.
install(CODE "file(LOCK \"${reference}.lock\" GUARD PROCESS)")
function(mneme_install_reference form name destination)
  install(CODE "
    file(MAKE_DIRECTORY \"${reference}\")
    execute_process(COMMAND \"$<TARGET_FILE:mneme>\" --home \"${reference}\" reference ${form}
      OUTPUT_FILE \"${reference}/${name}\"
      COMMAND_ERROR_IS_FATAL ANY)")
  install(FILES "${reference}/${name}" DESTINATION "${destination}" ${ARGN})
endfunction()
mneme_install_reference(man mneme.1 "${CMAKE_INSTALL_MANDIR}/man1")
mneme_install_reference(bash mneme.bash "${CMAKE_INSTALL_DATADIR}/bash-completion/completions" RENAME mneme)
mneme_install_reference(zsh _mneme "${CMAKE_INSTALL_DATADIR}/zsh/site-functions")
mneme_install_reference(fish mneme.fish "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d")
