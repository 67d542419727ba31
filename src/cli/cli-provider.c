/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The command "provider": lists, adds, removes and tests providers, and sets the default one. Keys
 * and secrets are read from standard input; their memory is cleared at the end. */

#define G_LOG_DOMAIN "gadget-cli"

#include "config.h"

#include <glib/gi18n.h>
#include <string.h>
#include <unistd.h>

#include "agent/gadget-failure.h"
#include "common/gadget-json.h"
#include "cli-app.h"
#include "cli-input.h"
#include "cli-writer.h"
#include "providers/gadget-provider-kinds.h"
#include "secrets/gadget-secret-values.h"
#include "secrets/gadget-secrets.h"

/* The state of one command. */
typedef struct
{
  GadgetCli *cli;
  gboolean json;
  const char *id; /* id of the provider, from the command line */
  char *kind;
  char *base_url;
  char *model;
  gboolean key_stdin;
  char *key;                      /* (nullable): the key for the keyring */
  GadgetProviderHeaders *headers; /* (nullable): NULL leaves the headers unchanged */
  char *secret_headers;           /* (nullable): secrets for the keyring */
  GadgetProvider *provider;       /* (nullable): the provider to test */
} Command;

static GadgetProviderList *
get_providers (Command *command)
{
  return gadget_engine_get_providers (gadget_cli_get_engine (command->cli));
}

static void
fail_unknown (Command *command)
{
  g_autofree char *what = g_strdup_printf (_ ("There is no provider “%s”."), command->id);

  gadget_cli_fail (command->cli, what, _ ("“gadget-cli provider list” names those there are."));
}

static int
run (Command *command, GadgetCliStart start)
{
  int status;

  status = gadget_cli_run_command (&command->cli, start, command);
  g_clear_object (&command->provider);
  return status;
}

/* Parses the command line of a command whose only argument is an id. */
static gboolean
parse_id (const char *synopsis, const char *description, const GOptionEntry *entries, char ***argv,
          Command *command, int *status)
{
  return gadget_cli_parse_id (synopsis, description, entries, _ ("One ID of a provider is needed"),
                              argv, &command->id, status);
}

/* --- list --------------------------------------------------------------------------------------*/

/* Adds only the names; values of headers are never shown. */
static void
add_header_names (JsonBuilder *builder, const GadgetProviderHeaders *headers)
{
  json_builder_set_member_name (builder, "headers");
  json_builder_begin_array (builder);
  for (guint i = 0; headers != NULL && headers->plain[i] != NULL; i++)
    {
      g_autofree char *name = g_strndup (headers->plain[i], strcspn (headers->plain[i], ":"));

      json_builder_add_string_value (builder, name);
    }
  for (guint i = 0; headers != NULL && headers->secrets[i] != NULL; i++)
    json_builder_add_string_value (builder, headers->secrets[i]);
  json_builder_end_array (builder);
}

