/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Help for tests of widgets, which run under with-display. */

#pragma once

#include "session/gadget-session.h"
#include "ui/transcript/gadget-transcript.h"

G_BEGIN_DECLS

/* Like gtk_test_init (), with the application's resources and style sheet. A text that grows is
 * shown in the next frame (see gadget-frame-throttle.h), so that frames can be waited for. */
void           gadget_test_ui_init     (int               *argc,
                                        char            ***argv);

/* The same without the test framework, for what is not a test. */
void           gadget_test_ui_start    (void);

/* Until @n frames of the widget's window were painted. */
void           gadget_test_wait_frames (GtkWidget         *widget,
                                        guint              n);

/* A shown window of that size with @child in it. (transfer full) */
GtkWidget     *gadget_test_window_new  (GtkWidget         *child,
                                        int                width,
                                        int                height);

/* The same with a transcript of @session. @transcript: (out) (transfer none). (transfer full) */
GtkWidget     *gadget_test_transcript_new (GadgetSession     *session,
                                        int                width,
                                        int                height,
                                        GadgetTranscript **transcript);

/* Destroys the window of one of these. Nothing may hold a reference to @widget in it then. */
void           gadget_test_window_destroy (GtkWidget      *window,
                                        GtkWidget         *widget);

/* What the widget's window shows, as a picture in @path. */
void           gadget_test_shoot       (GtkWidget         *widget,
                                        const char        *path);

/* @n_turns made-up turns of very different lengths, the same for the same @seed: each a prompt,
 * perhaps a tool call or reasoning, and an answer. All are finished. (transfer full) */
GadgetSession *gadget_test_session_new (guint              n_turns,
                                        guint32            seed);

/* Words that make @length bytes, with paragraphs. (transfer full) */
char          *gadget_test_words       (GRand             *random,
                                        gsize              length);

/* What screen readers are told from now on, a line for each announcement. */
GString       *gadget_test_listen      (void);
/* Frees @said. */
void           gadget_test_stop_listening (GString           *said);

/* The text that waits in the clipboard. (transfer full) */
char          *gadget_test_read_clipboard (GdkClipboard *clipboard);

G_END_DECLS
