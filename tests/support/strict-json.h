/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Words for validators of request bodies. Each function complains of what is wrong by a text, and
 * is silent (NULL) otherwise; complaints are owned by the caller. */

#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

typedef struct
{
  const char *name;
  JsonNodeType node; /* what it must be */
  GType value;       /* of a value: of which type; G_TYPE_NONE for any */
  gboolean needed;
} StrictMember;

/* Ends with a NULL name. Other members are complained of. */
char *strict_check_members (JsonObject         *object,
                            const char         *where,
                            const StrictMember *members);
char *strict_check_array   (JsonArray          *array,
                            const char         *where,
                            JsonNodeType        node);
char *strict_complain      (const char         *where,
                            const char         *what);

G_END_DECLS