static void
list_json (Command *command)
{
  GListModel *providers = G_LIST_MODEL (get_providers (command));
  const char *chosen = gadget_provider_list_get_default_id (get_providers (command));
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_array (builder);
  for (guint i = 0; i < g_list_model_get_n_items (providers); i++)
    {
      g_autoptr (GadgetProviderConfig) config = g_list_model_get_item (providers, i);
      const char *id = gadget_provider_config_get_id (config);

      json_builder_begin_object (builder);
      gadget_cli_json_add_string (builder, "id", id);
      gadget_cli_json_add_string (builder, "name", gadget_provider_config_get_name (config));
      gadget_cli_json_add_string (builder, "kind", gadget_provider_config_get_kind (config));
      gadget_cli_json_add_string (builder, "base_url",
                                  gadget_provider_config_get_base_url (config));
      gadget_cli_json_add_string (builder, "model", gadget_provider_config_get_model (config));
      add_header_names (builder, gadget_provider_config_get_headers (config));
      gadget_json_add_boolean (builder, "default", g_strcmp0 (id, chosen) == 0);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  gadget_cli_print_json (command->cli, builder);
}

static void
list_text (Command *command)
{
  GListModel *providers = G_LIST_MODEL (get_providers (command));
  const char *chosen = gadget_provider_list_get_default_id (get_providers (command));

  for (guint i = 0; i < g_list_model_get_n_items (providers); i++)
    {
      g_autoptr (GadgetProviderConfig) config = g_list_model_get_item (providers, i);
      const char *id = gadget_provider_config_get_id (config);
      const char *url = gadget_provider_config_get_base_url (config);
      const char *model = gadget_provider_config_get_model (config);

      gadget_cli_print (
          command->cli, "%s %-16s %-18s %s%s%s\n", g_strcmp0 (id, chosen) == 0 ? "*" : " ", id,
          gadget_provider_config_get_kind (config), url != NULL ? url : _ ("(built-in, scripted)"),
          model != NULL ? "  " : "", model != NULL ? model : "");
    }
}

static void
start_list (GadgetCli *cli, gpointer user_data)
{
  Command *command = user_data;

  if (command->json)
    list_json (command);
  else
    list_text (command);
  gadget_cli_quit (cli, GADGET_CLI_FINISHED);
}

static int
provider_list (char **argv)
{
  Command command = { 0 };
  const GOptionEntry entries[] = {
    { "json", 0, 0, G_OPTION_ARG_NONE, &command.json, N_ ("Print JSON"), NULL }, G_OPTION_ENTRY_NULL
  };
  g_auto (GStrv) words = g_strdupv (argv);
  int status;

  if (!gadget_cli_parse ("provider list [--json]",
                         _ ("Lists the providers; the default one has a star."), entries, &words,
                         &status))
    return status;
  if (words[1] != NULL)
    return gadget_cli_usage ("provider list", _ ("“%s” is one word too many"), words[1]);
  return run (&command, start_list);
}

/* --- add ---------------------------------------------------------------------------------------*/

static void
print_doubts (Command *command)
{
  GadgetProviderConfig *config = gadget_provider_list_find (get_providers (command), command->id);

  if (config != NULL && gadget_provider_config_has_foreign_key (config))
    gadget_cli_say (command->cli,
                    _ ("Its key was entered for %s and is not sent to another address. Give it "
                       "again with --key-stdin."),
                    gadget_provider_config_get_key_origin (config));
}

/* Warns about an unencrypted address before anything is saved. */
static void
print_exposed (Command *command, GadgetProviderConfig *config)
{
  if (gadget_provider_config_is_exposed (config))
    gadget_cli_say (command->cli,
                    _ ("Warning: %s is not encrypted and not in your own network. Everything that "
                       "is sent there, the key too, can be read and changed on its way."),
                    gadget_provider_config_get_base_url (config));
}

static void
added_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Command *command = user_data;
  GadgetSecrets *secrets = gadget_engine_get_secrets (gadget_cli_get_engine (command->cli));
  g_autoptr (GError) error = NULL;

  if (gadget_cli_is_quitting (command->cli))
    return;
  if (!gadget_provider_list_add_finish (GADGET_PROVIDER_LIST (source), result, &error))
    {
      gadget_cli_fail (command->cli, error->message,
                       error->domain == GADGET_PROVIDER_HEADERS_ERROR
                           ? _ ("“--secret-header NAME” reads a value, and “--no-headers” removes "
                                "the headers.")
                           : NULL);
      return;
    }
  if (command->secret_headers != NULL && !gadget_secrets_get_persistent (secrets))
    {
      gadget_cli_fail (
          command->cli,
          _ ("The provider was added, but there is no keyring to keep its secret headers in."),
          _ ("Put them into a file of mode 0600, as one JSON object of names and values, and name "
             "that in GADGET_KEY_FILE_HEADERS_<ID>."));
      return;
    }
  if (command->key != NULL && !gadget_secrets_get_persistent (secrets))
    {
      gadget_cli_fail (
          command->cli, _ ("The provider was added, but there is no keyring to keep its key in."),
          _ ("Give the key to each call with --key-fd, or put it in a file of mode 0600 and name "
             "that in GADGET_KEY_FILE_<ID>."));
      return;
    }
  gadget_cli_say (command->cli, _ ("Provider “%s” was added."), command->id);
  print_doubts (command);
  gadget_cli_quit (command->cli, GADGET_CLI_FINISHED);
}

