/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Helpers for the formats of several dialects: they make addresses, write JSON and read it. */

#pragma once

#include "session/gadget-request.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

char     *gadget_dialect_make_url     (const char       *base_url,
                                       const char       *default_path,
                                       const char       *path);
/* Add a member to the object that BUILDER is building. Text that is not UTF-8 is made valid. */
void      gadget_dialect_add_string   (JsonBuilder      *builder,
                                       const char       *name,
                                       const char       *value);
void      gadget_dialect_add_boolean  (JsonBuilder      *builder,
                                       const char       *name,
                                       gboolean          value);
gboolean  gadget_dialect_add_json     (JsonBuilder      *builder,
                                       const char       *name,
                                       const char       *text);
/* Begin a member that is an object or an array; json_builder_end_object () or _array () ends it. */
void      gadget_dialect_begin_object (JsonBuilder      *builder,
                                       const char       *name);
void      gadget_dialect_begin_array  (JsonBuilder      *builder,
                                       const char       *name);
/* Adds "tools" in the format of OpenAI's Chat Completions, which Ollama has too: each a "function"
 * in an object of its own. (element-type GadgetToolSpec) */
void      gadget_dialect_add_functions (JsonBuilder     *builder,
                                       GPtrArray        *tools);
/* The string NAME of OBJECT (nullable); NULL if there is none, or it is "". (transfer none) */
const char *gadget_dialect_get_text   (JsonObject       *object,
                                       const char       *name);
/* Tells whether TEXT is empty or only ASCII white space, which some servers refuse as a text. */
gboolean  gadget_dialect_is_blank     (const char       *text);
/* The data of an image as Base64, and as a "data:" URL. (transfer full) */
char     *gadget_dialect_dup_base64   (const GadgetPart *image);
char     *gadget_dialect_dup_data_url (const GadgetPart *image);
char     *gadget_dialect_dup_image_words (const GadgetPart *image);
/* The finished JSON as the body of a request. (transfer full) */
GBytes   *gadget_dialect_to_bytes     (JsonBuilder      *builder);

G_END_DECLS
