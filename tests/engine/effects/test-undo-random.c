/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a turn did to files is taken back, and made again, to the byte: names, contents, modes and
 * times of everything in the workspace, what the turn did not touch included.
 *
 * GADGET_UNDO_SEED picks other random sequences. */

#include "config.h"

#include "undo-fixture.h"

#define N_SEQUENCES 200
#define DEFAULT_SEED 20261122

/* What an ordinary user may not read cannot be kept, so that it cannot be compared either; see
 * test-undo-restore.c. Not being allowed to write is no hindrance. */
#define UNLOCK "[ $UID = 0 ] || chmod u+rX"

/* Two that differ in case, one with a line end, one that is no UTF-8, one in quotes. */
static const char *const names[] = { "a",      "b",      "c.txt",   "C.TXT", "sub/a",
                                     "sub/b",  "sub",    "other",   "x y",   "sub/deep/c",
                                     "l\nine", "\xff\"", "sub/deep" };

static const char *
pick (GRand *random)
{
  return names[g_rand_int_range (random, 0, G_N_ELEMENTS (names))];
}

static char *
make_command (GRand *random)
{
  const char *first = pick (random);
  const char *second = pick (random);
  const int n = g_rand_int_range (random, 100, 999);

  switch (g_rand_int_range (random, 0, 22))
    {
    case 0:
      return g_strdup_printf ("mkdir -p '%s/new-%d'", first, n);
    case 1:
      return g_strdup_printf ("mv '%s' '%s'", first, second);
    case 2:
      return g_strdup_printf ("rm -rf '%s'", first);
    case 3:
      return g_strdup_printf ("chmod %o '%s'; %s '%s'", g_rand_int_range (random, 0, 01000), first,
                              UNLOCK, first);
    case 4:
      return g_strdup_printf ("rm -f '%s'; ln -s '%s-%d' '%s'", first, second, n, first);
    case 5:
      return g_strdup_printf ("sed -i 's/[0-9]/%d/' '%s'", n % 10, first);
    case 6:
      return g_strdup_printf ("touch '%s'", first);
    case 7:
      return g_strdup_printf ("touch -d '200%d-01-02 03:04:05.678901234' '%s'", n % 10, first);
    case 8:
      return g_strdup_printf ("cp -a '%s' '%s'", first, second);
    case 9:
      return g_strdup_printf ("echo %d >> '%s'", n, first);
    case 10:
      return g_strdup_printf ("echo %d > '%s'", n, first);
    case 11:
      return g_strdup_printf ("ln '%s' '%s'", first, second);
    case 12:
      return g_strdup_printf ("rm -rf '%s'; mkdir '%s'; echo %d > '%s/inside'", first, first, n,
                              first);
    case 13:
      return g_strdup_printf ("rm -rf '%s'; echo %d > '%s'", first, n, first);
    case 14:
      return g_strdup_printf ("find . -type f -newer '%s' -delete", first);
    case 15:
      return g_strdup_printf (": > '%s'", first);
    case 16:
      return g_strdup_printf ("truncate -s %d '%s'", n * 7000, first);
    case 17:
      return g_strdup_printf ("cp '%s' t && mv t '%s' && chmod +t '%s'", first, second, second);
    case 18:
      return g_strdup_printf ("ln -f '%s' '%s'; echo %d >> '%s'", first, second, n, first);
    case 19:
      return g_strdup_printf ("mv -T --exchange '%s' '%s' || mv -T '%s' '%s'", first, second, first,
                              second);
    case 20:
      return g_strdup_printf ("for i in {1..%d}; do mkdir -p d-$i/'%s'; echo $i > d-$i/f; done",
                              n / 10, first);
    default:
      return g_strdup_printf ("dd if=/dev/urandom of='%s' bs=1k count=%d status=none", first, n);
    }
}

static void
make_start (UndoFixture *fixture, GRand *random)
{
  undo_run_bare (fixture, "chmod -R u+rwX . ; rm -rf ./* ; mkdir -p sub/deep user; echo 1 > a; "
                          "echo 2 > b; echo 3 > c.txt;"
                          "ln a $'l\\nine'; : > \"x y\"; truncate -s 300000 sub/b;"
                          "echo 4 > sub/a; echo 5 > sub/deep/c; ln -s nowhere other; chmod 600 b;"
                          "echo user > user/file");
  if (g_rand_boolean (random))
    undo_run_bare (fixture, "touch -d '2001-02-03 04:05:06.123456789' a sub/a sub .");
}

static void
do_something (UndoFixture *fixture, GRand *random)
{
  if (g_rand_int_range (random, 0, 4) == 0)
    {
      g_autofree char *text = g_strdup_printf ("edited %u\n", g_rand_int (random));
      const char *name = pick (random);
      g_autofree char *shown = g_strescape (name, NULL);

      g_test_message ("edit %s", shown);
      undo_edit (fixture, name, text);
    }
  else
    {
      g_autofree char *command = make_command (random);
      g_autofree char *more = make_command (random);
      g_autofree char *both = g_strdup_printf ("%s; %s", command, more);

      g_autofree char *shown = g_strescape (both, NULL);

      g_test_message ("%s", shown);
      undo_run (fixture, both);
    }
}

static void
test_random (UndoFixture *fixture, gconstpointer data)
{
  const char *seed_text = g_getenv ("GADGET_UNDO_SEED");
  const guint32 seed =
      seed_text != NULL ? (guint32) g_ascii_strtoull (seed_text, NULL, 10) : DEFAULT_SEED;

  g_test_message ("seed %u", seed);
  for (guint i = 0; i < N_SEQUENCES; i++)
    {
      g_autoptr (GRand) random = g_rand_new_with_seed (seed + i);
      const guint n = (guint) g_rand_int_range (random, 1, 5);
      g_autofree char *before = NULL;
      g_autofree char *after = NULL;
      g_autofree char *undone = NULL;
      g_autofree char *redone = NULL;
      g_autoptr (GadgetUndoList) found = NULL;

      g_test_message ("sequence %u", i);
      make_start (fixture, random);
      undo_new_turn (fixture);
      before = undo_dump (fixture->workspace);
      for (guint j = 0; j < n; j++)
        do_something (fixture, random);
      found = undo_list_recorded (fixture);
      after = undo_dump (fixture->workspace);

      undo_apply_all (fixture, FALSE);
      undone = undo_dump (fixture->workspace);
      undo_assert_same (undone, before);
      undo_apply_all (fixture, TRUE);
      redone = undo_dump (fixture->workspace);
      undo_assert_same (redone, after);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  undo_test_add ("/random", test_random);

  return g_test_run ();
}
