/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "common/gadget-clock.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The least time between two announcements; those that come sooner are announced together. */
#define GADGET_ANNOUNCER_GAP_MS 150

#define GADGET_TYPE_ANNOUNCER (gadget_announcer_get_type ())
G_DECLARE_FINAL_TYPE (GadgetAnnouncer, gadget_announcer, GADGET, ANNOUNCER, GObject)

/* Announces texts to screen readers, for the whole application. Signal: "announced" (text,
 * priority), emitted with each announcement. */
GadgetAnnouncer *gadget_announcer_get_default (void);
GadgetAnnouncer *gadget_announcer_new      (GadgetClock     *clock);
void             gadget_announcer_announce (GadgetAnnouncer *self,
                                            GtkWidget       *widget,
                                            const char      *text,
                                            GtkAccessibleAnnouncementPriority priority);
void             gadget_announcer_hold     (GadgetAnnouncer *self);
void             gadget_announcer_replace_next (GadgetAnnouncer *self,
                                            GtkWidget       *widget);
void             gadget_announcer_set_silent (GadgetAnnouncer *self,
                                            gboolean         silent);

char            *gadget_announcer_dup_joined (const char     *first,
                                            const char      *second);

/* Calls gadget_announcer_announce() on the default announcer. */
void             gadget_announce           (GtkWidget       *widget,
                                            const char      *text,
                                            GtkAccessibleAnnouncementPriority priority);

G_END_DECLS
