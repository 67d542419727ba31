/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Everything that can be read from FD, as text. */
void  gadget_cli_read_async      (int                   fd,
                                  gsize                 limit,
                                  GAsyncReadyCallback   callback,
                                  gpointer              user_data);
char *gadget_cli_read_finish     (GAsyncResult         *result,
                                  GError              **error);

/* Secrets as they are read from standard input: of each of NAMES a line "NAME=value". Returns what
 * the keyring is given, see gadget-secret-values.h; NULL when one is missing. */
#define GADGET_CLI_MAX_SECRETS 65536
char *gadget_cli_parse_secrets   (char                **names,
                                  const char           *text,
                                  GError              **error);

/* One line, the key, without the white space around it. On a terminal what is typed is not
 * shown. */
void  gadget_cli_read_key_async  (int                   fd,
                                  GAsyncReadyCallback   callback,
                                  gpointer              user_data);
char *gadget_cli_read_key_finish (GAsyncResult         *result,
                                  GError              **error);

/* Puts the terminal back, if a key is being typed; wherever the program ends. */
void  gadget_cli_show_typing     (void);

G_END_DECLS
