/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-sandbox"

#include "config.h"

#include "gadget-launch-private.h"
#include "gadget-sandbox-cache-private.h"

#include <glib/gstdio.h>
#include <unistd.h>

void
gadget_launch_free (GadgetLaunch *self)
{
  g_strfreev (self->argv);
  g_strfreev (self->environment);
  g_free (self->folder);
  for (guint i = 0; i < self->sources->len; i++)
    close (g_array_index (self->sources, int, i));
  g_array_unref (self->sources);
  g_array_unref (self->targets);
  g_clear_pointer (&self->git, g_ptr_array_unref);
  g_clear_pointer (&self->cache, _gadget_cache_use_free);
  g_clear_fd (&self->status, NULL);
  g_clear_pointer (&self->covered, g_ptr_array_unref);
  g_free (self);
}

void
_gadget_launch_give_fd (GadgetLaunch *self, int source, int target)
{
  g_array_append_val (self->sources, source);
  g_array_append_val (self->targets, target);
}

void
_gadget_argv_add (GPtrArray *argv, ...)
{
  const char *word;
  va_list words;

  va_start (words, argv);
  while ((word = va_arg (words, const char *)) != NULL)
    g_ptr_array_add (argv, g_strdup (word));
  va_end (words);
}
