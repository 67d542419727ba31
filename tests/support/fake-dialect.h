/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How a model server streams an answer, in each dialect: an entry of data each, so that a test or a
 * benchmark goes through all that the engine speaks. */

#pragma once

#include "fake-server.h"

G_BEGIN_DECLS

/**
 * FakeDialect:
 * @kind: of the provider's configuration
 * @path: that the base URL ends in
 *
 * The rest are bytes of the stream, in which @t is a text and @a a call's arguments, both as the
 * inside of a JSON string, @o the arguments as an object, @n a tool's name, and @i the number of
 * the call in this answer.
 */
typedef struct
{
  const char *kind;
  const char *path;
  const char *content_type;
  const char *begin;      /* of every answer */
  const char *open_text;  /* before the first piece of text */
  const char *text;
  const char *close_text; /* after the last */
  const char *call;       /* a whole one */
  const char *cut_call;   /* the beginning of one, cut in its arguments */
  const char *reasoning;  /* a piece of it, at the beginning of an answer and then no other part;
                           * NULL where it has not been needed yet */
  const char *error;      /* instead of the rest of an answer; likewise */
  const char *end_text;   /* of an answer of text, and of one with calls */
  const char *end_calls;
} FakeDialect;

/* All of them, ended by one without a kind. The engine may not know each yet: see
 * gadget_provider_config_check (). */
extern const FakeDialect fake_dialects[];
const FakeDialect *fake_dialect_find (const char *kind);

/* Text: begin, then pieces, then end. */
void fake_dialect_begin_text (const FakeDialect *self,
                              FakeReply         *reply);
void fake_dialect_text       (const FakeDialect *self,
                              FakeReply         *reply,
                              const char        *text);
void fake_dialect_flow       (const FakeDialect *self,
                              FakeReply         *reply,
                              const char        *text,
                              guint              n,
                              double             per_second);
void fake_dialect_end_text   (const FakeDialect *self,
                              FakeReply         *reply);

/* Calls: begin, then calls counted from 0, then end. @arguments is JSON. */
void fake_dialect_begin_calls (const FakeDialect *self,
                              FakeReply         *reply);
void fake_dialect_call       (const FakeDialect *self,
                              FakeReply         *reply,
                              guint              index,
                              const char        *name,
                              const char        *arguments);
void fake_dialect_cut_call   (const FakeDialect *self,
                              FakeReply         *reply,
                              guint              index,
                              const char        *name);
/* After begin_calls, and instead of calls: reasoning that does not come to its end. */
void fake_dialect_cut_reasoning (const FakeDialect *self,
                              FakeReply         *reply,
                              const char        *text);
/* The provider is overloaded, it says in the middle of an answer. */
void fake_dialect_fail       (const FakeDialect *self,
                              FakeReply         *reply);
void fake_dialect_end_calls  (const FakeDialect *self,
                              FakeReply         *reply);

/* The whole body of an answer with N equal calls. */
char *fake_dialect_dup_calls (const FakeDialect *self,
                              const char        *name,
                              const char        *arguments,
                              guint              n);

G_END_DECLS
