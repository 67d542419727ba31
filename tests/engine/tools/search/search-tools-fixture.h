/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A workspace with files, and the calls of the tools that search it. */

#pragma once

#include "tool-call.h"
#include "tools/search/gadget-tool-search.h"

G_BEGIN_DECLS

typedef enum
{
  UNCONFINED,
  SANDBOXED,
} Way;

typedef struct
{
  char *top;
  char *workspace;
  GadgetRipgrep *ripgrep;
  GadgetTool *find_files;
  GadgetTool *search;
  gboolean skipped;
} Fixture;

void search_put_bytes (Fixture *fixture, const char *path, const char *bytes, gssize length);
void search_put (Fixture *fixture, const char *path, const char *text);
void search_set_up (Fixture *fixture, gconstpointer data);
void search_tear_down (Fixture *fixture, gconstpointer data);
void search_start (Fixture *fixture, GadgetTool *tool, const char *arguments,
                   GCancellable *cancellable, ToolCall *call);
void search_run (Fixture *fixture, GadgetTool *tool, const char *arguments, ToolCall *call);
void search_add (const char *name, void (*test) (Fixture *, gconstpointer));

G_END_DECLS
