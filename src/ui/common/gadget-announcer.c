/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The first announcement is said at once. One that comes sooner than GADGET_ANNOUNCER_GAP_MS after
 * another waits for the rest of that time, and those that wait are said together, in their order
 * and with the highest of their priorities.
 *
 * The window itself speaks: GTK drops what is announced by a widget whose accessible object no
 * assistive technology has asked for yet, as that of a widget that was just made. Orca (48) drops
 * what any other widget announces within 100 ms of another one of the same application; what a
 * window announces is never dropped. */

#define G_LOG_DOMAIN "gadget-ui"

#include "config.h"

#include "gadget-announcer.h"

#include <glib/gi18n.h>

struct _GadgetAnnouncer
{
  GObject parent_instance;

  GadgetClock *clock;
  GWeakRef root; /* the window that says what waits */
  char *waiting; /* (nullable) */
  GtkAccessibleAnnouncementPriority priority;
  gint64 quiet_until; /* the clock's time before which nothing is said */
  guint id;
  gboolean silent;
};

enum
{
  ANNOUNCED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (GadgetAnnouncer, gadget_announcer, G_TYPE_OBJECT)

/* --- Saying ------------------------------------------------------------------------------------
 */

static gboolean
ends_a_sentence (const char *text)
{
  const char *last = g_utf8_find_prev_char (text, text + strlen (text));

  return last != NULL && g_unichar_ispunct (g_utf8_get_char (last));
}

static char *
join (const char *first, const char *second)
{
  if (ends_a_sentence (first))
    return g_strconcat (first, " ", second, NULL);
  /* Translators: two announcements that a screen reader says together: "Chat deleted. The reply is
   * complete." */
  return g_strdup_printf (_ ("%s. %s"), first, second);
}

static void
say (GadgetAnnouncer *self)
{
  g_autoptr (GtkWidget) root = g_weak_ref_get (&self->root);
  g_autofree char *text = g_steal_pointer (&self->waiting);

  if (root == NULL || !gtk_widget_get_mapped (root))
    return;
  self->quiet_until =
      gadget_clock_now (self->clock) + GADGET_ANNOUNCER_GAP_MS * (gint64) G_TIME_SPAN_MILLISECOND;
  if (!self->silent)
    gtk_accessible_announce (GTK_ACCESSIBLE (root), text, self->priority);
  g_signal_emit (self, signals[ANNOUNCED], 0, text, self->priority);
}

static void waited_cb (gpointer user_data);

static void
say_in_time (GadgetAnnouncer *self)
{
  const gint64 left = self->quiet_until - gadget_clock_now (self->clock);

  if (left <= 0)
    say (self);
  else
    self->id = gadget_clock_add_timeout (
        self->clock, (guint) ((left + G_TIME_SPAN_MILLISECOND - 1) / G_TIME_SPAN_MILLISECOND),
        "[gadget] announce", waited_cb, self);
}

static void
waited_cb (gpointer user_data)
{
  GadgetAnnouncer *self = user_data;

  self->id = 0;
  say_in_time (self);
}

/* --- Overrides ---------------------------------------------------------------------------------
 */

static void
gadget_announcer_dispose (GObject *object)
{
  GadgetAnnouncer *self = GADGET_ANNOUNCER (object);

  if (self->id != 0)
    gadget_clock_remove (self->clock, self->id);
  self->id = 0;
  g_clear_object (&self->clock);

  G_OBJECT_CLASS (gadget_announcer_parent_class)->dispose (object);
}

static void
gadget_announcer_finalize (GObject *object)
{
  GadgetAnnouncer *self = GADGET_ANNOUNCER (object);

  g_weak_ref_clear (&self->root);
  g_free (self->waiting);

  G_OBJECT_CLASS (gadget_announcer_parent_class)->finalize (object);
}

static void
gadget_announcer_class_init (GadgetAnnouncerClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = gadget_announcer_dispose;
  object_class->finalize = gadget_announcer_finalize;

  signals[ANNOUNCED] =
      g_signal_new ("announced", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                    G_TYPE_NONE, 2, G_TYPE_STRING, GTK_TYPE_ACCESSIBLE_ANNOUNCEMENT_PRIORITY);
}

static void
gadget_announcer_init (GadgetAnnouncer *self)
{
  g_weak_ref_init (&self->root, NULL);
}

/* --- Public ------------------------------------------------------------------------------------
 */

/**
 * gadget_announcer_get_default:
 *
 * Returns: (transfer none): the application's
 */
GadgetAnnouncer *
gadget_announcer_get_default (void)
{
  static GadgetAnnouncer *announcer;

  if (announcer == NULL)
    announcer = gadget_announcer_new (gadget_clock_get_default ());
  return announcer;
}

/**
 * gadget_announcer_new:
 * @clock: what the time between two announcements is taken from
 *
 * Returns: (transfer full): one for a test; the application has a single one
 */
GadgetAnnouncer *
gadget_announcer_new (GadgetClock *clock)
{
  GadgetAnnouncer *self;

  g_return_val_if_fail (GADGET_IS_CLOCK (clock), NULL);

  self = g_object_new (GADGET_TYPE_ANNOUNCER, NULL);
  self->clock = g_object_ref (clock);
  return self;
}

/**
 * gadget_announcer_say:
 * @widget: what the text is about; nothing is said unless it is in a window that is shown
 * @text: a sentence for people
 *
 * Says @text at once, or together with what comes next, when something was said a moment ago.
 */
void
gadget_announcer_say (GadgetAnnouncer *self, GtkWidget *widget, const char *text,
                      GtkAccessibleAnnouncementPriority priority)
{
  GtkRoot *root;

  g_return_if_fail (GADGET_IS_ANNOUNCER (self) && GTK_IS_WIDGET (widget) && text != NULL);

  root = gtk_widget_get_root (widget);
  if (root == NULL || *text == '\0')
    return;
  g_weak_ref_set (&self->root, root);
  if (self->waiting == NULL)
    {
      self->waiting = g_strdup (text);
      self->priority = priority;
    }
  else if (!g_str_has_suffix (self->waiting, text))
    {
      g_autofree char *first = g_steal_pointer (&self->waiting);

      self->waiting = join (first, text);
      self->priority = MAX (self->priority, priority);
    }
  if (self->id == 0)
    say_in_time (self);
}

/**
 * gadget_announcer_hold:
 *
 * Something in the window is about to change that a screen reader speaks of by itself, and for
 * which it breaks off what it says, as when the chat takes another place in the list. Says nothing
 * for a moment.
 */
void
gadget_announcer_hold (GadgetAnnouncer *self)
{
  g_return_if_fail (GADGET_IS_ANNOUNCER (self));

  self->quiet_until =
      gadget_clock_now (self->clock) + GADGET_ANNOUNCER_GAP_MS * (gint64) G_TIME_SPAN_MILLISECOND;
}

/**
 * gadget_announcer_replace_next:
 * @widget: any but a window
 *
 * What @text of gadget_announcer_say() has said is about to be announced by a library as well, as
 * libadwaita does for a toast: takes care that it is not heard twice.
 */
void
gadget_announcer_replace_next (GadgetAnnouncer *self, GtkWidget *widget)
{
  g_return_if_fail (GADGET_IS_ANNOUNCER (self));
  g_return_if_fail (GTK_IS_WIDGET (widget) && !GTK_IS_WINDOW (widget));

  /* Nothing is heard of it, and what follows at once is dropped. */
  if (!self->silent)
    gtk_accessible_announce (GTK_ACCESSIBLE (widget), "",
                             GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM);
}

/**
 * gadget_announcer_set_silent:
 * @silent: whether nothing is passed on to GTK; "announced" is emitted all the same
 *
 * GTK's accessibility backend for tests cannot announce: it crashes.
 */
void
gadget_announcer_set_silent (GadgetAnnouncer *self, gboolean silent)
{
  g_return_if_fail (GADGET_IS_ANNOUNCER (self));
  self->silent = silent;
}

void
gadget_announce (GtkWidget *widget, const char *text, GtkAccessibleAnnouncementPriority priority)
{
  gadget_announcer_say (gadget_announcer_get_default (), widget, text, priority);
}
