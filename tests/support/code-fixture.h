/* SPDX-License-Identifier: GPL-3.0-or-later */

/* An answer with code, in a window of its own. */

#pragma once

#include "gadget-test-ui.h"

#include "ui/transcript/gadget-transcript-private.h"

typedef struct
{
  GadgetSession *session;
  GadgetTurn *turn;
  GadgetItem *item;
  GtkWidget *window;
  GadgetTranscript *transcript;
} CodeFixture;

/* An answer to an empty prompt: its rows begin at 1. */
void             code_fixture_set_up        (CodeFixture     *fixture,
                                             const char      *text,
                                             gboolean         streaming);
void             code_fixture_tear_down     (CodeFixture     *fixture);
GtkWidget       *code_fixture_get_row       (CodeFixture     *fixture,
                                             guint            position);

/* The button in @widget with that tooltip or label, or NULL. */
GtkWidget       *code_fixture_find_button   (GtkWidget       *widget,
                                             const char      *tooltip);

/* The same in a row: buttons of many blocks that came at once are made a moment later. */
GtkWidget       *code_fixture_wait_button   (CodeFixture     *fixture,
                                             guint            position,
                                             const char      *tooltip);

/* The text of the first block in a row. */
GadgetSelectableText *code_fixture_get_piece     (CodeFixture     *fixture,
                                             guint            position);

/* The colour of the first byte of @part, 0xRRGGBB, and G_MAXUINT for that of the text; all of @part
 * has it, and what is around it has not. */
guint            code_fixture_get_color     (GadgetSelectableText *piece,
                                             const char      *part);

/* Colours come when there is time for them. */
void             code_fixture_wait_color    (GadgetSelectableText *piece,
                                             const char      *part);
char            *code_fixture_dup_clipboard (CodeFixture     *fixture);
