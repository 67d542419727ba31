/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A model server for tests: raw sockets in a thread of its own, so that it sees what the network
 * sees. It does what a script says, at every phase of an exchange, and notes with the monotonic
 * clock when a connection came, what was asked on it, and when and how it ended.
 *
 * Set up the replies before the first request. Each request other than GET takes the first reply
 * whose "when" occurs in its body, else the next of the others in order; the last one repeats. GET
 * takes the first whose "when" occurs in its path, else is answered with a list of models. Everything may be called from the test's thread. */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct _FakeServer FakeServer;
typedef struct _FakeReply FakeReply;

typedef enum
{
  FAKE_EVENT_ACCEPT,  /* a connection was accepted */
  FAKE_EVENT_REQUEST, /* a whole request was read */
  FAKE_EVENT_HEAD,    /* the reply's head was written */
  FAKE_EVENT_REPLIED, /* the reply's last step was done */
  FAKE_EVENT_FIN,     /* the client closed */
  FAKE_EVENT_RST,     /* the client reset, or closed with data unread */
  FAKE_EVENT_CLOSE_NOTIFY, /* the client ended TLS; FIN or RST follow */
  FAKE_EVENT_HANDSHAKE, /* TLS is set up */
  FAKE_EVENT_STALL, /* all was written before fake_reply_stall () */
  FAKE_N_EVENTS,
} FakeEventType;

typedef struct
{
  FakeEventType type;
  gint64 time_us;     /* g_get_monotonic_time () */
  guint connection;   /* counted from 0 */
} FakeEvent;

typedef struct
{
  guint connection;
  char *method;
  char *path;
  char *head;         /* request line and headers as they came */
  char *body;
  gint64 time_us;
} FakeRequest;

/**
 * FakeServerKind:
 * @FAKE_SERVER_PLAIN: HTTP
 * @FAKE_SERVER_DEAF: never accepts, with a full backlog: a connection to it hangs
 * @FAKE_SERVER_TLS: HTTP over TLS; see fake_tls_set_trusted ()
 * @FAKE_SERVER_TLS_MUTE: accepts, and never says a word of the handshake
 * @FAKE_SERVER_TLS_HALF: answers the handshake with its first message, and then says no more
 */
typedef enum
{
  FAKE_SERVER_PLAIN,
  FAKE_SERVER_DEAF,
  FAKE_SERVER_TLS,
  FAKE_SERVER_TLS_MUTE,
  FAKE_SERVER_TLS_HALF,
} FakeServerKind;

FakeServer        *fake_server_new          (void);
FakeServer        *fake_server_new_of_kind  (FakeServerKind kind);
FakeServer        *fake_server_new_deaf     (void);
void               fake_server_free         (FakeServer    *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FakeServer, fake_server_free)

FakeServerKind     fake_server_get_kind     (FakeServer    *self);
guint16            fake_server_get_port     (FakeServer    *self);
char              *fake_server_dup_url      (FakeServer    *self,
                                             const char    *path);

/* Scripting. A reply is owned by its server. Its steps are done in the order of these calls. */
FakeReply         *fake_server_add_reply    (FakeServer    *self);
void               fake_server_set_models   (FakeServer    *self,
                                             const char    *json);
FakeReply         *fake_server_set_get_reply (FakeServer   *self);
void               fake_reply_when          (FakeReply     *self,
                                             const char    *text);
void               fake_reply_head          (FakeReply     *self,
                                             guint          status,
                                             const char    *content_type,
                                             const char    *more_headers);
void               fake_reply_chunk         (FakeReply     *self,
                                             const char    *text);
void               fake_reply_raw           (FakeReply     *self,
                                             const char    *text,
                                             gssize         length);
void               fake_reply_repeat        (FakeReply     *self,
                                             const char    *text,
                                             guint          n,
                                             double         per_second);
void               fake_reply_delay         (FakeReply     *self,
                                             guint          ms);
void               fake_reply_stall         (FakeReply     *self);
void               fake_reply_end           (FakeReply     *self);
void               fake_reply_close         (FakeReply     *self);
void               fake_reply_rst           (FakeReply     *self);
void               fake_reply_body          (FakeReply     *self,
                                             guint          status,
                                             const char    *content_type,
                                             const char    *body,
                                             const char    *more_headers);

/* Chat Completions in steps: a stream's head, its pieces, and its end. */
void               fake_reply_chat_begin    (FakeReply     *self);
void               fake_reply_chat_text     (FakeReply     *self,
                                             const char    *text);
void               fake_reply_chat_flow     (FakeReply     *self,
                                             const char    *text,
                                             guint          n,
                                             double         per_second);
void               fake_reply_chat_reasoning (FakeReply    *self,
                                             const char    *text);
void               fake_reply_chat_call     (FakeReply     *self,
                                             guint          index,
                                             const char    *id,
                                             const char    *name,
                                             const char    *arguments);
void               fake_reply_chat_finish   (FakeReply     *self,
                                             const char    *reason);

/* From now on requests are read no faster than this, and little of them waits in the kernel: a
 * narrow network. Before the first connection; 0 for no limit. */
void               fake_server_set_intake   (FakeServer    *self,
                                             guint          bytes_per_second);

/* What happened. */
guint              fake_server_count        (FakeServer    *self,
                                             FakeEventType  type);
guint              fake_server_count_ends   (FakeServer    *self);

/* For test_wait_until (): whether each connection of a server has ended. */
gboolean           fake_server_have_all_ended (gpointer    server);

gint64             fake_server_get_time     (FakeServer    *self,
                                             FakeEventType  type,
                                             guint          nth);
gint64             fake_server_get_end_time (FakeServer    *self,
                                             guint          connection);
guint              fake_server_get_n_requests (FakeServer  *self);
guint              fake_server_count_chats  (FakeServer    *self);
const FakeRequest *fake_server_get_request  (FakeServer    *self,
                                             guint          nth);
gsize              fake_server_get_n_sent   (FakeServer    *self);
/* Bytes that were read on all connections, TLS being deciphered. */
gsize              fake_server_get_n_received (FakeServer  *self);
/* What came on any connection and is not a request yet: a TLS greeting, say. (transfer full) */
GBytes            *fake_server_dup_rest     (FakeServer    *self);
gboolean           fake_server_wait         (FakeServer    *self,
                                             FakeEventType  type,
                                             guint          count,
                                             guint          timeout_ms);

/* Called in the server's thread for each event, for logs. */
typedef void (*FakeEventFunc) (const FakeEvent *event, const FakeRequest *request,
                               gpointer user_data);
void               fake_server_set_listener (FakeServer    *self,
                                             FakeEventFunc  func,
                                             gpointer       user_data);

/* Whether this program trusts the certificate of servers that speak TLS. */
void               fake_tls_set_trusted     (gboolean       trusted);

const char        *fake_event_type_to_string (FakeEventType type);

/* A whole script as JSON; see fake-script.c for its words. */
gboolean           fake_server_load         (FakeServer    *self,
                                             const char    *json,
                                             GError       **error);

G_END_DECLS
