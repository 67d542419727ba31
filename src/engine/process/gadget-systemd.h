/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define GADGET_TYPE_SYSTEMD (gadget_systemd_get_type ())
G_DECLARE_FINAL_TYPE (GadgetSystemd, gadget_systemd, GADGET, SYSTEMD, GObject)

/* The processes and threads of one command, also without systemd; see gadget-supervise. */
#define GADGET_SYSTEMD_MAX_TASKS 4096

/**
 * GadgetSystemd:
 *
 * Limits of commands: each gets a scope of the user's systemd, where there is one. Emits "changed"
 * when it turned out whether that works.
 */
GadgetSystemd *gadget_systemd_new            (const char   *address);

/* Whether the last command that could get one has got one. */
gboolean      gadget_systemd_get_works      (GadgetSystemd *self);

/* In bytes: what one command may have of this computer's memory. */
guint64       gadget_systemd_get_max_memory (void);

G_END_DECLS
