/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Drafts in memory. With several windows there may be several new chats. The store has one draft
 * for chats that are not stored, so those of all new chats are written there one below the other,
 * and the next start shows them in one chat. A draft whose new chat was left is shown again with
 * the next new chat. */

#define G_LOG_DOMAIN "gadget-composer"

#include "config.h"

#include "gadget-draft.h"

#include "gadget-composer-private.h"

/* Data of the GadgetUnsavedDrafts: an array of GadgetDraft. */
#define NEW_KEY "gadget-new-drafts"

GadgetDraft *
_gadget_draft_new (void)
{
  GadgetDraft *self = g_rc_box_new0 (GadgetDraft);

  self->text = g_strdup ("");
  self->composers = g_ptr_array_new ();
  return self;
}

GadgetDraft *
_gadget_draft_ref (GadgetDraft *self)
{
  return g_rc_box_acquire (self);
}

static void
clear (gpointer data)
{
  GadgetDraft *self = data;

  g_free (self->text);
  g_clear_pointer (&self->attachments, g_ptr_array_unref);
  g_ptr_array_unref (self->composers);
}

void
_gadget_draft_unref (gpointer self)
{
  g_rc_box_release_full (self, clear);
}

void
_gadget_draft_set (GadgetDraft *self, const char *text, GPtrArray *attachments)
{
  g_autoptr (GPtrArray) before = g_steal_pointer (&self->attachments);

  g_set_str (&self->text, text);
  self->attachments = attachments != NULL ? g_ptr_array_ref (attachments) : NULL;
}

void
_gadget_draft_prepend (GadgetDraft *self, const char *text, GPtrArray *attachments)
{
  g_autofree char *joined = _gadget_composer_join_texts (text, self->text);
  g_autoptr (GPtrArray) all = _gadget_composer_join_attachments (self->attachments, attachments);

  _gadget_draft_set (self, joined, all);
}

static GPtrArray *
get_new (GadgetUnsavedDrafts *drafts)
{
  GPtrArray *all = g_object_get_data (G_OBJECT (drafts), NEW_KEY);

  if (all == NULL)
    {
      all = g_ptr_array_new_with_free_func (_gadget_draft_unref);
      g_object_set_data_full (G_OBJECT (drafts), NEW_KEY, all, (GDestroyNotify) g_ptr_array_unref);
    }
  return all;
}

void
_gadget_draft_add_new (GadgetDraft *self, GadgetUnsavedDrafts *drafts, gboolean first)
{
  GPtrArray *all = get_new (drafts);

  if (!g_ptr_array_find (all, self, NULL))
    g_ptr_array_insert (all, first ? 0 : -1, _gadget_draft_ref (self));
}

gboolean
_gadget_draft_remove_new (GadgetDraft *self, GadgetUnsavedDrafts *drafts)
{
  return g_ptr_array_remove (get_new (drafts), self);
}

guint
_gadget_draft_count_new (GadgetUnsavedDrafts *drafts)
{
  return get_new (drafts)->len;
}

/* One that is still being read is added to no other: it stays, and is shown with a later chat. */
GadgetDraft *
_gadget_draft_take_left (GadgetUnsavedDrafts *drafts)
{
  GPtrArray *all = get_new (drafts);
  g_autoptr (GadgetDraft) taken = NULL;

  for (guint i = all->len; i > 0; i--)
    {
      GadgetDraft *draft = g_ptr_array_index (all, i - 1);

      if (draft->composers->len > 0)
        continue;
      if (taken == NULL)
        {
          taken = _gadget_draft_ref (draft);
        }
      else if (!draft->loading && !draft->reading_new)
        {
          _gadget_draft_prepend (taken, draft->text, draft->attachments);
          g_ptr_array_remove_index (all, i - 1);
        }
    }
  if (taken == NULL)
    return NULL;
  taken->of_deleted = FALSE;
  taken->of_stored = FALSE;
  return g_steal_pointer (&taken);
}

void
_gadget_draft_forget_new (GadgetUnsavedDrafts *drafts)
{
  g_ptr_array_set_size (get_new (drafts), 0);
}

void
_gadget_draft_save_new (GadgetUnsavedDrafts *drafts)
{
  GPtrArray *all = get_new (drafts);
  g_autoptr (GadgetDraft) joined = _gadget_draft_new ();

  for (guint i = all->len; i > 0; i--)
    {
      const GadgetDraft *draft = g_ptr_array_index (all, i - 1);

      if (draft->loading || draft->reading_new)
        return;
      _gadget_draft_prepend (joined, draft->text, draft->attachments);
    }
  gadget_unsaved_drafts_save (drafts, NULL, joined->text, joined->attachments);
}
