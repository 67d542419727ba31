/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The attachments of the message that is being written: files that are read here, data that another
 * program was asked for, and attachments that exist already. Each has a chip from the beginning.
 * The chips stand in one row: where there is no room they get narrower, and then the row scrolls.
 */

#define G_LOG_DOMAIN "gadget-composer"

#include "config.h"

#include "gadget-attachment-list.h"

#include "gadget-attachment-failure.h"
#include "gadget-picture-shrink.h"
#include "attach/gadget-attachment-reader.h"
#include "ui/pictures/gadget-attachment-chip.h"
#include "ui/pictures/gadget-picture-decode.h"

#include <glib/gi18n.h>

struct _GadgetAttachmentList
{
  AdwBin parent_instance;

  GtkBox *box;
  double row_width;   /* of all chips, in pixels */
  GPtrArray *entries; /* of Entry, owned, in the order of the chips */
  GadgetEngine *engine;
  GadgetPictureLoader *loader;
};

/* One attachment. Reference-counted: the list holds it, and so does a read as long as it goes
 * on. */
typedef struct _GadgetIncomingAttachment
{
  GadgetAttachmentList *list; /* (unowned) (nullable): NULL once the entry was removed */
  GtkWidget *chip;
  GCancellable *cancellable;
  gboolean reading;
  gboolean expected;         /* another program was asked for the data, and has not begun to send
                              * it */
  GadgetArrivedFunc arrived; /* (nullable): called once */
  gpointer arrived_data;
} Entry;

enum
{
  CHANGED,
  LEFT,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (GadgetAttachmentList, gadget_attachment_list, ADW_TYPE_BIN)

static void
entry_clear (gpointer data)
{
  g_object_unref (((Entry *) data)->cancellable);
}

static void
entry_unref (gpointer entry)
{
  g_rc_box_release_full (entry, entry_clear);
}

static void
changed (GadgetAttachmentList *self)
{
  gtk_widget_set_visible (GTK_WIDGET (self), self->entries->len > 0);
  g_signal_emit (self, signals[CHANGED], 0);
}

/* --- Ending and removing ---------------------------------------------------------------------- */

static void
notify_done (Entry *entry, gboolean taken)
{
  const GadgetArrivedFunc arrived = g_steal_pointer (&entry->arrived);

  if (arrived != NULL)
    arrived (taken, entry->arrived_data);
}

static void
end (Entry *entry, GadgetAttachment *attachment, const GError *error)
{
  g_autofree char *failure =
      attachment == NULL ? gadget_attachment_failure_dup_label (error) : NULL;

  entry->reading = FALSE;
  entry->expected = FALSE;
  if (attachment != NULL)
    gadget_attachment_chip_set_attachment (GADGET_ATTACHMENT_CHIP (entry->chip), attachment,
                                           entry->list->loader);
  else
    gadget_attachment_chip_fail (GADGET_ATTACHMENT_CHIP (entry->chip), failure);
  changed (entry->list);
  notify_done (entry, attachment != NULL);
}

/* Stops reading. The program that was asked for data may never answer, so an expected entry fails
 * at once. */
static void
stop (Entry *entry)
{
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (entry->cancellable);
  if (!entry->expected || entry->list == NULL)
    return;
  g_cancellable_set_error_if_cancelled (entry->cancellable, &error);
  end (entry, NULL, error);
}

/* Removes the chip and stops reading; the caller removes the entry from the list. */
static void
drop (Entry *entry)
{
  if (entry->list == NULL)
    return;
  gtk_box_remove (entry->list->box, entry->chip);
  entry->list = NULL;
  stop (entry);
  notify_done (entry, FALSE);
}

/* A handler of "abort-all": stops what is still being read. Finished attachments stay, and the
 * others say on their chip that they were stopped. Returns whether anything was stopped. */
static gboolean
stop_reading_cb (GadgetAttachmentList *self)
{
  gboolean any = FALSE;

  for (guint i = 0; i < self->entries->len; i++)
    {
      Entry *entry = g_ptr_array_index (self->entries, i);

      if (!entry->reading || g_cancellable_is_cancelled (entry->cancellable))
        continue;
      stop (entry);
      any = TRUE;
    }
  return any;
}

static void
focus_neighbor (GadgetAttachmentList *self, guint index)
{
  const Entry *entry;

  if (self->entries->len == 0)
    {
      g_signal_emit (self, signals[LEFT], 0);
      return;
    }
  entry = g_ptr_array_index (self->entries, MIN (index, self->entries->len - 1));
  gtk_widget_grab_focus (entry->chip);
}

static void
remove_entry (GadgetAttachmentList *self, Entry *entry)
{
  const gboolean focused = gtk_widget_get_focus_child (GTK_WIDGET (self)) != NULL;
  guint index;

  if (!g_ptr_array_find (self->entries, entry, &index))
    return;
  drop (entry);
  g_ptr_array_remove_index (self->entries, index);
  if (focused)
    focus_neighbor (self, index);
  changed (self);
}

static void
removed_cb (GtkWidget *chip, Entry *entry)
{
  g_autoptr (GadgetAttachmentList) self = g_object_ref (entry->list);

  remove_entry (self, entry);
}

/* --- Adding --- */

static gboolean
show_end_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer user_data)
{
  GtkAdjustment *adjustment = user_data;
  const gboolean mirrored = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL;

  gtk_adjustment_set_value (adjustment, mirrored ? 0 : gtk_adjustment_get_upper (adjustment));
  return G_SOURCE_REMOVE;
}

