/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-attachment-list.h"
#include "gadget-composer-tools.h"
#include "gadget-composer.h"
#include "gadget-picture-note.h"
#include "gadget-queue-list.h"
#ifdef HAVE_SPELLING
#include "gadget-spelling.h"
#endif
#include "gadget-suggestions.h"
#include "tools/search/gadget-file-list.h"

G_BEGIN_DECLS

struct _GadgetComposer
{
  AdwBin parent_instance;

  GtkWidget *card;
  GadgetAttachmentList *attachments;
  GadgetPictureNote *picture_note;
  GtkWidget *command_note;
  GtkLabel *command_note_label;
  GtkWidget *draft_note;
  GtkLabel *draft_note_label;
  GtkScrolledWindow *scroller;
  GtkTextView *text;
  GtkWidget *placeholder;
  GtkButton *attach_button;
  GadgetComposerTools *tools;
  GtkWidget *queue_button;
  GtkButton *button;
  GtkImage *button_icon;
  GtkLabel *button_label;
  GadgetQueueList *queue;

  GadgetStopControl *control;
  GadgetEngine *engine; /* (nullable): NULL until it is open */
  GadgetSession *session;
  gboolean narrow;
  gboolean composing; /* the input method shows text that is not in the buffer yet */
#ifdef HAVE_SPELLING
  GadgetSpelling *spelling;
#endif

  /* gadget-composer-button.c */
  GadgetReceipt *receipt; /* (nullable): of the turn that runs, for what Cancel would stop */

  /* gadget-composer-draft.c */
  gboolean draft_changed; /* since it was last saved */
  guint draft_id;         /* timeout after which it is saved */
  gboolean filling;       /* the draft is being shown, which is no change */

  /* gadget-composer-commands.c */
  GadgetSuggestions *command_popover; /* (nullable): made when it is first needed */
  gboolean held_steering;             /* "Send as Text" sends to steer */

  /* gadget-composer-mentions.c */
  GadgetSuggestions *mention_popover; /* (nullable): made when it is first needed */
  int mention_offset;              /* of the completed "@", in characters; -1 for none */
  guint mention_request;           /* what to do with the first match once it is known */
  GadgetFileList *files;           /* (nullable): the files of @files_root */
  char *files_root;
  char *last_query;                /* (nullable): the last text that was matched */
  gint64 files_read_at;            /* monotonic time, in µs */
  GCancellable *match_cancellable; /* (nullable): of the last match, in a thread */
  GCancellable *reading;           /* (nullable): of all reads of names, until disposal */
  GHashTable *reading_from;        /* (nullable) (element-type utf8): folders that are being read,
                                    * once each */

  /* gadget-composer-recall.c */
  guint recalled;      /* how many messages back, 1 for the last one; 0 for none */
  char *recalled_text; /* (nullable): of that message */

  /* gadget-composer-queue.c: where the queued message was that is edited */
  gboolean has_place; /* a queued message is edited */
  guint place;        /* its index in the queue */
  GadgetQueuedMessage *place_before; /* (nullable): the message that followed it */
  gboolean place_steering;           /* it was to steer the turn */

  /* gadget-composer-edit.c */
  char *saved_draft_text; /* (nullable): the draft's text, while an earlier message is edited */
  GPtrArray *saved_draft_attachments; /* (nullable): the draft's attachments */
  char *edited_text;             /* (nullable): of the edited message, as it is in the chat */
  GPtrArray *edited_attachments; /* (nullable): its attachments */
};

enum
{
  GADGET_COMPOSER_SUBMIT,
  GADGET_COMPOSER_STEER,
  GADGET_COMPOSER_STOP,
  GADGET_COMPOSER_SEND_QUEUED,
  GADGET_COMPOSER_MODEL_CHOSEN,
  GADGET_COMPOSER_MODE_CHOSEN,
  GADGET_COMPOSER_TOAST,
  GADGET_COMPOSER_SCROLL_PAGE,
  GADGET_COMPOSER_N_SIGNALS
};

extern guint _gadget_composer_signals[GADGET_COMPOSER_N_SIGNALS];

