/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-ui"

#include "gadget-ui.h"

#include "gadget-ui-resources.h"

void
gadget_ui_init (void)
{
  static gsize registered = 0;

  /* Called by name, because the linker drops the constructors of a static library. */
  if (g_once_init_enter (&registered))
    {
      gadget_ui_register_resource ();
      g_once_init_leave (&registered, 1);
    }
}
