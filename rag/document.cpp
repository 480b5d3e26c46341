#include "rag/document.h"
