/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A workspace with a store, and the calls of the tools for files in it. */

#pragma once

#include "test-store.h"
#include "tool-call.h"
#include "wait.h"
#include "common/gadget-blocking.h"
#include "tools/files/gadget-tool-edit-file.h"
#include "tools/files/gadget-tool-list-dir.h"
#include "tools/files/gadget-tool-read-file.h"
#include "tools/files/gadget-tool-write-file.h"
#include "workspace/gadget-replace.h"

G_BEGIN_DECLS

typedef struct
{
  char *top;
  char *workspace;
  GadgetVersionsRead *versions;
  GadgetTool *read_file;
  GadgetTool *write_file;
  GadgetTool *edit_file;
  GadgetTool *list_dir;
} Fixture;

void file_tools_put (Fixture *fixture, const char *path, const char *text);
void file_tools_assert_file (Fixture *fixture, const char *path, const char *text);
void file_tools_set_up (Fixture *fixture, gconstpointer data);
void file_tools_tear_down (Fixture *fixture, gconstpointer data);
GadgetToolContext file_tools_get_context (Fixture *fixture);
void file_tools_start (Fixture *fixture, GadgetTool *tool, const char *arguments,
                       GCancellable *cancellable, ToolCall *call);
void file_tools_run (Fixture *fixture, GadgetTool *tool, const char *arguments, ToolCall *call);
void file_tools_assert_fails (Fixture *fixture, GadgetTool *tool, const char *arguments,
                              const char *says);
void file_tools_assert_answers (Fixture *fixture, GadgetTool *tool, const char *arguments,
                                const char *text, const char *summary);
void file_tools_read_a (Fixture *fixture);
GadgetPrompt *file_tools_wait_for_question (ToolCall *call, const char *name);

G_END_DECLS
