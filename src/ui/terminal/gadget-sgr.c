/* SPDX-License-Identifier: GPL-3.0-or-later */

/* SGR sequences of terminals: parsing their parameters, and the colors of the 256-color palette. */

#define G_LOG_DOMAIN "gadget-terminal-text"

#include "config.h"

#include "gadget-sgr.h"

#include <string.h>

/* Further parameters of a sequence are ignored. */
#define MAX_PARAMETERS 32

/* --- Parameters --- */

typedef struct
{
  int value;                /* -1 when it is empty */
  gboolean is_subparameter; /* a colon separates it from the one before */
} Parameter;

static guint
read_parameters (const char *text, Parameter *parameters)
{
  guint n = 0;
  gboolean is_subparameter = FALSE;

  while (n < MAX_PARAMETERS)
    {
      char *end;
      const guint64 value = g_ascii_strtoull (text, &end, 10);

      parameters[n].value = end > text ? (int) MIN (value, 65535) : -1;
      parameters[n].is_subparameter = is_subparameter;
      n++;
      if (*end != ';' && *end != ':')
        break;
      is_subparameter = *end == ':';
      text = end + 1;
    }
  return n;
}

static guint
clamp_component (const Parameter *parameter)
{
  return (guint) CLAMP (parameter->value, 0, 255);
}

/* Reads the parameters that follow 38, 48 or 58: with semicolons, as most programs write them, or
 * with colons as in the standard, where a color space may come before the three components. Returns
 * how many parameters belong to the color; of one that is not known, all that may. */
static guint
read_color (const Parameter *parameters, guint n, GadgetTerminalColor *color)
{
  guint n_with_colons = 1;
  guint red = 2;

  while (n_with_colons < n && parameters[n_with_colons].is_subparameter)
    n_with_colons++;
  /* Parameters behind a semicolon are not part of a color with colons. */
  if (n_with_colons > 1)
    n = n_with_colons;
  if (n > 2 && parameters[1].value == 5)
    {
      *color = GADGET_TERMINAL_COLOR_INDEX (clamp_component (&parameters[2]));
      return MAX (n_with_colons, 3);
    }
  if (n_with_colons > 5)
    red = 3;
  if (n > red + 2 && parameters[1].value == 2)
    {
      *color = GADGET_TERMINAL_COLOR_RGB (clamp_component (&parameters[red]),
                                          clamp_component (&parameters[red + 1]),
                                          clamp_component (&parameters[red + 2]));
      return MAX (n_with_colons, red + 3);
    }
  return n;
}

static void
apply_color (GadgetTerminalStyle *style, int value)
{
  if (value >= 30 && value <= 37)
    style->foreground = GADGET_TERMINAL_COLOR_INDEX (value - 30);
  else if (value >= 90 && value <= 97)
    style->foreground = GADGET_TERMINAL_COLOR_INDEX (value - 90 + 8);
  else if (value == 39)
    style->foreground = GADGET_TERMINAL_COLOR_NONE;
  else if (value >= 40 && value <= 47)
    style->background = GADGET_TERMINAL_COLOR_INDEX (value - 40);
  else if (value >= 100 && value <= 107)
    style->background = GADGET_TERMINAL_COLOR_INDEX (value - 100 + 8);
  else if (value == 49)
    style->background = GADGET_TERMINAL_COLOR_NONE;
}

static void
apply_flag (GadgetTerminalStyle *style, int value)
{
  static const struct
  {
    int value;
    GadgetTerminalFlags set;
    GadgetTerminalFlags unset;
  } flags[] = {
    { 1, GADGET_TERMINAL_BOLD, 0 },       { 2, GADGET_TERMINAL_DIM, 0 },
    { 3, GADGET_TERMINAL_ITALIC, 0 },     { 4, GADGET_TERMINAL_UNDERLINE, 0 },
    { 7, GADGET_TERMINAL_INVERSE, 0 },    { 9, GADGET_TERMINAL_STRIKE, 0 },
    { 21, GADGET_TERMINAL_UNDERLINE, 0 }, { 22, 0, GADGET_TERMINAL_BOLD | GADGET_TERMINAL_DIM },
    { 23, 0, GADGET_TERMINAL_ITALIC },    { 24, 0, GADGET_TERMINAL_UNDERLINE },
    { 27, 0, GADGET_TERMINAL_INVERSE },   { 29, 0, GADGET_TERMINAL_STRIKE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (flags); i++)
    if (flags[i].value == value)
      style->flags = (style->flags & ~flags[i].unset) | flags[i].set;
}

void
gadget_sgr_apply (GadgetTerminalStyle *style, const char *parameters)
{
  Parameter all[MAX_PARAMETERS];
  const guint n = read_parameters (parameters, all);
  GadgetTerminalColor underline; /* is not shown */

  for (guint i = 0; i < n; i++)
    {
      const int value = all[i].value;

      /* 4:0 means no underline; other kinds of underlines are shown as a single one. */
      if (all[i].is_subparameter)
        {
          if (value == 0 && i > 0 && all[i - 1].value == 4)
            apply_flag (style, 24);
          continue;
        }
      if (value <= 0)
        *style = (GadgetTerminalStyle) { 0 };
      else if (value == 38)
        i += read_color (all + i, n - i, &style->foreground) - 1;
      else if (value == 48)
        i += read_color (all + i, n - i, &style->background) - 1;
      else if (value == 58)
        i += read_color (all + i, n - i, &underline) - 1;
      else if (value < 30)
        apply_flag (style, value);
      else
        apply_color (style, value);
    }
}

/* --- Colors --- */

/* The first 16 colors are not standardized, and these are Gadget's; the others are a color cube and
 * grays. */
static guint32
get_index_rgb (guint index)
{
  static const guint32 base_colors[16] = { 0x241f31, 0xc01c28, 0x2ec27e, 0xf5c211,
                                           0x1e78e4, 0x9841bb, 0x0ab9dc, 0xc0bfbc,
                                           0x5e5c64, 0xed333b, 0x57e389, 0xf8e45c,
                                           0x51a1ff, 0xc061cb, 0x4fd2fd, 0xf6f5f4 };
  static const guint levels[6] = { 0, 95, 135, 175, 215, 255 };
  const guint cube_index = index - 16;

  if (index < 16)
    return base_colors[index];
  if (index < 232)
    return levels[cube_index / 36] << 16 | levels[cube_index / 6 % 6] << 8 | levels[cube_index % 6];
  return (8 + 10 * (index - 232)) * 0x10101;
}

void
gadget_sgr_get_color (GadgetTerminalColor color, float *red, float *green, float *blue)
{
  const guint32 rgb = color >> 24 == 1 ? get_index_rgb (color & 0xff) : color & 0xffffff;

  *red = (float) (rgb >> 16) / 255;
  *green = (float) (rgb >> 8 & 0xff) / 255;
  *blue = (float) (rgb & 0xff) / 255;
}
