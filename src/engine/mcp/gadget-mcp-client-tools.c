/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Lists the tools of a server when it is connected, and again whenever it says that they have
 * changed. A server that says so endlessly, or each time it is asked, is asked less and less often,
 * and connecting does not wait until it comes to rest.
 *
 * In the modern version the server tells only subscribers. A subscription over HTTP is a
 * connection, which proxies cut and servers close when they are replaced. It is renewed after a
 * pause that grows as long as subscriptions end soon. Changes that happened in between are not
 * reported later, so the tools are listed once more when the new subscription stands. Source: MCP
 * 2026-07-28, basic/utilities/subscriptions. */

#define G_LOG_DOMAIN "gadget-mcp"

#include "config.h"

#include "gadget-mcp-client-private.h"

#include "common/gadget-json.h"

/* Limits of one page and of the whole list. */
#define LIST_MS (30 * 1000)
#define LIST_ALL_MS (60 * 1000)
#define MAX_PAGES 100
#define MAX_TOOLS 512

/* The first LISTS_AT_ONCE lists in a row are made without a pause. A list that follows after a rest
 * of LIST_REST_MS starts a new row. */
#define LISTS_AT_ONCE 3
#define LIST_REST_MS (30 * 1000)
#define FIRST_LIST_PAUSE_MS 500
#define LONGEST_LIST_PAUSE_MS (30 * 1000)

/* A subscription that stood for STEADY_MS does not count as one that ended soon. */
#define STEADY_MS (60 * 1000)
#define FIRST_RENEWAL_MS 1000
#define LONGEST_RENEWAL_MS (60 * 1000)
#define MAX_RENEWALS 30
#define MAX_REFUSALS 5

/* --- Listing ----------------------------------------------------------------------------------
 */

static void list_page (GadgetMcpClient *self, const char *cursor); /* recursive: each page requests
                                                                    * the next */

static gboolean
is_listed (GadgetMcpClient *self, GadgetMcpToolInfo *tool)
{
  const GPtrArray *listing = self->list.listing;
  const char *name = gadget_mcp_tool_info_get_name (tool);

  for (guint i = 0; i < listing->len; i++)
    if (g_str_equal (gadget_mcp_tool_info_get_name (g_ptr_array_index (listing, i)), name))
      return TRUE;
  return FALSE;
}

static void
add_tools (GadgetMcpClient *self, JsonArray *array)
{
  GPtrArray *listing = self->list.listing;

  for (guint i = 0; array != NULL && i < json_array_get_length (array); i++)
    {
      JsonObject *object = gadget_json_get_element (array, i);
      g_autoptr (GError) error = NULL;
      GadgetMcpToolInfo *tool;

      if (object == NULL || listing->len >= MAX_TOOLS)
        continue;
      tool = gadget_mcp_tool_info_parse (object, gadget_mcp_transport_has_headers (self->transport),
                                         &error);
      if (tool != NULL && is_listed (self, tool))
        gadget_mcp_tool_info_unref (tool);
      else if (tool != NULL)
        g_ptr_array_add (listing, tool);
      else
        g_message ("the tool “%s” is left out: %s", gadget_json_get_string (object, "name"),
                   error->message);
    }
}

static void
begin_list (GadgetMcpClient *self)
{
  GadgetMcpTools *list = &self->list;

  list->listing = g_ptr_array_new_with_free_func ((GDestroyNotify) gadget_mcp_tool_info_unref);
  list->cursors = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  list->due_us = gadget_clock_now (self->clock) + (gint64) LIST_ALL_MS * 1000;
  list_page (self, NULL);
}

/* Returns whether to request the page after @cursor. A list that does not end, or that repeats a
 * cursor, is cut off at a limit; the tools received so far are used. */
static gboolean
has_more (GadgetMcpClient *self, const char *cursor)
{
  GadgetMcpTools *list = &self->list;

  if (cursor == NULL)
    return FALSE;
  if (g_hash_table_size (list->cursors) + 1 < MAX_PAGES && list->listing->len < MAX_TOOLS
      && !g_hash_table_contains (list->cursors, cursor)
      && gadget_clock_now (self->clock) < list->due_us)
    return TRUE;
  g_message ("the list of tools has no end; %u are taken", list->listing->len);
  return FALSE;
}

