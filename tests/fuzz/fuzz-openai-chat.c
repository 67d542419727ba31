/* SPDX-License-Identifier: GPL-3.0-or-later */

/* However an answer is split, the same events come of it, and they keep to their grammar: text is
 * UTF-8 and not empty; a call begins once, before its arguments, and ends at most once, after
 * them; a failure has an error of the provider's. The other readers of a server's words get the
 * same bytes, and are only not to crash. */

#include "config.h"

#include "fuzz.h"

#include "providers/gadget-openai-chat-format.h"
#include "providers/gadget-openai-chat-parser.h"
#include "providers/gadget-refusal.h"

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
watch_event (const GadgetChatEvent *event, gpointer user_data)
{
  Watch *watch = user_data;

  switch (event->type)
    {
    case GADGET_CHAT_TEXT:
      watch_text (watch, "text", event);
      break;
    case GADGET_CHAT_REASONING:
      watch_text (watch, "reasoning", event);
      break;
    case GADGET_CHAT_CALL_BEGIN:
      g_assert (event->name != NULL && *event->name != '\0');
      g_assert (event->call_id != NULL && *event->call_id != '\0');
      g_assert (!g_hash_table_contains (watch->open, GUINT_TO_POINTER (event->call_index)));
      g_hash_table_add (watch->open, GUINT_TO_POINTER (event->call_index));
      g_string_append_printf (watch->log, "begin %u %s\n", event->call_index, event->name);
      break;
    case GADGET_CHAT_CALL_ARGUMENTS:
      g_assert (g_hash_table_contains (watch->open, GUINT_TO_POINTER (event->call_index)));
      watch_text (watch, "arguments", event);
      break;
    case GADGET_CHAT_CALL_END:
      g_assert (g_hash_table_remove (watch->open, GUINT_TO_POINTER (event->call_index)));
      g_string_append_printf (watch->log, "end %u\n", event->call_index);
      break;
    case GADGET_CHAT_USAGE:
      g_assert (event->input_tokens >= 0 && event->output_tokens >= 0);
      g_string_append_printf (watch->log, "usage %" G_GINT64_FORMAT " %" G_GINT64_FORMAT "\n",
                              event->input_tokens, event->output_tokens);
      break;
    case GADGET_CHAT_LOADING:
    case GADGET_CHAT_RETRY:
    default:
      g_assert_not_reached ();
    }
}

static char *
parse (const char *bytes, gsize length, gsize piece)
{
  Watch watch = { g_string_new (NULL), g_hash_table_new (NULL, NULL) };
  g_autoptr (GadgetOpenaiChatParser) parser = gadget_openai_chat_parser_new (watch_event, &watch);
  g_autoptr (GError) error = NULL;
  gboolean good = TRUE;

  for (gsize i = 0; good && i < length; i += piece)
    good = gadget_openai_chat_parser_feed (parser, bytes + i, MIN (piece, length - i), &error);
  if (good)
    good = gadget_openai_chat_parser_end (parser, &error);
  g_assert (good == (error == NULL));
  if (error != NULL)
    {
      g_assert (error->domain == GADGET_PROVIDER_ERROR);
      g_string_append_printf (watch.log, "error %d\n", error->code);
    }
  g_hash_table_unref (watch.open);
  return g_string_free (watch.log, FALSE);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  const char *bytes = size > 0 ? (const char *) data : "";
  const gsize pieces[] = { 1, 5, 64 };
  g_autofree char *whole = parse (bytes, size, MAX (size, 1));
  GadgetHttpResponse response = { .status = 400 + (size > 0 ? data[0] : 0) % 200 };
  g_autoptr (GError) refusal = gadget_refusal_read (&response, bytes, size);
  g_autoptr (GPtrArray) models = gadget_openai_chat_read_models (bytes, size, NULL, NULL);

  g_assert (refusal != NULL && refusal->domain == GADGET_PROVIDER_ERROR);
  g_assert (g_utf8_validate (refusal->message, -1, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (pieces); i++)
    {
      g_autofree char *split = parse (bytes, size, pieces[i]);

      g_assert_cmpstr (whole, ==, split);
    }
  return 0;
}
