/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A colour: none, one of 256, or any. The kind is in the highest byte. */
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

typedef void (*GadgetTerminalFunc) (gsize                      start,
                                    gsize                      end,
                                    const GadgetTerminalStyle *style,
                                    gpointer                   user_data);

/**
 * GadgetTerminalText:
 *
 * What a terminal would show of a program's output, as one text: carriage returns and backspaces
 * overwrite their line, styles (ECMA-48, SGR) are kept beside the text, and every other control is
 * dropped. Lines that are ended never change. Takes time and memory for what it is fed, whatever
 * that is.
 */
typedef struct _GadgetTerminalText GadgetTerminalText;

GadgetTerminalText *gadget_terminal_text_new     (void);
void                gadget_terminal_text_free    (GadgetTerminalText *self);

/* Whether a text is anything else than it looks. */
gboolean            gadget_terminal_text_is_needed (const char       *text,
                                                  gsize               length);
void                gadget_terminal_text_feed    (GadgetTerminalText *self,
                                                  const char         *text,
                                                  gsize               length);
const char         *gadget_terminal_text_get     (GadgetTerminalText *self,
                                                  gsize              *length);

/* Calls FUNC for what is styled between two places. */
void                gadget_terminal_text_foreach (GadgetTerminalText *self,
                                                  gsize               start,
                                                  gsize               end,
                                                  GadgetTerminalFunc  func,
                                                  gpointer            user_data);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetTerminalText, gadget_terminal_text_free)

G_END_DECLS
