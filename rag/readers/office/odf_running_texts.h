// Headers and footers of OpenDocument files. Internal to rag/readers. Threads: pure functions.
#pragma once

#include <pugixml.hpp>

#include "rag/readers/running_texts.h"

namespace mneme::readers {

// Those of the master pages of texts and spreadsheets (styles.xml), and the footers that slides share (content.xml).
// The master pages of presentations hold places for text, no text.
void take_odf_running_texts(const pugi::xml_document& styles, const pugi::xml_document& content, RunningTexts& running);

}  // namespace mneme::readers
