/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The additional items in the context menu of the text. The menu opens at once; corrections are
 * computed in a thread, because that is slow, and added when they are there. When no dictionary is
 * installed there are no items. */

#define G_LOG_DOMAIN "gadget-spelling"

#include "config.h"

#include "gadget-spelling-private.h"
#include "ui/common/gadget-menu.h"

#include <glib/gi18n.h>

#define MAX_CORRECTIONS 5

/* The data of the task: the word to correct. */
typedef struct
{
  SpellingChecker *checker;
  char *word;
} Question;

static void
question_free (gpointer data)
{
  Question *question = data;

  g_object_unref (question->checker);
  g_free (question->word);
  g_free (question);
}

/* --- The word --------------------------------------------------------------------------------- */

static void
correct_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Question *question = data;

  g_task_return_pointer (task,
                         spelling_checker_list_corrections (question->checker, question->word),
                         (GDestroyNotify) g_strfreev);
}

static void
corrected_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GadgetSpelling *self = GADGET_SPELLING (source);
  const Question *question = g_task_get_task_data (G_TASK (result));
  g_auto (GStrv) found = g_task_propagate_pointer (G_TASK (result), NULL);

  if (self->view == NULL || g_strcmp0 (self->word, question->word) != 0)
    return;
  g_menu_remove_all (self->corrections);
  for (guint i = 0; found != NULL && found[i] != NULL && i < MAX_CORRECTIONS; i++)
    gadget_menu_append_name (self->corrections, found[i], "spelling.correct",
                             g_variant_new_string (found[i]));
}

static void
ask_for_corrections (GadgetSpelling *self)
{
  g_autoptr (GTask) task = g_task_new (self, NULL, corrected_cb, NULL);
  Question *question = g_new0 (Question, 1);

  question->checker = g_object_ref (self->checker);
  question->word = g_strdup (self->word);
  g_task_set_source_tag (task, ask_for_corrections);
  g_task_set_name (task, "[gadget] look for corrections");
  g_task_set_task_data (task, question, question_free);
  g_task_run_in_thread (task, correct_in_thread);
}

/* Called when the menu is about to open: fills it for the word at the cursor. */
static void
update_word (GadgetSpelling *self)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (self->view);
  GtkTextIter cursor;
  GtkTextIter start;
  GtkTextIter end;

  g_clear_pointer (&self->word, g_free);
  g_menu_remove_all (self->corrections);
  g_menu_remove_all (self->word_items);
  _gadget_spelling_begin (self);
  gtk_text_buffer_get_iter_at_mark (buffer, &cursor, gtk_text_buffer_get_insert (buffer));
  if (self->checker == NULL || !_gadget_spelling_is_wrong (self, &cursor, &start, &end))
    return;
  self->word = gtk_text_iter_get_text (&start, &end);
  self->word_offset = (guint) gtk_text_iter_get_offset (&start);
  g_menu_append (self->word_items, _ ("_Add to Dictionary"), "spelling.add");
  g_menu_append (self->word_items, _ ("_Ignore"), "spelling.ignore");
  ask_for_corrections (self);
}

/* --- Actions ---------------------------------------------------------------------------------- */

static void
correct_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  GadgetSpelling *self = user_data;
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (self->view);
  g_autofree char *text = NULL;
  GtkTextIter start;
  GtkTextIter end;

  if (self->word == NULL)
    return;
  gtk_text_buffer_get_iter_at_offset (buffer, &start, (int) self->word_offset);
  end = start;
  gtk_text_iter_forward_chars (&end, (int) g_utf8_strlen (self->word, -1));
  text = gtk_text_iter_get_text (&start, &end);
  /* The text has changed since the menu was opened. */
  if (!g_str_equal (text, self->word))
    return;
  gtk_text_buffer_begin_user_action (buffer);
  gtk_text_buffer_delete (buffer, &start, &end);
  gtk_text_buffer_insert (buffer, &start, g_variant_get_string (parameter, NULL), -1);
  gtk_text_buffer_end_user_action (buffer);
}

static void
add_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  GadgetSpelling *self = user_data;

  if (self->word == NULL || self->checker == NULL)
    return;
  spelling_checker_add_word (self->checker, self->word);
  _gadget_spelling_recheck (self);
}

static void
ignore_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  GadgetSpelling *self = user_data;

  if (self->word == NULL || self->checker == NULL)
    return;
  spelling_checker_ignore_word (self->checker, self->word);
  _gadget_spelling_recheck (self);
}

static void
enabled_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  GadgetSpelling *self = user_data;

  if (self->settings != NULL)
    g_settings_set_boolean (self->settings, "check-spelling", !_gadget_spelling_is_wanted (self));
}

static void
language_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  GadgetSpelling *self = user_data;

  if (self->settings != NULL)
    g_settings_set_string (self->settings, "spelling-language",
                           g_variant_get_string (parameter, NULL));
}

static const GActionEntry entries[] = {
  { "correct", correct_cb, "s" },
  { "add", add_cb },
  { "ignore", ignore_cb },
  { "enabled", enabled_cb, NULL, "true" },
  { "language", language_cb, "s", "''" },
};

static void
set_state (GadgetSpelling *self, const char *name, GVariant *state)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self->actions), name);

  g_simple_action_set_state (G_SIMPLE_ACTION (action), state);
}

void
_gadget_spelling_update_menu (GadgetSpelling *self)
{
  const char *language =
      self->checker != NULL ? spelling_checker_get_language (self->checker) : NULL;

  set_state (self, "enabled", g_variant_new_boolean (_gadget_spelling_is_wanted (self)));
  set_state (self, "language", g_variant_new_string (language != NULL ? language : ""));
}

