/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Collects announcements for screen readers. The first one is made at once. One that comes sooner
 * than GADGET_ANNOUNCER_GAP_MS after another waits for the rest of that time; all that wait are
 * announced together, in their order and with the highest of their priorities.
 *
 * The window itself announces: GTK drops an announcement of a widget whose accessible object no
 * assistive technology has asked for yet, such as a widget that was just made. Orca (48) drops what
 * any other widget announces within 100 ms of another widget of the same application; it never
 * drops what a window announces. */

#define G_LOG_DOMAIN "gadget-ui"

#include "config.h"

#include "gadget-announcer.h"

#include <glib/gi18n.h>

struct _GadgetAnnouncer
{
  GObject parent_instance;

  GadgetClock *clock;
  GWeakRef root; /* the window that announces the waiting text */
  char *waiting; /* (nullable): the waiting text */
  GtkAccessibleAnnouncementPriority priority;
  gint64 quiet_until; /* the clock's time, in µs, before which nothing is announced */
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

/* Periods, question marks and the like are of this type in every script; brackets, quotation marks
 * and signs such as ">" are of others. */
static gboolean
ends_a_sentence (const char *text)
{
  const char *last = g_utf8_find_prev_char (text, text + strlen (text));

  return last != NULL && g_unichar_type (g_utf8_get_char (last)) == G_UNICODE_OTHER_PUNCTUATION;
}

/**
 * gadget_announcer_dup_joined:
 *
 * Returns: (transfer full): what a screen reader says for two texts: two sentences, also when the
 *   first one has no period
 */
char *
gadget_announcer_dup_joined (const char *first, const char *second)
{
  g_return_val_if_fail (first != NULL && second != NULL, NULL);

  if (ends_a_sentence (first))
    return g_strconcat (first, " ", second, NULL);
  /* Translators: two announcements that a screen reader says together: "Chat deleted. The reply is
   * complete." */
  return g_strdup_printf (_ ("%s. %s"), first, second);
}

static void
announce (GadgetAnnouncer *self)
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
schedule (GadgetAnnouncer *self)
{
  const gint64 left = self->quiet_until - gadget_clock_now (self->clock);

  if (left <= 0)
    announce (self);
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
  schedule (self);
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
 * Returns: (transfer none): the announcer of the application
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
 * @clock: the clock that measures the time between two announcements
 *
 * For tests; the application uses gadget_announcer_get_default().
 *
 * Returns: (transfer full): an announcer
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
 * gadget_announcer_announce:
 * @widget: the widget that the text is about; the text is announced only if it is in a mapped
 *   window
 * @text: a sentence for people; an empty one, or one that ends the waiting text already, is dropped
 *
 * Announces @text at once, or together with other waiting texts when something was announced less
 * than GADGET_ANNOUNCER_GAP_MS ago.
 */
void
gadget_announcer_announce (GadgetAnnouncer *self, GtkWidget *widget, const char *text,
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

      self->waiting = gadget_announcer_dup_joined (first, text);
      self->priority = MAX (self->priority, priority);
    }
  if (self->id == 0)
    schedule (self);
}

/**
 * gadget_announcer_hold:
 *
 * Announces nothing for GADGET_ANNOUNCER_GAP_MS. To be called when something in the window is about
 * to change that a screen reader speaks of by itself, breaking off what it says, such as a chat
 * that moves in the list.
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
 * @widget: any widget but a window
 *
 * Keeps a text from being spoken twice, when gadget_announcer_announce() has announced it and a
 * library is about to announce it too, as libadwaita does for a toast.
 */
void
gadget_announcer_replace_next (GadgetAnnouncer *self, GtkWidget *widget)
{
  g_return_if_fail (GADGET_IS_ANNOUNCER (self));
  g_return_if_fail (GTK_IS_WIDGET (widget) && !GTK_IS_WINDOW (widget));

  /* Orca speaks nothing for the empty announcement, and drops the one that follows within 100
   * ms. */
  if (!self->silent)
    gtk_accessible_announce (GTK_ACCESSIBLE (widget), "",
                             GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM);
}

/**
 * gadget_announcer_set_silent:
 * @silent: whether nothing is passed on to GTK; "announced" is emitted all the same
 *
 * For tests: GTK's accessibility backend for tests crashes on announcements.
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
  gadget_announcer_announce (gadget_announcer_get_default (), widget, text, priority);
}
