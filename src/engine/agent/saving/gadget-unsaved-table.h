/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder. */

#pragma once

#include "common/gadget-clock.h"
#include "session/gadget-turn.h"
#include "store/recovery/gadget-recovery-write.h"
#include "store/gadget-store.h"

G_BEGIN_DECLS

typedef struct _GadgetUnsavedEntry GadgetUnsavedEntry;
typedef struct _GadgetUnsavedTable GadgetUnsavedTable;

/**
 * GadgetUnsavedFuncs:
 * @hash: (nullable): how keys are hashed; %NULL for keys that are compared as pointers
 * @equal: (nullable): how keys are compared, likewise
 * @timeout_name: the name of the timeout after which an entry is written again
 * @reports_late: whether a write that is not answered for a second is a failure, %GADGET_SAVE_PENDING
 * @list: (nullable): returns the entries that are written and waited for, in the order of their
 *   writes (transfer container); %NULL for all
 * @write: writes an entry, between _gadget_unsaved_entry_begin_write () and
 *   _gadget_unsaved_attempt_end ()
 * @write_file: begins to write an entry to a recovery file; returns %FALSE, and does not call
 *   back, if nothing needs to be in a file
 * @file_written: called when a recovery file was written, or could not be; returns whether it may
 *   be written again at once if it is outdated. May forget the entry.
 * @forget: (nullable): called when an entry leaves the table, also at the end
 * @free: frees what an entry has besides the members of #GadgetUnsavedEntry
 *
 * The functions in which turns, chats and drafts differ.
 */
typedef struct
{
  GHashFunc hash;
  GEqualFunc equal;
  const char *timeout_name;
  gboolean reports_late;
  GPtrArray *(*list) (GadgetUnsavedTable *table);
  void (*write) (GadgetUnsavedEntry *entry);
  gboolean (*write_file) (GadgetUnsavedEntry *entry, GAsyncReadyCallback callback,
                          gpointer user_data);
  gboolean (*file_written) (GadgetUnsavedEntry *entry, gboolean done);
  void (*forget) (GadgetUnsavedEntry *entry);
  void (*free) (GadgetUnsavedEntry *entry);
} GadgetUnsavedFuncs;

/* A table of unsaved entries; see gadget-unsaved-table.c. A member of another object, which has a
 * signal "changed". */
struct _GadgetUnsavedTable
{
  gpointer owner; /* (unowned): it owns this */
  GadgetStore *store;
  GadgetClock *clock;
  const GadgetUnsavedFuncs *funcs;
  GHashTable *entries; /* key → GadgetUnsavedEntry */
  gboolean keep_files; /* recovery files stay when their entries are saved */
  GPtrArray *waiters;  /* of Waiter: the tasks that wait until all is settled */
  guint n_removing;    /* how many files are being removed */
};

/* One thing that is not saved: the first member of the struct of a turn, a chat or a draft. */
struct _GadgetUnsavedEntry
{
  GadgetUnsavedTable *table; /* (unowned): it owns this */
  gconstpointer key;         /* (unowned): it lives as long as the entry */
  char *name;                /* for the log */
  gboolean forgotten;        /* the entry has left the table */

  gboolean writing;     /* a write to the store is under way */
  gboolean write_again; /* the entry has changed since that began */
  guint n_writes;       /* how many writes were begun */
  guint n_failures;
  gint64 tried_at; /* when the last write began, in microseconds of the clock */
  guint timeout;   /* id of the clock's timeout; 0 for none */
  gboolean failed; /* the user has to be told */
  GadgetSaveProblem problem;

  GadgetRecoveryFile *file;
  gboolean writing_file;  /* a recovery file is being written */
  gboolean outdated;      /* the file, or what is being written to it, is older than the entry */
  gboolean file_failed;   /* no recovery file could be written */
  gboolean needs_no_file; /* nothing needs to be in a file */
};

/* One write to the store, or to a recovery file: the data of its callback. It holds the entry and
 * the owner of the table, also when the entry was forgotten meanwhile. */
typedef struct
{
  GadgetUnsavedEntry *entry;
  guint number; /* of the write to the store */
  char *text;   /* (nullable): what was written, for the caller */
} GadgetUnsavedAttempt;

/* OWNER is a GObject; it is not referenced. STORE and CLOCK are. */
GadgetUnsavedTable   *_gadget_unsaved_table_new          (gpointer                  owner,
                                                          GadgetStore              *store,
                                                          GadgetClock              *clock,
                                                          const GadgetUnsavedFuncs *funcs);
void                  _gadget_unsaved_table_free         (GadgetUnsavedTable       *self);

/* Adds an entry (transfer none), which begins a struct of SIZE bytes. The other members are 0. NAME
 * (transfer full) is for the log. */
gpointer              _gadget_unsaved_table_add          (GadgetUnsavedTable       *self,
                                                          gsize                     size,
                                                          gconstpointer             key,
                                                          char                     *name);
/* Emits "changed" on the owner, and returns from the tasks that need not wait any more. */
void                  _gadget_unsaved_table_changed      (GadgetUnsavedTable       *self);
/* Removes FILE (transfer full) in a thread. The tasks wait for this, too, because the next start
 * would recover a file that is left. */
void                  _gadget_unsaved_table_remove_file  (GadgetUnsavedTable       *self,
                                                          GadgetRecoveryFile       *file);
/* Writes all entries once more and waits for the answers of the store, for at most MILLISECONDS,
 * and then at most one second for recovery files only. The task, whose source object is the owner,
 * returns TRUE. */
void                  _gadget_unsaved_table_settle_async (GadgetUnsavedTable       *self,
                                                          guint                     milliseconds,
                                                          GAsyncReadyCallback       callback,
                                                          gpointer                  user_data);

/* Called when the entry has changed: writes it to the store, and to its recovery file if it has
 * failed before. */
void                  _gadget_unsaved_entry_changed      (GadgetUnsavedEntry       *self);
/* Called when the last write has succeeded: forgets the entry, unless it has changed since. */
void                  _gadget_unsaved_entry_written      (GadgetUnsavedEntry       *self);
/* Called when a write to the store begins. */
void                  _gadget_unsaved_entry_begin_write  (GadgetUnsavedEntry       *self);
/* Called when the write has failed with ERROR: the entry is written again after the next interval,
 * and is in a recovery file meanwhile. */
void                  _gadget_unsaved_entry_fail         (GadgetUnsavedEntry       *self,
                                                          const GError             *error);
/* Writes the entry to a recovery file, unless a file has it. */
void                  _gadget_unsaved_entry_write_file   (GadgetUnsavedEntry       *self);
/* Called when the entry needs no saving any more. */
void                  _gadget_unsaved_entry_forget       (GadgetUnsavedEntry       *self);
/* Returns whether the user has to be told of the entry and, as far as is known, no recovery file
 * has it as it is now. */
gboolean              _gadget_unsaved_entry_is_lost      (const GadgetUnsavedEntry *self);

GadgetUnsavedAttempt *_gadget_unsaved_attempt_new        (GadgetUnsavedEntry       *entry);
void                  _gadget_unsaved_attempt_free       (GadgetUnsavedAttempt     *self);
/* Called with the answer to a write. Returns whether it counts, which is only the answer to the
 * last write of an entry that was not forgotten. */
gboolean              _gadget_unsaved_attempt_end        (GadgetUnsavedAttempt     *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetUnsavedAttempt, _gadget_unsaved_attempt_free)

G_END_DECLS
