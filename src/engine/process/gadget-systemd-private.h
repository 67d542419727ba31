/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to the scopes of commands. */

#pragma once

#include "gadget-systemd.h"

G_BEGIN_DECLS

#define _GADGET_SYSTEMD_NAME "org.freedesktop.systemd1"
#define _GADGET_SYSTEMD_PATH "/org/freedesktop/systemd1"
#define _GADGET_SYSTEMD_MANAGER "org.freedesktop.systemd1.Manager"
#define _GADGET_SYSTEMD_TIMEOUT_MS 5000

/**
 * GadgetScope:
 *
 * The scope of one command, from its start to its end.
 */
typedef struct _GadgetScope GadgetScope;

/* --- gadget-systemd-scope.c --- */

/* @outer is the process that was started and is not reaped before _gadget_scope_free (); @status is
 * owned: what bubblewrap says with --json-status-fd is read from it. */
GadgetScope     *_gadget_scope_new             (GadgetSystemd  *systemd,
                                                GPid           outer,
                                                int            status);

/* The command is over. */
void             _gadget_scope_free            (GadgetScope   *self);

const char      *_gadget_scope_get_unit        (GadgetScope   *self);
void             _gadget_scope_request         (GadgetScope   *self);
void             _gadget_scope_started         (GadgetScope   *self,
                                                const char    *result);

/* --- gadget-systemd.c --- */

/* Whether it is worth asking now. */
gboolean         _gadget_systemd_is_wanted      (GadgetSystemd  *self);

/* Asks when the manager can be asked; @scope is lent until _gadget_systemd_remove (). */
void             _gadget_systemd_add            (GadgetSystemd  *self,
                                                GadgetScope   *scope);
void             _gadget_systemd_remove         (GadgetSystemd  *self,
                                                GadgetScope   *scope);

/* (nullable): lent. */
GDBusConnection *_gadget_systemd_get_connection (GadgetSystemd  *self);

/* Managers before systemd 254 are given numbers of processes. */
gboolean         _gadget_systemd_get_by_number  (GadgetSystemd  *self);
void             _gadget_systemd_set_by_number  (GadgetSystemd  *self);

/* What became of a call. */
void             _gadget_systemd_note           (GadgetSystemd  *self,
                                                const GError  *error);

G_END_DECLS
