/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A transcript with an answer in Markdown, and what its row shows. */

#pragma once

#include "gadget-test-ui.h"
#include "ui/transcript/gadget-transcript-private.h"

G_BEGIN_DECLS

typedef struct
{
  GadgetSession *session;
  GadgetItem *item;
  GtkWidget *window;
  GadgetTranscript *transcript;
  char *opened;
} Fixture;

#define DOCUMENT                                                                                   \
  "# Title\n\n"                                                                                    \
  "Some **bold** and `code`, [a link](https://example.org/x).\n\n"                                 \
  "- one\n- two\n  1. inner\n\n"                                                                   \
  "> quoted\n\n"                                                                                   \
  "---\n\n"                                                                                        \
  "| A | B |\n|---|--:|\n| c | d |\n\n"                                                            \
  "```c\nint x;\nint y;\n```\n"

/* An answer to an empty prompt: its rows begin at 1. */
void markdown_row_set_up (Fixture *fixture, const char *text, gboolean streaming);
void markdown_row_tear_down (Fixture *fixture);
GadgetRow *markdown_row_get_row (Fixture *fixture, guint position);
/* The first widget of @type within @widget whose text or address has @part. */
GtkWidget *markdown_row_find (GtkWidget *widget, GType type, const char *part);
GtkWidget *markdown_row_find_piece (Fixture *fixture, const char *text);
graphene_rect_t markdown_row_get_box (Fixture *fixture, GtkWidget *widget);

G_END_DECLS
