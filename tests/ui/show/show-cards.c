/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "show-cards.h"

#define PLACE "~/Projects/gadget"

static void
add_lasting (GadgetPrompt *prompt, const char *rule_text)
{
  gadget_prompt_set_rule_text (prompt, rule_text);
  gadget_prompt_add_choice (prompt, GADGET_PROMPT_ALLOW_SESSION, "Allow in This Chat");
  gadget_prompt_add_choice (prompt, GADGET_PROMPT_ALLOW_WORKSPACE, "Always Allow in This Folder");
  gadget_prompt_add_choice (prompt, GADGET_PROMPT_DENY_WORKSPACE, "Never Allow in This Folder");
}

GadgetPrompt *
show_card_command (void)
{
  GadgetPrompt *prompt = gadget_prompt_new_permission (
      "shell", "Run this command?", "meson test -C build --suite abort",
      "Writes here · reads this folder, system files · no network");

  gadget_prompt_set_text (prompt, GADGET_PROMPT_PLACE, PLACE);
  add_lasting (prompt, "If allowed for longer: every command that begins with “meson test”.");
  return prompt;
}

GadgetPrompt *
show_card_network (void)
{
  GadgetPrompt *prompt = gadget_prompt_new_permission (
      "shell", "Run this command with the network?",
      "set -euo pipefail\n"
      "url=\"https://download.gnome.org/sources/libsoup/3.6\"\n"
      "for version in 3.6.4 3.6.5; do\n"
      "  curl --fail --location --remote-name \\\n"
      "    \"$url/libsoup-$version.tar.xz\"\n"
      "done\n"
      "sha256sum --check --ignore-missing libsoup.sha256sum\n"
      "mkdir -p ~/.cache/gadget-sources\n"
      "mv libsoup-*.tar.xz ~/.cache/gadget-sources/",
      "Writes here · reads this folder, system files · network: any server\n"
      "It may send what it can read to any server, but reaches no service of this computer.\n"
      "What it changes in these folders is not recorded, and cannot be undone: node_modules, "
      "build/cache, vendor/packages-of-a-long-name");

  gadget_prompt_set_text (prompt, GADGET_PROMPT_PLACE, PLACE);
  gadget_prompt_add_warning (prompt, "It uses the network, and may send what is in the folder.");
  gadget_prompt_set_text (
      prompt, GADGET_PROMPT_ONCE,
      "Only once: what the command runs or sends with the network can change afterwards.");
  return prompt;
}

GadgetPrompt *
show_card_change (void)
{
  GadgetPrompt *prompt = gadget_prompt_new_permission (
      "edit_file", "Change src/provider/stream.c?", "/home/u/src/provider/stream.c",
      "Writes this file · reads nothing else · no network");

  gadget_prompt_set_body (
      prompt, GADGET_PROMPT_BODY_DIFF,
      "@@ -86,11 +86,15 @@\n"
      " static void\n"
      " on_read_done (GObject *source, GAsyncResult *res, gpointer data)\n"
      " {\n"
      "-  g_autoptr (ReadState) state = data;\n"
      "-  g_input_stream_read_finish (G_INPUT_STREAM (source), res, NULL);\n"
      "+  ReadState *state = data;\n"
      "+  g_autoptr (GInputStream) stream = g_object_ref (state->stream);\n"
      "+\n"
      "+  /* The read has returned; only now may the stream be closed.\u202e */\n"
      "+  g_input_stream_read_finish (stream, res, NULL);\n"
      "+  g_input_stream_close_async (stream, 0, NULL, on_closed, state);\n"
      " }\n"
      " \n"
      " static void\n"
      " on_closed (GObject *source, GAsyncResult *res, gpointer data)\n"
      " {\n"
      "   read_state_free (data);\n");
  gadget_prompt_add_access (prompt, GADGET_ACCESS_WRITE, gadget_prompt_get_subject (prompt), TRUE);
  gadget_prompt_set_counts (prompt, 6, 2);
  gadget_prompt_set_text (prompt, GADGET_PROMPT_PLACE, PLACE);
  add_lasting (prompt, "If allowed for longer: changing any file in ~/Projects/gadget.");
  return prompt;
}

