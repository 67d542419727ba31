/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-call-summary.h"
#include "gadget-picture.h"
#include "gadget-prompt.h"

G_BEGIN_DECLS

#define GADGET_TYPE_ITEM (gadget_item_get_type ())
G_DECLARE_FINAL_TYPE (GadgetItem, gadget_item, GADGET, ITEM, GObject)

/**
 * GadgetItem:
 *
 * One piece of a turn. Its text (an answer, reasoning, a tool's live output) only ever grows;
 * "appended" (guint64 offset in bytes where the new text begins) tells of it, without copying.
 * "warned" (string) is emitted by gadget_item_warn () and leaves nothing.
 * Properties, all notified: "status", "summary", "prompt", "unresponsive", "arguments", "result",
 * "replay", "child", "asking", "pictures".
 */
GadgetItem       *gadget_item_new               (GadgetItemKind    kind);
GadgetItem       *gadget_item_new_tool_call     (const char       *call_id,
                                                 const char       *name);
GadgetItemKind    gadget_item_get_kind          (GadgetItem       *self);
GadgetItemStatus  gadget_item_get_status        (GadgetItem       *self);
void              gadget_item_set_status        (GadgetItem       *self,
                                                 GadgetItemStatus  status);
gboolean          gadget_item_is_settled        (GadgetItem       *self);

/* The model's request that this item came of, counted from 0 within its turn: items of one step
 * belong to one assistant message. */
guint             gadget_item_get_step          (GadgetItem       *self);
void              gadget_item_set_step          (GadgetItem       *self,
                                                 guint             step);

const char       *gadget_item_get_text          (GadgetItem       *self);
gsize             gadget_item_get_length        (GadgetItem       *self);
void              gadget_item_append_text       (GadgetItem       *self,
                                                 const char       *text,
                                                 gssize            length);

/**
 * GadgetItemNote:
 * @offset: where it stands in the text, in bytes
 * @length: of its words, in bytes
 * @summary: what it says
 *
 * Words of Gadget's own in the output of a tool. They are stored with what they say, and said anew
 * by whoever reads the text later.
 */
typedef struct
{
  gsize offset;
  gsize length;
  GadgetCallSummary *summary;
} GadgetItemNote;

void              gadget_item_append_note       (GadgetItem       *self,
                                                 const GadgetCallSummary *summary);
guint             gadget_item_get_n_notes       (GadgetItem       *self);
const GadgetItemNote *gadget_item_get_note      (GadgetItem       *self,
                                                 guint             index);


/* Milliseconds since 1970, 0 when unknown. */
void              gadget_item_warn              (GadgetItem       *self,
                                                 const char       *text);
void              gadget_item_set_clock         (GadgetItem       *self,
                                                 gint64            wall_ms,
                                                 gint64            monotonic_us);
gint64            gadget_item_get_now           (GadgetItem       *self);
gint64            gadget_item_get_started_at    (GadgetItem       *self);
void              gadget_item_set_started_at    (GadgetItem       *self,
                                                 gint64            ms);
gint64            gadget_item_get_ended_at      (GadgetItem       *self);
void              gadget_item_set_ended_at      (GadgetItem       *self,
                                                 gint64            ms);

/* Tool calls. Arguments are the JSON text as the model wrote it; the result is what the model is
 * given, the text is what was shown while the tool ran. */
const char       *gadget_item_get_call_id       (GadgetItem       *self);
const char       *gadget_item_get_name          (GadgetItem       *self);
const char       *gadget_item_get_arguments     (GadgetItem       *self);
const char       *gadget_item_get_arguments_text (GadgetItem      *self);
void              gadget_item_append_arguments  (GadgetItem       *self,
                                                 const char       *text);
const char       *gadget_item_get_result        (GadgetItem       *self);
void              gadget_item_set_result        (GadgetItem       *self,
                                                 const char       *result);

/* Of a call: pictures that came with the result (element-type GadgetPicture), or NULL for none. Set
 * once, before the item settles. */
GPtrArray        *gadget_item_get_pictures      (GadgetItem       *self);
void              gadget_item_set_pictures      (GadgetItem       *self,
                                                 GPtrArray        *pictures);

/* Of reasoning and calls: what the provider gave with it and wants back unchanged with the next
 * request, in its dialect's own words; and who gave it ("anthropic/claude-…"), since nobody else
 * takes it. NULL for none. */
const char       *gadget_item_get_replay        (GadgetItem       *self);
const char       *gadget_item_get_replay_source (GadgetItem       *self);
void              gadget_item_set_replay        (GadgetItem       *self,
                                                 const char       *source,
                                                 const char       *replay);

/* A call's line for people, in the language of this program: "Read src/main.c · 120 lines".
 * Paths and commands in it stand between GADGET_CODE_BEGIN and GADGET_CODE_END, which also keep them apart in right-to-left text; the plain
 * summary is without these marks, and falls back to the tool's name. What would reorder the line is
 * written out (gadget_visible_dup_ordered()). */

const char       *gadget_item_get_summary       (GadgetItem       *self);
char             *gadget_item_dup_plain_summary (GadgetItem       *self);
/* The same without words, as it is stored. */
const GadgetCallSummary *gadget_item_get_call_summary (GadgetItem *self);
void              gadget_item_take_call_summary (GadgetItem       *self,
                                                 GadgetCallSummary *summary);

/* What the tool, or its permission, waits for; NULL when it does not wait. Not stored. */
GadgetPrompt     *gadget_item_get_prompt        (GadgetItem       *self);
void              gadget_item_set_prompt        (GadgetItem       *self,
                                                 GadgetPrompt     *prompt);
guint             gadget_item_get_n_prompts     (GadgetItem       *self);

/* Of a call that was handed to a subagent: the subagent's chat, in which each such call made one
 * turn. The ids are stored; the chat itself is here while the subagent works, and later once it was
 * opened (see gadget-session-children.h). "child" is notified of both. */
GadgetSession    *gadget_item_get_child         (GadgetItem       *self);
GadgetTurn       *gadget_item_get_child_turn    (GadgetItem       *self);
const char       *gadget_item_get_child_id      (GadgetItem       *self);
const char       *gadget_item_get_child_turn_id (GadgetItem       *self);
void              gadget_item_set_child_ids     (GadgetItem       *self,
                                                 const char       *child_id,
                                                 const char       *turn_id);
void              gadget_item_set_child         (GadgetItem       *self,
                                                 GadgetSession    *child);

/* Whether something in that chat waits for the user. Not stored. */
gboolean          gadget_item_get_asking        (GadgetItem       *self);
void              gadget_item_set_asking        (GadgetItem       *self,
                                                 gboolean          asking);

/* TRUE from 3 s after an abort that its tool did not heed, until it ends. Not stored. */
gboolean          gadget_item_get_unresponsive  (GadgetItem       *self);
void              gadget_item_set_unresponsive  (GadgetItem       *self,
                                                 gboolean          unresponsive);

G_END_DECLS
