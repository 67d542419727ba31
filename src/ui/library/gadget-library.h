/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agent/gadget-engine.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define GADGET_TYPE_LIBRARY (gadget_library_get_type ())
G_DECLARE_FINAL_TYPE (GadgetLibrary, gadget_library, GADGET, LIBRARY, AdwBin)

/* The list of chats in the sidebar. Signals: "chosen" (GadgetSession), "rename" (GadgetSession),
 * "delete" (GadgetSession) and "escape" (Esc was pressed where it has nothing to close). */
void           gadget_library_set_engine   (GadgetLibrary *self,
                                            GadgetEngine  *engine);

/* The chat that is shown; one that is not in the engine's list yet stands at its top. */
void           gadget_library_set_current  (GadgetLibrary *self,
                                            GadgetSession *session);
void           gadget_library_focus_search (GadgetLibrary *self);
void           gadget_library_open_menu    (GadgetLibrary *self);

/* The focus in the list, which is not moved by what is shown. */
gboolean       gadget_library_has_focus    (GadgetLibrary *self);
void           gadget_library_focus_chat   (GadgetLibrary *self,
                                            GadgetSession *session);
GadgetSession *gadget_library_dup_neighbor (GadgetLibrary *self,
                                            GadgetSession *session);

G_END_DECLS
