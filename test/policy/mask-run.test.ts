/**
 * What the record keeps of a line: no password in any place where programs take one, and everything else as it was.
 */
import { expect, test } from "bun:test";
import { maskRun } from "../../src/policy/index.ts";

test.each([
  ["PGPASSWORD=hunter2 psql -h db", "PGPASSWORD=[secret] psql -h db"],
  ["mysql -uroot -phunter2 db", "mysql -uroot -p[secret] db"],
  ["curl -u bob:hunter2 https://x", "curl -u bob:[secret] https://x"],
  ["curl -H 'Authorization: Bearer hunter2' x", "curl -H 'Authorization: Bearer [secret]' x"],
  ['curl -H "X-Api-Key: hunter2"', 'curl -H "X-Api-Key: [secret]"'],
  ["deploy --token hunter2 --stage live", "deploy --token [secret] --stage live"],
  ["deploy --password='hunter 2'", "deploy --password='[secret]'"],
  ["git clone https://bob:hunter2@host/x", "git clone https://bob:[secret]@host/x"],
  ["sshpass -p hunter2 ssh x", "sshpass -p [secret] ssh x"],
  ['{"password":"hunter2","stage":"live"}', '{"password":"[secret]","stage":"live"}'],
  ['{"args":["--token","hunter2"]}', '{"args":["--token","[secret]"]}'],
  ['echo "password=hunter 2"', 'echo "password=[secret]"'],
  ["echo token=[secret]hunter2", "echo token=[secret]"],
])("maskRun() hides the secret of %s", (line, wanted) => expect(maskRun(line, undefined)).toBe(wanted));

test.each([
  "export API_KEY=$FOO",
  "ls -p src",
  "mkdir -p a/b",
  "grep -rn token src",
  "cat tokens.ts",
  "mysql -p db",
  "npm run build -- --pinned x",
  '{"pwd":"/srv/a"}',
])("maskRun() leaves %s as it is", (line) => expect(maskRun(line, undefined)).toBe(line));
