/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-ui"

#include "config.h"

#include "gadget-toast.h"

AdwToast *
gadget_toast_new (const char *text)
{
  g_return_val_if_fail (text != NULL, NULL);

  return g_object_new (ADW_TYPE_TOAST, "use-markup", FALSE, "title", text, NULL);
}
