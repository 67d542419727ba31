/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Answers as models write them, while they come: nothing that is shown changes its form twice. */

#include "config.h"

#include "markdown-forms.h"

#include <string.h>

static const char *const short_answers[] = {
  "# Title\n\nSome **bold**, *thin*, `code`, ~~gone~~ and [a link](https://a.org/b_c_d).\n",
  "Text before a list:\n- one\n- **two** of\n  them\n  1. in it\n  2. second\n\nAfter it.\n",
  "```python\nprint (\"**no**\")\n```\nDone: see https://example.com/a_b_c/.\n",
  "| a | b |\n|---|:-:|\n| **1** | `2|3` |\n| x | y |\n\nEnd\n",
  "- [ ] open\n- [x] done with *stars*\n",
  "The formula \\(a^2 + b^2 = c^2\\) and\n\\[\nE = mc^2\n- x\n\\]\nand $$x$$.\n",
  "It costs $5, or 6$ for ***both***, and 2 * 3 * 4 = 24, snake_case_name, ~5 minutes.\n",
  "> quoted **bold\n> on two lines** and\nlazy\n\n---\n***\n",
  "Heading\n===\nOther\n---\nA - b\n- - -\n",
  "See [1] and [^1].\n\n[1]: https://example.org \"One\"\n[^1]: a footnote\n",
  "A <b>tag</b> and <https://example.org> &amp; &copy; 2024\n<details>\n<summary>x</summary>\n",
  "**Note:** a `**` in code, an *unclosed emphasis\n\nNext **unclosed\n\nEnd\n",
  "1984. A year\n\n1. One\n1. Two\n\n10) ten\n",
  "![picture](https://example.org/a.png \"title\") and ![](x)\n",
  "Press <kbd>Ctrl</kbd>+<kbd id=x>C</kbd>; H<sub>2</sub>O, 1<sup>-6</sup>, x<sup>a</sup>.\n",
  "<b>bold **both <i>all** of it</i> three</b> and <u>never closed *x\n\nNext <mark>a</mark>\n",
  "one<br>two <br/> three<br />\nfour <br clear=all>five a<b and b>c, x <- y, List<String> x\n",
  "| a | b |\n|---|---|\n| one<br>two | <code>a * b</code><br/>- <del>x</del> |\n\nEnd\n",
  "**a <sup>b</sup>** <s>c **d</s> e** <em>f `</em>` g</em> </b> <strong>h</b>\n",
  "<details>\n<summary>Why <b>this</b></summary>\n\n**text**\n\n</details>\n\nEnd\n",
  "<details open><summary>One line</summary>text <u>x</u>\nmore\n</details>\nEnd\n",
  "<details>\n<summary>Not closed\n\ntext\n\n<details>\n<table>\n<tr>\n</table>\n</details>\n",
  "<summary>a</summary> <sub>b\n\n<details\n\n</details>\n\n- <details>\n- x\n",
  "<b>\nblock\n</b>\n\n<br>\n\n<kbd>F1</kbd>\n\n- <br>\n- <u>a</u>\n",
  "**<kbd>x</kbd>** *<u>y*</u> [<b>z</b>](https://a.org) <code>`c`</code> https://a.org<br>x\n",
};

