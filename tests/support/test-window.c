/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "test-window.h"

#include "gadget-test-ui.h"
#include "test-engine.h"
#include "test-store.h"
#include "test-wait.h"
#include "ui/common/gadget-settings.h"
#include "ui/composer/gadget-composer-private.h"
#include "ui/transcript/gadget-transcript.h"
#include "wait.h"

static gboolean
is_composer (GtkWidget *widget, gpointer user_data)
{
  return GADGET_IS_COMPOSER (widget);
}

static void
find_widgets (TestWindow *self)
{
  self->chat = self->window->chat;
  wait_until (gtk_window_is_active (GTK_WINDOW (self->window)));
  self->composer = GADGET_COMPOSER (test_find (GTK_WIDGET (self->window), is_composer, NULL));
  self->button = GTK_WIDGET (self->composer->button);
  self->text = GTK_WIDGET (self->composer->text);
}

static void
start (TestWindow *self)
{
  GadgetProviderList *providers;

  self->clock = gadget_clock_new_manual (1000 * G_TIME_SPAN_SECOND);
  self->provider = fake_provider_new ();
  self->engine = gadget_engine_new (self->folder);
  test_engine_open (self->engine);
  providers = gadget_engine_get_providers (self->engine);
  gadget_provider_list_override (providers, "fake", GADGET_PROVIDER (self->provider));
  /* Somebody was chosen, so that the window begins with a chat. */
  if (!self->first_run)
    gadget_provider_list_set_default (providers, GADGET_GUIDE_ID);
  test_count_completed (gadget_engine_get_agent (self->engine), &self->n_completed);

  self->window = g_object_ref_sink (gadget_window_new (NULL));
  gadget_window_set_clock (self->window, self->clock);
  gtk_window_present (GTK_WINDOW (self->window));
  gadget_window_set_engine (self->window, self->engine);
  gadget_session_set_model (gadget_window_get_session (self->window), "fake", "model");
  find_widgets (self);
}

static void
end (TestWindow *self, GadgetStopReason reason)
{
  gadget_window_save_state (self->window, reason);
  gtk_window_destroy (GTK_WINDOW (self->window));
  wait_idle ();
  /* Whatever was opened and begun, the window is gone with everything in it; what reads or writes
   * for it now may hold it until it is through. */
  g_object_add_weak_pointer (G_OBJECT (self->window), (gpointer *) &self->window);
  g_object_unref (self->window);
  wait_until (self->window == NULL);
  test_engine_close (self->engine, reason);
  g_clear_object (&self->engine);
  g_clear_object (&self->provider);
  g_clear_object (&self->clock);
}

void
test_window_forget_settings (void)
{
  g_autoptr (GSettings) settings = gadget_settings_new ();
  g_autoptr (GSettingsSchema) schema = NULL;
  g_auto (GStrv) keys = NULL;

  if (settings == NULL)
    return;
  g_object_get (settings, "settings-schema", &schema, NULL);
  keys = g_settings_schema_list_keys (schema);
  for (guint i = 0; keys[i] != NULL; i++)
    g_settings_reset (settings, keys[i]);
}

void
test_window_set_up (TestWindow *self, gconstpointer data)
{
  test_window_forget_settings ();
  self->folder = test_dir_new ();
  start (self);
}

void
test_window_set_up_first_run (TestWindow *self, gconstpointer data)
{
  self->first_run = TRUE;
  test_window_set_up (self, data);
}

void
test_window_tear_down (TestWindow *self, gconstpointer data)
{
  end (self, GADGET_STOP_CLOSED);
  test_dir_free (self->folder);
}

void
test_window_restart (TestWindow *self)
{
  test_window_restart_after (self, GADGET_STOP_CLOSED);
}

void
test_window_restart_after (TestWindow *self, GadgetStopReason reason)
{
  end (self, reason);
  start (self);
}

GadgetApplication *
test_window_make_application (TestWindow *self)
{
  GadgetApplication *application = gadget_application_new ();
  g_autoptr (GError) error = NULL;

  g_set_object (&application->engine, self->engine);
  application->open = TRUE;
  g_application_set_flags (G_APPLICATION (application), G_APPLICATION_NON_UNIQUE);
  g_application_register (G_APPLICATION (application), NULL, &error);
  g_assert_no_error (error);
  gtk_window_set_application (GTK_WINDOW (self->window), GTK_APPLICATION (application));
  /* The application waits for it. */
  gadget_test_wait_frames (GTK_WIDGET (self->window), 2);
  wait_idle ();
  return application;
}