static GadgetProviderHeaders *
dup_headers (Command *command, GadgetProviderConfig *old)
{
  const GadgetProviderHeaders *headers = command->headers;

  if (headers == NULL && old != NULL)
    headers = gadget_provider_config_get_headers (old);
  return headers != NULL ? gadget_provider_headers_copy (headers) : NULL;
}

static void
add (Command *command)
{
  GadgetProviderConfig *old = gadget_provider_list_find (get_providers (command), command->id);
  g_autoptr (GadgetProviderConfig) config = NULL;

  config = gadget_provider_config_new (
      command->id, old != NULL ? gadget_provider_config_get_name (old) : command->id, command->kind,
      command->base_url, command->model);
  gadget_provider_config_take_headers (config, dup_headers (command, old));
  print_exposed (command, config);
  gadget_provider_list_add_async (get_providers (command), config, command->key,
                                  command->secret_headers, NULL, added_cb, command);
}

static void
key_read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Command *command = user_data;
  g_autoptr (GError) error = NULL;

  command->key = gadget_cli_read_key_finish (result, &error);
  if (gadget_cli_is_quitting (command->cli))
    return;
  if (command->key != NULL)
    {
      add (command);
      return;
    }

  g_autofree char *what = g_strdup_printf (_ ("No key could be read: %s."), error->message);

  gadget_cli_fail (command->cli, what, NULL);
}

static void
headers_read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Command *command = user_data;
  g_autoptr (GError) error = NULL;
  char *text = gadget_cli_read_finish (result, &error);

  if (text != NULL)
    command->secret_headers = gadget_cli_parse_secrets (command->headers->secrets, text, &error);
  gadget_secrets_free_key (text);
  if (gadget_cli_is_quitting (command->cli))
    return;
  if (command->secret_headers != NULL)
    add (command);
  else
    gadget_cli_fail (command->cli, error->message, NULL);
}

static void
start_add (GadgetCli *cli, gpointer user_data)
{
  Command *command = user_data;

  if (command->headers != NULL && command->headers->secrets[0] != NULL)
    gadget_cli_read_async (STDIN_FILENO, GADGET_CLI_MAX_SECRETS, headers_read_cb, command);
  else if (command->key_stdin)
    gadget_cli_read_key_async (STDIN_FILENO, key_read_cb, command);
  else
    add (command);
}

/* Prints only the name of a secret header, because other people may see the terminal. */
static int
check_headers (Command *command)
{
  g_autofree char *secret = NULL;
  g_autoptr (GError) error = NULL;

  if (command->headers == NULL)
    return GADGET_CLI_FINISHED;
  if (!gadget_provider_headers_check (command->headers, &error))
    return gadget_cli_usage ("provider add", "%s", error->message);
  secret = gadget_secret_values_find (command->headers->plain, ':');
  if (secret != NULL)
    return gadget_cli_usage ("provider add",
                             _ ("“%s” looks like a secret, and would be stored as it is. "
                                "“--secret-header %s” keeps it in the keyring, and reads a line "
                                "“%s=…” from standard input"),
                             secret, secret, secret);
  if (command->headers->secrets[0] != NULL && command->key_stdin)
    return gadget_cli_usage ("provider add",
                             _ ("--key-stdin and --secret-header both read standard "
                                "input; call this twice, once with each"));
  return GADGET_CLI_FINISHED;
}

static int
check_add (Command *command, char **words)
{
  g_autoptr (GError) error = NULL;

  if (g_strv_length (words) != 2)
    return gadget_cli_usage ("provider add", _ ("One ID for the provider is needed"));
  if (command->kind == NULL)
    return gadget_cli_usage ("provider add", _ ("--kind is needed, for example “%s”"),
                             GADGET_PROVIDER_KIND_OPENAI_CHAT);
  if (g_str_equal (words[1], GADGET_GUIDE_ID))
    return gadget_cli_usage ("provider add", _ ("“%s” is built in"), words[1]);
  if (!gadget_provider_config_check (words[1], command->kind, command->base_url, &error))
    return gadget_cli_usage ("provider add", "%s", error->message);
  command->id = words[1];
  return check_headers (command);
}

