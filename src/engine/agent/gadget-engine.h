/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-mcp-list.h"
#include "gadget-agent.h"
#include "gadget-unsaved-drafts.h"
#include "store/gadget-recovery.h"
#include "store/gadget-store-deletion.h"
#include "tools/gadget-commands.h"

G_BEGIN_DECLS

#define GADGET_TYPE_ENGINE (gadget_engine_get_type ())
G_DECLARE_FINAL_TYPE (GadgetEngine, gadget_engine, GADGET, ENGINE, GObject)

/* Everything below the window and the command line, put together: store, keyring, providers,
 * tools, agent, and the list of chats. */
GadgetEngine       *gadget_engine_new             (const char           *data_dir);
void                gadget_engine_open_async      (GadgetEngine         *self,
                                                   GAsyncReadyCallback   callback,
                                                   gpointer              user_data);
gboolean            gadget_engine_open_finish     (GadgetEngine         *self,
                                                   GAsyncResult         *result,
                                                   GError              **error);

/* Once, when it is open, where the user can be told: (element-type GadgetRecovered). */
void                gadget_engine_recover_async   (GadgetEngine         *self,
                                                   GAsyncReadyCallback   callback,
                                                   gpointer              user_data);
GPtrArray          *gadget_engine_recover_finish  (GadgetEngine         *self,
                                                   GAsyncResult         *result,
                                                   GError              **error);

GadgetAgent        *gadget_engine_get_agent       (GadgetEngine         *self);
GadgetProviderList *gadget_engine_get_providers   (GadgetEngine         *self);
GadgetMcpList      *gadget_engine_get_mcp         (GadgetEngine         *self);
GadgetSecrets      *gadget_engine_get_secrets     (GadgetEngine         *self);
GadgetStore        *gadget_engine_get_store       (GadgetEngine         *self);

GadgetUnsavedDrafts *gadget_engine_get_drafts     (GadgetEngine         *self);
GadgetCommands     *gadget_engine_get_commands    (GadgetEngine         *self);

/* A GListModel of #GadgetSession, the most recently used first. Sessions made, changed or removed
 * by other processes come and go in it by themselves. */
GListModel         *gadget_engine_get_sessions    (GadgetEngine         *self);
GadgetSession      *gadget_engine_find_session    (GadgetEngine         *self,
                                                   const char           *id);

/* A new chat. It is in the list, and on disk, from its first turn on. (transfer full) */
GadgetSession      *gadget_engine_new_session     (GadgetEngine         *self);

/* Reads the turns of a session; of one whose turns are here already only whether it is still there. */
void                gadget_engine_load_async      (GadgetEngine         *self,
                                                   GadgetSession        *session,
                                                   GAsyncReadyCallback   callback,
                                                   gpointer              user_data);
gboolean            gadget_engine_load_finish     (GadgetEngine         *self,
                                                   GAsyncResult         *result,
                                                   GError              **error);

/* A new chat of the turns of another up to, and with, one of them. (transfer full) */
void                gadget_engine_branch_async    (GadgetEngine         *self,
                                                   GadgetSession        *session,
                                                   const char           *turn_id,
                                                   const char           *title,
                                                   GAsyncReadyCallback   callback,
                                                   gpointer              user_data);
GadgetSession      *gadget_engine_branch_finish   (GadgetEngine         *self,
                                                   GAsyncResult         *result,
                                                   GError              **error);

/* Deletes a chat; in two steps, the first of which can be taken back, or at once. */
gboolean            gadget_engine_begin_delete    (GadgetEngine         *self,
                                                   GadgetSession        *session,
                                                   GadgetDeleteFlags     flags,
                                                   GError              **error);
gboolean            gadget_engine_cancel_delete   (GadgetEngine         *self,
                                                   GadgetSession        *session);
void                gadget_engine_delete_async    (GadgetEngine         *self,
                                                   GadgetSession        *session,
                                                   GadgetDeleteFlags     flags,
                                                   GAsyncReadyCallback   callback,
                                                   gpointer              user_data);
gboolean            gadget_engine_delete_finish   (GadgetEngine         *self,
                                                   GAsyncResult         *result,
                                                   GError              **error);

/* Other processes do not delete a chat that is held. */
void            gadget_engine_hold_session        (GadgetEngine         *self,
                                                   GadgetSession        *session);
void            gadget_engine_release_session     (GadgetEngine         *self,
                                                   GadgetSession        *session);

/* Writes a session's title, workspace, model and queue after the caller changed them. */
void                gadget_engine_save            (GadgetEngine         *self,
                                                   GadgetSession        *session);

/* Writes turns, chats and drafts that are not saved once more, and waits until they are saved or in
 * recovery files, but not for longer than MILLISECONDS and a second for the files. */
void                gadget_engine_settle_async    (GadgetEngine         *self,
                                                   guint                 milliseconds,
                                                   GAsyncReadyCallback   callback,
                                                   gpointer              user_data);
void                gadget_engine_settle_finish   (GadgetEngine         *self,
                                                   GAsyncResult         *result);

/* Aborts everything, waits until all of it is settled and written, and closes the store. */
void                gadget_engine_close_async     (GadgetEngine         *self,
                                                   GadgetStopReason      reason,
                                                   GAsyncReadyCallback   callback,
                                                   gpointer              user_data);
void                gadget_engine_close_finish    (GadgetEngine         *self,
                                                   GAsyncResult         *result);

G_END_DECLS
