/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "fake-dialect.h"
#include "strict-body.h"

#include "providers/gadget-dialects.h"
#include "providers/gadget-provider-config.h"
#include "providers/gadget-provider-kinds.h"

#include <string.h>

/* Every kind that is offered is one that the engine takes, with the address that is filled in. */
static void
test_known (void)
{
  for (guint i = 0; i < gadget_provider_kinds_get_n (); i++)
    {
      const GadgetProviderKind *kind = gadget_provider_kinds_get (i);
      const char *url = gadget_provider_kinds_get_url (i);

      /* A service of a kind comes behind the kind itself. */
      g_assert_true (gadget_provider_kinds_find (kind->id) == i
                     || (kind->url != NULL && gadget_provider_kinds_find (kind->id) < i));
      g_assert_true (gadget_provider_config_check (
          "id", kind->id, *url != '\0' ? url : "http://127.0.0.1:8080/v1", NULL));
      /* A name goes with an address. */
      g_assert_true ((*kind->name == '\0') == (*url == '\0'));
    }
  g_assert_cmpuint (gadget_provider_kinds_find ("unknown"), ==, 0);
}

static void
assert_key (const char *kind, const char *url, gboolean expected)
{
  g_assert_true (gadget_provider_kinds_has_key (gadget_provider_kinds_find (kind), url)
                 == expected);
}

static void
test_key (void)
{
  assert_key (GADGET_PROVIDER_KIND_OLLAMA, "http://127.0.0.1:11434", FALSE);
  assert_key (GADGET_PROVIDER_KIND_OLLAMA, "http://localhost", FALSE);
  assert_key (GADGET_PROVIDER_KIND_OLLAMA, "http://[::1]:1", FALSE);
  assert_key (GADGET_PROVIDER_KIND_OLLAMA, "https://models.example", TRUE);
  assert_key (GADGET_PROVIDER_KIND_OLLAMA, "", TRUE);
  assert_key (GADGET_PROVIDER_KIND_OPENAI_CHAT, "http://127.0.0.1:8080/v1", TRUE);
  assert_key (GADGET_PROVIDER_KIND_GEMINI, "http://127.0.0.1", TRUE);
}

/* The suites of aborts speak each dialect, and refuse what its server would. */
static void
test_spoken (void)
{
  g_autofree char *ids = gadget_provider_kinds_dup_ids ();

  for (guint i = 0; i < gadget_dialects_get_n (); i++)
    {
      const char *id = gadget_dialects_get (i)->kind.id;

      g_assert_true (gadget_dialects_find (id) == gadget_dialects_get (i));
      g_assert_nonnull (fake_dialect_find (id));
      g_assert_nonnull (strict_find (id));
      g_assert_nonnull (strstr (ids, id));
    }
  g_assert_null (gadget_dialects_find ("unknown"));
  g_assert_null (gadget_dialects_find (GADGET_PROVIDER_KIND_GUIDE));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/provider-kinds/known", test_known);
  g_test_add_func ("/engine/provider-kinds/key", test_key);
  g_test_add_func ("/engine/provider-kinds/spoken", test_spoken);
  return g_test_run ();
}
