/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-chat.h"
#include "gadget-escape.h"
#include "gadget-session-watch.h"

#include "ui/composer/gadget-composer.h"
#include "ui/transcript/gadget-transcript.h"
#include "ui/transcript/model/gadget-change-book.h"

G_BEGIN_DECLS

struct _GadgetChat
{
  GtkBox parent_instance;

  AdwToastOverlay *toasts;
  GtkStack *stack;
  GtkRevealer *edit_banner;
  GtkWidget *edit_text;
  GtkRevealer *deleted_banner;
  GtkWidget *deleted_text;
  GadgetComposer *composer;

  GSettings *settings; /* (nullable) */
  GadgetClock *clock;
  GadgetEngine *engine;
  GadgetSession *session;
  GDBusConnection *bus; /* (nullable): where other programs of Gadget are */
  GadgetSessionWatch *watch;
  GadgetEscape *escape;
  GadgetChangeBook *book; /* (nullable): what the turns of the session changed */
  GadgetRemotePictures *remote_pictures; /* (nullable): that the answers of the session name */
  AdwDialog *files_dialog; /* (nullable) (weak): about files of the session */
  gboolean narrow;

  /* gadget-chat-edit.c */
  char *editing; /* (nullable): the id of the turn whose message is edited */

  /* gadget-chat-turns.c: what is told once a turn has ended */
  char *replaced;       /* (nullable): the id of a turn that it came in the place of */
  char *replacing;      /* the id of the one that came */
  gboolean regenerated; /* for the same message */

  /* gadget-chat-announcing.c */
  GadgetTurn *announced_turn;       /* (nullable): the one that goes on in the session */
  GadgetReceipt *announced_receipt; /* (nullable): its receipt, until it gets another one */
  GadgetItem *announced_item;       /* (nullable): its last answer */
  gboolean beginning_announced;
  const char *announced_wait_text; /* (nullable) (unowned): what the turn is waiting for */

  /* gadget-chat-stop.c */
  AdwToast *escape_toast; /* "Press Esc again to abort", then "Aborting…" */
  gint64 aborting_since;  /* when the toast began to say "Aborting…"; 0 when it does not */
  guint toast_id;
  AdwToast *stopped_toast; /* (nullable) tells what was stopped everywhere */
  guint aborting_id; /* the timeout that tells screen readers of an abort that takes its time */
};

/* gadget-chat-announcing.c: what screen readers are told of turns. */
void     _gadget_chat_announce_turns (GadgetChat         *self);
void     _gadget_chat_announce_switched (GadgetChat      *self);
void     _gadget_chat_announce_remote (GadgetChat        *self);
void     _gadget_chat_announce_end   (GadgetChat         *self,
                                      GadgetTurn         *turn);

/* gadget-chat-stop.c: the button, Esc, and what is said about them. */
void     _gadget_chat_stop_init      (GadgetChat         *self);
void     _gadget_chat_stop_set_clock (GadgetChat         *self);
void     _gadget_chat_stop_dispose   (GadgetChat         *self);
void     _gadget_chat_stop_switched  (GadgetChat         *self);
void     _gadget_chat_need_pictures  (GadgetChat         *self);
void     _gadget_chat_completed      (GadgetChat         *self,
                                      GadgetTurn         *turn);

/* gadget-chat-actions.c: session.* */
void     _gadget_chat_install_actions (GtkWidgetClass    *widget_class);

/* gadget-chat-undo.c: what turns did, and taking it back. */
void     _gadget_chat_install_undo_actions (GtkWidgetClass *widget_class);
void     _gadget_chat_renew_book     (GadgetChat         *self);
void     _gadget_chat_close_files    (GadgetChat         *self);
const char *_gadget_chat_get_obstacle (GadgetChat        *self);

/* gadget-chat-turns.c: turns are copied, replaced, deleted and branched off. */
void     _gadget_chat_install_turn_actions (GtkWidgetClass *widget_class);
void     _gadget_chat_update_turn_actions (GadgetChat    *self);
void     _gadget_chat_start_over     (GadgetChat         *self,
                                      const char         *turn_id,
                                      const char         *prompt,
                                      GPtrArray          *attachments);
void     _gadget_chat_turn_ended     (GadgetChat         *self,
                                      GadgetTurn         *turn);
void     _gadget_chat_forget_turns   (GadgetChat         *self);

/* gadget-chat-commands.c: what can be done about the last turn, without pointing at it. */
void     _gadget_chat_install_commands (GtkWidgetClass   *widget_class);

/* gadget-chat-position.c: where a chat was left. */
void     _gadget_chat_keep_position  (GadgetChat         *self);
void     _gadget_chat_read_position  (GadgetChat         *self);

/* gadget-chat-edit.c: a message is edited. */
void     _gadget_chat_edit_init      (GadgetChat         *self);
void     _gadget_chat_begin_edit     (GadgetChat         *self,
                                      GadgetTurn         *turn);
gboolean _gadget_chat_end_edit       (GadgetChat         *self);
void     _gadget_chat_edit_sent      (GadgetChat         *self);
void     _gadget_chat_check_edit     (GadgetChat         *self);

/* gadget-chat-deleted.c: another process deletes the chat. */
void     _gadget_chat_watch_deletion (GadgetChat         *self,
                                      GadgetSession      *before);
gboolean _gadget_chat_takes_messages (GadgetChat         *self);

/* gadget-chat-leaving.c: turns are about to leave, and with them perhaps what they changed. */
typedef void (*GadgetChatLeaveFunc)  (GadgetChat         *self,
                                      gpointer            user_data);
void     _gadget_chat_ask_about_changes (GadgetChat      *self,
                                      guint               first,
                                      guint               n,
                                      GadgetChatLeaveFunc func,
                                      gpointer            user_data,
                                      GDestroyNotify      free_data);

gboolean _gadget_chat_has_calls      (GadgetTurn         *turn);

gboolean _gadget_chat_send           (GadgetChat         *self,
                                      const char         *text,
                                      GPtrArray          *attachments);
gboolean _gadget_chat_is_practice    (GadgetTurn         *turn);
void     _gadget_chat_send_to_guide  (GadgetChat         *self,
                                      const char         *text);
GadgetTurnOptions _gadget_chat_get_options (GadgetChat   *self);
void     _gadget_chat_report_start_failure (GadgetChat   *self,
                                      const GError       *error);
GadgetTranscript *_gadget_chat_get_transcript (GadgetChat *self);

G_END_DECLS
