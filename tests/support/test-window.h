/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A whole window on an engine of its own, with a provider that the test plays, and keys and clicks
 * that come from outside, through the display server. */

#pragma once

#include "fake-provider.h"
#include "ui/composer/gadget-composer.h"
#include "ui/window/gadget-application-private.h"
#include "ui/window/gadget-window-private.h"

G_BEGIN_DECLS

typedef struct
{
  char *folder;
  GadgetEngine *engine;
  GadgetClock *clock; /* of the button and of Esc: it stands until the test advances it */
  FakeProvider *provider;
  GadgetWindow *window;
  GadgetChat *chat;
  GadgetComposer *composer;
  GtkWidget *button;
  GtkWidget *text;
  guint n_completed;
  gboolean first_run; /* nobody who answers was chosen yet */
} TestWindow;

/* Sets all settings to their defaults. They are in memory, and last as long as the program;
 * test_window_set_up () calls this. */
void        test_window_forget_settings (void);

void        test_window_set_up    (TestWindow    *self,
                                   gconstpointer  data);
/* The same, as on a new computer. */
void        test_window_set_up_first_run (TestWindow    *self,
                                   gconstpointer  data);
void        test_window_tear_down (TestWindow    *self,
                                   gconstpointer  data);

/* The application ends, and another one begins on the same folder, with a new chat. */
void        test_window_restart   (TestWindow    *self);

/* The same, for another reason than that the user closed it: with the chat that was shown. */
void        test_window_restart_after (TestWindow *self,
                                   GadgetStopReason reason);

/* An application with the window and its engine. (transfer full) */
GadgetApplication *test_window_make_application (TestWindow *self);

/* Its windows go, except the one of the test, and then the application. */
void        test_window_end_application (TestWindow *self,
                                   GadgetApplication *application);

/* Another window of the same engine, which has the focus; the rest is the same as in @self. It is
 * closed by the test, or with its application. */
void        test_window_adopt     (TestWindow    *self,
                                   GadgetWindow  *window,
                                   TestWindow    *other);

/* Gives a window the keyboard, and puts it on top. */
void        test_window_go_to     (TestWindow    *self);

/* Runs xdotool with these arguments, and what becomes ready meanwhile. */
void        test_xdo              (const char    *first,
                                   ...) G_GNUC_NULL_TERMINATED;
void        test_key              (const char    *keys);
void        test_type             (const char    *text);

/* The keyboard gets a compose key. (Otherwise xdotool makes one for each press, and the window may
 * see the press before it knows of the key.) */
void        test_have_compose_key (void);

/* Puts the pointer over the middle of a widget, or near its end; and clicks in the middle. */
void        test_point_at         (GtkWidget     *widget);
void        test_point_at_end     (GtkWidget     *widget);
void        test_click            (GtkWidget     *widget);

/* A click where the pointer is. */
void        test_press_button     (void);

/* The first widget in sight below ROOT that the condition holds for. */
typedef gboolean (*TestMatch) (GtkWidget *widget, gpointer user_data);
GtkWidget  *test_find             (GtkWidget     *root,
                                   TestMatch      match,
                                   gpointer       user_data);
GtkWidget  *test_find_label       (GtkWidget     *root,
                                   const char    *label);

/* For test_find (). */
gboolean    test_is_transcript    (GtkWidget     *widget,
                                   gpointer       user_data);

/* The chat that is shown. */
GadgetSession *test_window_get_session (TestWindow *self);

/* What is in the composer. */
gboolean    test_window_shows_text (TestWindow   *self,
                                   const char    *text);
void        test_window_assert_text (TestWindow  *self,
                                   const char    *text);

/* What the button is called, as a screen reader is told. */
const char *test_window_get_face  (TestWindow    *self);
gboolean    test_window_has_toast (TestWindow    *self,
                                   const char    *title);

/* What the store has as the draft of a chat; of the new chat, with %NULL. (transfer full) */
char       *test_window_load_draft (TestWindow   *self,
                                   const char    *session_id);

/* Sends from the keyboard, and waits until the provider was asked. */
GadgetTurn *test_window_send      (TestWindow    *self,
                                   const char    *text);
void        test_window_new_chat  (TestWindow    *self);

/* Types into the composer, and waits until all of it is there: keys come a little later than they
 * are sent. */
void        test_window_type      (TestWindow    *self,
                                   const char    *text);
void        test_window_advance   (TestWindow    *self,
                                   guint          ms);

/* The chat gets a folder of its own, where tools may write without asking.
 * Returns: (transfer full): for test_dir_free() */
char       *test_window_give_workspace (TestWindow *self);

G_END_DECLS
