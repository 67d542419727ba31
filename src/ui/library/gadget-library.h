/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agent/gadget-engine.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define GADGET_TYPE_LIBRARY (gadget_library_get_type ())
G_DECLARE_FINAL_TYPE (GadgetLibrary, gadget_library, GADGET, LIBRARY, AdwBin)

/* The list of chats in the sidebar. Signals: "chosen" (GadgetSession), "opened": the user goes on
 * in the chat that is shown, "rename" (GadgetSession), "delete" (GPtrArray of them), "go-to-origin"
 * (GadgetSession): from a branch to where it left its origin, "duplicate", "open-in-window" and
 * "export" (GadgetSession), "folder-removed" (GadgetChatFolder): the user has deleted a folder, and "escape":
 * Esc was pressed in an empty search entry. The engine is set once. */
void           gadget_library_set_engine   (GadgetLibrary *self,
                                            GadgetEngine  *engine);

/* Selects the chat that is shown. A chat that is not in the engine's list yet is shown at the
 * top. */
void           gadget_library_set_current  (GadgetLibrary *self,
                                            GadgetSession *session);

const char    *gadget_library_get_search_text (GadgetLibrary *self);

/* Give the focus to the search entry, and open the main menu. */
void           gadget_library_focus_search (GadgetLibrary *self);
void           gadget_library_open_menu    (GadgetLibrary *self);

/* Ends what Esc ends in the list: a drag, or selecting. Returns FALSE if there is nothing to end. */
gboolean       gadget_library_press_escape (GadgetLibrary *self);

/* Tells the library whether it covers the window, and needs the buttons of that. */
void           gadget_library_set_covering (GadgetLibrary *self,
                                            gboolean       covering);

/* The keyboard focus in the list; showing a chat does not move it. */
gboolean       gadget_library_has_focus    (GadgetLibrary *self);
void           gadget_library_focus_chat   (GadgetLibrary *self,
                                            GadgetSession *session);
GadgetSession *gadget_library_dup_neighbor (GadgetLibrary *self,
                                            GPtrArray     *sessions);

G_END_DECLS
