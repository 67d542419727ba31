/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agent/gadget-mcp-list.h"

G_BEGIN_DECLS

#define SOON_MS 15000

/* A list of servers with all that it needs, in a folder that is thrown away. */
typedef struct
{
  char *folder;
  char *log;
  GadgetStore *store;
  GadgetSecrets *secrets;
  GadgetClock *clock;
  GadgetToolbox *toolbox;
  GadgetMcpList *list;
  GadgetItem *item;
  GCancellable *cancellable;
  GAsyncResult *result;
} McpListFixture;

void             mcp_list_set_up      (McpListFixture         *f,
                                       gconstpointer           data);
void             mcp_list_tear_down   (McpListFixture         *f,
                                       gconstpointer           data);

/* As at the start and the end of a program; the store stays. */
void             mcp_list_open        (McpListFixture         *f);
void             mcp_list_close       (McpListFixture         *f);

/* A configuration of the mock; @options as in mcp-fixture.h. */
GadgetMcpConfig *mcp_list_make_config (McpListFixture         *f,
                                       const char             *id,
                                       const char             *options);
GadgetMcpServer *mcp_list_add         (McpListFixture         *f,
                                       const GadgetMcpConfig  *config,
                                       const char             *secrets);

/* Waits until it is connected or failed; asserts that its tools are known then. */
gboolean         mcp_list_connect     (GadgetMcpServer        *server,
                                       GError                **error);

/* Adds a server that connects without an error. */
GadgetMcpServer *mcp_list_add_and_connect (McpListFixture         *f,
                                           const char             *id,
                                           const char             *options);
/* Starts a call of the tool with that name; the next function waits for its result. */
void             mcp_list_start_call  (McpListFixture         *f,
                                       const char             *name,
                                       const char             *arguments);
/* (transfer full) */
GadgetToolResult *mcp_list_finish_call (McpListFixture         *f,
                                        GError                **error);
/* Both; the text of the result. (transfer full) */
char            *mcp_list_call        (McpListFixture         *f,
                                       const char             *name,
                                       const char             *arguments);

G_END_DECLS
