/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Whatever a model writes: it is cut and read, and what is shown of it is in order. A segment that
 * is closed does not change when more comes. */

#include "config.h"

#include "fuzz.h"

#include "markdown-check.h"

#include "ui/markdown/gadget-markdown-segment.h"

static void
check_closed (const char *text, gsize length)
{
  gsize start = 0, context = 0;

  while (start < length)
    {
      gsize next, again, ignored;
      const gsize end = gadget_markdown_segment_end (text, length, start, context, &next);

      for (gsize n = MIN (end + 1, length); n < MIN (end + 8, length); n++)
        {
          again = gadget_markdown_segment_end (text, n, start, context, &ignored);
          g_assert_true (again == n || (again == end && ignored == next));
        }
      start = end;
      context = next;
    }
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autofree char *text = g_memdup2 (data, MAX (size, 1));

  markdown_check_all (text, size);
  check_closed (text, size);
  return 0;
}
