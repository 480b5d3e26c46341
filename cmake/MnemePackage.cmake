# `cpack --config build/release/CPackConfig.cmake`: a Debian package of what `cmake --install` installs. Which libraries it
# depends on is read off the program.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME mneme)
set(CPACK_PACKAGE_VERSION "${PROJECT_VERSION}")
set(CPACK_PACKAGE_CONTACT "The mneme authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "ask your own documents, on your own machine, with citations")
set(CPACK_PACKAGE_DESCRIPTION "Indexes folders of documents and answers questions about them, with the document, page and
lines that each answer stands on, in a window or on the command line. Everything happens
on this machine; answers are quoted, or written by a GGUF model of yours.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION text)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS poppler-utils)  # programs that it runs
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "fonts-inter, fonts-noto-core, xdg-utils, zenity")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "fonts-noto-cjk, tesseract-ocr")
include(CPack)