static gboolean
has_rested (GadgetMcpClient *self)
{
  return gadget_clock_now (self->clock) - self->list.listed_us > (gint64) LIST_REST_MS * 1000;
}

/* Returns the milliseconds that must pass between the last list and the next one. */
static gint64
get_pause_ms (GadgetMcpClient *self)
{
  const guint n = self->list.n_listed;

  if (n < LISTS_AT_ONCE || has_rested (self))
    return 0;
  return MIN ((gint64) FIRST_LIST_PAUSE_MS << MIN (n - LISTS_AT_ONCE, 10), LONGEST_LIST_PAUSE_MS);
}

static void
paused_cb (gpointer user_data)
{
  GadgetMcpClient *self = user_data;

  self->list.timer = 0;
  begin_list (self);
}

void
_gadget_mcp_client_list_tools (GadgetMcpClient *self)
{
  GadgetMcpTools *list = &self->list;
  gint64 left_ms;

  if (list->listing != NULL)
    {
      list->again = TRUE;
      return;
    }
  if (list->timer != 0 || self->closing)
    return;
  left_ms = get_pause_ms (self) - (gadget_clock_now (self->clock) - list->listed_us) / 1000;
  if (list->n_listed == 0 || left_ms <= 0)
    begin_list (self);
  else
    list->timer =
        gadget_clock_add_timeout (self->clock, (guint) left_ms, "mcp list again", paused_cb, self);
}

static void
listed (GadgetMcpClient *self)
{
  GadgetMcpTools *list = &self->list;
  const gboolean again = list->again;
  g_autoptr (GTask) task = NULL;

  g_ptr_array_unref (self->tools);
  self->tools = g_steal_pointer (&list->listing);
  g_clear_pointer (&list->cursors, g_hash_table_unref);
  list->n_listed = has_rested (self) ? 1 : list->n_listed + 1;
  list->listed_us = gadget_clock_now (self->clock);
  list->again = FALSE;
  if (again && self->connecting != NULL && get_pause_ms (self) == 0)
    {
      begin_list (self);
      return;
    }
  task = g_steal_pointer (&self->connecting);
  /* The signal comes before the GTask completes, so that the callback of connecting finds the
   * tools. */
  g_signal_emit_by_name (self, "tools-changed");
  if (task != NULL)
    g_task_return_boolean (task, TRUE);
  if (again)
    _gadget_mcp_client_list_tools (self);
}

/* Takes @error. */
static void
fail_list (GadgetMcpClient *self, GError *error)
{
  g_clear_pointer (&self->list.listing, g_ptr_array_unref);
  g_clear_pointer (&self->list.cursors, g_hash_table_unref);
  self->list.again = FALSE;
  if (self->connecting != NULL)
    {
      _gadget_mcp_client_fail (self, error);
      return;
    }
  g_message ("the tools could not be listed again: %s", error->message);
  g_error_free (error);
}

static void
listed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetMcpClient) self = user_data;
  GError *error = NULL;
  g_autoptr (JsonObject) page = _gadget_mcp_client_finish_request (source, result, &error);
  const char *cursor;

  if (page == NULL && self->list.listing->len > 0
      && g_error_matches (error, GADGET_MCP_ERROR, GADGET_MCP_ERROR_TIMEOUT))
    {
      g_message ("the list of tools breaks off: %s", error->message);
      g_error_free (error);
      listed (self);
      return;
    }
  if (page == NULL)
    {
      fail_list (self, error);
      return;
    }
  add_tools (self, gadget_json_get_array (page, "tools"));
  cursor = gadget_json_get_string (page, "nextCursor");
  if (has_more (self, cursor))
    list_page (self, cursor);
  else
    listed (self);
}

