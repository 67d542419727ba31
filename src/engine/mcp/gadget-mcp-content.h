/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "session/gadget-picture.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* How much of a result the model is given. */
#define GADGET_MCP_MAX_TEXT (100 * 1024)

/**
 * GadgetMcpResult:
 * @failed: the tool says that it failed
 * @text: what the model is given; never NULL
 * @pictures: (element-type GadgetPicture): what came with it and can be shown; each has a line in
 *   @text
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
