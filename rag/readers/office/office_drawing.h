// What the drawings of Office files say: charts, SmartArt, shapes with text. Parts of DrawingML, which Word, Excel and
// PowerPoint share. Internal to rag/readers. Threads: pure functions.
#pragma once

#include <pugixml.hpp>
#include <string>

#include "rag/readers/document_builder.h"

namespace mneme::readers {

// What a chart shows besides its titles: sheets hold the numbers of their own charts.
enum class ChartNumbers { kLeftOut, kAsTable };

// The part that a drawing shows. Of a chart its title, the titles of its axes, and a table of its numbers; of SmartArt
// its texts (its data part) as a list, each below what it belongs to.
void add_drawing(const pugi::xml_document& part, ChartNumbers numbers, DocumentBuilder& builder);

// The text of a paragraph of DrawingML (a:p).
std::string drawing_paragraph(const pugi::xml_node& paragraph);

// All paragraphs (a:p) below a node, each as a paragraph.
void add_drawing_paragraphs(const pugi::xml_node& node, int depth_left, DocumentBuilder& builder);

// ... as one line of text.
std::string drawing_text(const pugi::xml_node& node, int depth_left);

}  // namespace mneme::readers