static void
list_page (GadgetMcpClient *self, const char *cursor)
{
  const GadgetMcpRequest request = { .method = "tools/list", .limit_ms = LIST_MS };
  JsonObject *params = json_object_new ();

  if (cursor != NULL)
    {
      g_hash_table_add (self->list.cursors, g_strdup (cursor));
      json_object_set_string_member (params, "cursor", cursor);
    }
  gadget_mcp_channel_request_async (self->channel, &request, params, NULL, listed_cb,
                                    g_object_ref (self));
}

void
_gadget_mcp_client_tools_changed (GadgetMcpClient *self)
{
  /* While the connection is being made, the tools are about to be listed anyway. */
  if (self->connecting == NULL || self->list.listing != NULL)
    _gadget_mcp_client_list_tools (self);
}

/* --- The subscription to changes --------------------------------------------------------------
 */

static void
resubscribe_cb (gpointer user_data)
{
  GadgetMcpClient *self = user_data;

  self->list.renewal = 0;
  self->list.renewed = TRUE;
  _gadget_mcp_client_subscribe (self);
}

static void
schedule_subscription (GadgetMcpClient *self, gboolean refused)
{
  GadgetMcpTools *list = &self->list;
  const gint64 stood_us = gadget_clock_now (self->clock) - list->subscribed_us;

  list->n_renewals = stood_us > (gint64) STEADY_MS * 1000 ? 1 : list->n_renewals + 1;
  if (list->n_renewals > (refused ? MAX_REFUSALS : MAX_RENEWALS))
    {
      list->renewal_abandoned = !refused;
      return;
    }
  list->renewal = gadget_clock_add_timeout (
      self->clock,
      (guint) MIN ((gint64) FIRST_RENEWAL_MS << MIN (list->n_renewals - 1, 10), LONGEST_RENEWAL_MS),
      "mcp subscription", resubscribe_cb, self);
}

static void
unsubscribed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetMcpClient) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonObject) end = _gadget_mcp_client_finish_request (source, result, &error);

  g_debug ("changes of the tools are not told any more: %s",
           end != NULL ? "the server ended it" : error->message);
  /* A server that does not know the method will not know it the next time. */
  if (self->closing || self->closed || (error != NULL && error->domain == GADGET_JSON_RPC_ERROR))
    return;
  schedule_subscription (self, g_error_matches (error, GADGET_MCP_ERROR, GADGET_MCP_ERROR_REFUSED));
}

/* The server responds to this request only when it has no more changes to tell. */
void
_gadget_mcp_client_subscribe (GadgetMcpClient *self)
{
  const GadgetMcpRequest request = { .method = "subscriptions/listen" };
  JsonObject *params = json_object_new ();
  JsonObject *filter = json_object_new ();

  json_object_set_boolean_member (filter, "toolsListChanged", TRUE);
  json_object_set_object_member (params, "notifications", filter);
  self->list.subscribed_us = gadget_clock_now (self->clock);
  gadget_mcp_channel_request_async (self->channel, &request, params, NULL, unsubscribed_cb,
                                    g_object_ref (self));
}

void
_gadget_mcp_client_subscribed (GadgetMcpClient *self)
{
  if (!self->list.renewed)
    return;
  self->list.renewed = FALSE;
  _gadget_mcp_client_list_tools (self);
}

void
_gadget_mcp_client_retry_subscription (GadgetMcpClient *self)
{
  GadgetMcpTools *list = &self->list;

  if (!list->renewal_abandoned || self->closing)
    return;
  list->renewal_abandoned = FALSE;
  list->n_renewals = 0;
  list->renewed = TRUE;
  _gadget_mcp_client_subscribe (self);
}

void
_gadget_mcp_client_forget_tools (GadgetMcpClient *self)
{
  GadgetMcpTools *list = &self->list;

  if (list->timer != 0)
    gadget_clock_remove (self->clock, list->timer);
  if (list->renewal != 0)
    gadget_clock_remove (self->clock, list->renewal);
  list->timer = list->renewal = 0;
  list->renewal_abandoned = FALSE;
}
