/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "gadget-asking.h"

/**
 * gadget_asking_new:
 * @parameters: of the call: (ssa{sv})
 */
GadgetAsking *
gadget_asking_new (const char *sender, GVariant *parameters)
{
  GadgetAsking *self = g_rc_box_new0 (GadgetAsking);
  g_autoptr (GVariant) options = NULL;
  const char *run_id = "";

  g_variant_get (parameters, "(ss@a{sv})", &self->session, NULL, &options);
  g_variant_lookup (options, "run-id", "&s", &run_id);
  self->sender = g_strdup (sender);
  self->same = g_ptr_array_new ();
  self->run = g_strdup (run_id);
  return self;
}

GadgetAsking *
gadget_asking_ref (GadgetAsking *self)
{
  return g_rc_box_acquire (self);
}

static void
clear (gpointer data)
{
  GadgetAsking *self = data;

  g_free (self->sender);
  g_free (self->session);
  g_free (self->run);
  g_assert (self->same->len == 0);
  g_ptr_array_unref (self->same);
  g_clear_object (&self->reading);
}

void
gadget_asking_unref (GadgetAsking *self)
{
  g_rc_box_release_full (self, clear);
}

/**
 * gadget_asking_matches:
 * @session_id: "" for any
 * @run_id: "" for any
 *
 * Returns: whether a stop of these means it
 */
gboolean
gadget_asking_matches (GadgetAsking *self, const char *session_id, const char *run_id)
{
  return !self->over && (*session_id == '\0' || g_str_equal (self->session, session_id))
         && (*run_id == '\0' || g_str_equal (self->run, run_id));
}

/**
 * gadget_asking_end:
 * @run_id: (nullable): the run that came of it
 */
void
gadget_asking_end (GadgetAsking *self, const char *run_id)
{
  self->over = TRUE;
  self->started = run_id != NULL;
  if (run_id != NULL)
    g_set_str (&self->run, run_id);
}
