/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Mentions of files. "@" at the beginning of a word opens a popover with files of the workspace:
 * those at its top first, then the matches of what is typed. Enter, Tab or a click inserts the
 * path, as "@src/main.c", which is also what the model reads. Esc closes the popover until the next
 * "@"; it also closes when the cursor leaves the word.
 *
 * The names are read in a thread when the "@" is typed, and kept for KEEP_US. A folder that hangs
 * blocks one thread only: its names are not read again while a read of them goes on. */

#define G_LOG_DOMAIN "gadget-composer"

#include "config.h"

#include "gadget-composer-private.h"

#include "ui/common/gadget-toast.h"

#include <glib/gi18n.h>
#include <string.h>

#define MAX_SHOWN 8
#define MAX_CHARACTERS 200
/* Names that are older than this are read again. */
#define KEEP_US (5 * G_USEC_PER_SEC)

/* What a key asked for while the files that match the last keys were not known yet. */
enum
{
  REQUEST_NONE,
  REQUEST_CHOOSE,
  REQUEST_ATTACH,
};

/* The data of a read or a match in a thread. Results that arrive after it was cancelled are
 * dropped. */
typedef struct
{
  GWeakRef composer;
  GCancellable *cancellable;
  char *root; /* (nullable): the folder whose names are read */
} Search;

static Search *
search_new (GadgetComposer *self, GCancellable *cancellable, const char *root)
{
  Search *search = g_new0 (Search, 1);

  g_weak_ref_init (&search->composer, self);
  search->cancellable = g_object_ref (cancellable);
  search->root = g_strdup (root);
  return search;
}

static void
search_free (Search *search)
{
  g_weak_ref_clear (&search->composer);
  g_object_unref (search->cancellable);
  g_free (search->root);
  g_free (search);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Search, search_free)

static GtkTextBuffer *
get_buffer (GadgetComposer *self)
{
  return gtk_text_view_get_buffer (self->text);
}

static gboolean
is_open (GadgetComposer *self)
{
  return self->mention_popover != NULL
         && gtk_widget_get_visible (GTK_WIDGET (self->mention_popover));
}

static void
stop_looking (GCancellable **cancellable)
{
  g_cancellable_cancel (*cancellable);
  g_clear_object (cancellable);
}

/* A read of names goes on. */
void
_gadget_composer_close_mentions (GadgetComposer *self)
{
  stop_looking (&self->match_cancellable);
  self->mention_offset = -1;
  self->mention_request = REQUEST_NONE;
  g_clear_pointer (&self->last_query, g_free);
  if (is_open (self))
    gtk_popover_popdown (GTK_POPOVER (self->mention_popover));
}

/* --- The text --------------------------------------------------------------------------------- */

static gboolean
may_stand_before (gunichar c)
{
  return g_unichar_isspace (c) || (c < 128 && strchr ("([{\"'", (int) c) != NULL);
}

/* Finds the "@" that begins the word at the cursor. Sets @start to it and @cursor to the cursor. */
static gboolean
find_mention (GadgetComposer *self, GtkTextIter *start, GtkTextIter *cursor)
{
  GtkTextBuffer *buffer = get_buffer (self);

  gtk_text_buffer_get_iter_at_mark (buffer, cursor, gtk_text_buffer_get_insert (buffer));
  *start = *cursor;
  if (gtk_text_buffer_get_has_selection (buffer))
    return FALSE;
  for (guint i = 0; i < MAX_CHARACTERS && gtk_text_iter_backward_char (start); i++)
    {
      const gunichar c = gtk_text_iter_get_char (start);
      GtkTextIter before = *start;

      if (g_unichar_isspace (c))
        return FALSE;
      if (c == '@')
        return !gtk_text_iter_backward_char (&before)
               || may_stand_before (gtk_text_iter_get_char (&before));
    }
  return FALSE;
}

/* Returns the text to insert for @path, quoted when it has a space or a quote. */
static char *
dup_mention (const char *path)
{
  g_autoptr (GString) escaped = NULL;

  if (strpbrk (path, " \"'") == NULL)
    return g_strdup_printf ("@%s ", path);
  escaped = g_string_new (path);
  g_string_replace (escaped, "\\", "\\\\", 0);
  g_string_replace (escaped, "\"", "\\\"", 0);
  return g_strdup_printf ("@\"%s\" ", escaped->str);
}

/* Replaces the mention that is being typed by @text. */
static void
replace (GadgetComposer *self, const char *text)
{
  GtkTextBuffer *buffer = get_buffer (self);
  GtkTextIter start;
  GtkTextIter cursor;

  if (find_mention (self, &start, &cursor))
    {
      _gadget_composer_close_mentions (self);
      gtk_text_buffer_begin_user_action (buffer);
      gtk_text_buffer_delete (buffer, &start, &cursor);
      gtk_text_buffer_insert (buffer, &start, text, -1);
      gtk_text_buffer_end_user_action (buffer);
    }
  _gadget_composer_close_mentions (self);
  gadget_composer_focus (self);
}

