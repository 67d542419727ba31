/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "gadget-guide-story.h"

#include <glib/gi18n-lib.h>

/* The lists have different lengths, so that two nights are rarely alike. */
static const char *const weather[] = {
  N_ ("the wind came from the north-west and kept its voice down"),
  N_ ("fog stood on the water like a wall that nobody had finished"),
  N_ ("rain went over the island in long grey steps"),
  N_ ("there was no wind at all, and the sea lay flat as a plate"),
  N_ ("the moon was up early and made the lamp look small"),
  N_ ("a storm walked past far out, and only its noise came ashore"),
  N_ ("frost drew ferns on the inside of the panes"),
};

static const char *const passing[] = {
  N_ ("A coal ship passed at ten and gave two short blasts."),
  N_ ("Nobody passed, unless one counts the seals."),
  N_ ("Three fishing boats went home in a row, like beads."),
  N_ ("The mail boat was late, and turned back at the second buoy."),
  N_ ("A white yacht went by without lights and was shouted at."),
  N_ ("A ferry full of music crossed from left to right."),
  N_ ("Something large and dark swam by and did not say what it was."),
  N_ ("A tug pulled a barge, and the barge pulled a gull."),
};

static const char *const work[] = {
  N_ ("The keeper trimmed the wick, wiped the lens and wrote both into the log."),
  N_ ("The keeper mended a chair that had been waiting since spring."),
  N_ ("The keeper counted the steps again and found the same number."),
  N_ ("The keeper read the old log books and learned nothing new, slowly."),
  N_ ("The keeper baked bread, and the whole tower smelled of it until morning."),
  N_ ("The keeper wound the clock and set it right by the stars."),
  N_ ("The keeper painted half a door and left the other half for a dry day."),
  N_ ("The keeper wrote a letter, and put it with the others."),
  N_ ("The keeper taught the cat to stay off the charts, without success."),
};

static const char *const closing[] = {
  N_ ("At four the light went once more around, and that was the night."),
  N_ ("Then the sky turned grey, the lamp went out, and the keeper slept."),
  N_ ("Nothing else happened, which is what a lighthouse is for."),
  N_ ("In the morning the sea had taken one stone and brought another."),
  N_ ("The log says: all well."),
};

#define PICK(list, n) _ (list[(n) % G_N_ELEMENTS (list)])

/**
 * gadget_guide_story_dup_text:
 * @n_nights: the number of paragraphs, of about 45 words each
 *
 * Returns: (transfer full): the text
 */
char *
gadget_guide_story_dup_text (guint n_nights)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < n_nights; i++)
    {
      /* Translators: one night of a long story. The first %u is the number of the night; what
       * follows is how the weather was, who passed, what the keeper did, and how it
       * ended. */
      g_string_append_printf (text, _ ("On night %u, %s. %s %s %s"), i + 1, PICK (weather, i),
                              PICK (passing, i * 3 + 1), PICK (work, i * 2), PICK (closing, i));
      g_string_append (text, "\n\n");
    }
  return g_string_free (text, FALSE);
}

/**
 * gadget_guide_story_count:
 * @n_lines: the number of lines, of about 10 words each
 *
 * Returns: (transfer full): the text
 */
char *
gadget_guide_story_count (guint n_lines)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < n_lines; i++)
    {
      /* Translators: one of many lines that are written so that the user can stop them. */
      g_string_append_printf (text, _ ("Line %u: still writing, and waiting for you to stop me."),
                              i + 1);
      g_string_append_c (text, '\n');
    }
  return g_string_free (text, FALSE);
}
