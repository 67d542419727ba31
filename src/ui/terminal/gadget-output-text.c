/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-output-text"

#include "config.h"

#include "gadget-output-text.h"

#include <string.h>

/* Most output has no controls; then no copy of it is made, and the source itself is returned. */
typedef struct
{
  gboolean of_result;
  gsize seen;                   /* how many bytes of the source were processed */
  GadgetTerminalText *terminal; /* (nullable): NULL until there is a control */
} Output;

static void
output_free (gpointer data)
{
  Output *self = data;

  g_clear_pointer (&self->terminal, gadget_terminal_text_free);
  g_free (self);
}

static GQuark
get_quark (void)
{
  static GQuark quark;

  if (quark == 0)
    quark = g_quark_from_static_string ("gadget-output-text");
  return quark;
}

static Output *
get_output (GadgetItem *item, gboolean of_result)
{
  Output *self = g_object_get_qdata (G_OBJECT (item), get_quark ());

  if (self != NULL && self->of_result == of_result)
    return self;
  self = g_new0 (Output, 1);
  self->of_result = of_result;
  g_object_set_qdata_full (G_OBJECT (item), get_quark (), self, output_free);
  return self;
}

static void
feed (Output *self, const char *source, gsize length)
{
  if (self->terminal == NULL
      && gadget_terminal_text_is_needed (source + self->seen, length - self->seen))
    {
      self->terminal = gadget_terminal_text_new ();
      self->seen = 0;
    }
  if (self->terminal != NULL)
    gadget_terminal_text_feed (self->terminal, source + self->seen, length - self->seen);
  self->seen = length;
}

const char *
gadget_output_text_get (GadgetItem *item, gsize *length)
{
  const char *result = gadget_item_get_result (item);
  /* The live output is preferred, since it is more complete; a quick tool has only a result. */
  const gboolean of_result = gadget_item_get_length (item) == 0 && result != NULL;
  const char *source = of_result ? result : gadget_item_get_text (item);
  const gsize n = of_result ? strlen (result) : gadget_item_get_length (item);
  Output *self = get_output (item, of_result);

  if (n > self->seen)
    feed (self, source, n);
  if (self->terminal != NULL)
    return gadget_terminal_text_get (self->terminal, length);
  *length = n;
  return source;
}

void
gadget_output_text_foreach (GadgetItem *item, gsize start, gsize end, GadgetTerminalFunc func,
                            gpointer user_data)
{
  Output *self = g_object_get_qdata (G_OBJECT (item), get_quark ());

  if (self != NULL && self->terminal != NULL)
    gadget_terminal_text_foreach (self->terminal, start, end, func, user_data);
}

gboolean
gadget_output_text_has_styles (GadgetItem *item)
{
  const Output *self = g_object_get_qdata (G_OBJECT (item), get_quark ());

  return self != NULL && self->terminal != NULL;
}

void
gadget_output_text_forget (GadgetItem *item)
{
  g_object_set_qdata (G_OBJECT (item), get_quark (), NULL);
}
