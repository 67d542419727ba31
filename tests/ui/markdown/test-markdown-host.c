/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Links whose text is another address than theirs: where they really lead is shown. */

#include "config.h"

#include "ui/markdown/gadget-markdown-host.h"
#include "ui/markdown/gadget-markdown.h"

static void
test_other_host (void)
{
  static const struct
  {
    const char *shown;
    const char *address;
    const char *other;
  } cases[] = {
    { "https://good.org", "https://evil.org", "evil.org" },
    { "https://good.org", "https://good.org/page?x=1", NULL },
    { "HTTPS://Good.org/a", "http://good.org:8080/b", NULL },
    { "www.good.org", "https://good.org", NULL },
    { "good.org", "https://www.good.org/", NULL },
    { "good.org", "https://evil.org/good.org", "evil.org" },
    { "good.org/login", "https://good.org.evil.org/login", "good.org.evil.org" },
    { "https://good.org", "https://good.org@evil.org/", "evil.org" },
    { "https://good.org", "https://evil.org\\@good.org/", "evil.org" },
    { "https://good.org", "https://evil.org#@good.org/", "evil.org" },
    { "Log in at https://good.org, please.", "https://evil.org", "evil.org" },
    { "Log in at (www.good.org).", "https://evil.org", "evil.org" },
    { "192.168.0.1", "http://10.0.0.1", "10.0.0.1" },
    { "https://good.org", "https://g\320\276\320\276d.org", "xn--gd-fmca.org" },
    { "https://b\303\274cher.de", "https://b\303\274cher.de/", NULL },
    { "https://b\303\274cher.de", "https://xn--bcher-kva.de/", NULL },
    { "ftp://good.org", "https://evil.org", "evil.org" },
    { "help@good.org", "mailto:help@good.org", NULL },
    { "help@good.org", "mailto:help@evil.org?subject=x", "help@evil.org" },
    { "help@good.org", "mailto:help%40evil.org", "help@evil.org" },
    { "mailto:help@good.org", "mailto:help@good.org", NULL },
    { "help@good.org", "https://evil.org", "evil.org" },
    { "https://good.org", "mailto:a@evil.org", "a@evil.org" },
    { "the manual", "https://evil.org", NULL },
    { "See main.c", "https://evil.org", NULL },
    { "main.c", "https://evil.org", NULL },
    { "index.html", "https://evil.org", NULL },
    { "Version 3.5", "https://evil.org", NULL },
    /* Names that only files have; and others only where there are files of that name. */
    { "README.md", "https://example.org/docs", NULL },
    { "main.rs", "https://example.org/x/main.rs", NULL },
    { "(`setup.py`)", "https://example.org", NULL },
    { "CONTRIBUTING.md", "https://github.com/a/b/blob/main/CONTRIBUTING.md#rules", NULL },
    { "parser.rs", "https://github.com/a/b/blob/main/src/parser.rs#L10-L20", NULL },
    { "tool.py", "https://gitlab.gnome.org/GNOME/gtk/-/blob/main/tool.py?plain=1", NULL },
    { "parser.rs", "https://github.com/a/b/blob/main/src/lexer.rs", "github.com" },
    { "parser.rs", "https://github.com/parser.rs", "github.com" },
    { "allegro.pl", "https://evil.org/x/y/allegro.pl", "evil.org" },
    { "allegro.pl", "https://github.com.evil.org/a/b/allegro.pl", "github.com.evil.org" },
    { "allegro.pl", "https://evil.org\\@github.com/a/b/allegro.pl", "evil.org" },
    { "allegro.pl", "https://evil.org/#github.com/a/b/allegro.pl", "evil.org" },
    { "allegro.pl", "mailto:a@evil.org", "a@evil.org" },
    { "example.zip", "https://evil.org/example.zip", "evil.org" },
    { "example.zip", "https://github.com/a/b/example.zip", "github.com" },
    { "paypal.com", "https://github.com/a/b/paypal.com", "github.com" },
    { "wallet.app", "https://evil.org", "evil.org" },
    { "https://main.rs", "https://evil.org", "evil.org" },
    { "www.main.rs", "https://evil.org", "evil.org" },
    { "main.rs/login", "https://evil.org", "evil.org" },
    { "main.rs:80", "https://evil.org", "evil.org" },
    { "e.g. this", "https://evil.org", NULL },
    { "", "https://evil.org", NULL },
    { ".", "https://evil.org", NULL },
    { "://", "https://evil.org", NULL },
    { "@", "mailto:", NULL },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *other = gadget_markdown_host_find_other (cases[i].shown, cases[i].address);

      if (g_strcmp0 (other, cases[i].other) != 0)
        g_test_message ("\"%s\" to \"%s\"", cases[i].shown, cases[i].address);
      g_assert_cmpstr (other, ==, cases[i].other);
    }
}

static void
check_shown (const char *source, gboolean open, const char *expected)
{
  g_autoptr (GadgetMarkdownDocument) document =
      gadget_markdown_parse (source, 0, strlen (source), 0, NULL, open);

  g_assert_cmpuint (document->leaves->len, ==, 1);
  g_assert_cmpstr (gadget_markdown_document_get_leaf (document, 0)->text->text, ==, expected);
}

static void
test_shown (void)
{
  check_shown ("See [https://good.org](https://evil.org) now.", FALSE,
               "See https://good.org (evil.org) now.");
  check_shown ("See [**good.org**](https://evil.org)", FALSE, "See good.org (evil.org)");
  check_shown ("See <https://good.org> and https://good.org.", FALSE,
               "See https://good.org and https://good.org.");
  /* It does not come and go while the address is written. */
  check_shown ("See [https://good.org](https://go", TRUE, "See [https://good.org](https://go");
  check_shown ("See [https://good.org](https://good.org) x", TRUE, "See https://good.org x");
}

static void
test_web (void)
{
  g_assert_true (gadget_markdown_host_is_web ("https://good.org"));
  g_assert_true (gadget_markdown_host_is_web ("HTTP://good.org/a?b#c"));
  g_assert_false (gadget_markdown_host_is_web ("https:good.org"));
  g_assert_false (gadget_markdown_host_is_web ("https:///good.org"));
  g_assert_false (gadget_markdown_host_is_web ("https://?good.org"));
  g_assert_false (gadget_markdown_host_is_web ("https://"));
  g_assert_false (gadget_markdown_host_is_web ("ftp://good.org"));
  g_assert_false (gadget_markdown_host_is_web ("mailto:a@good.org"));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ui/markdown/host/other", test_other_host);
  g_test_add_func ("/ui/markdown/host/shown", test_shown);
  g_test_add_func ("/ui/markdown/host/web", test_web);
  return g_test_run ();
}
