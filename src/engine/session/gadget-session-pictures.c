/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A request repeats everything, and a chat may have any number of pictures: only the last ones are
 * shown again. Nobody but a request needs their bytes, so between turns the store alone has them.
 */

#include "config.h"

#include "gadget-session-pictures.h"

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
choose_of_item (GadgetItem *item, GPtrArray *chosen, gsize *n_bytes)
{
  GPtrArray *pictures = gadget_item_get_pictures (item);

  for (guint i = pictures != NULL ? pictures->len : 0; i > 0; i--)
    {
      GadgetPicture *picture = g_ptr_array_index (pictures, i - 1);

      *n_bytes += gadget_picture_get_size (picture);
      if (*n_bytes > MAX_BYTES || chosen->len >= MAX_PICTURES)
        return FALSE;
      g_ptr_array_add (chosen, gadget_picture_ref (picture));
    }
  return TRUE;
}

static gboolean
is_summary (GadgetItem *item)
{
  return gadget_item_get_kind (item) == GADGET_ITEM_SUMMARY
         && gadget_item_get_status (item) == GADGET_ITEM_FINISHED;
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

      for (guint i = gadget_turn_get_n_items (turn); i > 0; i--)
        {
          GadgetItem *item = gadget_turn_get_item (turn, i - 1);

          /* What was before it is not said any more. */
          if (is_summary (item) || !choose_of_item (item, chosen, &n_bytes))
            return chosen;
        }
    }
  return chosen;
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
      for (guint i = 0; i < gadget_turn_get_n_items (turn); i++)
        {
          GPtrArray *pictures = gadget_item_get_pictures (gadget_turn_get_item (turn, i));

          for (guint p = 0; pictures != NULL && p < pictures->len; p++)
            gadget_picture_set_data (g_ptr_array_index (pictures, p), NULL);
        }
    }
}
