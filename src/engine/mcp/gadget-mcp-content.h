/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "session/gadget-picture.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* The largest text of a result, in bytes. A longer one is cut, and says so. */
#define GADGET_MCP_MAX_TEXT (100 * 1024)

/**
 * GadgetMcpResult:
 * @failed: the server says that the tool failed
 * @text: the text for the model; never %NULL
 * @pictures: (element-type GadgetPicture): the pictures that can be shown; @text has a line for
 *   each
 *
 * The part of a tool's result that a model gets to know.
 */
typedef struct
{
  gboolean failed;
  char *text;
  GPtrArray *pictures;
} GadgetMcpResult;

GadgetMcpResult *gadget_mcp_result_parse (JsonObject      *result);
void             gadget_mcp_result_free  (GadgetMcpResult *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetMcpResult, gadget_mcp_result_free)

G_END_DECLS
