/**
 * Pages as documentation has them, as Markdown: no sign of code, no number and no word is another one than on a screen.
 */
import { describe, expect, test } from "bun:test";
import { readHtml } from "../../../../src/packs/web/serve-html/read-html.ts";

function markdown(body: string): string {
  const page = `<html><head><title>T</title></head><body>${body}</body></html>`;
  return readHtml(page, { url: "http://a.test/docs/", format: "markdown", main: false }).text;
}

describe("a table", () => {
  test("a cell keeps its code as it is, with the signs that are escaped elsewhere", () => {
    const table =
      "<table><tr><th>Option</th><th>Meaning</th></tr><tr><td><code>--foo_bar*</code></td><td>a <code>x | y</code></td></tr></table>";
    expect(markdown(table)).toBe("| Option | Meaning |\n| - | - |\n| `--foo_bar*` | a `x \\| y` |");
  });

  test("a cell of blocks and of tables is one line, in which words stay apart", () => {
    const inner = "<table><tr><td>in</td><td>side</td></tr></table>";
    expect(markdown(`<table><tr><th>A</th></tr><tr><td><p>one</p><p>two</p>${inner}</td></tr></table>`)).toEndWith(
      "| one two in side |",
    );
  });

  test("a value stays in its column where a cell beside it spans several rows", () => {
    const rows =
      "<tr><th>A</th><th>B</th></tr><tr><td rowspan=2>1</td><td>x</td></tr><tr><td>y</td></tr><tr><td colspan=2>z</td></tr>";
    expect(markdown(`<table><caption>All</caption>${rows}</table>`)).toBe(
      "All\n\n| A | B |\n| - | - |\n| 1 | x |\n| | y |\n| z | |",
    );
  });

  test.each([
    [
      "Pygments",
      '<table class="highlighttable"><tr><td class="linenos"><div class="linenodiv"><pre>1\n2</pre></div></td><td class="code"><pre>if x:\n    y()</pre></td></tr></table>',
    ],
    [
      "Rouge",
      '<table><tr><td class="rouge-gutter gl"><pre class="lineno">1\n2\n</pre></td><td class="rouge-code"><pre>if x:\n    y()\n</pre></td></tr></table>',
    ],
    ["numbers without a class", "<table><tr><td><pre>1\n2</pre></td><td><pre>if x:\n    y()</pre></td></tr></table>"],
    [
      "GitHub",
      '<table><tr><td class="blob-num" data-line-number="1"></td><td class="blob-code">if x:</td></tr><tr><td class="blob-num" data-line-number="2"></td><td class="blob-code">    y()</td></tr></table>',
    ],
    [
      "highlight.js",
      '<pre><code><table class="hljs-ln"><tr><td class="hljs-ln-numbers">1</td><td>if x:</td></tr><tr><td class="hljs-ln-numbers">2</td><td>    y()</td></tr></table></code></pre>',
    ],
  ])("code beside its line numbers (%s) is code without them", (_name, html) => {
    expect(markdown(html)).toBe("```\nif x:\n    y()\n```");
  });

  test("code of several lines stands below the rows before it, and code of one line in its cell", () => {
    const rows =
      "<tr><th>A</th><th>B</th></tr><tr><td>1</td><td><pre>one</pre></td></tr><tr><td>2</td><td><pre>x:\n  y</pre></td></tr>";
    expect(markdown(`<table>${rows}</table>`)).toBe("| A | B |\n| - | - |\n| 1 | `one` |\n\n2\n\n```\nx:\n  y\n```");
  });
});

describe("a script", () => {
  test.each([
    ["2<sup>10</sup> and 10<sup>6</sup>", "2^10 and 10^6"],
    ["10<sup>-3</sup>m x<sup>n+1</sup> 2<sup>8</sup>0", "10^(-3)m x^(n+1) 2^(8)0"],
    ["the 1<sup>st</sup> of ACME<sup>TM</sup>", "the 1st of ACMETM"],
    ["H<sub>2</sub>O, 101<sub>2</sub>, log<sub>2</sub>8", "H2O, 101_2, log\\_(2)8"],
    ['a claim<sup><a href="/n">1</a></sup>', "a claim[1](http://a.test/n)"],
  ])("%s becomes %s, which is no other number", (html, said) => {
    expect(markdown(`<p>${html}</p>`)).toBe(said);
  });
});

