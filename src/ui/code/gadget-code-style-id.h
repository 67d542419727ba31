/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Styles of code: colors in the light and in the dark scheme, bold, italic. Equal styles have the
 * same id, everywhere and as long as the process runs; 0 is plain text. */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The id of a style. */
typedef guint16 GadgetCodeStyleId;

/**
 * GadgetCodeGround:
 * @GADGET_CODE_ON_VIEW: the background of the view
 * @GADGET_CODE_ON_TINT: the same below the tints of a diff
 *
 * The background that colors must be readable on.
 */
typedef enum
{
  GADGET_CODE_ON_VIEW,
  GADGET_CODE_ON_TINT,
  GADGET_CODE_N_GROUNDS
} GadgetCodeGround;

/* How a piece of code looks. Colors are 0xRRGGBB + GADGET_CODE_COLORED, or 0 for the color of the
 * text. */
typedef struct
{
  guint32 light; /* in the light scheme */
  guint32 dark;
  guint8 weight; /* 0 unset, 1 bold, 2 not bold */
  guint8 slant;  /* 0 unset, 1 italic, 2 not italic */
  guint8 underlined;
  guint8 struck;
} GadgetCodeStyle;

#define GADGET_CODE_COLORED 0x1000000u

/* Returns the id of a style, which is added if it is new. */
GadgetCodeStyleId gadget_code_style_id_intern  (const GadgetCodeStyle *style);

/* Returns the style of @inner inside @outer: where @inner sets nothing, @outer applies. */
GadgetCodeStyleId gadget_code_style_id_combine (GadgetCodeStyleId      outer,
                                                GadgetCodeStyleId      inner);

/* Adds attributes for bytes [start, end) of a text, for the current color scheme. Colors that would
 * be hard to read on @ground are mixed with the color of the text. */
void              gadget_code_style_id_add     (GadgetCodeStyleId      style_id,
                                                GadgetCodeGround       ground,
                                                PangoAttrList         *attributes,
                                                guint                  start,
                                                guint                  end);

G_END_DECLS
