import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { users, Workshop } from './workshop.ts';

const telling = { 'scripts/tell.mjs': 'process.stdout.write(JSON.stringify(process.argv.slice(2)));\n' };

const manifest = `[tools.tell]
command = ["node", "scripts/tell.mjs", "--first", "{first}", "--second={second}", "{list}", "{loud?--loud}", "--", "{rest}"]
output = "json"
[tools.tell.parameters]
first = { type = "string" }
second = { type = "string" }
list = { type = "array", items = { type = "string" } }
loud = { type = "boolean" }
rest = { type = "string" }
[tools.echo]
command = ["echo", "{text}"]
parameters = { text = { type = "string", required = true } }
`;

/** What a shell, or a program that takes options, would stumble over. */
const cruel = [
  'two words',
  '$(id)',
  '`id`',
  '; rm -rf /skill; echo',
  '| cat /etc/passwd',
  '&& touch /tmp/x',
  '> /tmp/x',
  '*',
  '~',
  '$HOME $PATH %PATH%',
  'a\nb\r\n\tc',
  `'"\\`,
  '',
  ' leading and trailing ',
  '{first} {{second}}',
  '\u001b[31mred\u0007',
  'größe 文字 👩‍👩‍👧',
  '=x',
];

describe.each(users)('arguments, as %s', (user) => {
  it('each value is one argument to the very byte, which no shell reads and no program takes for an option [C4-TOOLS-06 C4-TOOLS-07 C4-TOOLS-08]', async () => {
    const shop = new Workshop(user);
    shop.skill(manifest, telling);
    const all = await shop.result(['demo:tell', '--params', JSON.stringify({ list: cruel })]);
    expect(all.value).toEqual([...cruel, '--']);
    // Where the author left room for one, a value may even look like an option.
    const parameters = { first: '$(id)', second: '-x --y', rest: '--help', loud: true };
    const each = await shop.result(['demo:tell', '--params', JSON.stringify(parameters)]);
    expect(each.value).toEqual(['--first', '$(id)', '--second=-x --y', '--loud', '--', '--help']);
    // What was not given goes away together with its flag.
    expect((await shop.result(['demo:tell', '--param', 'loud=false'])).value).toEqual(['--']);
    const refused = await Promise.all(
      ['--version', '-n', '-', 'a\0b'].map((text) => shop.result(['demo:echo', '--params', JSON.stringify({ text })])),
    );
    for (const { reason, message, stdout } of refused) {
      expect([reason, stdout]).toEqual(['invalid_parameters', '']);
      expect(message).toMatch(/could be taken for an option|must not contain a NUL/);
    }
  });
});

describe('arguments', () => {
  it('that begin with a dash are refused with how to give them', async () => {
    const shop = new Workshop();
    shop.skill(manifest, telling);
    const { code, stdout, stderr } = await shop.run(['run', 'demo:echo', '--param', 'text=--version']);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('invalid_parameters: text: a value that begins with "-" could be taken for an option');
    expect(stderr).toContain('such as "./"');
  });

  it('are never code: a manifest that would have them read as such is refused with its line', async () => {
    const shop = new Workshop();
    const place = shop.place();
    const parameters = 'parameters = { code = { type = "string" } }';
    const commands = ['"sh", "-c", "{code}"', '"node", "-e", "{code}"', '"{code}"', '"echo", "--{code}"'];
    const tools = commands.map((command, index) => `[tools.t${index}]\ncommand = [${command}]\n${parameters}\n`);
    shop.skill(`[capabilities]\nfilesystem = ["write:${place}"]\n${tools.join('')}`);
    const { stdout, code } = await shop.run(['tools', 'demo']);
    expect(code).toBe(1);
    for (const [index] of commands.entries()) expect(stdout).toContain(`skill.toml:${index * 3 + 4}:`);
    const run = await shop.run(['run', 'demo:t0', '--param', `code=touch ${place}/ran`]);
    expect([run.code, run.stderr]).toEqual([1, expect.stringContaining('as code')]);
    expect(readdirSync(place)).toEqual([]);
  });
});