describe("a list", () => {
  test("a list begins with its number, and what belongs to an item stands below it", () => {
    const list =
      '<ol start="5"><li>five<ul><li>sub</li></ul></li><li>six<pre><code class="language-sh">a\n\n  b</code></pre></li></ol>';
    expect(markdown(list)).toBe("5. five\n   * sub\n6. six\n   ```sh\n   a\n\n     b\n   ```");
  });

  test("two lists one after the other stay two", () => {
    expect(markdown("<ul><li>a</li></ul><ul><li>b</li></ul>")).toBe("* a\n\n- b");
  });
});

describe("words", () => {
  test("words of two blocks stay two, in what unfolds and in a link", () => {
    expect(markdown("<details><summary>More</summary>hidden</details>")).toBe("More\n\nhidden");
    expect(markdown('<p>see</p><a href="x"><h3>Head</h3><p>Text</p></a>')).toContain(
      "[Head Text](http://a.test/docs/x)",
    );
  });

  test("marks stand beside their words, whatever is around them", () => {
    expect(markdown('<p>a<b>"b" </b>c <i>d</i>e<b> </b> <b><strong>f</strong></b></p>')).toBe('a**"b"** c *d*e **f**');
  });
});

describe("a link", () => {
  test.each([
    ['<a href="/a_b?x_y=1&amp;copy=2">u</a>', "[u](http://a.test/a_b?x_y=1&copy=2)"],
    ['<a href="/C_(x)">u</a>', "[u](http://a.test/C_(x))"],
    ['<a href="/C)">u</a>', "[u](<http://a.test/C)>)"],
    [`<a href="/t" title='ti"tle'>u</a>`, '[u](http://a.test/t "ti\\"tle")'],
    ['<a href="http://b.test/_x">http://b.test/_x</a>', "<http://b.test/_x>"],
    ['<a href="/x"></a><a href="javascript:x">y</a>', "y"],
    ['<img src="/i_m.png" alt="a_b">', "![a_b](http://a.test/i_m.png)"],
  ])("%s keeps its address as it is: %s", (html, said) => {
    expect(markdown(`<p>${html}</p>`)).toBe(said);
  });
});

describe("a page that no parser should see", () => {
  const many = "<i>.</i>".repeat(31_000);

  test("its text has its references decoded, its signs kept and its words apart", () => {
    const page = `<title>H&eacute;</title><!-- a > b hidden --><p>caf&eacute; &mdash; if a < b then c</p><table><tr><td>x</td><td>y</td></tr></table><summary>s</summary>t<script>if (a</b) "<p>"</script>${many}`;
    const { title, text, notes } = readHtml(page, { url: "http://a.test/", format: "markdown", main: true });
    expect(title).toBe("H\u00e9");
    expect(text.slice(0, 50)).toStartWith("caf\u00e9 \u2014 if a < b then c\n\nx y\n\ns\nt....");
    expect(notes).toEqual(["The page has too many elements, so its text alone is shown"]);
  });

  test.each([
    ["one element", `<p ${Array.from({ length: 100_000 }, (_, at) => `a${at}=1`).join(" ")}>x</p>`],
    ["all elements", `<p ${Array.from({ length: 150 }, (_, at) => `a${at}=1`).join(" ")}>x</p>`.repeat(1001)],
  ])("countless attributes of %s are not looked at", (_name, page) => {
    const { text, notes } = readHtml(page, { url: "http://a.test/", format: "markdown", main: true });
    expect(text).toStartWith("x");
    expect(notes).toEqual(["The page has too many attributes, so its text alone is shown"]);
  });
});
