/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-store.h"
#include "session/gadget-rule.h"

G_BEGIN_DECLS

/* The permission rules, the oldest first: actions that are allowed, or denied, without asking. All
 * finish functions set a #GadgetStoreError. */
void       gadget_store_list_rules_async   (GadgetStore          *self,
                                            GAsyncReadyCallback   callback,
                                            gpointer              user_data);
GPtrArray *gadget_store_list_rules_finish  (GadgetStore          *self,
                                            GAsyncResult         *result,
                                            GError              **error);
void       gadget_store_save_rule_async    (GadgetStore          *self,
                                            GadgetRule           *rule,
                                            GAsyncReadyCallback   callback,
                                            gpointer              user_data);
gboolean   gadget_store_save_rule_finish   (GadgetStore          *self,
                                            GAsyncResult         *result,
                                            GError              **error);

/* Stores when the rule was last used, if it is still stored. */
void       gadget_store_touch_rule_async   (GadgetStore          *self,
                                            GadgetRule           *rule,
                                            GAsyncReadyCallback   callback,
                                            gpointer              user_data);
gboolean   gadget_store_touch_rule_finish  (GadgetStore          *self,
                                            GAsyncResult         *result,
                                            GError              **error);

/* Removes a rule; succeeds also if it was removed before. */
void       gadget_store_remove_rule_async  (GadgetStore          *self,
                                            const char           *id,
                                            GAsyncReadyCallback   callback,
                                            gpointer              user_data);
gboolean   gadget_store_remove_rule_finish (GadgetStore          *self,
                                            GAsyncResult         *result,
                                            GError              **error);

G_END_DECLS