/* gadget-composer-button.c: the buttons that send, stop and queue. */
void       _gadget_composer_init_button       (GadgetComposer *self);
void       _gadget_composer_update_button_label       (GadgetComposer *self);
void       _gadget_composer_update_queue_button_label (GadgetComposer *self);
void       _gadget_composer_update_buttons     (GadgetComposer *self);
gboolean   _gadget_composer_can_send          (GadgetComposer *self);
void       _gadget_composer_emit              (GadgetComposer *self,
                                               const char     *text,
                                               gboolean        steering);
void       _gadget_composer_submit            (GadgetComposer *self);
void       _gadget_composer_steer             (GadgetComposer *self);

/* gadget-composer-attach.c: attaching by the button and from the clipboard. */
void       _gadget_composer_init_attach       (GadgetComposer *self);

/* gadget-composer-commands.c: commands, such as "/new". */
void       _gadget_composer_update_commands   (GadgetComposer *self);
gboolean   _gadget_composer_command_key       (GadgetComposer *self,
                                               guint           keyval);
gboolean   _gadget_composer_take_command      (GadgetComposer *self,
                                               const char     *text,
                                               gboolean        steering);
void       _gadget_composer_install_commands  (GtkWidgetClass *widget_class);
void       _gadget_composer_close_commands    (GadgetComposer *self);
void       _gadget_composer_drop_commands     (GadgetComposer *self);

/* gadget-composer-edit.c: puts a message before the draft that was put aside; FALSE when no earlier
 * message is edited. */
gboolean   _gadget_composer_bring_back_aside  (GadgetComposer *self,
                                               const char     *text,
                                               GPtrArray      *attachments);

/* gadget-composer-draft.c: keeps what was typed and not sent with its chat. */
void       _gadget_composer_init_draft        (GadgetComposer *self);
void       _gadget_composer_draft_changed     (GadgetComposer *self);
void       _gadget_composer_save_draft        (GadgetComposer *self);
void       _gadget_composer_gather_draft      (GadgetComposer *self);
void       _gadget_composer_watch_drafts      (GadgetComposer *self);
char      *_gadget_composer_join_texts        (const char     *first,
                                               const char     *second);
GPtrArray *_gadget_composer_join_attachments  (GPtrArray      *first,
                                               GPtrArray      *second);
gboolean   _gadget_composer_keeps_draft       (GadgetComposer *self);
void       _gadget_composer_close_draft       (GadgetComposer *self);
void       _gadget_composer_open_draft       (GadgetComposer *self,
                                               gboolean        keep_text);

/* gadget-composer-mentions.c: mentions of files, such as "@src/main.c". */
void       _gadget_composer_update_mentions   (GadgetComposer *self,
                                               gboolean        typed);
gboolean   _gadget_composer_mention_key       (GadgetComposer *self,
                                               guint           keyval);
void       _gadget_composer_close_mentions    (GadgetComposer *self);
gboolean   _gadget_composer_attach_mention    (GadgetComposer *self);
void       _gadget_composer_drop_mentions     (GadgetComposer *self);

/* gadget-composer-paste.c: pastes text at @mark. */
void       _gadget_composer_paste             (GadgetComposer *self,
                                               const char     *text,
                                               GtkTextMark    *mark);

/* gadget-composer-queue.c: the queue of messages, and the place of a queued message that is
 * edited. */
void       _gadget_composer_init_queue        (GadgetComposer *self);
void       _gadget_composer_forget_place      (GadgetComposer *self);

/* gadget-composer-recall.c: recalls earlier messages with Up and Down. */
gboolean   _gadget_composer_can_recall        (GadgetComposer *self,
                                               gboolean        back);
void       _gadget_composer_recall            (GadgetComposer *self,
                                               gboolean        back);

/* Replaces the text, with the cursor at its end; the replaced text cannot be brought back by an
 * undo. */
void       _gadget_composer_set_text          (GadgetComposer *self,
                                               const char     *text);

/* Tells whether the text has anything but white space. */
gboolean   _gadget_composer_has_text          (GadgetComposer *self);

G_END_DECLS