/* --- Languages -------------------------------------------------------------------------------- */

static int
compare_names (gconstpointer one, gconstpointer other, gpointer user_data)
{
  return g_utf8_collate (spelling_language_get_name ((gpointer) one),
                         spelling_language_get_name ((gpointer) other));
}

void
_gadget_spelling_set_languages (GadgetSpelling *self, GListModel *languages)
{
  g_autoptr (GListStore) sorted = g_list_store_new (SPELLING_TYPE_LANGUAGE);
  const guint n = languages != NULL ? g_list_model_get_n_items (languages) : 0;

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (SpellingLanguage) language = g_list_model_get_item (languages, i);

      g_list_store_insert_sorted (sorted, language, compare_names, NULL);
    }
  g_menu_remove_all (self->languages);
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (SpellingLanguage) language = g_list_model_get_item (G_LIST_MODEL (sorted), i);

      gadget_menu_append_name (self->languages, spelling_language_get_name (language),
                               "spelling.language",
                               g_variant_new_string (spelling_language_get_code (language)));
    }
  g_menu_remove_all (self->rest);
  if (n > 0)
    {
      g_autoptr (GMenuItem) check = g_menu_item_new (_ ("_Check Spelling"), "spelling.enabled");

      g_menu_item_set_attribute (check, "role", "s", "check");
      g_menu_append_item (self->rest, check);
      g_menu_append_submenu (self->rest, _ ("_Languages"), G_MENU_MODEL (self->languages));
    }
  _gadget_spelling_update_menu (self);
}

/* --- Opening ---------------------------------------------------------------------------------- */

static gboolean
is_selected (GtkTextBuffer *buffer, const GtkTextIter *iter)
{
  GtkTextIter start;
  GtkTextIter end;

  return gtk_text_buffer_get_selection_bounds (buffer, &start, &end)
         && gtk_text_iter_compare (&start, iter) <= 0 && gtk_text_iter_compare (iter, &end) <= 0;
}

static void
pressed_cb (GtkGestureClick *click, int n_press, double x, double y, GadgetSpelling *self)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (self->view);
  GdkEvent *event = gtk_event_controller_get_current_event (GTK_EVENT_CONTROLLER (click));
  GtkTextIter iter;
  int at_x;
  int at_y;

  if (n_press != 1 || event == NULL || !gdk_event_triggers_context_menu (event))
    return;
  gtk_text_view_window_to_buffer_coords (self->view, GTK_TEXT_WINDOW_WIDGET, (int) x, (int) y,
                                         &at_x, &at_y);
  gtk_text_view_get_iter_at_location (self->view, &iter, at_x, at_y);
  if (!is_selected (buffer, &iter))
    gtk_text_buffer_place_cursor (buffer, &iter);
  update_word (self);
}

static gboolean
key_pressed_cb (GadgetSpelling *self, guint keyval, guint keycode, GdkModifierType state)
{
  if (keyval == GDK_KEY_Menu || (keyval == GDK_KEY_F10 && (state & GDK_SHIFT_MASK) != 0))
    update_word (self);
  return GDK_EVENT_PROPAGATE;
}

void
_gadget_spelling_init_menu (GadgetSpelling *self)
{
  GtkGesture *click = gtk_gesture_click_new ();
  GtkEventController *keys = gtk_event_controller_key_new ();

  self->menu = g_menu_new ();
  self->corrections = g_menu_new ();
  self->word_items = g_menu_new ();
  self->languages = g_menu_new ();
  self->rest = g_menu_new ();
  g_menu_append_section (self->menu, NULL, G_MENU_MODEL (self->corrections));
  g_menu_append_section (self->menu, NULL, G_MENU_MODEL (self->word_items));
  g_menu_append_section (self->menu, NULL, G_MENU_MODEL (self->rest));
  gtk_text_view_set_extra_menu (self->view, G_MENU_MODEL (self->menu));

  self->actions = g_simple_action_group_new ();
  g_action_map_add_action_entries (G_ACTION_MAP (self->actions), entries, G_N_ELEMENTS (entries),
                                   self);
  gtk_widget_insert_action_group (GTK_WIDGET (self->view), "spelling",
                                  G_ACTION_GROUP (self->actions));
  _gadget_spelling_update_menu (self);

  /* The text view opens its menu for these events too, but has no signal for it. */
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), 0);
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (click), GTK_PHASE_CAPTURE);
  g_signal_connect_object (click, "pressed", G_CALLBACK (pressed_cb), self, G_CONNECT_DEFAULT);
  gtk_widget_add_controller (GTK_WIDGET (self->view), GTK_EVENT_CONTROLLER (click));
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect_object (keys, "key-pressed", G_CALLBACK (key_pressed_cb), self,
                           G_CONNECT_SWAPPED);
  gtk_widget_add_controller (GTK_WIDGET (self->view), keys);
}

void
_gadget_spelling_drop_menu (GadgetSpelling *self)
{
  if (self->view != NULL)
    {
      gtk_widget_insert_action_group (GTK_WIDGET (self->view), "spelling", NULL);
      gtk_text_view_set_extra_menu (self->view, NULL);
    }
  g_clear_object (&self->actions);
  g_clear_object (&self->menu);
  g_clear_object (&self->corrections);
  g_clear_object (&self->word_items);
  g_clear_object (&self->rest);
  g_clear_object (&self->languages);
  g_clear_pointer (&self->word, g_free);
}
