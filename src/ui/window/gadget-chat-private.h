/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-chat.h"
#include "gadget-escape.h"
#include "gadget-find-bar.h"
#include "gadget-session-watch.h"

#include "ui/composer/gadget-composer.h"
#include "ui/transcript/gadget-transcript.h"
#include "ui/transcript/model/gadget-change-cache.h"

G_BEGIN_DECLS

struct _GadgetChat
{
  GtkBox parent_instance;

  AdwToastOverlay *toasts;
  AdwToastOverlay *cover_toasts; /* (nullable) (unowned): those of the page that covers the chat */
  GtkStack *stack;
  GtkWidget *incognito_bin;
  GtkWidget *incognito_text;
  GtkLabel *incognito_remote;
  GtkRevealer *edit_banner;
  GtkWidget *edit_text;
  GtkRevealer *deleted_banner;
  GtkWidget *deleted_text;
  GadgetComposer *composer;
  GadgetFindBar *find_bar; /* (nullable): made when it is first asked for */

  GSettings *settings; /* (nullable) */
  GadgetClock *clock;
  GadgetEngine *engine;
  GadgetSession *session;
  GDBusConnection *bus; /* (nullable): the session bus, where other processes of Gadget are
                         * reached */
  GadgetSessionWatch *watch;
  GadgetEscape *escape;
  GadgetChangeCache *cache; /* (nullable): the file changes of the session's turns */
  GadgetRemotePictures *remote_pictures; /* (nullable): pictures on the web that the session's
                                          * answers refer to */
  AdwDialog *files_dialog; /* (nullable) (weak): the dialog about files of the session */
  GPtrArray *own_toasts;   /* of AdwToast: those about the session, while they are shown */
  gboolean narrow;
  guint position_id; /* timeout after which the position is saved; 0 for none */

  /* gadget-chat-commands.c */
  GadgetSession *undo_searched; /* (nullable) (unowned): where the turn to undo is looked for */

  /* gadget-chat-edit.c */
  char *editing; /* (nullable): id of the turn whose message is edited */

  /* gadget-chat-turns.c: what the toast after a replaced reply needs */
  char *replaced;       /* (nullable): id of the turn that was replaced */
  char *replacing;      /* (nullable): id of the turn that replaces it */
  gboolean regenerated; /* the same message was sent again, not an edited one */

  /* gadget-chat-announcing.c */
  GadgetTurn *announced_turn;       /* (nullable): the turn that goes on in the session */
  GadgetReceipt *announced_receipt; /* (nullable): its receipt; the turn may get another one */
  GadgetItem *announced_item;       /* (nullable): the last answer of the turn */
  gboolean beginning_announced;
  const char *announced_wait_text; /* (nullable) (unowned): the last text about what the turn waits
                                    * for */

  /* gadget-chat-stop.c */
  AdwToast *escape_toast; /* (nullable): "Press Esc again to abort", then "Aborting…" */
  gint64 aborting_since;  /* clock time when the toast began to show "Aborting…"; 0 when it does
                           * not */
  guint toast_id;
  AdwToast *stopped_toast; /* (nullable): the toast that tells what Stop Everything stopped */
  guint aborting_id; /* timeout after which "Aborting…" is announced; 0 when the outcome came
                      * first */
};

/* gadget-chat-announcing.c: announcements of turns for screen readers. */
void              _gadget_chat_announce_turns       (GadgetChat         *self);
void              _gadget_chat_announce_switched    (GadgetChat         *self);
void              _gadget_chat_announce_remote      (GadgetChat         *self);
void              _gadget_chat_announce_end         (GadgetChat         *self,
                                                     GadgetTurn         *turn);

/* gadget-chat-stop.c: the Stop button, Esc, their toasts, and what else Esc stops: pictures that
 * load, and the undo of changes. */
void              _gadget_chat_stop_init            (GadgetChat         *self);
void              _gadget_chat_stop_set_clock       (GadgetChat         *self);
void              _gadget_chat_stop_set_engine      (GadgetChat         *self);
void              _gadget_chat_stop_dispose         (GadgetChat         *self);
void              _gadget_chat_stop_switched        (GadgetChat         *self);
gboolean          _gadget_chat_is_undoing           (GadgetChat         *self);
void              _gadget_chat_need_pictures        (GadgetChat         *self);
void              _gadget_chat_completed            (GadgetChat         *self,
                                                     GadgetTurn         *turn);

