/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * GadgetImportReport:
 * @number: the import, for gadget_import_undo_async (); 0 if nothing was added
 * @n_added: new chats
 * @n_branches: other branches of such chats, which became chats of their own
 * @n_extended: chats to which the files had more turns, which were added
 * @n_unchanged: chats that were there already
 * @n_kept: chats that went on here, or are open now, so that nothing was added to them
 * @n_empty: chats without messages, of which none was made
 * @n_broken: chats that could not be read
 * @n_too_large: entries that need more memory than an import may take
 * @n_foreign: entries of the files that are no chats
 * @n_missing: attachments that the files only name
 * @n_left_out: branches that are too many
 * @n_instructions: chats with instructions to the model, which were left out
 * @n_cut: files that end in the middle
 * @n_damaged: files in archives that could not be read to their ends, or are not what was put there
 * @n_gaps: files that are not among the numbered ones of an export
 *
 * What an import did.
 */
typedef struct
{
  gint64 number;
  guint n_added;
  guint n_branches;
  guint n_extended;
  guint n_unchanged;
  guint n_kept;
  guint n_empty;
  guint n_broken;
  guint n_too_large;
  guint n_foreign;
  guint n_missing;
  guint n_left_out;
  guint n_instructions;
  guint n_cut;
  guint n_damaged;
  guint n_gaps;
} GadgetImportReport;

G_END_DECLS
