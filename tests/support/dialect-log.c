/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "dialect-log.h"

#include "common/gadget-json.h"

#include <string.h>

static const char *const code_names[] = {
  "UNREACHABLE", "TIMEOUT", "TLS", "AUTH",       "MODEL", "ADDRESS", "RATE_LIMITED", "OVERLOADED",
  "REFUSED",     "CONTEXT", "CUT", "BAD_ANSWER", "EMPTY", "QUOTA",   "COMPRESSED",   "TOO_LARGE",
};

static void
print_text (GString *out, const char *text)
{
  for (const char *c = text; *c != '\0'; c++)
    if (*c == '\n')
      g_string_append (out, "\\n");
    else
      g_string_append_c (out, *c);
  g_string_append_c (out, '\n');
}

typedef struct
{
  GString *out;
  const char *body;
  gsize length;
} Log;

static void
print_event (const GadgetChatEvent *event, gpointer user_data)
{
  const Log *log = user_data;
  GString *out = log->out;
  const char *found;

  switch (event->type)
    {
    case GADGET_CHAT_TEXT:
      g_string_append (out, "text ");
      print_text (out, event->text);
      break;
    case GADGET_CHAT_TEXT_END:
      g_string_append (out, "text-end ");
      print_text (out, event->replay);
      break;
    case GADGET_CHAT_REASONING:
      g_string_append (out, "reasoning ");
      print_text (out, event->text);
      break;
    case GADGET_CHAT_REASONING_END:
      g_string_append (out, "reasoning-end ");
      print_text (out, event->replay != NULL ? event->replay : "-");
      break;
    case GADGET_CHAT_CALL_BEGIN:
      /* One that was made here is another each time. */
      found = g_strstr_len (log->body, (gssize) log->length, event->call_id);
      g_string_append_printf (out, "call %u %s %s\n", event->call_index,
                              found != NULL ? event->call_id : "*", event->name);
      break;
    case GADGET_CHAT_CALL_ARGUMENTS:
      g_string_append_printf (out, "args %u ", event->call_index);
      print_text (out, event->text);
      break;
    case GADGET_CHAT_CALL_END:
      g_string_append_printf (out, "end %u ", event->call_index);
      print_text (out, event->replay != NULL ? event->replay : "-");
      break;
    case GADGET_CHAT_USAGE:
      g_string_append_printf (out, "usage %" G_GINT64_FORMAT " %" G_GINT64_FORMAT "\n",
                              event->usage.input_tokens, event->usage.output_tokens);
      break;
    case GADGET_CHAT_LIMIT:
      g_string_append (out, "limit\n");
      break;
    case GADGET_CHAT_IMAGES_LEFT_OUT:
    case GADGET_CHAT_LOADING:
    case GADGET_CHAT_RETRY:
    default:
      g_assert_not_reached ();
    }
}

/* Fed in pieces of @piece bytes. */
char *
dialect_log_read (const GadgetDialect *dialect, const char *body, gsize length, gsize piece)
{
  GString *out = g_string_new (NULL);
  Log log = { out, body, length };
  GadgetResponseParser *parser = gadget_response_parser_new (dialect->parser, print_event, &log);
  g_autoptr (GError) error = NULL;
  gboolean good = TRUE;

  for (gsize i = 0; good && i < length && !gadget_response_parser_is_done (parser); i += piece)
    good = gadget_response_parser_feed (parser, body + i, MIN (piece, length - i), &error);
  if (good)
    good = gadget_response_parser_end (parser, &error);
  g_assert_true (good == (error == NULL));
  if (good)
    g_string_append (out, "done\n");
  else
    {
      g_assert_true (error->domain == GADGET_PROVIDER_ERROR);
      g_assert_cmpint (error->code, <, (gint) G_N_ELEMENTS (code_names));
      g_string_append_printf (out, "error %s: %s\n", code_names[error->code], error->message);
    }
  gadget_response_parser_free (parser);
  return g_string_free (out, FALSE);
}

typedef struct
{
  const GadgetDialect *dialect;
  char *stem; /* of the files' path */
} Golden;

static void
free_golden (gpointer data)
{
  Golden *golden = data;

  g_free (golden->stem);
  g_free (golden);
}

static void
test_golden (gconstpointer data)
{
  const Golden *golden = data;
  const gsize pieces[] = { 1, 2, 3, 7, 64, 1000000 };
  g_autofree char *body_path = g_strconcat (golden->stem, ".body", NULL);
  g_autofree char *events_path = g_strconcat (golden->stem, ".events", NULL);
  g_autofree char *body = NULL;
  g_autofree char *expected = NULL;
  gsize length;

  g_assert_true (g_file_get_contents (body_path, &body, &length, NULL));
  g_assert_true (g_file_get_contents (events_path, &expected, NULL, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (pieces); i++)
    {
      g_autofree char *found = dialect_log_read (golden->dialect, body, length, pieces[i]);

      g_assert_cmpstr (found, ==, expected);
    }
}

guint
dialect_log_add_tests (const GadgetDialect *dialect, const char *folder)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "data", folder, NULL);
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;
  guint n = 0;

  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *stem = NULL;
      g_autofree char *test = NULL;
      Golden *golden;

      if (!g_str_has_suffix (name, ".body"))
        continue;
      stem = g_strndup (name, strlen (name) - strlen (".body"));
      test = g_strdup_printf ("/engine/%s/body/%s", dialect->kind.id, stem);
      golden = g_new0 (Golden, 1);
      golden->dialect = dialect;
      golden->stem = g_build_filename (path, stem, NULL);
      g_test_add_data_func_full (test, golden, test_golden, free_golden);
      n++;
    }
  return n;
}

void
dialect_log_assert_json (GBytes *body, const char *folder, const char *name)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "data", folder, name, NULL);
  g_autofree char *golden = NULL;
  g_autofree char *text = NULL;
  g_autoptr (JsonNode) expected = NULL;
  g_autoptr (JsonNode) found =
      gadget_json_parse (g_bytes_get_data (body, NULL), g_bytes_get_size (body), NULL);

  g_assert_nonnull (found);
  g_assert_true (g_file_get_contents (path, &golden, NULL, NULL));
  expected = gadget_json_parse (golden, strlen (golden), NULL);
  g_assert_nonnull (expected);
  text = json_to_string (found, TRUE);
  if (!json_node_equal (expected, found))
    g_error ("not as %s: %s", name, text);
}