/* Shows the chip that was added last, in the next frame: the row is being allocated. */
static void
upper_cb (GtkAdjustment *adjustment, GParamSpec *pspec, GadgetAttachmentList *self)
{
  const double upper = gtk_adjustment_get_upper (adjustment);

  if (upper > self->row_width)
    gtk_widget_add_tick_callback (GTK_WIDGET (self), show_end_cb, adjustment, NULL);
  self->row_width = upper;
}

static Entry *
add_entry (GadgetAttachmentList *self, const char *name)
{
  Entry *entry = g_rc_box_new0 (Entry);

  entry->list = self;
  entry->chip = gadget_attachment_chip_new (name);
  entry->cancellable = g_cancellable_new ();
  gadget_attachment_chip_set_removable (GADGET_ATTACHMENT_CHIP (entry->chip));
  g_signal_connect (entry->chip, "removed", G_CALLBACK (removed_cb), entry);
  gtk_box_append (self->box, entry->chip);
  g_ptr_array_add (self->entries, entry);
  return entry;
}

static void
read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Entry *entry = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetAttachment) attachment = gadget_attachment_read_finish (result, &error);

  if (entry->list != NULL)
    end (entry, attachment, error);
  entry_unref (entry);
}

static void
read_entry (GadgetAttachmentList *self, Entry *entry, GadgetAttachmentSource *source)
{
  entry->reading = TRUE;
  if (self->engine != NULL)
    source->sandbox = gadget_commands_get_sandbox (gadget_engine_get_commands (self->engine));
  source->check = gadget_picture_check_undamaged;
  source->shrink = gadget_picture_shrink;
  gadget_attachment_read_async (source, entry->cancellable, read_cb, g_rc_box_acquire (entry));
}

void
gadget_attachment_list_add_file (GadgetAttachmentList *self, GFile *file)
{
  GadgetAttachmentSource source = { .file = file };
  g_autofree char *name = NULL;

  g_return_if_fail (GADGET_IS_ATTACHMENT_LIST (self) && G_IS_FILE (file));

  name = g_file_get_basename (file);
  if (!g_utf8_validate (name, -1, NULL))
    {
      g_free (name);
      name = g_file_get_parse_name (file);
    }
  read_entry (self, add_entry (self, name), &source);
  changed (self);
}

/**
 * gadget_attachment_list_expect:
 * @name: the name on the chip until the data is there
 * @arrived: called once: when the attachment was read, failed, or was removed
 *
 * Adds a chip for data that another program was asked for. It can be removed and stopped like one
 * that is being read.
 *
 * Returns: (transfer none): valid until @arrived is called
 */
