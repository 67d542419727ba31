/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A recovery file: it is a reply that could not be saved, of this database or of another one, or
 * refused with an error. What was read has all that the database asks for; written again it is read
 * as the same. */

#include "config.h"

#include "fuzz.h"

#include "store/recovery/gadget-recovery-format.h"

#include <string.h>

#define DATA_DIR "/data"

static void
check_rows (const GadgetJournalWrite *write)
{
  const char *prompt = write->turn->prompt;

  g_assert (write->session != NULL && write->session_id != NULL && write->turn->id != NULL);
  g_assert (g_strcmp0 (write->session->id, write->session_id) == 0);
  g_assert (prompt != NULL && g_utf8_validate (prompt, -1, NULL));
  g_assert (gadget_mode_to_string (write->session->mode) != NULL);
  g_assert (write->session->queue == NULL || g_strv_length (write->session->queue) % 2 == 0);
  g_assert (write->pieces->len == 0);
  for (guint i = 0; i < write->items->len; i++)
    {
      const GadgetItemRow *item = g_ptr_array_index (write->items, i);

      g_assert (item->position == i && item->whole);
      g_assert (gadget_item_kind_to_string (item->kind) != NULL);
    }
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetJournalWrite) write =
      _gadget_recovery_turn_parse ((const char *) data, size, DATA_DIR, &error);
  g_autoptr (GadgetJournalWrite) again = NULL;
  g_autofree char *text = NULL;
  g_autofree char *same = NULL;

  g_assert (write == NULL || error == NULL);
  if (write == NULL)
    return 0;
  check_rows (write);
  text = _gadget_recovery_turn_format (write, "words", DATA_DIR);
  again = _gadget_recovery_turn_parse (text, strlen (text), DATA_DIR, &error);
  g_assert_no_error (error);
  g_assert (again != NULL);
  check_rows (again);
  same = _gadget_recovery_turn_format (again, "words", DATA_DIR);
  g_assert (strcmp (text, same) == 0);
  return 0;
}
