/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "fake-server.h"
#include "tools/gadget-tool-fetch.h"

G_BEGIN_DECLS

#define FETCH_SOON_MS 5000
#define FETCH_NAME "site.example"

/* Says what the test wants. */
#define FETCH_TYPE_RESOLVER (fetch_resolver_get_type ())
G_DECLARE_FINAL_TYPE (FetchResolver, fetch_resolver, FETCH, RESOLVER, GResolver)

struct _FetchResolver
{
  GResolver parent_instance;

  const char *answers[4]; /* one a lookup, numbers with blanks between; NULL never comes */
  guint n_lookups;
};

/* A server on loopback, which fetch_classify () takes for one in the internet. */
typedef struct
{
  FakeServer *server;
  FetchResolver *resolver;
  GadgetWebSetup setup;
  GadgetTool *tool;
  GCancellable *cancellable;
  GadgetToolResult *result;
  GError *error;
  gboolean done;
} FetchFixture;

#define fetch_test_add(path, function)                                                             \
  g_test_add ("/engine/fetch/" path, FetchFixture, NULL, fetch_set_up, function, fetch_tear_down)

/* Only 127.0.0.1 is taken for another: all else of loopback is what it is. */
GadgetAddressKind fetch_classify (GInetAddress *address);

void       fetch_set_up               (FetchFixture  *f,
                                       gconstpointer  data);
void       fetch_tear_down            (FetchFixture  *f,
                                       gconstpointer  data);
FakeReply *fetch_add_page             (FetchFixture  *f,
                                       const char    *path);
void       fetch_add_redirect         (FetchFixture  *f,
                                       const char    *path,
                                       guint          status,
                                       const char    *location);
char      *fetch_dup_url              (FetchFixture  *f,
                                       const char    *host,
                                       const char    *path);

/* A call; MORE is the rest of its arguments. The last two wait for its end. */
void       fetch_start_url            (FetchFixture  *f,
                                       const char    *url,
                                       const char    *more);
void       fetch_start                (FetchFixture  *f,
                                       const char    *path);
void       fetch_get_url              (FetchFixture  *f,
                                       const char    *url,
                                       const char    *more);
void       fetch_get                  (FetchFixture  *f,
                                       const char    *path);

void       fetch_assert_text          (FetchFixture  *f,
                                       const char    *part);
void       fetch_assert_failed        (FetchFixture  *f,
                                       const char    *part);
void       fetch_assert_not_contacted (FetchFixture  *f);

G_END_DECLS
