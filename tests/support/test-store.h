/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "store/gadget-journal.h"
#include "store/lease/gadget-lease.h"
#include "store/gadget-store-deletion.h"
#include "store/gadget-store-sessions.h"
#include "test-wait.h"

G_BEGIN_DECLS

/* A fresh folder, and its end with everything in it. */
char          *test_dir_new           (void);
void           test_dir_free          (char                *path);
/* Whether a file in the folder, or in one in it, has the word; says which ones. */
gboolean       test_dir_has_word      (const char          *path,
                                       const char          *word);

/* Waits for the result that test_result_cb () is to put there, and takes it. */
GAsyncResult  *test_take_result       (GAsyncResult       **slot);

/* An open store in a folder of its own. */
typedef struct
{
  char *directory;
  GadgetStore *store;
} StoreFixture;

void           test_store_set_up      (StoreFixture        *fixture,
                                       gconstpointer        data);
void           test_store_tear_down   (StoreFixture        *fixture,
                                       gconstpointer        data);

GadgetStore   *test_store_open        (const char          *directory);
void           test_store_close       (GadgetStore         *store);
GadgetSession *test_store_load        (GadgetStore         *store,
                                       const char          *session_id);
/* The same into an object that is there. */
void           test_store_load_into   (GadgetStore         *store,
                                       GadgetSession       *session);
void           test_store_load_pictures (GadgetStore       *store,
                                       GadgetSession       *session);
/* The draft of a chat; of the new chat, with %NULL. @attachments: (out) (optional) (nullable).
 * (transfer full) */
char          *test_store_load_draft  (GadgetStore         *store,
                                       const char          *session_id,
                                       GPtrArray          **attachments);
void           test_store_save        (GadgetStore         *store,
                                       GadgetSession       *session);
void           test_store_delete      (GadgetStore         *store,
                                       const char          *session_id);
gboolean       test_store_try_delete  (GadgetStore         *store,
                                       const char          *session_id,
                                       GadgetDeleteFlags    flags,
                                       GError             **error);
/* Run a function or statements on the thread of the store, after what it was asked for before. */
void           test_store_run         (GadgetStore         *store,
                                       GadgetStoreFunc      func,
                                       gpointer             data);
void           test_store_run_sql     (GadgetStore         *store,
                                       const char          *sql);
/* Has the journal write, and returns whether that succeeded. */
gboolean       test_journal_write     (GadgetJournal       *journal);
/* Waits until all changes so far are stored. */
void           test_journal_flush     (GadgetJournal       *journal);
gboolean       test_journal_commit    (GadgetJournal       *journal,
                                       GError             **error);

/* The program store-worker, see its source. Its standard input is open as long as it is held. */
GSubprocess   *test_worker_start      (const char          *mode,
                                       const char          *directory,
                                       const char          *session_id,
                                       const char          *argument);

G_END_DECLS