void
test_window_end_application (TestWindow *self, GadgetApplication *application)
{
  gtk_window_set_application (GTK_WINDOW (self->window), NULL);
  /* It runs to its end only, so that it shuts down, and shows no window. */
  application->leaving = TRUE;
  g_idle_add_once ((GSourceOnceFunc) g_application_quit, application);
  g_application_run (G_APPLICATION (application), 0, NULL);
  g_object_unref (application);
  wait_idle ();
}

void
test_window_adopt (TestWindow *self, GadgetWindow *window, TestWindow *other)
{
  *other = *self;
  other->window = window;
  find_widgets (other);
}

/* --- From outside ------------------------------------------------------------------------------
 */

static void
ended_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  gboolean *ended = user_data;
  g_autoptr (GError) error = NULL;

  g_subprocess_wait_check_finish (G_SUBPROCESS (object), result, &error);
  g_assert_no_error (error);
  *ended = TRUE;
}

static void
run (const char *const *arguments)
{
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GError) error = NULL;
  gboolean ended = FALSE;

  process = g_subprocess_newv (arguments, G_SUBPROCESS_FLAGS_NONE, &error);
  g_assert_no_error (error);
  g_subprocess_wait_check_async (process, NULL, ended_cb, &ended);
  wait_until (ended);
}

void
test_have_compose_key (void)
{
  static const char *const arguments[] = { "setxkbmap", "-option", "compose:ralt", NULL };

  run (arguments);
  test_run_for (500);
}

static gboolean
handled_cb (gpointer handled)
{
  *(gboolean *) handled = TRUE;
  return G_SOURCE_REMOVE;
}

/* Waits until the window has handled the events that the server has sent: they are in the queue
 * after a round trip, and this source has to wait for theirs. */
static void
handle_events (void)
{
  gboolean handled = FALSE;

  gdk_display_sync (gdk_display_get_default ());
  g_idle_add_full (GDK_PRIORITY_EVENTS + 1, handled_cb, &handled, NULL);
  wait_until (handled);
}

void
test_xdo (const char *first, ...)
{
  g_autoptr (GPtrArray) arguments = g_ptr_array_new ();
  va_list list;

  g_ptr_array_add (arguments, (gpointer) "xdotool");
  va_start (list, first);
  for (const char *argument = first; argument != NULL; argument = va_arg (list, const char *))
    g_ptr_array_add (arguments, (gpointer) argument);
  va_end (list);
  g_ptr_array_add (arguments, NULL);
  run ((const char *const *) arguments->pdata);
  handle_events ();
  /* Some of what a key does comes with the next frame. */
  test_run_for (30);
}

void
test_key (const char *keys)
{
  test_xdo ("key", keys, NULL);
}

void
test_type (const char *text)
{
  test_xdo ("type", text, NULL);
}

void
test_window_go_to (TestWindow *self)
{
  /* The display server refuses the focus to what has not heard of a key since another window got
   * it. */
  test_key ("Shift_L");
  gtk_window_present (GTK_WINDOW (self->window));
  wait_until (gtk_window_is_active (GTK_WINDOW (self->window)));
  gadget_test_wait_frames (GTK_WIDGET (self->window), 2);
}

static graphene_point_t
find_point (GtkWidget *widget, float across)
{
  GtkRoot *root = gtk_widget_get_root (widget);
  graphene_point_t point;
  double dx;
  double dy;

  g_assert_true (gtk_widget_compute_point (
      widget, GTK_WIDGET (root),
      &GRAPHENE_POINT_INIT (across, (float) gtk_widget_get_height (widget) / 2), &point));
  /* There is no window manager: the window is in the corner of the screen. */
  gtk_native_get_surface_transform (GTK_NATIVE (root), &dx, &dy);
  return GRAPHENE_POINT_INIT (point.x + (float) dx, point.y + (float) dy);
}

/* Follows a widget that still moves, as rows do until their heights are known. */
static void
point_at (GtkWidget *widget, float across)
{
  graphene_point_t before = GRAPHENE_POINT_INIT (-1, -1);

  for (guint i = 0; i < 20; i++)
    {
      graphene_point_t point;
      g_autofree char *x = NULL;
      g_autofree char *y = NULL;

      gadget_test_wait_frames (widget, 2);
      point = find_point (widget, across);
      if (graphene_point_near (&point, &before, 0.5f))
        return;
      x = g_strdup_printf ("%d", (int) point.x);
      y = g_strdup_printf ("%d", (int) point.y);
      test_xdo ("mousemove", x, y, NULL);
      before = point;
    }
}

