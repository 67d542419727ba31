/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-i18n"

#include "config.h"

#include <libintl.h>
#include <locale.h>

#include "gadget-i18n.h"

void
gadget_init_i18n (void)
{
  /* A program that runs from the build directory finds its translations there. */
  const char *directory = g_getenv ("GADGET_LOCALE_DIR");

  if (directory == NULL || *directory == '\0')
    directory = GADGET_LOCALEDIR;

  /* If the system does not have the locale, setlocale () fails and all text stays in English. */
  setlocale (LC_ALL, "");
  bindtextdomain (GETTEXT_PACKAGE, directory);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);
}