/* gadget-chat-actions.c: the session.* actions of rows and menus. */
void              _gadget_chat_install_actions      (GtkWidgetClass     *widget_class);

/* gadget-chat-undo.c: shows what turns changed, undoes and redoes it. */
void              _gadget_chat_install_undo_actions (GtkWidgetClass     *widget_class);

/* Makes the change cache for the session that is shown now; before its transcript is shown. */
void              _gadget_chat_renew_change_cache   (GadgetChat         *self);

/* Closes the dialog about files of the session, if it is open. */
void              _gadget_chat_close_files          (GadgetChat         *self);

/* Returns why files of the session cannot be undone now, for people. (nullable) */
const char       *_gadget_chat_get_obstacle         (GadgetChat         *self);

/* gadget-chat-turns.c: copies, replaces, deletes, restores and branches off turns. */
void              _gadget_chat_install_turn_actions (GtkWidgetClass     *widget_class);
void              _gadget_chat_update_turn_actions  (GadgetChat         *self);
void              _gadget_chat_start_over           (GadgetChat         *self,
                                                     const char         *turn_id,
                                                     const char         *prompt,
                                                     GPtrArray          *attachments);
void              _gadget_chat_turn_ended           (GadgetChat         *self,
                                                     GadgetTurn         *turn);
void              _gadget_chat_forget_turns         (GadgetChat         *self);

/* gadget-chat-commands.c: actions on the last turn, for the menu and the keyboard. */
void              _gadget_chat_install_commands     (GtkWidgetClass     *widget_class);

/* gadget-chat-position.c: where chats are scrolled to, and what is unfolded in them. */
void              _gadget_chat_keep_position        (GadgetChat         *self);
void              _gadget_chat_queue_position       (GadgetChat         *self);
void              _gadget_chat_read_position        (GadgetChat         *self);

/* gadget-chat-edit.c: editing of an earlier message. */
void              _gadget_chat_edit_init            (GadgetChat         *self);
void              _gadget_chat_begin_edit           (GadgetChat         *self,
                                                     GadgetTurn         *turn);
gboolean          _gadget_chat_end_edit             (GadgetChat         *self);
void              _gadget_chat_edit_sent            (GadgetChat         *self);
void              _gadget_chat_check_edit           (GadgetChat         *self);

/* gadget-chat-deleted.c: the chat was deleted by another process. */
void              _gadget_chat_watch_deletion       (GadgetChat         *self,
                                                     GadgetSession      *before);
gboolean          _gadget_chat_takes_messages       (GadgetChat         *self);

/* gadget-chat-incognito.c: how a chat looks of which nothing is stored. */
void              _gadget_chat_watch_incognito      (GadgetChat         *self,
                                                     GadgetSession      *before);
void              _gadget_chat_update_incognito     (GadgetChat         *self);

/* gadget-chat-removal.c: asks about file changes before turns leave the chat. */
typedef void (*GadgetChatLeaveFunc)  (GadgetChat         *self,
                                      gpointer            user_data);
void              _gadget_chat_ask_about_changes    (GadgetChat         *self,
                                                     guint               first,
                                                     guint               n,
                                                     GadgetChatLeaveFunc func,
                                                     gpointer            user_data,
                                                     GDestroyNotify      free_data);

/* gadget-chat-sending.c: the callbacks of the composer; sends messages. */
void              _gadget_chat_bind_sending         (GtkWidgetClass     *widget_class);
gboolean          _gadget_chat_send                 (GadgetChat         *self,
                                                     const char         *text,
                                                     GPtrArray          *attachments);
gboolean          _gadget_chat_is_practice          (GadgetTurn         *turn);
void              _gadget_chat_send_to_guide        (GadgetChat         *self,
                                                     const char         *text);
GadgetTurnOptions _gadget_chat_get_options          (GadgetChat         *self);
void              _gadget_chat_report_start_failure (GadgetChat         *self,
                                                     const GError       *error);

/* gadget-chat.c. */
AdwToastOverlay  *_gadget_chat_get_overlay          (GadgetChat         *self);
GadgetTranscript *_gadget_chat_get_transcript       (GadgetChat         *self);
void              _gadget_chat_add_own_toast        (GadgetChat         *self,
                                                     AdwToast           *toast);

G_END_DECLS