GadgetIncomingAttachment *
gadget_attachment_list_expect (GadgetAttachmentList *self, const char *name,
                               GadgetArrivedFunc arrived, gpointer user_data)
{
  Entry *entry;

  g_return_val_if_fail (GADGET_IS_ATTACHMENT_LIST (self) && name != NULL && arrived != NULL, NULL);

  entry = add_entry (self, name);
  entry->reading = TRUE;
  entry->expected = TRUE;
  entry->arrived = arrived;
  entry->arrived_data = user_data;
  changed (self);
  return entry;
}

/* Returns the cancellable for asking the other program; it is cancelled when the entry is removed
 * or stopped. (transfer none) */
GCancellable *
gadget_incoming_attachment_get_cancellable (GadgetIncomingAttachment *incoming)
{
  g_return_val_if_fail (incoming != NULL, NULL);
  return incoming->cancellable;
}

/**
 * gadget_incoming_attachment_receive:
 * @stream: (nullable): the data; %NULL when none will come
 */
void
gadget_incoming_attachment_receive (GadgetIncomingAttachment *incoming, GInputStream *stream)
{
  GadgetAttachmentSource source = { .stream = stream };
  g_autoptr (GError) error = NULL;

  g_return_if_fail (incoming != NULL && incoming->expected);

  incoming->expected = FALSE;
  if (stream != NULL)
    {
      read_entry (incoming->list, incoming, &source);
      return;
    }
  error = g_error_new_literal (GADGET_ATTACHMENT_ERROR, GADGET_ATTACHMENT_ERROR_DAMAGED,
                               "It did not come.");
  end (incoming, NULL, error);
}

/* Removes an expected entry, because the data is not an attachment. */
void
gadget_incoming_attachment_cancel (GadgetIncomingAttachment *incoming)
{
  g_return_if_fail (incoming != NULL && incoming->expected);
  remove_entry (incoming->list, incoming);
}

/**
 * gadget_attachment_list_add:
 * @attachments: (nullable) (element-type GadgetAttachment): attachments that are read already
 */
void
gadget_attachment_list_add (GadgetAttachmentList *self, GPtrArray *attachments)
{
  g_return_if_fail (GADGET_IS_ATTACHMENT_LIST (self));

  if (attachments == NULL || attachments->len == 0)
    return;
  for (guint i = 0; i < attachments->len; i++)
    {
      GadgetAttachment *attachment = g_ptr_array_index (attachments, i);
      const Entry *entry = add_entry (self, "");

      gadget_attachment_chip_set_attachment (GADGET_ATTACHMENT_CHIP (entry->chip), attachment,
                                             self->loader);
    }
  changed (self);
}

gboolean
gadget_attachment_list_remove (GadgetAttachmentList *self, GadgetAttachment *attachment)
{
  g_return_val_if_fail (GADGET_IS_ATTACHMENT_LIST (self) && attachment != NULL, FALSE);

  for (guint i = 0; i < self->entries->len; i++)
    {
      Entry *entry = g_ptr_array_index (self->entries, i);

      if (gadget_attachment_chip_get_attachment (GADGET_ATTACHMENT_CHIP (entry->chip))
          == attachment)
        {
          remove_entry (self, entry);
          return TRUE;
        }
    }
  return FALSE;
}

void
gadget_attachment_list_clear (GadgetAttachmentList *self)
{
  g_return_if_fail (GADGET_IS_ATTACHMENT_LIST (self));

  if (self->entries->len == 0)
    return;
  g_ptr_array_foreach (self->entries, (GFunc) (void (*) (void)) drop, NULL);
  g_ptr_array_set_size (self->entries, 0);
  changed (self);
}

/* --- Object --- */

static void
gadget_attachment_list_dispose (GObject *object)
{
  GadgetAttachmentList *self = GADGET_ATTACHMENT_LIST (object);

  for (guint i = 0; i < self->entries->len; i++)
    drop (g_ptr_array_index (self->entries, i));
  g_ptr_array_set_size (self->entries, 0);
  g_clear_object (&self->engine);
  g_clear_object (&self->loader);

  G_OBJECT_CLASS (gadget_attachment_list_parent_class)->dispose (object);
}

static void
gadget_attachment_list_finalize (GObject *object)
{
  g_ptr_array_unref (GADGET_ATTACHMENT_LIST (object)->entries);

  G_OBJECT_CLASS (gadget_attachment_list_parent_class)->finalize (object);
}