/* One string each. */
static const char *const answers[] = {
  "Here's how to set up a **virtual environment** in Python 3:\n\n"
  "1. **Create the environment**\n\n"
  "   ```bash\n   python3 -m venv .venv\n   ```\n\n"
  "   This makes a folder called `.venv` with its own `bin/python`.\n\n"
  "2. **Activate it**\n\n"
  "   - On Linux or macOS:\n     ```bash\n     source .venv/bin/activate\n     ```\n"
  "   - On Windows:\n     ```powershell\n     .venv\\Scripts\\activate\n     ```\n\n"
  "3. **Install what you need**: `pip install -r requirements.txt`\n\n"
  "> **Note:** Don't commit `.venv` to Git; add it to your `.gitignore` instead.\n\n"
  "Let me know if you'd like help with `pyproject.toml`!\n",

  "## Comparison\n\n"
  "| Feature | SQLite | PostgreSQL | Notes |\n"
  "|:--------|:------:|-----------:|-------|\n"
  "| Server  | no     | **yes**    | see [docs](https://www.sqlite.org/about.html) |\n"
  "| Size    | ~1 MB  | ~200 MB    | `du -sh` |\n"
  "| A \\| B | x      | *y*        | 5 * 3 = 15 |\n"
  "\nSo:\n\n* **SQLite** for one user\n* **PostgreSQL** for many\n  * with replication\n"
  "  * with roles\n* Either, if you *really* don't know\n\n---\n\n"
  "### Next steps\n\n- [ ] Choose one\n- [x] Read this\n- [ ] Ask\n",

  "The roots of $ax^2 + bx + c = 0$ are\n\n"
  "$$\nx = \\frac{-b \\pm \\sqrt{b^2 - 4ac}}{2a}\n$$\n\n"
  "where $\\Delta = b^2 - 4ac$. It costs $5 and $10, so 2 * $5 = $10.\n\n"
  "\\[\n\\sum_{i=1}^{n} i = \\frac{n(n+1)}{2}\n\\]\n\n"
  "Inline \\(e^{i\\pi} + 1 = 0\\) and **\\(x_1\\)**, _emphasis_, snake_case_here and "
  "__init__.py.\n",

  "```c\n#include <stdio.h>\n\nint\nmain (void)\n{\n  /* **not bold** `not code` */\n"
  "  printf (\"%d | %s\\n\", 1, \"```\");\n  return 0;\n}\n```\n\n"
  "Compile it:\n\n    gcc -o main main.c\n    ./main\n\n~~~~ markdown\n# A title\n```\ninner\n```\n"
  "~~~~\n\nDone. :)\n",

  "Sure — *here* are three things:\n\n1. First thing\n2. Second thing:\n   > a quote in it\n   > "
  "goes on\n"
  "3. Third thing\n   continues lazily\nand more lazily\n\n10. Ten\n11. Eleven\n\n"
  "Setext heading\n--------------\n\nAnother one\n===========\n\nText - with - dashes\n- and a "
  "list\n"
  "- - nested at once\n- 1. and numbers\n+ another list\n* and another\n\n***\n\n___\n\n- - -\n",

  "See the [documentation][1], [the *other* one](<https://example.org/a b> 'title') or "
  "https://example.com/path_(with)_parens?q=1&r=2. Mail ada@example.org, or www.example.org/x.\n\n"
  "Footnote[^1] and ![an image](https://example.org/i.png \"t\").\n\n"
  "[1]: https://example.org/docs \"Docs\"\n[^1]: The footnote.\n",

  "<details>\n<summary>Click</summary>\n\nHidden **text**\n\n</details>\n\n"
  "A <kbd>Ctrl</kbd>+<kbd>C</kbd> and <br> and 1 < 2 && 3 > 2, x<y>z, a <- b, <!-- comment -->.\n\n"
  "&copy; &amp; &#169; &notanentity; AT&T\n",

  "\u00dcber **Gr\u00f6\u00dfe** und \u201eZitate\u201c: **\u201eWort\u201c**s. "
  "\u4e2d\u6587**\u7c97\u4f53**\u6587\u5b57, \u65e5\u672c\u8a9e*\u5f37\u8abf*\u3002 "
  "\U0001f600 **emoji \U0001f680**!\n\n- \u0645\u0631\u062d\u0628\u0627 **\u0628\u0643**\n"
  "- \u05e9\u05dc\u05d5\u05dd\n",

  "Steps:\n1) one\n2) two\n\n\ttabbed code\n\n* item\n\n  paragraph in it\n\n      code in it\n\n"
  "  ```\n  fenced in it\n\n  blank above\n  ```\n* last\n\nText right\n> after\nlazy\n# Heading "
  "#\n"
  "## Another ##\n#hashtag is text\n####### seven\n",

  "I'll use **bold *and italic* text**, ***both***, ~~gone~~, ~single~, `a``b`, ``a`b``, **a** b** "
  "c, "
  "*a *b c*, 5*3*2, a*b*c, **\\*escaped\\***, _a_b_, *(paren)*, **\"quoted\"**, x**2 + y**2.\n\n"
  "**Unclosed bold\n\nNext paragraph with `unclosed code\n\nand [unclosed "
  "link](https://example\n\nEnd.\n",

  "| Not a table | because\nno delimiter\n\n| a |\n|---|\n\n| a | b |\n|---|\n| c | d |\n\nx | "
  "y\n--|--\n1 | 2\n"
  "3 |\n| 4\n\n> | q | r |\n> |---|---|\n> | 1 | `a \\| b` |\n\n- | l | m |\n  |---|---|\n  | 1 | "
  "2 |\n",

  "Diff:\n\n```diff\n- old\n+ new\n```\n\nJSON:\n```json\n{ \"a\": [1, 2, { \"b\": null }] }\n```\n"
  "Shell:\n```\n$ echo \"$HOME\" | grep -E '^/' > out.txt\n```\n1. After code\n```\nin no "
  "list\n```\n2. Two\n",
};

static void
check (const char *text, GRand *random)
{
  gsize at = 0;
  const guint changes = markdown_forms_count_changes (text, strlen (text), 1, random, &at);

  if (changes <= 1)
    return;
  g_test_message ("%u changes at %zu: %.60s|%.60s", changes, at, text + at - MIN (at, 60),
                  text + at);
  g_test_fail ();
}

static void
test_bytes (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (short_answers); i++)
    check (short_answers[i], NULL);
  for (guint i = 0; i < G_N_ELEMENTS (answers); i++)
    check (answers[i], NULL);
}

/* In pieces, as they come from a network. */
static void
test_pieces (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (g_test_rand_int ());

  for (guint round = 0; round < 20; round++)
    for (guint i = 0; i < G_N_ELEMENTS (answers); i++)
      check (answers[i], random);
}

/* One answer within another: as a quote, and as an item. */
static void
test_nested (void)
{
  static const char *const prefixes[][2] = { { "> ", "> " }, { "- ", "  " }, { "3. ", "   " } };

  for (guint k = 0; k < G_N_ELEMENTS (prefixes); k++)
    for (guint i = 0; i < G_N_ELEMENTS (answers); i++)
      {
        g_auto (GStrv) lines = g_strsplit (answers[i], "\n", -1);
        g_autoptr (GString) text = g_string_new (NULL);

        for (guint line = 0; lines[line] != NULL; line++)
          g_string_append_printf (text, "%s%s\n", prefixes[k][line > 0], lines[line]);
        check (text->str, NULL);
      }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ui/markdown-flicker/bytes", test_bytes);
  g_test_add_func ("/ui/markdown-flicker/pieces", test_pieces);
  g_test_add_func ("/ui/markdown-flicker/nested", test_nested);
  return g_test_run ();
}
