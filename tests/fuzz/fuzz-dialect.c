/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "fuzz-dialect.h"

#include <string.h>

typedef struct
{
  GString *log;
  GHashTable *open; /* indices of calls that have begun and not ended */
} Watch;

static void
watch_text (Watch *watch, const char *kind, const GadgetChatEvent *event)
{
  g_assert (event->text != NULL && *event->text != '\0');
  g_assert (g_utf8_validate (event->text, -1, NULL));
  g_string_append_printf (watch->log, "%s %u %s\n", kind, event->call_index, event->text);
}

static void
watch_call (Watch *watch, const GadgetChatEvent *event)
{
  gpointer index = GUINT_TO_POINTER (event->call_index);

  switch (event->type)
    {
    case GADGET_CHAT_CALL_BEGIN:
      g_assert (event->name != NULL && *event->name != '\0');
      g_assert (event->call_id != NULL && *event->call_id != '\0');
      g_assert (g_hash_table_add (watch->open, index));
      g_string_append_printf (watch->log, "begin %u %s\n", event->call_index, event->name);
      break;
    case GADGET_CHAT_CALL_ARGUMENTS:
      g_assert (g_hash_table_contains (watch->open, index));
      watch_text (watch, "arguments", event);
      break;
    case GADGET_CHAT_CALL_END:
    default:
      g_assert (g_hash_table_remove (watch->open, index));
      g_string_append_printf (watch->log, "end %u %s\n", event->call_index,
                              event->replay != NULL ? event->replay : "-");
    }
}

static void
watch_event (const GadgetChatEvent *event, gpointer user_data)
{
  Watch *watch = user_data;

  switch (event->type)
    {
    case GADGET_CHAT_TEXT:
      watch_text (watch, "text", event);
      break;
    case GADGET_CHAT_TEXT_END:
      g_assert (event->replay != NULL);
      g_string_append_printf (watch->log, "text-end %s\n", event->replay);
      break;
    case GADGET_CHAT_REASONING:
      watch_text (watch, "reasoning", event);
      break;
    case GADGET_CHAT_REASONING_END:
      g_string_append_printf (watch->log, "reasoning-end %s\n",
                              event->replay != NULL ? event->replay : "-");
      break;
    case GADGET_CHAT_CALL_BEGIN:
    case GADGET_CHAT_CALL_ARGUMENTS:
    case GADGET_CHAT_CALL_END:
      watch_call (watch, event);
      break;
    case GADGET_CHAT_USAGE:
      g_assert (event->usage.input_tokens >= 0 && event->usage.output_tokens >= 0);
      g_string_append_printf (watch->log, "usage %" G_GINT64_FORMAT " %" G_GINT64_FORMAT "\n",
                              event->usage.input_tokens, event->usage.output_tokens);
      break;
    case GADGET_CHAT_LIMIT:
      g_string_append (watch->log, "limit\n");
      break;
    case GADGET_CHAT_IMAGES_LEFT_OUT:
    case GADGET_CHAT_LOADING:
    case GADGET_CHAT_RETRY:
    default:
      g_assert_not_reached ();
    }
}

static char *
parse (const GadgetDialect *dialect, const char *bytes, gsize length, gsize piece)
{
  Watch watch = { g_string_new (NULL), g_hash_table_new (NULL, NULL) };
  GadgetResponseParser *parser = gadget_response_parser_new (dialect->parser, watch_event, &watch);
  g_autoptr (GError) error = NULL;
  gboolean good = TRUE;

  for (gsize i = 0; good && i < length; i += piece)
    good = gadget_response_parser_feed (parser, bytes + i, MIN (piece, length - i), &error);
  if (good)
    good = gadget_response_parser_end (parser, &error);
  g_assert (good == (error == NULL));
  if (error != NULL)
    {
      g_assert (error->domain == GADGET_PROVIDER_ERROR);
      g_string_append_printf (watch.log, "error %d\n", error->code);
    }
  gadget_response_parser_free (parser);
  g_hash_table_unref (watch.open);
  return g_string_free (watch.log, FALSE);
}

/* These are only not to crash. */
static void
read_others (const GadgetDialect *dialect, const char *bytes, gsize size)
{
  GadgetHttpResponse response = { .status = 400 + (size > 0 ? (guchar) bytes[0] : 0) % 200 };
  g_autoptr (GError) refusal = dialect->read_refusal (&response, bytes, size);
  g_autoptr (GPtrArray) models = dialect->read_models (bytes, size, "default", NULL);
  g_autoptr (GadgetModel) model = NULL;
  GadgetModelSupport terms = { 0 };

  g_assert (refusal != NULL && refusal->domain == GADGET_PROVIDER_ERROR);
  g_assert (g_utf8_validate (refusal->message, -1, NULL));
  g_free (response.retry_after);
  for (guint i = 0; dialect->adapt != NULL && dialect->adapt (refusal, &terms); i++)
    g_assert (i < 4);
  g_assert (terms.max_tokens >= 0);
  if (dialect->make_next_url != NULL)
    g_free (dialect->make_next_url ("http://127.0.0.1/v1", bytes, size));
  if (dialect->read_description != NULL)
    model = dialect->read_description (bytes, size, "model", NULL);
  if (model == NULL)
    model = gadget_model_new ("model");
  if (dialect->read_more != NULL)
    dialect->read_more (bytes, size, model);
  if (dialect->is_running != NULL)
    dialect->is_running (bytes, size, "model");
}

void
fuzz_dialect (const GadgetDialect *dialect, const guint8 *data, gsize size)
{
  const char *bytes = size > 0 ? (const char *) data : "";
  const gsize pieces[] = { 1, 5, 64 };
  g_autofree char *whole = parse (dialect, bytes, size, MAX (size, 1));

  read_others (dialect, bytes, size);
  for (guint i = 0; i < G_N_ELEMENTS (pieces); i++)
    {
      g_autofree char *split = parse (dialect, bytes, size, pieces[i]);

      g_assert_cmpstr (whole, ==, split);
    }
}
