/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

typedef enum
{
  GADGET_MCP_FIELD_TEXT,
  GADGET_MCP_FIELD_NUMBER,
  GADGET_MCP_FIELD_INTEGER,
  GADGET_MCP_FIELD_BOOLEAN,
  GADGET_MCP_FIELD_CHOICE,
  GADGET_MCP_FIELD_CHOICES,
} GadgetMcpFieldKind;

/**
 * GadgetMcpField:
 * @name: of the property
 * @question: what the user is asked
 * @required: whether it must be answered
 * @labels: (nullable): of what can be chosen
 * @values: (nullable): what each of @labels stands for
 * @fallback: (nullable): what is sent unless the user says otherwise, in the user's words
 * @format: (nullable): of a text: "email", "uri", "date" or "date-time"
 * @minimum: of a number, or of a text's length
 * @maximum: likewise
 */
typedef struct
{
  char *name;
  char *question;
  GadgetMcpFieldKind kind;
  gboolean required;
  char **labels;
  char **values;
  char *fallback;
  char *format;
  double minimum;
  double maximum;
} GadgetMcpField;

/* What a server wants to know, as one question after the other. Pure. Source: MCP 2026-07-28,
 * client/elicitation, "Requested Schema"; 2025-11-25 has the same. */
GPtrArray *gadget_mcp_form_parse         (JsonObject            *schema,
                                          GError               **error);
JsonNode  *gadget_mcp_field_parse_answer (const GadgetMcpField  *self,
                                          const char            *answer,
                                          char                 **problem);

G_END_DECLS
