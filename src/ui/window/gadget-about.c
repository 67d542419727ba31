/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-window"

#include "config.h"

#include "gadget-about.h"

#include <glib/gi18n.h>

AdwDialog *
gadget_about_new (void)
{
  AdwAboutDialog *dialog = ADW_ABOUT_DIALOG (adw_about_dialog_new ());

  adw_about_dialog_set_application_name (dialog, _ ("Gadget"));
  adw_about_dialog_set_application_icon (dialog, APPLICATION_ID);
  adw_about_dialog_set_version (dialog, GADGET_VERSION);
  adw_about_dialog_set_developer_name (dialog, _ ("The Gadget project"));
  adw_about_dialog_set_license_type (dialog, GTK_LICENSE_GPL_3_0);
  adw_about_dialog_set_comments (dialog,
                                 _ ("A chat with an agent inside that stops when you say stop."));
  /* Translators: your names, one a line */
  adw_about_dialog_set_translator_credits (dialog, _ ("translator-credits"));
  return ADW_DIALOG (dialog);
}
