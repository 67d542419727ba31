/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * GadgetFolderInstructions:
 * @path: the real path of the file
 * @name: how the file is called for the user and the model: its path below the chat's folder, or
 *   the whole path
 * @text: what the file says, at most 32 KiB of it, valid UTF-8 and not blank
 * @n_left_out: how many bytes of the file are not in @text
 * @digest: a digest of @path and @text
 *
 * What a folder tells agents that work in it.
 */
typedef struct
{
  char *path;
  char *name;
  char *text;
  guint64 n_left_out;
  char *digest;
} GadgetFolderInstructions;

/* Finds the file that instructs agents about a folder, or reads one by its absolute path (transfer
 * full) (nullable). They block: call them in a thread. */
GadgetFolderInstructions *gadget_folder_instructions_find (const char               *folder,
                                                           GCancellable             *cancellable);
GadgetFolderInstructions *gadget_folder_instructions_read (const char               *path);
void                      gadget_folder_instructions_free (GadgetFolderInstructions *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetFolderInstructions, gadget_folder_instructions_free)

/* Return what the model is told (transfer full): the text and where it is from, or that the user
 * has not allowed it. */
char *gadget_folder_instructions_dup_text   (const GadgetFolderInstructions *self);
char *gadget_folder_instructions_dup_denial (const GadgetFolderInstructions *self);

G_END_DECLS