static void
gadget_attachment_list_class_init (GadgetAttachmentListClass *klass)
{
  const GType type = G_TYPE_FROM_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = gadget_attachment_list_dispose;
  G_OBJECT_CLASS (klass)->finalize = gadget_attachment_list_finalize;

  signals[CHANGED] =
      g_signal_new ("changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[LEFT] =
      g_signal_new ("left", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
gadget_attachment_list_init (GadgetAttachmentList *self)
{
  GtkWidget *scroller = gtk_scrolled_window_new ();

  self->entries = g_ptr_array_new_with_free_func (entry_unref);
  self->box = GTK_BOX (
      g_object_new (GTK_TYPE_BOX, "accessible-role", GTK_ACCESSIBLE_ROLE_LIST, "spacing", 6, NULL));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->box), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Attachments"), -1);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_AUTOMATIC,
                                  GTK_POLICY_NEVER);
  gtk_widget_add_css_class (scroller, "undershoot-start");
  gtk_widget_add_css_class (scroller, "undershoot-end");
  g_signal_connect_object (gtk_scrolled_window_get_hadjustment (GTK_SCROLLED_WINDOW (scroller)),
                           "notify::upper", G_CALLBACK (upper_cb), self, G_CONNECT_DEFAULT);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), GTK_WIDGET (self->box));
  gtk_widget_add_css_class (GTK_WIDGET (self), "attachments");
  adw_bin_set_child (ADW_BIN (self), scroller);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

static GadgetRegistry *
get_registry (GadgetAttachmentList *self)
{
  return gadget_agent_get_registry (gadget_engine_get_agent (self->engine));
}

void
gadget_attachment_list_set_engine (GadgetAttachmentList *self, GadgetEngine *engine)
{
  g_return_if_fail (GADGET_IS_ATTACHMENT_LIST (self));

  if (self->engine == engine)
    return;
  if (self->engine != NULL)
    g_signal_handlers_disconnect_by_func (get_registry (self), stop_reading_cb, self);
  g_set_object (&self->engine, engine);
  g_clear_object (&self->loader);
  if (engine == NULL)
    return;
  self->loader = gadget_picture_loader_new (gadget_engine_get_store (engine));
  g_signal_connect_object (get_registry (self), "abort-all", G_CALLBACK (stop_reading_cb), self,
                           G_CONNECT_SWAPPED);
}

GPtrArray *
gadget_attachment_list_dup (GadgetAttachmentList *self)
{
  g_autoptr (GPtrArray) attachments = gadget_attachments_new ();

  g_return_val_if_fail (GADGET_IS_ATTACHMENT_LIST (self), NULL);

  for (guint i = 0; i < self->entries->len; i++)
    {
      const Entry *entry = g_ptr_array_index (self->entries, i);
      GadgetAttachment *attachment =
          gadget_attachment_chip_get_attachment (GADGET_ATTACHMENT_CHIP (entry->chip));

      if (attachment != NULL)
        g_ptr_array_add (attachments, gadget_attachment_ref (attachment));
    }
  return attachments->len > 0 ? g_steal_pointer (&attachments) : NULL;
}

gboolean
gadget_attachment_list_is_reading (GadgetAttachmentList *self)
{
  g_return_val_if_fail (GADGET_IS_ATTACHMENT_LIST (self), FALSE);

  for (guint i = 0; i < self->entries->len; i++)
    if (((const Entry *) g_ptr_array_index (self->entries, i))->reading)
      return TRUE;
  return FALSE;
}

gboolean
gadget_attachment_list_has_any (GadgetAttachmentList *self)
{
  g_autoptr (GPtrArray) attachments = gadget_attachment_list_dup (self);

  return attachments != NULL;
}

gboolean
gadget_attachment_list_has_pictures (GadgetAttachmentList *self)
{
  g_autoptr (GPtrArray) attachments = NULL;

  g_return_val_if_fail (GADGET_IS_ATTACHMENT_LIST (self), FALSE);

  attachments = gadget_attachment_list_dup (self);
  return gadget_attachments_have_picture (attachments);
}
