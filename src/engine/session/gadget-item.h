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
 * One part of a turn, such as text, reasoning or a tool call. Its text (a response, reasoning, a
 * tool's live output) only grows; "appended" (guint64: the offset in bytes at which the new text
 * begins) announces new text without copying it. "warned" (string) is emitted by gadget_item_warn
 * () and is not stored. Properties, all notified: "status", "summary", "prompt", "unresponsive",
 * "arguments", "result", "replay", "child", "asking", "pictures".
 */
GadgetItem       *gadget_item_new               (GadgetItemKind    kind);
GadgetItem       *gadget_item_new_tool_call     (const char       *call_id,
                                                 const char       *name);
GadgetItemKind    gadget_item_get_kind          (GadgetItem       *self);
GadgetItemStatus  gadget_item_get_status        (GadgetItem       *self);
void              gadget_item_set_status        (GadgetItem       *self,
                                                 GadgetItemStatus  status);
gboolean          gadget_item_is_settled        (GadgetItem       *self);

/* The number of the request to the model that the item came from, counted from 0 within its turn.
 * The items of one step belong to one assistant message. */
guint             gadget_item_get_step          (GadgetItem       *self);
void              gadget_item_set_step          (GadgetItem       *self,
                                                 guint             step);

/* The text, and its length in bytes. */
const char       *gadget_item_get_text          (GadgetItem       *self);
gsize             gadget_item_get_length        (GadgetItem       *self);
void              gadget_item_append_text       (GadgetItem       *self,
                                                 const char       *text,
                                                 gssize            length);

/**
 * GadgetItemNote:
 * @offset: the position in the text, in bytes
 * @length: the length of the note in the text, in bytes
 * @summary: the note as data
 *
 * Text that Gadget itself adds to the output of a tool. A note is stored as data, and a process
 * that reads the text later makes the note's text anew in its own language.
 */
typedef struct
{
  gsize offset;
  gsize length;
  GadgetCallSummary *summary;
} GadgetItemNote;

/* Append a note, and list the notes in the order of the text (transfer none). */
void              gadget_item_append_note       (GadgetItem       *self,
                                                 const GadgetCallSummary *summary);
guint             gadget_item_get_n_notes       (GadgetItem       *self);
const GadgetItemNote *gadget_item_get_note      (GadgetItem       *self,
                                                 guint             index);


/* Times are in milliseconds since 1970; 0 when unknown. */
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

/* Tool calls. The arguments are the JSON text as the model wrote it. The result is what the model
 * gets (NULL before there is one); the text is what was shown while the tool ran. */
const char       *gadget_item_get_call_id       (GadgetItem       *self);
const char       *gadget_item_get_name          (GadgetItem       *self);
const char       *gadget_item_get_arguments     (GadgetItem       *self);
const char       *gadget_item_get_arguments_text (GadgetItem      *self);
void              gadget_item_append_arguments  (GadgetItem       *self,
                                                 const char       *text);
const char       *gadget_item_get_result        (GadgetItem       *self);
void              gadget_item_set_result        (GadgetItem       *self,
                                                 const char       *result);

/* The pictures that came with the result of a call (element-type GadgetPicture), or NULL. They are
 * set once, before the item settles. */
GPtrArray        *gadget_item_get_pictures      (GadgetItem       *self);
void              gadget_item_set_pictures      (GadgetItem       *self,
                                                 GPtrArray        *pictures);

/* For text, reasoning and calls: data that the provider returned with the item and wants back
 * unchanged in the next request, in the format of its API; and which provider and model returned it
 * ("anthropic/claude-…"), because no other accepts it. NULL for none. */
const char       *gadget_item_get_replay        (GadgetItem       *self);
const char       *gadget_item_get_replay_source (GadgetItem       *self);
void              gadget_item_set_replay        (GadgetItem       *self,
                                                 const char       *source,
                                                 const char       *replay);

/* The line that describes a call to the user, in the language of this process: "Read src/main.c ·
 * 120 lines". Paths and commands are between GADGET_CODE_BEGIN and GADGET_CODE_END, which also keep
 * them apart in right-to-left text. The plain summary has no such marks, and is the tool's name if
 * there is no summary. Characters that would reorder the line are made visible
 * (gadget_bidi_escape ()). */

const char       *gadget_item_get_summary       (GadgetItem       *self);
char             *gadget_item_dup_plain_summary (GadgetItem       *self);
/* The same as data, as it is stored. */
const GadgetCallSummary *gadget_item_get_call_summary (GadgetItem *self);
void              gadget_item_take_call_summary (GadgetItem       *self,
                                                 GadgetCallSummary *summary);

/* The question that the tool, or its permission, waits for (nullable). Not stored. */
GadgetPrompt     *gadget_item_get_prompt        (GadgetItem       *self);
void              gadget_item_set_prompt        (GadgetItem       *self,
                                                 GadgetPrompt     *prompt);
guint             gadget_item_get_n_prompts     (GadgetItem       *self);

/* For a call that was handed to a subagent: the subagent's chat, in which each such call made one
 * turn. The ids are stored. The chat itself is available while the subagent works, and later once
 * it was opened (see gadget-session-children.h). "child" notifies both. */
GadgetSession    *gadget_item_get_child         (GadgetItem       *self);
GadgetTurn       *gadget_item_get_child_turn    (GadgetItem       *self);
const char       *gadget_item_get_child_id      (GadgetItem       *self);
const char       *gadget_item_get_child_turn_id (GadgetItem       *self);
void              gadget_item_set_child_ids     (GadgetItem       *self,
                                                 const char       *child_id,
                                                 const char       *turn_id);
void              gadget_item_set_child         (GadgetItem       *self,
                                                 GadgetSession    *child);

/* TRUE if something in the subagent's chat waits for the user. Not stored. */
gboolean          gadget_item_get_asking        (GadgetItem       *self);
void              gadget_item_set_asking        (GadgetItem       *self,
                                                 gboolean          asking);

/* TRUE from 3 s after an abort that the tool did not react to until the tool ends. Not stored. */
gboolean          gadget_item_get_unresponsive  (GadgetItem       *self);
void              gadget_item_set_unresponsive  (GadgetItem       *self,
                                                 gboolean          unresponsive);

G_END_DECLS
