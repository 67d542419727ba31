/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Spelling with the dictionaries of libspelling. Its adapter for text views is not used: whenever
 * typing pauses for a moment it computes corrections of the word at the cursor, on the main thread,
 * which takes tens or hundreds of milliseconds for an incomplete word. Dictionaries are loaded in a
 * thread here; the provider keeps them, so that spelling_checker_new () then gets one at once. The
 * provider is not thread-safe, so a lock guards every call of it; a dictionary has its own lock.
 *
 * The settings alone decide whether and in which language words are checked; the menu changes the
 * settings. Nothing is loaded before the first text or menu. */

#define G_LOG_DOMAIN "gadget-spelling"

#include "config.h"

#include "gadget-spelling-private.h"

#include "ui/common/gadget-settings.h"

/* The data of the task: what to load, and the result. */
typedef struct
{
  gboolean wanted;       /* load a dictionary, and not the list of languages alone */
  char *language;        /* (nullable): NULL for the system's */
  GListModel *languages; /* (nullable): the result */
} Search;

G_DEFINE_FINAL_TYPE (GadgetSpelling, gadget_spelling, G_TYPE_OBJECT)

G_LOCK_DEFINE_STATIC (provider);

static void load (GadgetSpelling *self);

static void
search_free (gpointer data)
{
  Search *search = data;

  g_free (search->language);
  g_clear_object (&search->languages);
  g_free (search);
}

gboolean
_gadget_spelling_is_wanted (GadgetSpelling *self)
{
  return self->settings == NULL || g_settings_get_boolean (self->settings, "check-spelling");
}

static void
search_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Search *search = data;
  SpellingProvider *found;
  g_autoptr (SpellingDictionary) dictionary = NULL;

  G_LOCK (provider);
  found = spelling_provider_get_default ();
  search->languages = spelling_provider_list_languages (found);
  if (search->language == NULL && search->wanted)
    search->language = g_strdup (spelling_provider_get_default_code (found));
  if (search->language != NULL && search->wanted)
    dictionary = spelling_provider_load_dictionary (found, search->language);
  G_UNLOCK (provider);
  g_task_return_boolean (task, dictionary != NULL);
}

static void
loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GadgetSpelling *self = GADGET_SPELLING (source);
  const Search *search = g_task_get_task_data (G_TASK (result));
  const gboolean found = g_task_propagate_boolean (G_TASK (result), NULL);

  self->loading = FALSE;
  if (self->view == NULL)
    return;
  if (self->stale)
    {
      load (self);
      return;
    }
  g_clear_object (&self->checker);
  if (found)
    {
      G_LOCK (provider);
      self->checker = spelling_checker_new (NULL, search->language);
      G_UNLOCK (provider);
    }
  _gadget_spelling_set_languages (self, search->languages);
  _gadget_spelling_recheck (self);
}

static void
load (GadgetSpelling *self)
{
  g_autoptr (GTask) task = NULL;
  g_autofree char *language = NULL;
  Search *search;

  self->stale = self->loading;
  if (self->loading || !self->begun)
    return;
  self->loading = TRUE;
  search = g_new0 (Search, 1);
  search->wanted = _gadget_spelling_is_wanted (self);
  if (self->settings != NULL)
    language = g_settings_get_string (self->settings, "spelling-language");
  if (language != NULL && *language != '\0')
    search->language = g_steal_pointer (&language);
  task = g_task_new (self, NULL, loaded_cb, NULL);
  g_task_set_source_tag (task, load);
  g_task_set_name (task, "[gadget] read a dictionary");
  g_task_set_task_data (task, search, search_free);
  g_task_run_in_thread (task, search_in_thread);
}

/* Drops the checker when the settings say that spelling is not to be checked. */
static void
settings_cb (GadgetSpelling *self)
{
  if (self->view == NULL)
    return;
  if (!_gadget_spelling_is_wanted (self))
    g_clear_object (&self->checker);
  load (self);
  _gadget_spelling_update_menu (self);
  _gadget_spelling_recheck (self);
}

void
_gadget_spelling_begin (GadgetSpelling *self)
{
  if (self->begun)
    return;
  self->begun = TRUE;
  load (self);
}

static void
gadget_spelling_dispose (GObject *object)
{
  GadgetSpelling *self = GADGET_SPELLING (object);

  _gadget_spelling_drop_marks (self);
  _gadget_spelling_drop_menu (self);
  self->view = NULL;
  g_clear_object (&self->checker);
  g_clear_object (&self->settings);

  G_OBJECT_CLASS (gadget_spelling_parent_class)->dispose (object);
}

static void
gadget_spelling_class_init (GadgetSpellingClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = gadget_spelling_dispose;
}

static void
gadget_spelling_init (GadgetSpelling *self)
{
  self->settings = gadget_settings_new ();
  if (self->settings == NULL)
    return;
  g_signal_connect_object (self->settings, "changed::check-spelling", G_CALLBACK (settings_cb),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->settings, "changed::spelling-language", G_CALLBACK (settings_cb),
                           self, G_CONNECT_SWAPPED);
}

/* --- Public ----------------------------------------------------------------------------------- */

/**
 * gadget_spelling_new:
 * @view: the view whose text is checked; the result must be disposed before it
 *
 * Returns: (transfer full): the spelling of @view
 */
GadgetSpelling *
gadget_spelling_new (GtkTextView *view)
{
  GadgetSpelling *self;

  g_return_val_if_fail (GTK_IS_TEXT_VIEW (view), NULL);

  self = g_object_new (GADGET_TYPE_SPELLING, NULL);
  self->view = view;
  _gadget_spelling_init_marks (self);
  _gadget_spelling_init_menu (self);
  return self;
}

GtkTextTag *
_gadget_spelling_get_tag (GadgetSpelling *self)
{
  g_return_val_if_fail (GADGET_IS_SPELLING (self), NULL);
  return self->tag;
}

gboolean
_gadget_spelling_is_ready (GadgetSpelling *self)
{
  g_return_val_if_fail (GADGET_IS_SPELLING (self), FALSE);
  return self->checker != NULL;
}
