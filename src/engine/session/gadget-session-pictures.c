/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Pictures come with results of calls, and are given by the user with messages.
 *
 * A request repeats everything, and a chat may have any number of pictures: only the last ones are
 * shown again. Nobody but a request needs their bytes, so between turns the store alone has them.
 */

#include "config.h"

#include "gadget-session-pictures.h"

#include "gadget-attachment.h"

/* Of one request. With more pictures than these Anthropic takes smaller ones only; together, and
 * as base64, they stay below the 20 MB that Gemini takes. */
#define MAX_PICTURES 20
#define MAX_BYTES (12 * 1024 * 1024)

static void
unref_picture (gpointer picture)
{
  gadget_picture_unref (picture);
}

/* FALSE when there is room for no more. */
static gboolean
choose (GadgetPicture *picture, GPtrArray *chosen, gsize *n_bytes)
{
  *n_bytes += gadget_picture_get_size (picture);
  if (*n_bytes > MAX_BYTES || chosen->len >= MAX_PICTURES)
    return FALSE;
  g_ptr_array_add (chosen, gadget_picture_ref (picture));
  return TRUE;
}

static gboolean
choose_given (gpointer message, GPtrArray *chosen, gsize *n_bytes)
{
  GPtrArray *attachments = gadget_attachments_get (message);

  for (guint i = attachments != NULL ? attachments->len : 0; i > 0; i--)
    {
      GadgetPicture *picture =
          gadget_attachment_get_picture (g_ptr_array_index (attachments, i - 1));

      if (picture != NULL && !choose (picture, chosen, n_bytes))
        return FALSE;
    }
  return TRUE;
}

static gboolean
choose_of_item (GadgetItem *item, GPtrArray *chosen, gsize *n_bytes)
{
  GPtrArray *pictures = gadget_item_get_pictures (item);

  for (guint i = pictures != NULL ? pictures->len : 0; i > 0; i--)
    if (!choose (g_ptr_array_index (pictures, i - 1), chosen, n_bytes))
      return FALSE;
  return choose_given (item, chosen, n_bytes);
}

static gboolean
is_summary (GadgetItem *item)
{
  return gadget_item_get_kind (item) == GADGET_ITEM_SUMMARY
         && gadget_item_get_status (item) == GADGET_ITEM_FINISHED;
}

static gboolean
is_steer (GadgetItem *item)
{
  return gadget_item_get_kind (item) == GADGET_ITEM_STEER;
}

/* FALSE when nothing before it is said any more, or there is room for no more. */
static gboolean
choose_of_turn (GadgetTurn *turn, GPtrArray *chosen, gsize *n_bytes)
{
  guint i = gadget_turn_get_n_items (turn);

  for (; i > 0 && !is_summary (gadget_turn_get_item (turn, i - 1)); i--)
    if (!choose_of_item (gadget_turn_get_item (turn, i - 1), chosen, n_bytes))
      return FALSE;
  if (i == 0)
    return choose_given (turn, chosen, n_bytes);
  /* Of what was before the summary, the prompt and what was said right before it are said again. */
  for (i--; i > 0 && is_steer (gadget_turn_get_item (turn, i - 1)); i--)
    if (!choose_of_item (gadget_turn_get_item (turn, i - 1), chosen, n_bytes))
      return FALSE;
  choose_given (turn, chosen, n_bytes);
  return FALSE;
}

/**
 * gadget_session_choose_pictures:
 *
 * Returns: (transfer full) (element-type GadgetPicture): those that belong into the next request,
 *   the last one first; their bytes need not be in memory
 */
GPtrArray *
gadget_session_choose_pictures (GadgetSession *session)
{
  GPtrArray *chosen = g_ptr_array_new_with_free_func (unref_picture);
  gsize n_bytes = 0;

  g_return_val_if_fail (GADGET_IS_SESSION (session), chosen);

  for (guint t = gadget_session_get_n_turns (session); t > 0; t--)
    {
      GadgetTurn *turn = gadget_session_get_turn (session, t - 1);

      if (!choose_of_turn (turn, chosen, &n_bytes))
        return chosen;
    }
  return chosen;
}

static void
drop_given (gpointer message)
{
  GPtrArray *attachments = gadget_attachments_get (message);

  for (guint i = 0; attachments != NULL && i < attachments->len; i++)
    {
      GadgetPicture *picture = gadget_attachment_get_picture (g_ptr_array_index (attachments, i));

      if (picture != NULL)
        gadget_picture_set_data (picture, NULL);
    }
}

/**
 * gadget_session_drop_pictures:
 *
 * Drops the bytes of all pictures that are stored. Not while a request is being made.
 */
void
gadget_session_drop_pictures (GadgetSession *session)
{
  g_return_if_fail (GADGET_IS_SESSION (session));

  for (guint t = 0; t < gadget_session_get_n_turns (session); t++)
    {
      GadgetTurn *turn = gadget_session_get_turn (session, t);

      if (!gadget_turn_get_saved (turn) || gadget_turn_get_status (turn) == GADGET_TURN_PROCESSING)
        continue;
      drop_given (turn);
      for (guint i = 0; i < gadget_turn_get_n_items (turn); i++)
        {
          GadgetItem *item = gadget_turn_get_item (turn, i);
          GPtrArray *pictures = gadget_item_get_pictures (item);

          for (guint p = 0; pictures != NULL && p < pictures->len; p++)
            gadget_picture_set_data (g_ptr_array_index (pictures, p), NULL);
          drop_given (item);
        }
    }
}
