/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* The kinds of fields. CHOICE is one of several values, CHOICES any number of them. */
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
 * @name: the name of the property
 * @question: the text that the user is asked
 * @required: whether the field must be answered
 * @labels: (nullable): the labels of the choices
 * @values: (nullable): the value of each of @labels
 * @fallback: (nullable): the value that the server suggests, as a label or text that the user could
 *   give
 * @format: (nullable): of a text: "email", "uri", "date" or "date-time"
 * @minimum: of a number, of the length of a text in characters, or of the number of choices
 * @maximum: likewise
 *
 * One field of a form, which the user is asked as one question.
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

/* Converts a form that a server wants filled in to a list of questions. Source: MCP 2026-07-28,
 * client/elicitation, "Requested Schema"; 2025-11-25 has the same. */
GPtrArray *gadget_mcp_form_parse         (JsonObject            *schema,
                                          GError               **error);
JsonNode  *gadget_mcp_field_parse_answer (const GadgetMcpField  *self,
                                          const char            *answer,
                                          char                 **problem);

G_END_DECLS
