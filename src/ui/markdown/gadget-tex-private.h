/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-tex-symbols.h"

G_BEGIN_DECLS

#define GADGET_TEX_MAX_DEPTH 24
#define GADGET_TEX_MAX_NAME 24

typedef struct
{
  const char *at;
  const char *end;
  guint depth;
  gboolean display;
  const char *columns; /* (nullable) what parts them, or a space */
  guint n_matrices;    /* in all of the formula */
  gsize left_at;       /* how long the text was behind the last "\left" and what it is before */
} GadgetTexReader;

/* gadget-tex-write.c */
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

/* Whether all of @text can be raised or lowered; then that is what is appended. */
gboolean _gadget_tex_add_script_characters (GString               *out,
                                            const char            *text,
                                            gboolean               raised);

/* gadget-tex.c: reading. Until @stop, which is read too; "\n1" stands for: one command. */
void     _gadget_tex_read_until            (GadgetTexReader       *reader,
                                            GString               *out,
                                            const char            *stop);
void     _gadget_tex_skip_white            (GadgetTexReader       *reader);
gboolean _gadget_tex_starts_with           (const GadgetTexReader *reader,
                                            const char            *what);

/* The part in braces, or the one symbol, that comes next, read or as it is; what is in brackets,
 * or NULL if that does not come next. (transfer full) */
char    *_gadget_tex_read_argument         (GadgetTexReader       *reader);
char    *_gadget_tex_read_words            (GadgetTexReader       *reader);
char    *_gadget_tex_read_option           (GadgetTexReader       *reader);

/* gadget-tex.c: what "\left" and "\right" are before; "." is none. */
void     _gadget_tex_add_delimiter         (GadgetTexReader       *reader,
                                            GString               *out);

/* gadget-tex-commands.c: FALSE if @name is none of theirs. */
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

/* gadget-tex-rows.c. An environment that is not known is copied; its command begins at @from. */
guint    _gadget_tex_count_matrices        (const char            *tex);
void     _gadget_tex_add_environment       (GadgetTexReader       *reader,
                                            GString               *out,
                                            const char            *from);

G_END_DECLS
