/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "session/gadget-rule.h"
#include "store/gadget-store.h"

G_BEGIN_DECLS

#define GADGET_TYPE_RULE_BOOK (gadget_rule_book_get_type ())
G_DECLARE_FINAL_TYPE (GadgetRuleBook, gadget_rule_book, GADGET, RULE_BOOK, GObject)

/* All rules there are: a #GListModel of #GadgetRule, the same as on disk. */
GadgetRuleBook *gadget_rule_book_new            (GadgetStore          *store);

/* Reads them again; also of itself, when another process wrote. */
void            gadget_rule_book_refresh_async  (GadgetRuleBook       *self,
                                                 GAsyncReadyCallback   callback,
                                                 gpointer              user_data);
gboolean        gadget_rule_book_refresh_finish (GadgetRuleBook       *self,
                                                 GAsyncResult         *result,
                                                 GError              **error);

/* Holds from now on. One that means the same as another is left out. */
void            gadget_rule_book_add            (GadgetRuleBook       *self,
                                                 GadgetRule           *rule);

/* The same; and what was allowed of the same thing as it was before, does not hold any longer. */
void            gadget_rule_book_replace        (GadgetRuleBook       *self,
                                                 GadgetRule           *rule);

/* Holds no longer, from now on. */
void            gadget_rule_book_revoke         (GadgetRuleBook       *self,
                                                 GadgetRule           *rule);
void            gadget_rule_book_revoke_all     (GadgetRuleBook       *self);
void            gadget_rule_book_note_used      (GadgetRuleBook       *self,
                                                 GadgetRule           *rule);

/* Those that hold in a chat and its folder. (element-type GadgetRule) (transfer full) */
GPtrArray      *gadget_rule_book_list           (GadgetRuleBook       *self,
                                                 const char           *session,
                                                 const char           *workspace);

G_END_DECLS
