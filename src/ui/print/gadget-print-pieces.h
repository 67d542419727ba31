/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "store/export/gadget-export-blocks.h"

#include <pango/pango.h>

G_BEGIN_DECLS

/* What a piece looks like. */
typedef enum
{
  GADGET_PRINT_TITLE,
  GADGET_PRINT_SPEAKER,
  GADGET_PRINT_TEXT,
  GADGET_PRINT_DIM,
  GADGET_PRINT_HEADING,
  GADGET_PRINT_CODE, /* on a tint over the whole width, as prompts are */
  GADGET_PRINT_PROMPT,
  GADGET_PRINT_RULE,
  GADGET_PRINT_ROW,  /* of a table */
  GADGET_PRINT_HEAD, /* the row with the heads of a table */
  GADGET_PRINT_PICTURE,
} GadgetPrintLook;

typedef struct
{
  char *text;
  PangoAttrList *attributes; /* (nullable) */
  PangoAlignment alignment;
} GadgetPrintText;

/* A part of a page: one text of at most some kilobytes, a row of a table with a text for each column,
 * or an image. Distances are in points. */
typedef struct
{
  GadgetPrintLook look;
  guint level; /* of a heading: 1 to 6 */
  guint n_texts;
  GadgetPrintText *texts;
  double *widths;   /* of a row: the share of the width that each column gets */
  double gap;       /* above, unless it begins a page */
  double indent;
  guint n_quotes;   /* around it, each with a bar at its side */
  gboolean goes_on; /* it is followed by another piece of the same text */
  char *marker;     /* (nullable): before its first line, in the indent */
  GBytes *picture;  /* (nullable): a PNG file */
  guint width;      /* of the image, in pixels */
  guint height;
} GadgetPrintPiece;

/* Returns the pieces of the parts of chats (element-type GadgetPrintPiece). @blocks: (element-type
 * GadgetExportBlock). @monospace: the family of code. May be called in any thread. (transfer full)
 * (nullable): NULL when @cancellable was cancelled */
GPtrArray *gadget_print_pieces_new (GPtrArray    *blocks,
                                    const char   *monospace,
                                    GCancellable *cancellable);

G_END_DECLS
