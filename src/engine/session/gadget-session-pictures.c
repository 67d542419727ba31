/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The pictures of a chat, from results of calls and from the user's messages.
 *
 * A request repeats the whole conversation, and a chat may have any number of pictures, so only the
 * last ones are sent again. Only requests need the bytes of pictures, so between turns they are
 * kept in the store alone. */

#define G_LOG_DOMAIN "gadget-session-pictures"

#include "config.h"

#include "gadget-session-pictures.h"

#include "gadget-attachment.h"

/* The limits of one request. With more than 20 pictures Anthropic accepts only smaller ones;
 * MAX_BYTES as base64 stays below the 20 MB that Gemini accepts. */
#define MAX_PICTURES 20
#define MAX_BYTES (12 * 1024 * 1024)

static void
unref_picture (gpointer picture)
{
  gadget_picture_unref (picture);
}

/* Adds a picture. Returns FALSE when it exceeds a limit. */
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
choose_attached (gpointer message, GPtrArray *chosen, gsize *n_bytes)
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
  return choose_attached (item, chosen, n_bytes);
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

/* Adds the pictures of a turn, from last to first. Returns FALSE when a limit is reached, or when a
 * summary replaces everything before. */
static gboolean
choose_of_turn (GadgetTurn *turn, GPtrArray *chosen, gsize *n_bytes)
{
  guint i = gadget_turn_get_n_items (turn);

  for (; i > 0 && !is_summary (gadget_turn_get_item (turn, i - 1)); i--)
    if (!choose_of_item (gadget_turn_get_item (turn, i - 1), chosen, n_bytes))
      return FALSE;
  if (i == 0)
    return choose_attached (turn, chosen, n_bytes);
  /* The request repeats, from the messages before the summary, the turn's prompt and those that the
   * user sent directly before it. */
  for (i--; i > 0 && is_steer (gadget_turn_get_item (turn, i - 1)); i--)
    if (!choose_of_item (gadget_turn_get_item (turn, i - 1), chosen, n_bytes))
      return FALSE;
  choose_attached (turn, chosen, n_bytes);
  return FALSE;
}

/**
 * gadget_session_choose_pictures:
 * @session: the chat; its turns must be loaded
 *
 * Returns: (transfer full) (element-type GadgetPicture): the pictures for the next request, the
 *   last one first; their bytes need not be in memory
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
 * Releases the bytes of all pictures that are in the store. Must not be called while a request is
 * being built.
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
