/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-row.h"

G_BEGIN_DECLS

/* A segment of a response or of a note, written in Markdown. */
#define GADGET_TYPE_MARKDOWN_ROW (gadget_markdown_row_get_type ())
G_DECLARE_FINAL_TYPE (GadgetMarkdownRow, gadget_markdown_row, GADGET, MARKDOWN_ROW, GadgetRow)

G_END_DECLS
