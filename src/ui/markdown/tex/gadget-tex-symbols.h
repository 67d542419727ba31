/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The class of a symbol, which decides about the spaces around it. */
typedef enum
{
  GADGET_TEX_ORDINARY,
  GADGET_TEX_BINARY,
  GADGET_TEX_RELATION,
  GADGET_TEX_PREFIX, /* belongs to what follows: a quantifier, a derivative */
  GADGET_TEX_LARGE,  /* a sum, an integral */
  GADGET_TEX_NAME,   /* the name of a function */
} GadgetTexClass;

/* A command without arguments and the text that it stands for. */
typedef struct
{
  char name[22];
  char text[8];
  GadgetTexClass class;
} GadgetTexSymbol;

/* Returns the symbol of a command without arguments, or NULL. */
const GadgetTexSymbol *gadget_tex_find_symbol     (const char *name);

/* Return a character in superscript, in subscript, or in another alphabet ('b': blackboard, 'c':
 * script, 'f': Fraktur, 'B': bold); 0 if Unicode has none. */
gunichar               gadget_tex_get_superscript (gunichar    c);
gunichar               gadget_tex_get_subscript   (gunichar    c);
gunichar               gadget_tex_get_letter      (gunichar    c,
                                                   char        alphabet);

G_END_DECLS
