/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-application.h"
#include "gadget-window.h"

#include "agent/gadget-engine.h"
#include "control/gadget-control.h"

G_BEGIN_DECLS

struct _GadgetApplication
{
  AdwApplication parent_instance;

  GSettings *settings; /* (nullable) */
  GadgetEngine *engine;
  GadgetControl *control; /* (nullable): the engine's D-Bus object */
  AdwDialog *question; /* (nullable) (weak): the "Stop and Close?" dialog */
  gboolean opening;    /* opening of the engine has begun */
  gboolean open;       /* the engine was opened successfully */
  GError *failure;     /* (nullable): why the engine could not be opened */
  gboolean stopping;   /* "Stop and Close" goes on: leave () follows once replies are stopped and
                        * saved */
  gboolean leaving; /* the windows are hidden, and the engine is being closed */
  gboolean again; /* main () starts the program anew after it has left */
  gboolean damage_shown; /* the user was told that the database is damaged */
  guint open_id;
  guint backup_id;
  guint leave_id;
  guint stop_id;
  guint signal_ids[3];
  int exit_status;
};

/* gadget-application.c: the window that was used last. (nullable) */
GadgetWindow *_gadget_application_get_window (GadgetApplication *self);

/* gadget-application-leaving.c. _watch_window () leaves when a window asks for it, _watch_signals ()
 * when a signal comes. _run_ended () is to be called whenever a run has ended. */
void _gadget_application_watch_window  (GadgetApplication *self,
                                        GadgetWindow      *window);
void _gadget_application_watch_signals (GadgetApplication *self);
void _gadget_application_run_ended     (GadgetApplication *self);

/* gadget-application-backups.c. _watch_backups () makes backups from now on, when they are due,
 * _look_for_backup () makes one if it is due now. */
void _gadget_application_watch_backups   (GadgetApplication *self);
void _gadget_application_look_for_backup (GadgetApplication *self);

G_END_DECLS
