/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "mcp/gadget-mcp-client.h"
#include "http/gadget-http.h"
#include "process/sandbox/gadget-sandbox.h"

G_BEGIN_DECLS

/* A client and the mock server of mcp_server.py, which writes down all that it hears. */
typedef struct
{
  GadgetMcpClient *client;
  GadgetMcpTransport *transport;
  GadgetClock *clock; /* the system's unless it is set before */
  GadgetSandbox *sandbox;
  GadgetItem *item;
  GCancellable *cancellable;
  char *folder;
  char *script; /* (nullable): a copy of the server, in that folder */
  char *tools;  /* (nullable): likewise of its tools */
  char *log;
  GPid process; /* of a server over HTTP, or 0 */
  GadgetHttp *http;
  char *url;
  const char *headers[3]; /* of the client, over HTTP */

  GAsyncResult *result; /* of the call that was started last, or of the connecting */
  GString *progress;
  guint n_tools_changed;
  guint n_closed;
  GError *closed;
} McpFixture;

/* @options: words for mcp_server.py, separated by spaces. Does not connect. */
void             mcp_set_up        (McpFixture    *f,
                                    gconstpointer  options);
void             mcp_tear_down     (McpFixture    *f,
                                    gconstpointer  options);
void             mcp_connect       (McpFixture    *f);
void             mcp_begin_connect (McpFixture    *f);
gboolean         mcp_end_connect   (McpFixture    *f,
                                    GError       **error);
void             mcp_start_call    (McpFixture    *f,
                                    const char    *tool,
                                    const char    *arguments);
GadgetMcpResult *mcp_finish_call   (McpFixture    *f,
                                    GError       **error);
/* The text of a call that goes well. */
char            *mcp_call          (McpFixture    *f,
                                    const char    *tool,
                                    const char    *arguments);
/* Stops the call; asserts that it is over at once, and answers how many ms it took. */
double           mcp_abort         (McpFixture    *f);

/* Waits until the log holds that text so often. */
void             mcp_wait_log      (McpFixture    *f,
                                    const char    *text,
                                    guint          times);
guint            mcp_count_log     (McpFixture    *f,
                                    const char    *text);
void             mcp_answer        (McpFixture    *f,
                                    const char    *answer);
gboolean         mcp_has_prompt    (gpointer       fixture);

/* Tests of every transport. */
void mcp_test_unreadable (McpFixture *f, gconstpointer data);
void mcp_test_task (McpFixture *f, gconstpointer data);
void mcp_test_abort_task (McpFixture *f, gconstpointer data);

G_END_DECLS
