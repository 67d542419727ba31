/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-ui"

#include "config.h"

#include "gadget-toast.h"

#include "gadget-announcer.h"

AdwToast *
gadget_toast_new (const char *text)
{
  g_return_val_if_fail (text != NULL, NULL);

  return g_object_new (ADW_TYPE_TOAST, "use-markup", FALSE, "title", text, NULL);
}

/**
 * gadget_toast_announce:
 * @widget: where @toast is about to be shown
 *
 * Tells screen readers the text of @toast, before libadwaita does: an announcement that follows
 * another at once is dropped, and libadwaita's may have nobody who listens to it yet.
 */
void
gadget_toast_announce (GtkWidget *widget, AdwToast *toast)
{
  const gboolean urgent = adw_toast_get_priority (toast) == ADW_TOAST_PRIORITY_HIGH;

  gadget_announce (widget, adw_toast_get_title (toast),
                   urgent ? GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_HIGH
                          : GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM);
  gadget_announcer_hold (gadget_announcer_get_default ());
}

void
gadget_toast_show (AdwToastOverlay *overlay, AdwToast *toast)
{
  g_return_if_fail (ADW_IS_TOAST_OVERLAY (overlay) && ADW_IS_TOAST (toast));

  gadget_toast_announce (GTK_WIDGET (overlay), toast);
  adw_toast_overlay_add_toast (overlay, toast);
}
