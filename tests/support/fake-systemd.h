/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef enum
{
  FAKE_SYSTEMD_WORKS,
  FAKE_SYSTEMD_REFUSES,
  FAKE_SYSTEMD_FAILS,  /* takes the job, which fails */
  FAKE_SYSTEMD_OLD,    /* knows no PIDFDs */
  FAKE_SYSTEMD_HANGS,
  FAKE_SYSTEMD_DIES,   /* when it is asked for a scope */
  FAKE_SYSTEMD_LATE,   /* answers when it is told to */
} FakeSystemdKind;

/* A manager on a bus of its own, on the main context. It moves nothing. */
typedef struct
{
  GTestDBus *bus;
  GDBusConnection *connection; /* NULL after it died */
  FakeSystemdKind kind;
  guint n_subscribed;
  guint n_started; /* StartTransientUnit was called */
  guint n_by_number;
  char *unit;           /* of the last one */
  GVariant *properties; /* of the last one */
  int pid;              /* of the last one, here; -1 when it was gone */
  int pidfd;
  GQueue late; /* of GDBusMethodInvocation */
} FakeSystemd;

/* Without a manager only the bus is there. */
FakeSystemd *fake_systemd_new         (gboolean         with_manager);
void         fake_systemd_free        (FakeSystemd     *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FakeSystemd, fake_systemd_free)

/* What was put off. */
void         fake_systemd_answer      (FakeSystemd     *self);

/* A number among the properties of the last scope, or 0. */
guint64      fake_systemd_get_number  (FakeSystemd     *self,
                                       const char      *name);

G_END_DECLS