static void
choose (GadgetComposer *self, const char *path)
{
  g_autofree char *text = dup_mention (path);

  replace (self, text);
}

static void
attach (GadgetComposer *self, const char *path)
{
  g_autoptr (GFile) root = g_file_new_for_path (self->files_root);
  g_autoptr (GFile) file = g_file_resolve_relative_path (root, path);

  replace (self, "");
  gadget_attachment_list_add_file (self->attachments, file);
}

/* --- The popover ------------------------------------------------------------------------------ */

static void
show (GadgetComposer *self, GStrv paths)
{
  graphene_rect_t bounds;

  if (self->mention_popover == NULL)
    {
      self->mention_popover = GADGET_SUGGESTIONS (gadget_suggestions_new ());
      gtk_widget_set_parent (GTK_WIDGET (self->mention_popover), GTK_WIDGET (self));
      gadget_suggestions_set_attachable (self->mention_popover);
      g_signal_connect_object (self->mention_popover, "chosen", G_CALLBACK (choose), self,
                               G_CONNECT_SWAPPED);
      g_signal_connect_object (self->mention_popover, "attach", G_CALLBACK (attach), self,
                               G_CONNECT_SWAPPED);
    }
  gadget_suggestions_clear (self->mention_popover, self->narrow);
  for (guint i = 0; paths[i] != NULL; i++)
    {
      g_autofree char *name = g_path_get_basename (paths[i]);
      g_autofree char *folder = g_path_get_dirname (paths[i]);

      gadget_suggestions_add (self->mention_popover, paths[i], name,
                              g_str_equal (folder, ".") ? "" : folder);
    }
  gadget_suggestions_select (self->mention_popover, 0);
  if (paths[0] == NULL || !gtk_widget_compute_bounds (self->card, GTK_WIDGET (self), &bounds))
    {
      if (is_open (self))
        gtk_popover_popdown (GTK_POPOVER (self->mention_popover));
      return;
    }
  gtk_popover_set_pointing_to (
      GTK_POPOVER (self->mention_popover),
      &(GdkRectangle) { (int) bounds.origin.x, (int) bounds.origin.y, (int) bounds.size.width, 1 });
  if (!is_open (self))
    gtk_popover_popup (GTK_POPOVER (self->mention_popover));
  gadget_suggestions_announce (self->mention_popover);
}

static void
matched_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Search) search = user_data;
  g_autoptr (GadgetComposer) self = g_weak_ref_get (&search->composer);
  g_auto (GStrv) paths = gadget_file_list_match_finish (result, NULL);

  if (paths == NULL || self == NULL || self->match_cancellable != search->cancellable)
    return;
  g_clear_object (&self->match_cancellable);
  show (self, paths);
  if (paths[0] == NULL || self->mention_request == REQUEST_NONE)
    return;
  if (self->mention_request == REQUEST_CHOOSE)
    choose (self, paths[0]);
  else
    attach (self, paths[0]);
}

static void
start_search (GadgetComposer *self)
{
  GtkTextIter start;
  GtkTextIter cursor;
  g_autofree char *query = NULL;

  if (self->files == NULL || !find_mention (self, &start, &cursor))
    return;
  gtk_text_iter_forward_char (&start);
  query = gtk_text_iter_get_text (&start, &cursor);
  /* A key changes both the text and the cursor; without this check the rows under the pointer would
   * be made again for the second signal. */
  if (g_strcmp0 (query, self->last_query) == 0)
    return;
  g_set_str (&self->last_query, query);
  stop_looking (&self->match_cancellable);
  self->mention_request = REQUEST_NONE;
  self->match_cancellable = g_cancellable_new ();
  gadget_file_list_match_async (self->files, query, MAX_SHOWN, self->match_cancellable, matched_cb,
                                search_new (self, self->match_cancellable, NULL));
}

/* Without names there is nothing to offer. */
static void
report_failure (GadgetComposer *self, const GError *error)
{
  g_autoptr (AdwToast) toast = NULL;

  if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED))
    {
      g_message ("the names of files could not be read: %s", error->message);
      return;
    }
  toast = gadget_toast_new (_ ("To mention files by name, install “ripgrep”"));
  g_signal_emit (self, _gadget_composer_signals[GADGET_COMPOSER_TOAST], 0, toast);
}