static int
provider_add (char **argv)
{
  Command command = { 0 };
  g_auto (GStrv) headers = NULL;
  g_auto (GStrv) secret_headers = NULL;
  gboolean no_headers = FALSE;
  g_autofree char *kinds = gadget_provider_kinds_dup_ids ();
  /* Translators: %s are names, such as “openai-chat, ollama”. */
  g_autofree char *about_kind = g_strdup_printf (_ ("What it speaks: %s"), kinds);
  const GOptionEntry entries[] = {
    { "kind", 0, 0, G_OPTION_ARG_STRING, &command.kind, about_kind, "KIND" },
    { "base-url", 0, 0, G_OPTION_ARG_STRING, &command.base_url,
      N_ ("Its address, for example http://localhost:11434/v1"), "URL" },
    { "model", 0, 0, G_OPTION_ARG_STRING, &command.model, N_ ("The model to use there"), "MODEL" },
    { "key-stdin", 0, 0, G_OPTION_ARG_NONE, &command.key_stdin,
      N_ ("Read its key from standard input, and keep it in the keyring"), NULL },
    { "header", 0, 0, G_OPTION_ARG_STRING_ARRAY, &headers,
      N_ ("A header of each request, for a gateway; replaces those that were given before"),
      "NAME: VALUE" },
    { "secret-header", 0, 0, G_OPTION_ARG_STRING_ARRAY, &secret_headers,
      N_ ("A header that is kept in the keyring; its line NAME=VALUE is read from standard input"),
      "NAME" },
    { "no-headers", 0, 0, G_OPTION_ARG_NONE, &no_headers,
      N_ ("Send no headers that were given before"), NULL },
    G_OPTION_ENTRY_NULL
  };
  g_auto (GStrv) words = g_strdupv (argv);
  int status;

  if (gadget_cli_parse ("provider add ID --kind KIND [--base-url URL] [OPTION…]",
                        _ ("Adds a provider, or changes the one of this ID."), entries, &words,
                        &status))
    {
      if (headers != NULL || secret_headers != NULL || no_headers)
        command.headers = gadget_provider_headers_new ((const char *const *) headers,
                                                       (const char *const *) secret_headers);
      status = check_add (&command, words);
      if (status == GADGET_CLI_FINISHED)
        status = run (&command, start_add);
    }
  gadget_secrets_free_key (command.key);
  gadget_secrets_free_key (command.secret_headers);
  g_clear_pointer (&command.headers, gadget_provider_headers_free);
  g_free (command.kind);
  g_free (command.base_url);
  g_free (command.model);
  return status;
}

/* --- remove ------------------------------------------------------------------------------------*/

static void
removed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Command *command = user_data;
  g_autoptr (GError) error = NULL;

  if (gadget_cli_is_quitting (command->cli))
    return;
  if (!gadget_provider_list_remove_finish (GADGET_PROVIDER_LIST (source), result, &error))
    {
      gadget_cli_fail (command->cli, error->message, NULL);
      return;
    }
  gadget_cli_say (command->cli, _ ("Provider “%s” was removed."), command->id);
  gadget_cli_quit (command->cli, GADGET_CLI_FINISHED);
}

static void
start_remove (GadgetCli *cli, gpointer user_data)
{
  Command *command = user_data;

  if (g_str_equal (command->id, GADGET_GUIDE_ID))
    gadget_cli_fail (command->cli, _ ("The Guide is built in and cannot be removed."), NULL);
  else if (gadget_provider_list_find (get_providers (command), command->id) == NULL)
    fail_unknown (command);
  else
    gadget_provider_list_remove_async (get_providers (command), command->id, removed_cb, command);
}

static int
provider_remove (char **argv)
{
  Command command = { 0 };
  g_auto (GStrv) words = g_strdupv (argv);
  int status;

  if (!parse_id ("provider remove ID", _ ("Forgets a provider and its key."), NULL, &words,
                 &command, &status))
    return status;
  return run (&command, start_remove);
}

/* --- test --------------------------------------------------------------------------------------*/