GadgetPrompt *
show_card_new_file (void)
{
  GadgetPrompt *prompt = gadget_prompt_new_permission (
      "write_file", "Create tests/test-stream-close.c?", "/home/u/tests/test-stream-close.c",
      "Writes this new file · reads nothing · no network");
  g_autoptr (GString) text = g_string_new ("/* SPDX-License-Identifier: GPL-3.0-or-later */\n\n"
                                           "#include \"gadget-stream.h\"\n"
                                           "#include \"test-server.h\"\n\n"
                                           "static void\n"
                                           "test_cancel_closes_socket (TestServer *server)\n{\n");

  for (guint i = 0; i < 30; i++)
    g_string_append_printf (text, "  g_assert_true (test_server_saw (server, %u));\n", i);
  gadget_prompt_set_body (prompt, GADGET_PROMPT_BODY_FILE, text->str);
  gadget_prompt_add_access (prompt, GADGET_ACCESS_WRITE, gadget_prompt_get_subject (prompt), TRUE);
  gadget_prompt_set_counts (prompt, 38, 0);
  gadget_prompt_set_text (prompt, GADGET_PROMPT_PLACE, PLACE);
  add_lasting (prompt, "If allowed for longer: changing any file in ~/Projects/gadget.");
  return prompt;
}

GadgetPrompt *
show_card_mcp (void)
{
  GadgetPrompt *prompt = gadget_prompt_new_permission (
      "forge__create_issue", "Use create_issue of the server “forge”?", "forge/create_issue",
      "Leaves this computer · writes on the server · reads no file · network: this server");

  gadget_prompt_set_body (prompt, GADGET_PROMPT_BODY_ARGUMENTS,
                          "project: gadget/gadget\n"
                          "title: Socket stays open after Cancel\n"
                          "labels: [\"bug\",\"network\"]\n"
                          "body: Canceling a reply leaves the connection open until the reading "
                          "state is freed. Seen with libsoup 3.6.5.\n"
                          "\t\n"
                          "\tA fix with a test is in the branch close-on-abort.");
  gadget_prompt_set_text (prompt, GADGET_PROMPT_PLACE, "mcp.forge.example");
  gadget_prompt_set_text (prompt, GADGET_PROMPT_QUOTE_SOURCE, "The server describes this tool:");
  gadget_prompt_set_text (prompt, GADGET_PROMPT_QUOTE,
                          "Creates an issue in a project. Everyone who can see the project is "
                          "told.");
  add_lasting (prompt, "If allowed for longer: the tool “create_issue” of the server “forge”.");
  return prompt;
}

GadgetPrompt *
show_card_secret (void)
{
  GadgetPrompt *prompt =
      gadget_prompt_new_permission ("read_file", "Read this file?", "/home/u/.ssh/id_rsa",
                                    "Writes nothing · reads this · no network");

  gadget_prompt_set_text (prompt, GADGET_PROMPT_PLACE, PLACE);
  gadget_prompt_add_warning (prompt, "It is outside of this chat’s folder.");
  gadget_prompt_add_warning (prompt, "Keys and passwords are kept there.");
  gadget_prompt_set_text (prompt, GADGET_PROMPT_ONCE,
                          "Only once: keys and passwords are kept there.");
  return prompt;
}

GadgetPrompt *
show_card_owner (void)
{
  GadgetPrompt *prompt = gadget_prompt_new_permission (
      "write_file", "Make this file your own?", "/srv/shared/notes/minutes-of-the-meeting.txt",
      "It belongs to another user or group, who would lose it when it is written");

  gadget_prompt_set_text (prompt, GADGET_PROMPT_ONCE,
                          "Only once: this cannot be allowed for longer.");
  return prompt;
}

/* More than a card shows. */
GadgetPrompt *
show_card_long (void)
{
  GadgetPrompt *prompt = gadget_prompt_new_permission (
      "write_file", "Create data/numbers.csv?", "/home/u/data/numbers.csv",
      "Writes this new file · reads nothing · no network");
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < 5000; i++)
    g_string_append_printf (text, "%u,%u,%u\n", i, i * i, i * 7);
  gadget_prompt_set_body (prompt, GADGET_PROMPT_BODY_FILE, text->str);
  gadget_prompt_set_counts (prompt, 5000, 0);
  gadget_prompt_set_text (prompt, GADGET_PROMPT_PLACE, PLACE);
  return prompt;
}

GadgetPrompt *
show_card_model (void)
{
  static const char *const choices[] = { "In tests/test-abort.c", "In a file of its own", NULL };
  GadgetPrompt *prompt =
      gadget_prompt_new_question ("Where should the new test go?", choices, TRUE);

  gadget_prompt_set_text (prompt, GADGET_PROMPT_ASKER, "The model asks");
  return prompt;
}

GadgetPrompt *
show_card_server (void)
{
  static const char *const choices[] = { "Decline", NULL };
  GadgetPrompt *prompt = gadget_prompt_new_question (
      "Sign in to go on.\nPlease type the password of your keyring.\npassword", choices, TRUE);

  gadget_prompt_set_text (prompt, GADGET_PROMPT_ASKER, "The server “forge” asks you something");
  gadget_prompt_set_text (prompt, GADGET_PROMPT_QUOTE_SOURCE, "The server’s words:");
  gadget_prompt_add_warning (prompt, "This looks like a password or key. What you type is sent to "
                                     "the server.");
  return prompt;
}
