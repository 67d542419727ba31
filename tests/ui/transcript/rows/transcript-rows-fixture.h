/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A transcript in a window of its own, and the rows that it shows. */

#pragma once

#include "gadget-test-ui.h"
#include "test-window.h"
#include "common/gadget-clock.h"
#include "providers/gadget-provider-config.h"
#include "ui/text/gadget-selectable-text.h"
#include "ui/transcript/gadget-transcript-private.h"
#include "ui/transcript/rows/ask/gadget-ask-row.h"

G_BEGIN_DECLS

typedef struct
{
  GadgetSession *session;
  GadgetTurn *turn;
  GtkWidget *window;
  GadgetTranscript *transcript;
  char *activated; /* the last action and its target */
} Fixture;

void transcript_rows_set_up (Fixture *fixture);
void transcript_rows_tear_down (Fixture *fixture);
void transcript_rows_frames (Fixture *fixture);
GtkWidget *transcript_rows_find_row (Fixture *fixture, GadgetRowKind kind);
GtkWidget *transcript_rows_find_button (GtkWidget *widget, const char *label);
gboolean transcript_rows_has_text (GtkWidget *widget, const char *text);
void transcript_rows_press (Fixture *fixture, GtkWidget *row, const char *label,
                            const char *expected);
GadgetItem *transcript_rows_add_call (Fixture *fixture, GadgetItemStatus status);

G_END_DECLS
