/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What real servers accept as the body of a request, and no more. Written from their published
 * documentation and from what they answer to bad requests, independently of the code that makes
 * the bodies. Each answers NULL if the body is accepted, or (transfer full) why it is refused.
 *
 * @issued: (nullable) (element-type utf8 utf8): the reasoning that the server gave, by what it
 * gave to send back with it; see the functions that collect it from a stream. Without it any is
 * taken for the server's. */

#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

typedef char *(*StrictFunc)            (const char   *body,
                                        gsize         length,
                                        GHashTable   *issued);
/* Adds what the events of a stream, as far as it goes, gave. */
typedef void  (*StrictCollectFunc)     (const char   *stream,
                                        gsize         length,
                                        GHashTable   *issued);

char         *strict_openai_chat       (const char   *body,
                                        gsize         length,
                                        GHashTable   *issued);
char         *strict_anthropic         (const char   *body,
                                        gsize         length,
                                        GHashTable   *issued);
void          strict_anthropic_collect (const char   *stream,
                                        gsize         length,
                                        GHashTable   *issued);
char         *strict_responses         (const char   *body,
                                        gsize         length,
                                        GHashTable   *issued);
void          strict_responses_collect (const char   *stream,
                                        gsize         length,
                                        GHashTable   *issued);

/* For the checks themselves. */
typedef struct
{
  JsonObject *root;
  GHashTable *issued; /* (nullable) */
  GHashTable *open;   /* ids of calls that have no result yet */
  GHashTable *seen;   /* ids that may not come again */
  char *reason;       /* (nullable): the first one */
} StrictBody;

typedef gboolean (*StrictCheckFunc)    (StrictBody   *self);
typedef void     (*StrictEventFunc)    (JsonObject   *event,
                                        gpointer      user_data);

char         *strict_run               (const char   *body,
                                        gsize         length,
                                        GHashTable   *issued,
                                        StrictCheckFunc check);
/* FALSE, always. */
gboolean      strict_refuse            (StrictBody   *self,
                                        const char   *format,
                                        ...) G_GNUC_PRINTF (2, 3);
/* Whether it has no members but these, of which those before the first "" must be there. */
gboolean      strict_has_only          (StrictBody   *self,
                                        JsonObject   *object,
                                        const char   *what,
                                        const char *const *names);
gboolean      strict_is_name           (const char   *text,
                                        gsize         max_length);
gboolean      strict_is_blank          (const char   *text);
gboolean      strict_is_image_url      (const char   *url);
/* Calls @func with the JSON of each "data:" line. */
void          strict_each_event        (const char   *stream,
                                        gsize         length,
                                        StrictEventFunc func,
                                        gpointer      user_data);

G_END_DECLS
