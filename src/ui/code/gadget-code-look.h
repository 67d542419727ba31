/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How a piece of code looks: its colours in the light and in the dark scheme, bold, italic. The
 * same look has the same number, everywhere and for as long as the program runs; 0 is plain text. */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef guint16 GadgetCodeLook;

/**
 * GadgetCodeGround:
 * @GADGET_CODE_ON_VIEW: the background of the view
 * @GADGET_CODE_ON_TINT: the same under the tints of a difference
 *
 * What code stands on: its colors are to be readable there.
 */
typedef enum
{
  GADGET_CODE_ON_VIEW,
  GADGET_CODE_ON_TINT,
  GADGET_CODE_N_GROUNDS
} GadgetCodeGround;

typedef struct
{
  guint32 light; /* 0xRRGGBB + GADGET_CODE_COLORED, or 0 for that of the text */
  guint32 dark;
  guint8 weight; /* 0 as it is, 1 bold, 2 not bold */
  guint8 slant;  /* 0 as it is, 1 italic, 2 not italic */
  guint8 underlined;
  guint8 struck;
} GadgetCodeStyle;

#define GADGET_CODE_COLORED 0x1000000u

GadgetCodeLook gadget_code_look_intern   (const GadgetCodeStyle *style);

/* What @inner within @outer looks like. */
GadgetCodeLook gadget_code_look_combine  (GadgetCodeLook         outer,
                                          GadgetCodeLook         inner);

/* Adds it for bytes [start, end) of a text, as it is in the style of now. Colours that would be
 * hard to read on the background are moved towards that of the text. */
void           gadget_code_look_add      (GadgetCodeLook         look,
                                          GadgetCodeGround       ground,
                                          PangoAttrList         *attributes,
                                          guint                  start,
                                          guint                  end);

G_END_DECLS
