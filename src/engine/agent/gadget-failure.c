/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The texts for failures: failed turns, by a code that is stored with the turn, and data that could
 * not be opened or saved. Tables map errors to codes and codes to texts. */

#define G_LOG_DOMAIN "gadget-failure"

#include "config.h"

#include "gadget-failure.h"

#include "store/gadget-store.h"

#include "providers/gadget-provider-headers.h"
#include "providers/gadget-provider.h"
#include "secrets/gadget-secrets.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define HEADER_CODE "secrets/header"

/* For a missing model that the server can download; the provider's error message names the command
 * then. */
#define PULL_CODE "provider/model-pull"
#define PULL_COMMAND "ollama pull"

/* One row for each code. "%s" in a text stands for the name of the provider. */
typedef struct
{
  const char *code;
  const char *title;
  const char *hint;
  GadgetRemedy remedy;
} Entry;

/* The index is a GadgetProviderError. */
static const Entry provider_entries[] = {
  [GADGET_PROVIDER_ERROR_UNREACHABLE] = { "provider/unreachable", N_ ("%s could not be reached."),
                                          N_ ("Check that it is running and that its address is "
                                              "right, then try again."),
                                          GADGET_REMEDY_RETRY },
  [GADGET_PROVIDER_ERROR_TIMEOUT] = { "provider/timeout", N_ ("%s did not answer in time."),
                                      N_ ("It may be busy or loading a large model. Try again in a "
                                          "moment."),
                                      GADGET_REMEDY_RETRY },
  [GADGET_PROVIDER_ERROR_TLS] = { "provider/tls", N_ ("No safe connection to %s could be made."),
                                  N_ ("Check the address and the date of this computer."),
                                  GADGET_REMEDY_PREFERENCES },
  [GADGET_PROVIDER_ERROR_AUTH] = { "provider/auth", N_ ("%s did not accept the key."),
                                   N_ ("Enter a valid API key in Preferences, then try again."),
                                   GADGET_REMEDY_PREFERENCES },
  [GADGET_PROVIDER_ERROR_MODEL] = { "provider/model", N_ ("%s does not have this model."),
                                    N_ ("Choose another model, or check its name in Preferences."),
                                    GADGET_REMEDY_CHOOSE_MODEL },
  [GADGET_PROVIDER_ERROR_ADDRESS] = { "provider/address",
                                      N_ ("What answers at this address is not a model server."),
                                      N_ ("Check the address and the type of the server in "
                                          "Preferences."),
                                      GADGET_REMEDY_PREFERENCES },
  [GADGET_PROVIDER_ERROR_RATE_LIMITED] = { "provider/rate-limited",
                                           N_ ("%s takes no more requests for now."),
                                           N_ ("Wait a while, then try again, or choose another "
                                               "model."),
                                           GADGET_REMEDY_RETRY },
  [GADGET_PROVIDER_ERROR_OVERLOADED] = { "provider/overloaded",
                                         N_ ("%s reported an internal error."),
                                         N_ ("Try again in a moment, or choose another model."),
                                         GADGET_REMEDY_RETRY },
  [GADGET_PROVIDER_ERROR_REFUSED] = { "provider/refused", N_ ("%s refused the request."),
                                      N_ ("The details say why. Another model may take it."),
                                      GADGET_REMEDY_CHOOSE_MODEL },
  [GADGET_PROVIDER_ERROR_CONTEXT] = { "provider/context",
                                      N_ ("This chat has become too long for the model."),
                                      N_ ("Start a new chat, or choose a model that takes more."),
                                      GADGET_REMEDY_NEW_CHAT },
  [GADGET_PROVIDER_ERROR_CUT] = { "provider/cut", N_ ("The answer of %s stopped in the middle."),
                                  N_ ("What came is kept. Try again, or go on from here."),
                                  GADGET_REMEDY_CONTINUE },
  [GADGET_PROVIDER_ERROR_BAD_ANSWER] = { "provider/bad-answer",
                                         N_ ("The answer of %s cannot be understood."),
                                         N_ ("Check the address and the type of the server in "
                                             "Preferences."),
                                         GADGET_REMEDY_PREFERENCES },
  [GADGET_PROVIDER_ERROR_EMPTY] = { "provider/empty", N_ ("%s gave an empty answer."),
                                    N_ ("Try again, or choose another model."),
                                    GADGET_REMEDY_RETRY },
  [GADGET_PROVIDER_ERROR_QUOTA] = { "provider/quota", N_ ("The account at %s has no credit left."),
                                    N_ ("Add credit, or look at its plan, at the provider; or "
                                        "choose another model."),
                                    GADGET_REMEDY_CHOOSE_MODEL },
  [GADGET_PROVIDER_ERROR_COMPRESSED] = { "provider/compressed",
                                         N_ ("%s sent compressed data, which was not asked for."),
                                         N_ ("A proxy before the server may do that. Turn "
                                             "compression off there, then try again."),
                                         GADGET_REMEDY_RETRY },
  [GADGET_PROVIDER_ERROR_TOO_LARGE] = { "provider/too-large", N_ ("The answer of %s is too large."),
                                        N_ ("What came is kept. Ask for less at once, or choose "
                                            "another model."),
                                        GADGET_REMEDY_CHOOSE_MODEL },
};

