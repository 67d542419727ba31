/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A chat with an answer that names pictures, in a window of its own, and the server that has them.
 */

#pragma once

#include "fetch-fixture.h"

#include "ui/transcript/gadget-transcript.h"

G_BEGIN_DECLS

/* The beginning of an answer, with something to read above the picture. */
#define REMOTE_ABOVE "First some words about it.\n\n"

typedef struct
{
  FetchFixture web;
  GadgetRegistry *registry;
  GadgetRemotePictures *pictures;
  GadgetPictureLoader *loader;
  GadgetSession *session;
  GadgetTurn *turn;
  GadgetItem *item;
  GtkWidget *window;
  GadgetTranscript *transcript;
} RemoteFixture;

void remote_set_up (RemoteFixture *f, gconstpointer data);

/* All of it must be finalized. */
void remote_tear_down (RemoteFixture *f, gconstpointer data);

/* To be called once. The answer is finished, unless it is still being written. */
void remote_show (RemoteFixture *f, const char *answer, gboolean finished);

/* "![ALT](http://site.example:PORT/PATH)" and what is behind it; shown, with what is BEFORE it. */
char *remote_dup_name (RemoteFixture *f, const char *alt, const char *path, const char *after);
void remote_show_picture (RemoteFixture *f, const char *before, const char *alt, const char *path,
                          const char *after);

/* A picture of that size, as a whole reply or as what is put into one; or only its beginning. */
void remote_serve (FetchFixture *web, const char *path, int width, int height);
void remote_add_bytes (FakeReply *reply, int width, int height);
FakeReply *remote_serve_half (FetchFixture *web, const char *path);

/* The next request gets another one. */
void remote_retire (FakeReply *reply);

/* Every connection is, within FETCH_SOON_MS. */
void remote_assert_closed (FetchFixture *web);

/* The first one in sight in @window, which may be a part of one; or NULL. */
GtkWidget *remote_get_place (GtkWidget *window);
GtkWidget *remote_find_piece (GtkWidget *window, const char *text);
GtkWidget *remote_find_button (GtkWidget *window, const char *label);

/* After the moment in which a button takes no press. */
void remote_press (GtkWidget *window, const char *label);
gboolean remote_has_texture (GtkWidget *window);

/* From the top of the viewport. */
int remote_get_y (RemoteFixture *f, GtkWidget *widget);

G_END_DECLS
