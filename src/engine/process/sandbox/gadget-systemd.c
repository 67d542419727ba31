/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The connection to the user's systemd, which puts the processes of commands into scopes with
 * limits. systemd may be missing, not answer, refuse, or disappear; no command waits for it, and
 * none fails because of it. After a failure it is not asked again for a minute.
 *
 *   AWAY → CONNECTING → ASKING (a first call, whether there is a manager) → READY
 *
 * From each state it can return to AWAY. A command that starts while it is CONNECTING or ASKING
 * waits in a list, and its scope is requested in READY if the command still runs then. The bus
 * connection is private, so that its end affects nothing else. Everything runs on the main
 * context. */

#define G_LOG_DOMAIN "gadget-systemd"

#include "config.h"

#include "gadget-systemd-private.h"

#include <unistd.h>

/* So long nothing is asked of a systemd that failed. */
#define AWAY_SECONDS 60
#define MAX_REFUSED 3
#define MAX_OPEN 64

typedef enum
{
  AWAY,
  CONNECTING,
  ASKING,
  READY,
} State;

struct _GadgetSystemd
{
  GObject parent_instance;

  char *address; /* (nullable) */
  GDBusConnection *connection;
  guint subscription;
  State state;
  gint64 away_until; /* monotonic time */
  guint n_refused;   /* consecutive refusals */
  gboolean by_pid;
  gboolean works;
  GPtrArray *waiting;    /* (element-type GadgetScope) (unowned): until it is READY */
  GHashTable *requested; /* (element-type utf8 GadgetScope) (unowned): by unit, until the command
                            ends */
};

enum
{
  CHANGED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (GadgetSystemd, gadget_systemd, G_TYPE_OBJECT)

static void
set_works (GadgetSystemd *self, gboolean works)
{
  if (self->works == works)
    return;
  self->works = works;
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
closed_cb (GadgetSystemd *self)
{
  const GError lost = { G_IO_ERROR, G_IO_ERROR_CLOSED, (char *) "the bus is gone" };

  _gadget_systemd_note (self, &lost);
}

static void
disconnect (GadgetSystemd *self)
{
  if (self->connection == NULL)
    return;
  g_signal_handlers_disconnect_by_func (self->connection, closed_cb, self);
  g_dbus_connection_signal_unsubscribe (self->connection, self->subscription);
  if (!g_dbus_connection_is_closed (self->connection))
    g_dbus_connection_close (self->connection, NULL, NULL, NULL);
  g_clear_object (&self->connection);
}

static void
go_away (GadgetSystemd *self, const char *reason)
{
  g_debug ("commands have no scopes for now: %s", reason);
  self->state = AWAY;
  self->away_until = g_get_monotonic_time () + (gint64) AWAY_SECONDS * G_USEC_PER_SEC;
  self->n_refused = 0;
  g_ptr_array_set_size (self->waiting, 0);
  g_hash_table_remove_all (self->requested);
  disconnect (self);
  set_works (self, FALSE);
}

/* --- Getting ready -----------------------------------------------------------------------------
 */

/* The parameters are (u number, o job, s unit, s result). */
static void
job_removed_cb (GDBusConnection *connection, const char *sender, const char *path,
                const char *interface, const char *signal, GVariant *parameters, gpointer user_data)
{
  GadgetSystemd *self = user_data;
  const char *unit;
  const char *result;
  GadgetScope *scope;

  if (!g_variant_is_of_type (parameters, G_VARIANT_TYPE ("(uoss)")))
    return;
  g_variant_get (parameters, "(uo&s&s)", NULL, NULL, &unit, &result);
  scope = g_hash_table_lookup (self->requested, unit);
  if (scope == NULL)
    return;
  if (g_str_equal (result, "done"))
    set_works (self, TRUE);
  _gadget_scope_started (scope, result);
}

static void
request (GadgetSystemd *self, GadgetScope *scope)
{
  g_hash_table_insert (self->requested, g_strdup (_gadget_scope_get_unit (scope)), scope);
  _gadget_scope_request (scope);
}

static void
asked_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetSystemd) self = user_data;
  g_autoptr (GPtrArray) waiting = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer =
      g_dbus_connection_call_finish (G_DBUS_CONNECTION (source), result, &error);

  if (self->state != ASKING || self->connection != G_DBUS_CONNECTION (source))
    return;
  if (answer == NULL)
    {
      go_away (self, error->message);
      return;
    }
  self->state = READY;
  waiting = g_steal_pointer (&self->waiting);
  self->waiting = g_ptr_array_new ();
  for (guint i = 0; i < waiting->len; i++)
    request (self, g_ptr_array_index (waiting, i));
}

/* systemd sends JobRemoved only to clients that have called Subscribe. The call does not start a
 * manager: where none runs, none is wanted. */
static void
ask (GadgetSystemd *self)
{
  self->state = ASKING;
  self->subscription = g_dbus_connection_signal_subscribe (
      self->connection, _GADGET_SYSTEMD_NAME, _GADGET_SYSTEMD_MANAGER, "JobRemoved",
      _GADGET_SYSTEMD_PATH, NULL, G_DBUS_SIGNAL_FLAGS_NONE, job_removed_cb, self, NULL);
  g_dbus_connection_call (self->connection, _GADGET_SYSTEMD_NAME, _GADGET_SYSTEMD_PATH,
                          _GADGET_SYSTEMD_MANAGER, "Subscribe", NULL, NULL,
                          G_DBUS_CALL_FLAGS_NO_AUTO_START, _GADGET_SYSTEMD_TIMEOUT_MS, NULL,
                          asked_cb, g_object_ref (self));
}