static const Entry other_entries[] = {
  { "provider/none", N_ ("There is no provider “%s” any more."), N_ ("Choose another model."),
    GADGET_REMEDY_CHOOSE_MODEL },
  { "secrets/file", N_ ("The key file of %s cannot be used."),
    N_ ("The details say what to change."), GADGET_REMEDY_RETRY },
  { "secrets/locked", N_ ("The keyring is locked."),
    N_ ("The key of the provider is in it, so nothing was sent. Unlock it, then try again."),
    GADGET_REMEDY_UNLOCK },
  { "secrets/gone", N_ ("The keyring cannot be reached."),
    N_ ("The key of the provider is in it, so nothing was sent. Try again when it is back."),
    GADGET_REMEDY_RETRY },
  { "secrets/late", N_ ("The keyring does not answer."),
    N_ ("The key of the provider is in it, so nothing was sent. Try again in a moment."),
    GADGET_REMEDY_RETRY },
  { "secrets/unreadable", N_ ("The keyring does not give the key of %s."),
    N_ ("Nothing was sent. The details say why. Trying again may help."), GADGET_REMEDY_RETRY },
  { "secrets/origin", N_ ("The key of %s was entered for another address."),
    N_ ("Nothing was sent. Enter the key for the new address in Preferences, then try again."),
    GADGET_REMEDY_PREFERENCES },
  { "secrets/missing", N_ ("The key of %s is not in the keyring any more."),
    N_ ("Nothing was sent. Enter the key in Preferences, then try again."),
    GADGET_REMEDY_PREFERENCES },
  { HEADER_CODE, N_ ("A secret header of %s has no value that can be sent."),
    N_ ("Nothing was sent. Enter its value in Preferences, then try again."),
    GADGET_REMEDY_PREFERENCES },
  { PULL_CODE, N_ ("%s does not have this model."),
    N_ ("Get it with “ollama pull” and the model's name, or choose another model."),
    GADGET_REMEDY_CHOOSE_MODEL },
};

/* The index is a GadgetSecretsError. */
static const char *const secrets_codes[] = {
  [GADGET_SECRETS_ERROR_KEY_FILE] = "secrets/file",
  [GADGET_SECRETS_ERROR_LOCKED] = "secrets/locked",
  [GADGET_SECRETS_ERROR_UNAVAILABLE] = "secrets/gone",
  [GADGET_SECRETS_ERROR_TIMED_OUT] = "secrets/late",
  [GADGET_SECRETS_ERROR_UNREADABLE] = "secrets/unreadable",
  [GADGET_SECRETS_ERROR_ORIGIN] = "secrets/origin",
  [GADGET_SECRETS_ERROR_MISSING] = "secrets/missing",
};

static const Entry unknown_entry = { "error", N_ ("Something went wrong."),
                                     N_ ("The details say what. Trying again may help."),
                                     GADGET_REMEDY_RETRY };

/**
 * gadget_failure_code_from_error:
 *
 * Returns: (transfer full): the code for @error, which is stored with a failed turn and never
 *   changes
 */
char *
gadget_failure_code_from_error (const GError *error)
{
  g_return_val_if_fail (error != NULL, NULL);

  if (g_error_matches (error, GADGET_PROVIDER_ERROR, GADGET_PROVIDER_ERROR_MODEL)
      && strstr (error->message, PULL_COMMAND) != NULL)
    return g_strdup (PULL_CODE);
  if (error->domain == GADGET_PROVIDER_ERROR && error->code >= 0
      && error->code < (int) G_N_ELEMENTS (provider_entries))
    return g_strdup (provider_entries[error->code].code);
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND))
    return g_strdup ("provider/none");
  if (error->domain == GADGET_SECRETS_ERROR && error->code >= 0
      && error->code < (int) G_N_ELEMENTS (secrets_codes))
    return g_strdup (secrets_codes[error->code]);
  if (error->domain == GADGET_PROVIDER_HEADERS_ERROR)
    return g_strdup (HEADER_CODE);
  return g_strdup ("error");
}

static const Entry *
find_entry (const char *code)
{
  for (guint i = 0; i < G_N_ELEMENTS (provider_entries); i++)
    if (g_strcmp0 (provider_entries[i].code, code) == 0)
      return &provider_entries[i];
  for (guint i = 0; i < G_N_ELEMENTS (other_entries); i++)
    if (g_strcmp0 (other_entries[i].code, code) == 0)
      return &other_entries[i];
  return &unknown_entry;
}

static char *
insert_name (const char *text, const char *name)
{
  g_auto (GStrv) parts = g_strsplit (text, "%s", 2);

  return g_strjoinv (name, parts);
}

/**
 * gadget_failure_new:
 * @code: (nullable): a code of gadget_failure_code_from_error ()
 * @provider_name: (nullable): the name of the provider for the user; %NULL for "The provider"
 *
 * Returns: (transfer full): the texts for the code, or for an unknown failure if the code is not
 *   known
 */
GadgetFailure *
gadget_failure_new (const char *code, const char *provider_name)
{
  const Entry *entry = find_entry (code);
  GadgetFailure *self = g_new0 (GadgetFailure, 1);

  self->title =
      insert_name (_ (entry->title), provider_name != NULL ? provider_name : _ ("The provider"));
  self->hint = g_strdup (_ (entry->hint));
  self->remedy = entry->remedy;
  return self;
}

/* gadget_failure_free: frees the texts, too. */
void
gadget_failure_free (GadgetFailure *self)
{
  g_free (self->title);
  g_free (self->hint);
  g_free (self);
}

const char *
gadget_failure_get_data_hint (const GError *error)
{
  if (g_error_matches (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_NEWER))
    return _ ("A newer Gadget wrote it: update this one.");
  if (g_error_matches (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_CORRUPT))
    return _ ("It is damaged. Move it away, or put a copy of it from a backup in its place; "
              "without it Gadget begins with an empty one.");
  if (g_error_matches (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_FULL))
    return _ ("The disk is full: make room.");
  if (g_error_matches (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_BUSY))
    return _ ("Another program holds it: wait until it is through, or end it.");
  return _ ("Check that its folder is there, can be written to, and has room.");
}
