/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Reads everything from @fd as UTF-8 text (transfer full). Fails with G_IO_ERROR_NO_SPACE when
 * there are more than @limit bytes, G_IO_ERROR_INVALID_DATA when it is not UTF-8, or an error of
 * the stream. */
void  gadget_cli_read_async      (int                   fd,
                                  gsize                 limit,
                                  GAsyncReadyCallback   callback,
                                  gpointer              user_data);
char *gadget_cli_read_finish     (GAsyncResult         *result,
                                  GError              **error);

/* Parses secrets from standard input: one line "NAME=value" for each of @names. Returns the text
 * for the keyring, see gadget-secret-values.h (transfer full); NULL with G_IO_ERROR_INVALID_DATA
 * when a line is missing. */
#define GADGET_CLI_MAX_SECRETS 65536
char *gadget_cli_parse_secrets   (char                **names,
                                  const char           *text,
                                  GError              **error);

/* Reads one line, the key, without white space around it (transfer full). On a terminal the echo is
 * switched off. Fails as gadget_cli_read_finish () does, and with G_IO_ERROR_INVALID_DATA when the
 * line is empty. */
void  gadget_cli_read_key_async  (int                   fd,
                                  GAsyncReadyCallback   callback,
                                  gpointer              user_data);
char *gadget_cli_read_key_finish (GAsyncResult         *result,
                                  GError              **error);

/* Switches the echo of the terminal on again if a key is being typed; called wherever the program
 * ends. Safe in signal handlers. */
void  gadget_cli_show_typing     (void);

G_END_DECLS
