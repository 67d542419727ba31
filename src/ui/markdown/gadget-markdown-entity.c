/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-markdown"

#include "config.h"

#include "gadget-markdown-entity.h"

#include <stdlib.h>
#include <string.h>

/* A named character reference, as "amp", and its UTF-8. */
typedef struct
{
  char name[32];
  char value[8];
} Entity;

static const Entity entities[] = {
#include "gadget-markdown-entities.inc"
};

static int
compare (gconstpointer key, gconstpointer element)
{
  return strcmp (key, ((const Entity *) element)->name);
}

static gunichar
read_number (const char *digits, const char *end, guint base)
{
  guint64 value = 0;

  for (; digits < end && value <= 0x10ffff; digits++)
    value = value * base + (guint) g_ascii_xdigit_value (*digits);
  if (value == 0 || value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff))
    return 0xfffd;
  return (gunichar) value;
}

gboolean
gadget_markdown_entity_decode (const char *entity, gsize length, GString *out)
{
  const Entity *found;
  char name[32];

  if (length < 3)
    return FALSE;
  if (entity[1] == '#')
    {
      const gboolean hex = entity[2] == 'x' || entity[2] == 'X';

      g_string_append_unichar (
          out, read_number (entity + (hex ? 3 : 2), entity + length - 1, hex ? 16 : 10));
      return TRUE;
    }
  if (length - 2 >= sizeof name)
    return FALSE;
  memcpy (name, entity + 1, length - 2);
  name[length - 2] = '\0';
  found = bsearch (name, entities, G_N_ELEMENTS (entities), sizeof *entities, compare);
  if (found == NULL)
    return FALSE;
  g_string_append (out, found->value);
  return TRUE;
}
