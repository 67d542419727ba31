/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A color: none, one of a palette of 256, or any RGB color. The kind is in the highest byte. */
typedef guint32 GadgetTerminalColor;

#define GADGET_TERMINAL_COLOR_NONE 0u
#define GADGET_TERMINAL_COLOR_INDEX(index) (1u << 24 | (guint32) (index))
#define GADGET_TERMINAL_COLOR_RGB(r, g, b)                                                        \
  (2u << 24 | (guint32) (r) << 16 | (guint32) (g) << 8 | (guint32) (b))

typedef enum
{
  GADGET_TERMINAL_BOLD = 1 << 0,
  GADGET_TERMINAL_DIM = 1 << 1,
  GADGET_TERMINAL_ITALIC = 1 << 2,
  GADGET_TERMINAL_UNDERLINE = 1 << 3,
  GADGET_TERMINAL_INVERSE = 1 << 4,
  GADGET_TERMINAL_STRIKE = 1 << 5,
} GadgetTerminalFlags;

typedef struct
{
  GadgetTerminalColor foreground;
  GadgetTerminalColor background;
  GadgetTerminalFlags flags;
} GadgetTerminalStyle;

G_END_DECLS
