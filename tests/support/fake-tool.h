/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "tools/gadget-tool.h"

G_BEGIN_DECLS

/* A tool whose calls the test ends. It takes one call at a time. */
typedef GadgetTool FakeTool;
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FakeTool, g_object_unref)

FakeTool   *fake_tool_new           (const char *name);
void        fake_tool_set_asks      (FakeTool   *self,
                                     gboolean    asks);
void        fake_tool_set_deaf      (FakeTool   *self,
                                     gboolean    deaf);
void        fake_tool_set_hasty     (FakeTool   *self,
                                     gboolean    hasty);
guint       fake_tool_get_n_calls   (FakeTool   *self);
gboolean    fake_tool_is_running    (FakeTool   *self);
void        fake_tool_output        (FakeTool   *self,
                                     const char *text);
void        fake_tool_end           (FakeTool   *self,
                                     const char *text);
void        fake_tool_end_with      (FakeTool   *self,
                                     const char *text,
                                     GadgetPicture *picture);

G_END_DECLS
