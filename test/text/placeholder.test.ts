/** Both ways: markers that delete code are found, and ordinary code and prose pass. */
import { expect, test } from "bun:test";
import { findPlaceholder } from "../../src/text/index.ts";

test.each([
  "... rest of code ...",
  "// ... existing code ...",
  "// ...existing code...",
  "// ... rest of the code ...",
  "# ... (unchanged)",
  "# ...",
  "// ...",
  "/* ... */",
  "{/* ... existing code ... */}",
  "<!-- ... -->",
  "<!-- rest of the file -->...".replace("-->...", "... -->"),
  "-- ... existing code ...",
  "[... rest of function ...]",
  "// … rest of file …",
  "// rest of code remains the same",
  "# rest of the function unchanged",
  "// ... remaining methods stay the same ...",
  "// existing code here",
  "(... rest of the methods ...)".slice(1, -1),
  "// ... other methods unchanged ...",
  "// ... same as before ...",
  "/* ... existing imports ... */",
])("findPlaceholder() finds %j", (marker) => {
  expect(findPlaceholder(`function f() {\n    ${marker}\n}\n`, "function f() {\n}\n")).toEqual({
    line: 2,
    text: marker,
  });
});

test.each([
  "...args",
  "...rest,",
  "...existing,",
  "...other",
  "  ...",
  "...",
  "f(...rest);",
  "const { a, ...rest } = options;",
  "def f(): ...",
  "And then it went on...",
  "// Loading the rest...",
  "// Keep the existing connection open",
  "# The remaining arguments are passed on",
  "// wait for it...",
  "print('...')",
  "// ... and that is why we retry once more",
  "/// ...",
  " * ...",
  "existing code",
  "// existing code",
  "## The rest of the file",
  "...(await load())",
  "[...existing, item]",
  "console.log('existing code...')",
])("findPlaceholder() lets %j pass", (line) => {
  expect(findPlaceholder(`a\n${line}\nb`, "a\nb")).toBeUndefined();
});

test("a marker of the old text is no placeholder", () => {
  expect(findPlaceholder("x\n# ...\n", "y\n  # ...\n")).toBeUndefined();
  expect(findPlaceholder("x\r\n# ...\r\n", "y\r\n")).toEqual({ line: 2, text: "# ..." });
});