static void
read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Search) search = user_data;
  g_autoptr (GadgetComposer) self = g_weak_ref_get (&search->composer);
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetFileList) files = gadget_file_list_read_finish (result, &error);

  if (self == NULL || self->reading != search->cancellable)
    return;
  g_hash_table_remove (self->reading_from, search->root);
  if (files == NULL)
    {
      report_failure (self, error);
      return;
    }
  if (g_strcmp0 (search->root, self->files_root) != 0)
    return;
  g_clear_pointer (&self->files, gadget_file_list_unref);
  self->files = g_steal_pointer (&files);
  self->files_read_at = g_get_monotonic_time ();
  g_clear_pointer (&self->last_query, g_free);
  if (self->mention_offset >= 0)
    start_search (self);
}

static void
read_names (GadgetComposer *self)
{
  if (self->reading == NULL)
    {
      self->reading = g_cancellable_new ();
      self->reading_from = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
    }
  if (g_hash_table_add (self->reading_from, g_strdup (self->files_root)))
    gadget_file_list_read_async (
        gadget_commands_get_ripgrep (gadget_engine_get_commands (self->engine)), self->files_root,
        self->reading, read_cb, search_new (self, self->reading, self->files_root));
}

/* Begins a new mention; reads the names again unless they are recent. */
static void
begin (GadgetComposer *self)
{
  const char *root = gadget_session_get_workspace (self->session);
  const gboolean other = g_strcmp0 (root, self->files_root) != 0;

  if (other)
    g_clear_pointer (&self->files, gadget_file_list_unref);
  g_set_str (&self->files_root, root);
  if (self->files != NULL && g_get_monotonic_time () - self->files_read_at < KEEP_US)
    start_search (self);
  else
    read_names (self);
}

/* --- For gadget-composer.c -------------------------------------------------------------------- */

static gboolean
is_possible (GadgetComposer *self)
{
  return self->engine != NULL && self->session != NULL
         && gadget_session_get_workspace (self->session) != NULL
         && gtk_widget_is_focus (GTK_WIDGET (self->text));
}

/* Called after every change of the text, and, with @typed FALSE, when the cursor was moved. */
void
_gadget_composer_update_mentions (GadgetComposer *self, gboolean typed)
{
  GtkTextIter start;
  GtkTextIter cursor;
  int offset;

  if (!typed && self->mention_offset < 0)
    return;
  if (!is_possible (self) || !find_mention (self, &start, &cursor))
    {
      _gadget_composer_close_mentions (self);
      return;
    }
  offset = gtk_text_iter_get_offset (&start);
  if (offset == self->mention_offset && self->files != NULL)
    start_search (self);
  else if (offset != self->mention_offset)
    {
      _gadget_composer_close_mentions (self);
      /* Only a "@" that was just typed opens the popover: not one in a draft, nor one that Esc was
       * pressed for. */
      if (!typed || gtk_text_iter_get_offset (&cursor) != offset + 1)
        return;
      self->mention_offset = offset;
      begin (self);
    }
}

/* The popover still shows what matched the text before. Chooses the first match of the text that is
 * there once it is known, and returns TRUE; or FALSE when it shows that. */
static gboolean
request (GadgetComposer *self, guint what)
{
  if (self->match_cancellable == NULL)
    return FALSE;
  self->mention_request = what;
  return TRUE;
}

/* Returns whether the popover used the key. */
gboolean
_gadget_composer_mention_key (GadgetComposer *self, guint keyval)
{
  const GadgetSuggestionsKey key = gadget_suggestions_press (self->mention_popover, keyval);
  g_autofree char *path = NULL;

  if (key == GADGET_SUGGESTIONS_KEY_CLOSE)
    _gadget_composer_close_mentions (self);
  else if ((key == GADGET_SUGGESTIONS_KEY_CHOOSE || key == GADGET_SUGGESTIONS_KEY_COMPLETE)
           && !request (self, REQUEST_CHOOSE))
    {
      path = g_strdup (gadget_suggestions_get_selected (self->mention_popover));
      choose (self, path);
    }
  return key != GADGET_SUGGESTIONS_KEY_OTHER;
}

/* Ctrl+Enter attaches the selected file. Returns FALSE when the popover is closed or empty. */
gboolean
_gadget_composer_attach_mention (GadgetComposer *self)
{
  g_autofree char *path = NULL;

  if (!is_open (self))
    return FALSE;
  if (request (self, REQUEST_ATTACH))
    return TRUE;
  path = g_strdup (gadget_suggestions_get_selected (self->mention_popover));
  if (path != NULL)
    attach (self, path);
  return path != NULL;
}

void
_gadget_composer_drop_mentions (GadgetComposer *self)
{
  stop_looking (&self->match_cancellable);
  stop_looking (&self->reading);
  g_clear_pointer (&self->reading_from, g_hash_table_unref);
  self->mention_offset = -1;
  g_clear_pointer (&self->files, gadget_file_list_unref);
  g_clear_pointer (&self->files_root, g_free);
  g_clear_pointer (&self->last_query, g_free);
  g_clear_pointer ((GtkWidget **) &self->mention_popover, gtk_widget_unparent);
}
