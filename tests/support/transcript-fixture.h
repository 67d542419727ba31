/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A transcript in a window, under a real pointer and real keys, by xdotool. */

#pragma once

#include "ui/transcript/gadget-transcript-private.h"

G_BEGIN_DECLS

#define TRANSCRIPT_FIXTURE_WIDTH 720
#define TRANSCRIPT_FIXTURE_HEIGHT 600

typedef struct
{
  GadgetSession *session;
  GtkWidget *window;
  GadgetTranscript *transcript;
} TranscriptFixture;

/* Each turn has four rows: the prompt, two paragraphs of the answer, the status. */
void transcript_fixture_set_up    (TranscriptFixture *fixture,
                                   guint              n_turns);
void transcript_fixture_tear_down (TranscriptFixture *fixture);
void transcript_fixture_add_turn  (TranscriptFixture *fixture,
                                   const char        *id,
                                   const char        *prompt,
                                   const char        *answer);

/* Runs "xdotool COMMAND", and waits until it is done and was drawn. */
void transcript_fixture_xdotool   (TranscriptFixture *fixture,
                                   const char        *command);

/* Where in WIDGET a byte of a row's text is. */
void transcript_fixture_get_point (TranscriptFixture *fixture,
                                   GtkWidget         *widget,
                                   guint              position,
                                   guint              offset,
                                   int               *x,
                                   int               *y);

/* Moves the pointer to a byte of a row's text, and goes on with what xdotool is to do THEN. */
void transcript_fixture_move_to   (TranscriptFixture *fixture,
                                   guint              position,
                                   guint              offset,
                                   const char        *then);

/* What is selected is EXPECTED, NULL for nothing. */
void transcript_fixture_check     (TranscriptFixture *fixture,
                                   const char        *expected);

G_END_DECLS
