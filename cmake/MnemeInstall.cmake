# `cmake --install`: the program, its models and samples, the manual page, completions and notices. The manual page and
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

set(reference "${PROJECT_BINARY_DIR}/reference")
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
