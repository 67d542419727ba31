/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reading JSON that others wrote. Nothing here trusts the data: the depth is limited before the
 * parser recurses, and every getter answers "not there" for a member of another type. */

#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

#define GADGET_JSON_MAX_DEPTH 64

JsonNode   *gadget_json_parse          (const char *text,
                                        gsize       length,
                                        GError    **error);
JsonNode   *gadget_json_parse_repaired (const char *text,
                                        gsize       length,
                                        GError    **error);
JsonObject *gadget_json_get_object     (JsonObject *object,
                                        const char *name);
JsonArray  *gadget_json_get_array      (JsonObject *object,
                                        const char *name);
const char *gadget_json_get_string     (JsonObject *object,
                                        const char *name);
/* The strings of an array; empty when it is not there. (transfer full) */
char      **gadget_json_dup_strings    (JsonObject *object,
                                        const char *name);
gboolean    gadget_json_get_int        (JsonObject *object,
                                        const char *name,
                                        gint64     *value);
/* FALSE and untouched when it is no number. */
gboolean    gadget_json_get_double     (JsonObject *object,
                                        const char *name,
                                        double     *value);
/* FALSE when it is not there. */
gboolean    gadget_json_get_flag       (JsonObject *object,
                                        const char *name);
gboolean    gadget_json_get_boolean    (JsonObject *object,
                                        const char *name,
                                        gboolean   *value);
/* Whether TEXT is one of the elements. */
gboolean    gadget_json_has_string     (JsonArray  *array,
                                        const char *text);
JsonObject *gadget_json_get_element    (JsonArray  *array,
                                        guint       index);

/* Bytes, in Base64. Nothing is added for NULL, and NULL is what is not there. (transfer full) */
void        gadget_json_add_bytes      (JsonBuilder *builder,
                                        const char  *name,
                                        GBytes      *bytes);
GBytes     *gadget_json_get_bytes      (JsonObject  *object,
                                        const char  *name);

/* Milliseconds as they are written: to 1/64 ms, which has few digits both in memory and in JSON,
 * where a time such as 12.345 would be 12.345000000000001. */
double      gadget_json_round_ms   (double       ms);

G_END_DECLS
