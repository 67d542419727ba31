/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define GADGET_TYPE_SYSTEMD (gadget_systemd_get_type ())
G_DECLARE_FINAL_TYPE (GadgetSystemd, gadget_systemd, GADGET, SYSTEMD, GObject)

/* The limit of processes and threads of one command. gadget-supervise sets it as well, for commands
 * without systemd. */
#define GADGET_SYSTEMD_MAX_TASKS 4096

/**
 * GadgetSystemd:
 *
 * Limits commands: each gets a scope of the user's systemd, if there is one. Emits "changed" when
 * it turns out that scopes work, or that they no longer do.
 */
GadgetSystemd *gadget_systemd_new            (const char   *address);

/* Returns whether the last command for which a scope was requested has got one. */
gboolean      gadget_systemd_get_works      (GadgetSystemd *self);

/* Returns how many bytes of this computer's memory one command may use. */
guint64       gadget_systemd_get_max_memory (void);

/**
 * GadgetScope:
 *
 * The scope of one command, from its start to its end.
 */
typedef struct _GadgetScope GadgetScope;

/* Requests a scope as soon as the first process of the sandbox is known. OUTER is the process that
 * was started; it must not be reaped before gadget_scope_free (). Takes STATUS, the descriptor on
 * which bubblewrap writes with --json-status-fd. */
GadgetScope  *gadget_scope_new               (GadgetSystemd *systemd,
                                              GPid           outer,
                                              int            status);

/* The command has ended: nothing more is requested. */
void          gadget_scope_free              (GadgetScope   *self);

G_END_DECLS
