/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget"

#include "config.h"

#include "common/gadget-i18n.h"
#include "ui/window/gadget-application.h"

#include <signal.h>
#include <unistd.h>

int
main (int argc, char **argv)
{
  g_autoptr (GadgetApplication) application = NULL;
  int status;

  /* A write to a command that is gone is an error, not the end of Gadget. */
  signal (SIGPIPE, SIG_IGN);
  gadget_init_i18n ();

  application = gadget_application_new ();
  status = g_application_run (G_APPLICATION (application), argc, argv);
  if (gadget_application_starts_again (application))
    {
      char *arguments[] = { argv[0], NULL };

      g_clear_object (&application);
      execv ("/proc/self/exe", arguments);
      return 1;
    }
  return status != 0 ? status : gadget_application_get_exit_status (application);
}
