/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <glib/gi18n.h>
#include <locale.h>

#include "common/gadget-i18n.h"

/* Each case in a process of its own: gettext remembers what it has looked up. The locale is one
 * that the build makes, since gettext translates nothing in C.UTF-8. */
static void
in_subprocess (const char *language)
{
  g_autofree char *locales = g_test_build_filename (G_TEST_BUILT, "data", NULL);
  g_auto (GStrv) environment = g_get_environ ();

  environment = g_environ_setenv (environment, "LANGUAGE", language, TRUE);
  environment = g_environ_setenv (environment, "LC_ALL", "de_DE.UTF-8", TRUE);
  environment = g_environ_setenv (environment, "LOCPATH", locales, TRUE);
  g_test_trap_subprocess_with_envp (NULL, (const char *const *) environment, 20 * G_USEC_PER_SEC,
                                    G_TEST_SUBPROCESS_INHERIT_STDERR);
  g_test_trap_assert_passed ();
}

static void
test_translated (void)
{
  if (!g_test_subprocess ())
    {
      in_subprocess ("de");
      return;
    }

  gadget_init_i18n ();
  /* From the desktop file's texts, which every translation has. */
  g_assert_cmpstr (_ ("New Chat"), ==, "Neuer Chat");
  g_assert_cmpstr (setlocale (LC_CTYPE, NULL), ==, "de_DE.UTF-8");
}

static void
test_unknown_language (void)
{
  if (!g_test_subprocess ())
    {
      in_subprocess ("tlh");
      return;
    }

  gadget_init_i18n ();
  g_assert_cmpstr (_ ("New Chat"), ==, "New Chat");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/engine/i18n/translated", test_translated);
  g_test_add_func ("/engine/i18n/unknown-language", test_unknown_language);
  return g_test_run ();
}
