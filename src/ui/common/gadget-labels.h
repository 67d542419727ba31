/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Labels for things of the engine. */

#pragma once

#include "agent/providers/gadget-provider-list.h"
#include "session/gadget-session.h"

G_BEGIN_DECLS

/* Returns the title of a chat; "New Chat" when it has none yet. (transfer none) */
const char *gadget_labels_title        (GadgetSession      *session);

/* Returns the last part of a folder's path, or "No workspace" for NULL. (transfer full) */
char       *gadget_labels_workspace    (const char         *path);

/* Returns the name of the model that answers in a chat, or of the provider when no model was
 * chosen. @providers is (nullable): the list is not there before the engine. (transfer full) */
char       *gadget_labels_model        (GadgetProviderList *providers,
                                        GadgetSession      *session);

/* Texts for what the agent may do without asking, in one or a few words or as a sentence, and the
 * name of an icon. (transfer none) */
const char *gadget_labels_mode         (GadgetMode          mode);
const char *gadget_labels_mode_short   (GadgetMode          mode);
const char *gadget_labels_mode_detail  (GadgetMode          mode);
const char *gadget_labels_mode_icon    (GadgetMode          mode);

/* Formats a moment as the list of chats shows it: today the time, within a week the day, else the
 * date. Both are milliseconds since the epoch. (transfer full) */
char       *gadget_labels_moment       (gint64              ms,
                                        gint64              now_ms);

/* Returns the number of local midnights between two moments, in milliseconds since the epoch; 0 on
 * the same day. */
int         gadget_labels_days_between (gint64              earlier_ms,
                                        gint64              later_ms);

/* Makes an id for a new provider from its name, with a number after it if the id is taken.
 * (transfer full) */
char       *gadget_labels_make_id      (GadgetProviderList *providers,
                                        const char         *name);

/* Describes an error of a provider or of the engine in a sentence or two. (transfer full) */
char       *gadget_labels_error        (const GError       *error,
                                        const char         *provider_name);

G_END_DECLS
