/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-stop-source"

#include "config.h"

#include "gadget-stop-source.h"

/**
 * gadget_stop_source_new:
 * @cancellable: (nullable): what the user cancels
 * @name: a static name for debugging
 * @callback: called once when @cancellable is cancelled, in the thread-default main context of the
 *   caller; never from within g_cancellable_cancel(), and never after gadget_stop_source_end()
 * @data: for @callback
 *
 * Lets an operation that waits for something else react to a stop at once.
 *
 * Returns: (transfer full) (nullable): %NULL without @cancellable; to be ended with
 *   gadget_stop_source_end()
 */
GSource *
gadget_stop_source_new (GCancellable *cancellable, const char *name,
                        GCancellableSourceFunc callback, gpointer data)
{
  GSource *source;

  g_return_val_if_fail (name != NULL && callback != NULL, NULL);
  if (cancellable == NULL)
    return NULL;
  source = g_cancellable_source_new (cancellable);
  g_source_set_static_name (source, name);
  g_source_set_callback (source, G_SOURCE_FUNC (callback), data, NULL);
  g_source_attach (source, g_main_context_get_thread_default ());
  return source;
}

/**
 * gadget_stop_source_end:
 * @source: (inout) (transfer full): the location of the source, which may be %NULL; set to %NULL
 *
 * Makes sure that the callback is not called any more. May be called from within the callback.
 */
void
gadget_stop_source_end (GSource **source)
{
  if (*source != NULL)
    g_source_destroy (*source);
  g_clear_pointer (source, g_source_unref);
}
