/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A chat with calls that changed files: their lines, and the differences below them. */

#pragma once

#include "code-fixture.h"
#include "gadget-test-ui.h"
#include "test-store.h"
#include "test-wait.h"
#include "test-window.h"
#include "wait.h"

#include "ui/transcript/gadget-transcript-private.h"

G_BEGIN_DECLS

#define SMALL "--- a.c\n+++ a.c\n@@ -1,3 +1,3 @@\n int\n-old (void);\n+new (void);\n \n"

typedef struct
{
  GadgetSession *session;
  GadgetTurn *turn;
  GtkWidget *window;
  GadgetTranscript *transcript;
  char *folder;
  char
      *opened; /* (nullable): the path of what was opened, behind "folder of " where it was shown */
} Fixture;

void diff_set_up (Fixture *fixture, gconstpointer data);
void diff_tear_down (Fixture *fixture, gconstpointer data);
void diff_add_call (Fixture *fixture, const char *name, GadgetCallSummary *summary,
                    const char *text);
GadgetCallSummary *diff_with_path (GadgetCallSummary *summary, Fixture *fixture);
/* @summary: in words, or NULL for that of the tool */
void diff_add_change (Fixture *fixture, const char *name, const char *summary, const char *text);
GadgetRow *diff_find_row (Fixture *fixture, GadgetRowKind kind);
void diff_open_row (Fixture *fixture);
char *diff_make_diff (guint n_lines);
GtkWidget *diff_find_button (Fixture *fixture, const char *tooltip);

G_END_DECLS
