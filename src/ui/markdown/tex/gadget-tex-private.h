/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-tex-symbols.h"

G_BEGIN_DECLS

#define GADGET_TEX_MAX_DEPTH 24
#define GADGET_TEX_MAX_NAME 24

/* The state of reading a formula. */
typedef struct
{
  const char *at;
  const char *end;
  guint depth; /* of nested arguments; at most GADGET_TEX_MAX_DEPTH */
  gboolean display;
  const char *columns; /* (nullable): what separates columns; NULL for a space */
  guint n_matrices;    /* matrices in the whole formula */
  gsize left_at;       /* length of the output right after the last "\left" with its delimiter; 0
                        * for none */
} GadgetTexReader;

/* gadget-tex-write.c: appending to the output. _is_simple(): needs no parentheses; _add_grouped():
 * adds them if needed; _add_script(): appends a superscript or subscript. */
gboolean _gadget_tex_is_closing            (gunichar               c);
void     _gadget_tex_trim_end              (GString               *out);
void     _gadget_tex_add_space             (GString               *out);
gunichar _gadget_tex_get_last              (const GString         *out);
gboolean _gadget_tex_is_simple             (const char            *text);
gboolean _gadget_tex_is_number             (const char            *text);
void     _gadget_tex_add_grouped           (GString               *out,
                                            const char            *text);
void     _gadget_tex_add_script            (GString               *out,
                                            const char            *text,
                                            gboolean               raised);
void     _gadget_tex_add_letters           (GString               *out,
                                            const char            *text,
                                            char                   alphabet);

/* Appends @text in superscript or subscript characters. Returns FALSE, without appending anything,
 * when Unicode does not have them all. */
gboolean _gadget_tex_add_script_characters (GString               *out,
                                            const char            *text,
                                            gboolean               raised);

/* gadget-tex.c: reads up to @stop and over it. "\n1" means: one command. */
void     _gadget_tex_read_until            (GadgetTexReader       *reader,
                                            GString               *out,
                                            const char            *stop);
void     _gadget_tex_skip_white            (GadgetTexReader       *reader);
gboolean _gadget_tex_starts_with           (const GadgetTexReader *reader,
                                            const char            *what);

/* Return the part of the formula that comes next. _read_argument(): a group in braces or one
 * symbol, converted to text; _read_words(): a group in braces, as it is; _read_option(): a group in
 * brackets, or NULL when there is none. (transfer full) */
char    *_gadget_tex_read_argument         (GadgetTexReader       *reader);
char    *_gadget_tex_read_words            (GadgetTexReader       *reader);
char    *_gadget_tex_read_option           (GadgetTexReader       *reader);

/* gadget-tex.c: reads the delimiter after "\left" or "\right"; "." stands for none. */
void     _gadget_tex_add_delimiter         (GadgetTexReader       *reader,
                                            GString               *out);

/* gadget-tex-commands.c: commands with arguments. The functions with @name return FALSE when it is
 * another command. */
void     _gadget_tex_add_fraction          (GadgetTexReader       *reader,
                                            GString               *out);
void     _gadget_tex_add_root              (GadgetTexReader       *reader,
                                            GString               *out);
gboolean _gadget_tex_add_accent            (GadgetTexReader       *reader,
                                            GString               *out,
                                            const char            *name);
gboolean _gadget_tex_add_styled            (GadgetTexReader       *reader,
                                            GString               *out,
                                            const char            *name);
gboolean _gadget_tex_add_arguments         (GadgetTexReader       *reader,
                                            GString               *out,
                                            const char            *name);

/* gadget-tex-rows.c: environments. An unknown one is copied; @from is the beginning of its
 * command. */
guint    _gadget_tex_count_matrices        (const char            *tex);
void     _gadget_tex_add_environment       (GadgetTexReader       *reader,
                                            GString               *out,
                                            const char            *from);

G_END_DECLS