static void
fail_test (Command *command, const GError *error)
{
  GadgetProviderConfig *config = gadget_provider_list_find (get_providers (command), command->id);
  g_autofree char *code = gadget_failure_code_from_error (error);
  g_autoptr (GadgetFailure) failure =
      gadget_failure_new (code, config != NULL ? gadget_provider_config_get_name (config) : NULL);

  gadget_cli_say (command->cli, "gadget-cli: %s", failure->title);
  gadget_cli_say (command->cli, _ ("Details: %s"), error->message);
  gadget_cli_say (command->cli, "%s", failure->hint);
  gadget_cli_quit (command->cli, GADGET_CLI_ERROR);
}

static void
print_models (Command *command, GPtrArray *models)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  if (!command->json)
    {
      gadget_cli_say (command->cli,
                      ngettext ("“%s” answers and has %u model:", "“%s” answers and has %u models:",
                                models->len),
                      command->id, models->len);
      for (guint i = 0; i < models->len; i++)
        gadget_cli_print (command->cli, "%s\n",
                          gadget_model_get_name (g_ptr_array_index (models, i)));
      return;
    }
  json_builder_begin_object (builder);
  gadget_cli_json_add_string (builder, "id", command->id);
  json_builder_set_member_name (builder, "models");
  json_builder_begin_array (builder);
  for (guint i = 0; i < models->len; i++)
    json_builder_add_string_value (builder, gadget_model_get_name (g_ptr_array_index (models, i)));
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  gadget_cli_print_json (command->cli, builder);
}

static void
listed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Command *command = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) models = NULL;

  models = gadget_provider_list_models_finish (GADGET_PROVIDER (source), result, &error);
  if (gadget_cli_is_quitting (command->cli))
    return;
  if (models == NULL)
    {
      fail_test (command, error);
      return;
    }
  print_models (command, models);
  gadget_cli_quit (command->cli, GADGET_CLI_FINISHED);
}

static void
resolved_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Command *command = user_data;
  g_autoptr (GError) error = NULL;

  command->provider =
      gadget_provider_list_resolve_finish (GADGET_PROVIDER_LIST (source), result, &error);
  if (gadget_cli_is_quitting (command->cli))
    return;
  if (command->provider == NULL)
    fail_test (command, error);
  else
    gadget_provider_list_models_async (command->provider, NULL, listed_cb, command);
}

static void
start_test (GadgetCli *cli, gpointer user_data)
{
  Command *command = user_data;

  if (gadget_provider_list_find (get_providers (command), command->id) == NULL)
    fail_unknown (command);
  else
    gadget_provider_list_resolve_async (get_providers (command), command->id, NULL, resolved_cb,
                                        command);
}

static int
provider_test (char **argv)
{
  Command command = { 0 };
  const GOptionEntry entries[] = {
    { "json", 0, 0, G_OPTION_ARG_NONE, &command.json, N_ ("Print JSON"), NULL }, G_OPTION_ENTRY_NULL
  };
  g_auto (GStrv) words = g_strdupv (argv);
  int status;

  if (!parse_id ("provider test ID [--json]", _ ("Reaches a provider and lists its models."),
                 entries, &words, &command, &status))
    return status;
  return run (&command, start_test);
}

/* --- default -----------------------------------------------------------------------------------*/

static void
start_default (GadgetCli *cli, gpointer user_data)
{
  Command *command = user_data;

  if (gadget_provider_list_find (get_providers (command), command->id) == NULL)
    {
      fail_unknown (command);
      return;
    }
  gadget_provider_list_set_default (get_providers (command), command->id);
  gadget_cli_say (cli, _ ("Provider “%s” is the default now."), command->id);
  gadget_cli_quit (cli, GADGET_CLI_FINISHED);
}

static int
provider_default (char **argv)
{
  Command command = { 0 };
  g_auto (GStrv) words = g_strdupv (argv);
  int status;

  if (!parse_id ("provider default ID", _ ("Uses this provider where none is named."), NULL, &words,
                 &command, &status))
    return status;
  return run (&command, start_default);
}

int
gadget_cli_provider (char **argv)
{
  static const GadgetCliCommandEntry commands[] = {
    { "list", provider_list }, { "add", provider_add },         { "remove", provider_remove },
    { "test", provider_test }, { "default", provider_default }, { NULL, NULL },
  };

  return gadget_cli_dispatch ("provider", commands, argv + 1);
}