void
test_point_at (GtkWidget *widget)
{
  point_at (widget, (float) gtk_widget_get_width (widget) / 2);
}

void
test_point_at_end (GtkWidget *widget)
{
  point_at (widget, (float) gtk_widget_get_width (widget) - 15);
}

/* GTK makes up a motion after a layout, for which it asks the server for the buttons, and ends a
 * click when none is pressed. So the button is not released before its press was handled. */
void
test_press_button (void)
{
  test_xdo ("mousedown", "1", NULL);
  test_xdo ("mouseup", "1", NULL);
}

void
test_click (GtkWidget *widget)
{
  test_point_at (widget);
  test_press_button ();
}

/* --- Looking -----------------------------------------------------------------------------------
 */

GtkWidget *
test_find (GtkWidget *root, TestMatch match, gpointer user_data)
{
  if (gtk_widget_get_visible (root) && match (root, user_data))
    return root;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = test_find (child, match, user_data);

      if (found != NULL)
        return found;
    }
  return NULL;
}

static gboolean
has_label (GtkWidget *widget, gpointer user_data)
{
  return GTK_IS_LABEL (widget) && gtk_widget_get_mapped (widget)
         && g_str_equal (gtk_label_get_text (GTK_LABEL (widget)), user_data);
}

GtkWidget *
test_find_label (GtkWidget *root, const char *label)
{
  return test_find (root, has_label, (gpointer) label);
}

gboolean
test_is_transcript (GtkWidget *widget, gpointer user_data)
{
  return GADGET_IS_TRANSCRIPT (widget);
}

GadgetSession *
test_window_get_session (TestWindow *self)
{
  return gadget_window_get_session (self->window);
}

gboolean
test_window_shows_text (TestWindow *self, const char *text)
{
  g_autofree char *shown = gadget_composer_dup_text (self->composer);

  return g_str_equal (shown, text);
}

void
test_window_assert_text (TestWindow *self, const char *text)
{
  g_autofree char *shown = gadget_composer_dup_text (self->composer);

  g_assert_cmpstr (shown, ==, text);
}

const char *
test_window_get_face (TestWindow *self)
{
  static const char *const names[] = { "Send", "Cancel", "Aborting…" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *difference = gtk_test_accessible_check_property (
          GTK_ACCESSIBLE (self->button), GTK_ACCESSIBLE_PROPERTY_LABEL, names[i]);

      if (difference == NULL)
        return names[i];
    }
  return "?";
}

gboolean
test_window_has_toast (TestWindow *self, const char *title)
{
  return test_find_label (GTK_WIDGET (self->chat), title) != NULL;
}

char *
test_window_load_draft (TestWindow *self, const char *session_id)
{
  GadgetStore *store = test_store_open (self->folder);
  char *draft = test_store_load_draft (store, session_id, NULL);

  test_store_close (store);
  return draft;
}

GadgetTurn *
test_window_send (TestWindow *self, const char *text)
{
  GadgetSession *session = gadget_window_get_session (self->window);
  guint n = gadget_session_get_n_turns (session);

  g_assert_true (gtk_widget_grab_focus (self->text));
  test_type (text);
  test_key ("Return");
  wait_until (gadget_session_get_n_turns (session) == n + 1
              && fake_provider_is_waiting (self->provider));
  return gadget_session_get_last_turn (session);
}

void
test_window_new_chat (TestWindow *self)
{
  gtk_widget_activate_action (GTK_WIDGET (self->window), "win.new-chat", NULL);
  gadget_session_set_model (test_window_get_session (self), "fake", "model");
}

void
test_window_type (TestWindow *self, const char *text)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (self->text));
  const int n = gtk_text_buffer_get_char_count (buffer) + (int) g_utf8_strlen (text, -1);

  test_type (text);
  wait_until (gtk_text_buffer_get_char_count (buffer) == n);
}

void
test_window_advance (TestWindow *self, guint ms)
{
  gadget_clock_advance (self->clock, ms * G_TIME_SPAN_MILLISECOND);
}

char *
test_window_give_workspace (TestWindow *self)
{
  GadgetSession *session = gadget_window_get_session (self->window);
  g_autofree char *folder = test_dir_new ();
  char *path = realpath (folder, NULL);

  gadget_session_set_workspace (session, path);
  gadget_session_set_mode (session, GADGET_MODE_ACCEPT_EDITS);
  return path;
}
