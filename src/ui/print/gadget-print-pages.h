/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-print-pieces.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Pieces placed on pages of one size. */
typedef struct _GadgetPrintPages GadgetPrintPages;

/* Begins to place @pieces (transfer full). @title: what is said below each page. @font: the family of
 * texts, and @monospace that of code. (transfer full) */
GadgetPrintPages *gadget_print_pages_new   (GPtrArray         *pieces,
                                            const char        *title,
                                            const char        *font,
                                            const char        *monospace);
void              gadget_print_pages_free  (GadgetPrintPages  *self);

/* Places pieces for some milliseconds, for pages as large as those of @context. To be called until
 * it returns TRUE, which means that all are placed. _get_progress () returns the share of the pieces
 * that are. */
gboolean          gadget_print_pages_place (GadgetPrintPages  *self,
                                            GtkPrintContext   *context);
double            gadget_print_pages_get_progress
                                           (GadgetPrintPages  *self);
guint             gadget_print_pages_get_n (GadgetPrintPages  *self);

/* Draws a page, of which 0 is the first one. */
void              gadget_print_pages_draw  (GadgetPrintPages  *self,
                                            GtkPrintContext   *context,
                                            guint              page);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetPrintPages, gadget_print_pages_free)

G_END_DECLS
