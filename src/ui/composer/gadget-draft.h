/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agent/saving/gadget-unsaved-drafts.h"

G_BEGIN_DECLS

/* The draft of a chat in memory, which all composers that show the chat share. */
typedef struct
{
  char *text;
  GPtrArray *attachments; /* (nullable) (element-type GadgetAttachment) */
  GPtrArray *composers;   /* (element-type GadgetComposer), unowned: those that show it */
  gboolean loading;
  gboolean of_stored;     /* the chat is in the store, or was until it was deleted */
  gboolean of_deleted;    /* another process deleted the chat; the draft is for a new chat now */
  gboolean reading_new;   /* the stored draft of the new chat, which goes before it, is being read */
} GadgetDraft;

/* Make an empty draft, and count its owners. (transfer full) */
GadgetDraft *_gadget_draft_new        (void);
GadgetDraft *_gadget_draft_ref        (GadgetDraft         *self);
void         _gadget_draft_unref      (gpointer             self);

/* Replace what is in the draft, and put something before it. ATTACHMENTS is (nullable). */
void         _gadget_draft_set        (GadgetDraft         *self,
                                       const char          *text,
                                       GPtrArray           *attachments);
void         _gadget_draft_prepend    (GadgetDraft         *self,
                                       const char          *text,
                                       GPtrArray           *attachments);

/* Chats that are not stored. The store has one draft for all of them: these drafts, joined. */

/* Adds a draft to them, as the first or the last; _remove_new () tells whether it was there. */
void         _gadget_draft_add_new    (GadgetDraft         *self,
                                       GadgetUnsavedDrafts *drafts,
                                       gboolean             first);
gboolean     _gadget_draft_remove_new (GadgetDraft         *self,
                                       GadgetUnsavedDrafts *drafts);
guint        _gadget_draft_count_new  (GadgetUnsavedDrafts *drafts);

/* Returns those that no composer shows, as one draft, for the new chat that is about to be shown.
 * (transfer full) (nullable) */
GadgetDraft *_gadget_draft_take_left  (GadgetUnsavedDrafts *drafts);

/* Forgets them, so that they are not saved any more. */
void         _gadget_draft_forget_new (GadgetUnsavedDrafts *drafts);

/* Saves them, unless the stored draft is still being read; to be called again then. */
void         _gadget_draft_save_new   (GadgetUnsavedDrafts *drafts);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetDraft, _gadget_draft_unref)

G_END_DECLS
