/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * GadgetSearchResult:
 * @path: below the folder that was searched, in the encoding of the file system, perhaps not UTF-8
 * @line: line number from 1; 0 for a file that was found by its name
 * @text: (nullable): the line, valid UTF-8 and shortened
 * @is_context: whether the line only stands next to a line that matched
 *
 * One result of a search.
 */
typedef struct
{
  char *path;
  guint64 line;
  char *text;
  gboolean is_context;
} GadgetSearchResult;

/* The results that a search has found so far, shared with its thread so that a stop loses none of
 * them. All functions may be called in any thread. */
typedef struct _GadgetSearchResults GadgetSearchResults;

/* @max is the largest number of results that are collected, not counting context. */
GadgetSearchResults *_gadget_search_results_new         (guint                max);
void                 _gadget_search_results_unref       (GadgetSearchResults *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetSearchResults, _gadget_search_results_unref)

/* Adds a result. @text (nullable) need not be UTF-8. Returns FALSE when more results are not
 * wanted. */
gboolean             _gadget_search_results_add         (GadgetSearchResults *self,
                                                         const char          *path,
                                                         guint64              line,
                                                         const char          *text,
                                                         gsize                length,
                                                         gboolean             is_context);
/* Returns the number of results, without context. */
guint                _gadget_search_results_get_n       (GadgetSearchResults *self);

/* Ends collecting. Returns: (transfer full) (element-type GadgetSearchResult): the results, sorted
 * by path and line. @full is set to whether there are more than the maximum. */
GPtrArray           *_gadget_search_results_take        (GadgetSearchResults *self,
                                                         gboolean            *full);

/* Appends a file name or a path as models get it: see gadget_quoted_path_dup (). */
void                 _gadget_search_results_append_name (GString             *text,
                                                         const char          *name);

G_END_DECLS
