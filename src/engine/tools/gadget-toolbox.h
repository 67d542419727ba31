/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-tool.h"
#include "session/gadget-request.h"

G_BEGIN_DECLS

#define GADGET_TYPE_TOOLBOX (gadget_toolbox_get_type ())
G_DECLARE_FINAL_TYPE (GadgetToolbox, gadget_toolbox, GADGET, TOOLBOX, GObject)

/* The tools that are offered to models: a #GListModel of #GadgetTool, found by name. */
GadgetToolbox *gadget_toolbox_new          (void);
void           gadget_toolbox_add          (GadgetToolbox *self,
                                            GadgetTool    *tool);
void           gadget_toolbox_remove       (GadgetToolbox *self,
                                            const char    *name);
GadgetTool    *gadget_toolbox_find         (GadgetToolbox *self,
                                            const char    *name);
/* Returns whether a tool is offered. */
typedef gboolean (*GadgetToolFilter)      (GadgetTool    *tool,
                                           gpointer       user_data);

void           gadget_toolbox_add_to       (GadgetToolbox *self,
                                            GadgetRequest *request,
                                            GadgetToolFilter filter,
                                            gpointer       user_data);

G_END_DECLS
