/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to cli-session.c, cli-session-list.c and cli-session-place.c. */

#pragma once

#include "cli-app.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* The command line, and the data that is read for it. */
typedef struct
{
  GadgetCli *cli;
  gboolean json;
  gboolean force;
  gboolean archived;
  gboolean create;
  const char *id;
  const char *folder; /* (nullable): the folder of chats that is named */
  GadgetSession *session;
  GPtrArray *effects; /* (nullable) (element-type GadgetEffectRow): effects of the session */
  int change;         /* what a command of cli-session-place.c does, see there */
} GadgetCliSession;

/* Runs the command, and frees what it has read. Returns the exit status. */
int               _gadget_cli_session_run          (GadgetCliSession   *command,
                                                    GadgetCliStart      start);

/* As gadget_cli_parse_id (), for the id of a session. */
gboolean          _gadget_cli_session_parse_id     (const char         *synopsis,
                                                    const char         *description,
                                                    const GOptionEntry *entries,
                                                    char             ***argv,
                                                    GadgetCliSession   *command,
                                                    int                *status);
void              _gadget_cli_session_fail_unknown (GadgetCliSession   *command);

/* Adds the members that describe a session. */
void              _gadget_cli_session_add          (GadgetCli          *cli,
                                                    JsonBuilder        *builder,
                                                    GadgetSession      *session);

/* Returns "NAME" or "PARENT/NAME". (transfer full) */
char             *_gadget_cli_session_dup_path     (GadgetChatFolders  *folders,
                                                    GadgetChatFolder   *folder);

/* Finds the folder that the command names, by its id, its name or its path. (transfer none)
 * (nullable): NULL after gadget_cli_fail (), or if there is none and command->create is set */
GadgetChatFolder *_gadget_cli_session_find_folder  (GadgetCliSession   *command);

/* The commands of the other files. */
int               _gadget_cli_session_list         (char              **argv);
int               _gadget_cli_session_pin          (char              **argv);
int               _gadget_cli_session_unpin        (char              **argv);
int               _gadget_cli_session_archive      (char              **argv);
int               _gadget_cli_session_unarchive    (char              **argv);
int               _gadget_cli_session_move         (char              **argv);

G_END_DECLS
