/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "attachments-fixture.h"
#include "session/gadget-attachment.h"
#include "test-store.h"

#include <string.h>

static GadgetPicture *
make_picture (const char *name)
{
  g_autoptr (GBytes) data = g_bytes_new (HEAD, sizeof HEAD - 1);
  g_autoptr (GError) error = NULL;
  GadgetPicture *picture = gadget_picture_new (name, data, &error);

  g_assert_no_error (error);
  return picture;
}

GPtrArray *
attachments_make (const char *picture_name, const char *text)
{
  GPtrArray *list = gadget_attachments_new ();
  g_autoptr (GadgetPicture) picture = make_picture (picture_name);

  g_ptr_array_add (list, gadget_attachment_new_picture (picture));
  g_ptr_array_add (list, gadget_attachment_new_text ("notes.txt", text, strlen (text)));
  return list;
}

void
attachments_assert (gpointer message, const char *picture_name, const char *text)
{
  GPtrArray *list = gadget_attachments_get (message);
  const GadgetAttachment *first;
  const GadgetAttachment *second;

  g_assert_nonnull (list);
  g_assert_cmpuint (list->len, ==, 2);
  first = g_ptr_array_index (list, 0);
  second = g_ptr_array_index (list, 1);
  g_assert_nonnull (gadget_attachment_get_picture (first));
  g_assert_cmpstr (gadget_attachment_get_name (first), ==, picture_name);
  g_assert_cmpuint (gadget_picture_get_width (gadget_attachment_get_picture (first)), ==, 256);
  g_assert_cmpuint (gadget_attachment_get_size (first), ==, sizeof HEAD - 1);
  g_assert_cmpstr (gadget_attachment_get_name (second), ==, "notes.txt");
  g_assert_cmpstr (gadget_attachment_get_text (second), ==, text);
  g_assert_cmpuint (gadget_attachment_get_size (second), ==, strlen (text));
}

GadgetTurn *
attachments_append_turn (GadgetSession *session, const char *id, const char *prompt,
                         GPtrArray *attachments)
{
  g_autoptr (GadgetTurn) turn = gadget_turn_new (id, prompt);

  gadget_attachments_set (turn, attachments);
  gadget_session_append (session, turn);
  return turn;
}

void
attachments_set_up (Fixture *fixture, gconstpointer data)
{
  fixture->directory = test_dir_new ();
  fixture->agent.store = test_store_open (fixture->directory);
  agent_set_up (&fixture->agent, data);
}

void
attachments_tear_down (Fixture *fixture, gconstpointer data)
{
  agent_tear_down (&fixture->agent, data);
  test_store_close (fixture->agent.store);
  test_dir_free (fixture->directory);
}
