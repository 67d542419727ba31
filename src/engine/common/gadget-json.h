/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reads JSON that other programs wrote, and adds members to what is written. Nothing here trusts the
 * data: the depth is limited before the parser recurses, and every getter treats a member of another
 * type as missing. */

#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* Levels of objects and arrays that a text may have. */
#define GADGET_JSON_MAX_DEPTH 64

JsonNode   *gadget_json_parse          (const char *text,
                                        gsize       length,
                                        GError    **error);
JsonNode   *gadget_json_parse_repaired (const char *text,
                                        gsize       length,
                                        GError    **error);
/* NULL (or FALSE, with VALUE untouched) when OBJECT is NULL, or the member is missing or of another
 * type. (transfer none) */
JsonObject *gadget_json_get_object     (JsonObject *object,
                                        const char *name);
JsonArray  *gadget_json_get_array      (JsonObject *object,
                                        const char *name);
const char *gadget_json_get_string     (JsonObject *object,
                                        const char *name);
/* The strings of the array NAME, without elements of other types; empty when there is no such
 * array. (transfer full) */
char      **gadget_json_dup_strings    (JsonObject *object,
                                        const char *name);
/* Numbers of less than 2^53, without their fraction; FALSE for any other member. */
gboolean    gadget_json_get_int        (JsonObject *object,
                                        const char *name,
                                        gint64     *value);
/* FALSE, with VALUE untouched, when the member is not a number. */
gboolean    gadget_json_get_double     (JsonObject *object,
                                        const char *name,
                                        double     *value);
/* The value of a boolean member; FALSE when there is none. */
gboolean    gadget_json_get_flag       (JsonObject *object,
                                        const char *name);
/* FALSE, with VALUE untouched, when the member is not a boolean. */
gboolean    gadget_json_get_boolean    (JsonObject *object,
                                        const char *name,
                                        gboolean   *value);
/* TRUE when TEXT is one of the elements. ARRAY may be NULL. */
gboolean    gadget_json_has_string     (JsonArray  *array,
                                        const char *text);
/* The element at INDEX if it is an object, or NULL. ARRAY may be NULL. (transfer none) */
JsonObject *gadget_json_get_element    (JsonArray  *array,
                                        guint       index);

/* Add a member with a value to the object that BUILDER is in. */
void        gadget_json_add_int        (JsonBuilder *builder,
                                        const char  *name,
                                        gint64       value);
void        gadget_json_add_double     (JsonBuilder *builder,
                                        const char  *name,
                                        double       value);
void        gadget_json_add_boolean    (JsonBuilder *builder,
                                        const char  *name,
                                        gboolean     value);

/* Store bytes as Base64. NULL bytes add no member, and a missing member is read as NULL.
 * (transfer full) (nullable) */
void        gadget_json_add_bytes      (JsonBuilder *builder,
                                        const char  *name,
                                        GBytes      *bytes);
GBytes     *gadget_json_get_bytes      (JsonObject  *object,
                                        const char  *name);

/* Rounds milliseconds to 1/64 ms before they are written. Such numbers have few digits both in
 * memory and in JSON, where a time such as 12.345 would be 12.345000000000001. */
double      gadget_json_round_ms   (double       ms);

G_END_DECLS