static void
connected_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autofree GWeakRef *weak = user_data;
  g_autoptr (GadgetSystemd) self = g_weak_ref_get (weak);
  g_autoptr (GError) error = NULL;
  g_autoptr (GDBusConnection) connection =
      g_dbus_connection_new_for_address_finish (result, &error);

  g_weak_ref_clear (weak);
  if (self == NULL && connection != NULL)
    g_dbus_connection_close (connection, NULL, NULL, NULL);
  if (self == NULL)
    return;
  if (connection == NULL)
    {
      go_away (self, error->message);
      return;
    }
  self->connection = g_steal_pointer (&connection);
  g_signal_connect_object (self->connection, "closed", G_CALLBACK (closed_cb), self,
                           G_CONNECT_SWAPPED);
  ask (self);
}

static void
connect_bus (GadgetSystemd *self)
{
  GWeakRef *weak = g_new0 (GWeakRef, 1);

  self->state = CONNECTING;
  g_weak_ref_init (weak, self);
  g_dbus_connection_new_for_address (self->address,
                                     G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT
                                         | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION,
                                     NULL, NULL, connected_cb, weak);
}

/* --- For the scope of a command ----------------------------------------------------------------
 */

gboolean
_gadget_systemd_is_wanted (GadgetSystemd *self)
{
  if (self->address == NULL || g_hash_table_size (self->requested) + self->waiting->len >= MAX_OPEN)
    return FALSE;
  if (self->state == AWAY && g_get_monotonic_time () >= self->away_until)
    connect_bus (self);
  return self->state != AWAY;
}

void
_gadget_systemd_add (GadgetSystemd *self, GadgetScope *scope)
{
  if (self->state == READY)
    request (self, scope);
  else if (self->state != AWAY)
    g_ptr_array_add (self->waiting, scope);
}

void
_gadget_systemd_remove (GadgetSystemd *self, GadgetScope *scope)
{
  const char *unit = _gadget_scope_get_unit (scope);

  g_ptr_array_remove_fast (self->waiting, scope);
  if (unit != NULL)
    g_hash_table_remove (self->requested, unit);
}

GDBusConnection *
_gadget_systemd_get_connection (GadgetSystemd *self)
{
  return self->state == READY ? self->connection : NULL;
}

gboolean
_gadget_systemd_get_by_number (GadgetSystemd *self)
{
  return self->by_pid;
}

void
_gadget_systemd_set_by_number (GadgetSystemd *self)
{
  self->by_pid = TRUE;
}

/* A single refusal may be due to the command; MAX_REFUSED in a row are not. */
void
_gadget_systemd_note (GadgetSystemd *self, const GError *error)
{
  const gboolean lost = g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CLOSED)
                        || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_TIMED_OUT)
                        || g_error_matches (error, G_DBUS_ERROR, G_DBUS_ERROR_NO_REPLY)
                        || g_error_matches (error, G_DBUS_ERROR, G_DBUS_ERROR_TIMEOUT)
                        || g_error_matches (error, G_DBUS_ERROR, G_DBUS_ERROR_TIMED_OUT)
                        || g_error_matches (error, G_DBUS_ERROR, G_DBUS_ERROR_DISCONNECTED)
                        || g_error_matches (error, G_DBUS_ERROR, G_DBUS_ERROR_NAME_HAS_NO_OWNER)
                        || g_error_matches (error, G_DBUS_ERROR, G_DBUS_ERROR_SERVICE_UNKNOWN);

  if (error == NULL)
    {
      self->n_refused = 0;
      return;
    }
  if (self->state == AWAY)
    return;
  if (lost || ++self->n_refused >= MAX_REFUSED)
    go_away (self, error->message);
  else
    g_debug ("a command has no scope: %s", error->message);
}

/* --- Class -------------------------------------------------------------------------------------
 */

static void
gadget_systemd_dispose (GObject *object)
{
  GadgetSystemd *self = GADGET_SYSTEMD (object);

  disconnect (self);
  self->state = AWAY;

  G_OBJECT_CLASS (gadget_systemd_parent_class)->dispose (object);
}

static void
gadget_systemd_finalize (GObject *object)
{
  GadgetSystemd *self = GADGET_SYSTEMD (object);

  g_free (self->address);
  g_ptr_array_unref (self->waiting);
  g_hash_table_unref (self->requested);

  G_OBJECT_CLASS (gadget_systemd_parent_class)->finalize (object);
}

static void
gadget_systemd_class_init (GadgetSystemdClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = gadget_systemd_dispose;
  object_class->finalize = gadget_systemd_finalize;

  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 0);
}

static void
gadget_systemd_init (GadgetSystemd *self)
{
  self->waiting = g_ptr_array_new ();
  self->requested = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
}

/**
 * gadget_systemd_new:
 * @address: (nullable): the address of the bus with the user's systemd; %NULL means that there is
 *   none
 *
 * Connects at once, so that the connection is ready when the first command starts.
 *
 * Returns: (transfer full): the object
 */
GadgetSystemd *
gadget_systemd_new (const char *address)
{
  GadgetSystemd *self = g_object_new (GADGET_TYPE_SYSTEMD, NULL);

  self->address = g_strdup (address);
  if (address != NULL)
    connect_bus (self);
  return self;
}

gboolean
gadget_systemd_get_works (GadgetSystemd *self)
{
  g_return_val_if_fail (GADGET_IS_SYSTEMD (self), FALSE);
  return self->works;
}

/* Three quarters of the memory: the rest is left to the user's programs and to Gadget. */
guint64
gadget_systemd_get_max_memory (void)
{
  const gint64 pages = sysconf (_SC_PHYS_PAGES);
  const gint64 size = sysconf (_SC_PAGE_SIZE);

  if (pages <= 0 || size <= 0)
    return G_MAXUINT64;
  return (guint64) pages * (guint64) size / 4 * 3;
}
