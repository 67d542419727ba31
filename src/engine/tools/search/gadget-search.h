/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-search-results.h"
#include "common/gadget-glob.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * GadgetSearch:
 * @root: (nullable): the workspace
 * @resolved: the folder or file that is searched, as gadget_workspace_resolve () returns it
 * @glob_text: (nullable): the text of @glob
 * @glob: (nullable): matches the path below @resolved, or the file name alone
 * @glob_is_name: whether @glob is for the file name alone
 * @pattern: (nullable): the regular expression to search in the files; without it files are found
 *   by their names
 * @ignore_case: for @pattern
 * @all: whether hidden and ignored files are searched too
 * @context: lines before and after each match
 * @max: the number of results to find
 * @first: the first result that the model gets, from 1
 * @n_shown: the number of results that the model gets
 * @results: what was found so far
 *
 * A search. A tool sets it up; after that its members are only read, in any thread. The results
 * can be taken at any time.
 */
typedef struct
{
  char *root;
  char *resolved;
  char *glob_text;
  GadgetGlob *glob;
  gboolean glob_is_name;
  char *pattern;
  gboolean ignore_case;
  gboolean all;
  guint context;
  guint max;
  guint first;
  guint n_shown;
  GadgetSearchResults *results;
} GadgetSearch;

GadgetSearch      *_gadget_search_new         (const char    *root,
                                               const char    *resolved,
                                               guint          max);
GadgetSearch      *_gadget_search_ref         (GadgetSearch  *self);
void               _gadget_search_unref       (gpointer       self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetSearch, _gadget_search_unref)

/* _set_glob () sets the pattern for file names; it fails with %G_IO_ERROR_INVALID_ARGUMENT, its
 * message for the model. _wants () returns whether a path below the folder fits that pattern. */
gboolean           _gadget_search_set_glob    (GadgetSearch  *self,
                                               const char    *glob,
                                               GError       **error);
gboolean           _gadget_search_wants       (GadgetSearch  *self,
                                               const char    *path);

/* Appends the path of a result as a model can use it in a call: below the workspace, or
 * absolute. */
void               _gadget_search_append_path (GadgetSearch  *self,
                                               GString       *text,
                                               const char    *path);

/**
 * GadgetSearchPlace:
 * @folder: the real path of the folder from which ripgrep searches
 * @path: what it searches, below @folder; "" for @folder itself
 * @is_file: whether a single file is searched
 * @in_workspace: whether @folder is the workspace
 *
 * Where a search takes place.
 */
typedef struct
{
  char *folder;
  char *path;
  gboolean is_file;
  gboolean in_workspace;
} GadgetSearchPlace;

/* Looks up what @self searches. Blocks. Fails with the errors of opening the folder or file. */
GadgetSearchPlace *_gadget_search_place_find  (GadgetSearch  *self,
                                               GError       **error);
void               _gadget_search_place_free  (gpointer       self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetSearchPlace, _gadget_search_place_free)

G_END_DECLS
