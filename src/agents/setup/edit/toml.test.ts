import { describe, expect, it } from 'vitest';
import { dresses, edited, roundTrip } from '../../../../test/support/settings.ts';
import { editText } from './edit.ts';

describe('TOML', () => {
  const at = ['mcp_servers', 'repertoire'];
  const value = { command: 'C:\\x', args: ['serve'], startup_timeout_sec: 30, env: { A: '1' } };

  it.each([
    ['nothing', ''],
    ['blank lines', '\n\n'],
    ['only comments', '# mine\n\n# and this'],
    ['settings', 'model = "o" # good\napproval = "never"\n'],
    ['settings with no line end', 'model = "o"'],
    ['settings with blanks at the end', 'model = "o"  \n  \n'],
    ['tables', 'model = "o"\n\n[projects."/a b"]\ntrust = "yes"\n\n\n# end\n'],
    ['another server', '[mcp_servers.x]\ncommand = "y"\n# args = []\n\n# about z\n[z]\na = 1\n'],
    ['another server and no gap', '[mcp_servers.x]\ncommand = "y"\n# about z\n[z]\na = 1\n'],
    [
      'a server in parts',
      '[mcp_servers.x]\ncommand = "y"\n[mcp_servers.x.env]\nA = "1"\n[[hooks]]\na = 1\n[[hooks]]\nb = 2\n',
    ],
    ['a table of servers', '[mcp_servers]\nx = { command = "y" } # z\n\n[other]\n'],
    ['an empty table of servers', '[mcp_servers]\n# none\n'],
    ['names with dots', 'mcp_servers.x.command = "y"\nmcp_servers.x.args = []\nmodel = "o"\n'],
    ['names with dots in a table', '[mcp_servers]\nx.command = "y"\n\n[z]\n'],
    ['an inline table', 'mcp_servers = { x = { command = "y" } }\nmodel = "o"\n'],
    ['an empty inline table', 'mcp_servers = {}\nmodel = "o"\n'],
    ['an empty inline table with a blank', 'mcp_servers = { } # none\n'],
    [
      'long texts',
      'a = """\n[mcp_servers.repertoire]\nx = 1\n"""\nb = \'\'\'\n[z]\n\'\'\'\nc = [ # list\n  "a", # ]\n  "[b]",\n]\n',
    ],
    ['dates and numbers', 'd = 2020-01-01T00:00:00Z\ne = 1_000\nf = nan\ng = 0x1f\n'],
  ])('%s', (_what, text) => {
    for (const original of dresses(text)) roundTrip('toml', original, at, value);
  });

  it('stands with the other servers', () => {
    const text = '[mcp_servers.x]\ncommand = "y"\n\n[z]\na = 1\n';
    expect(roundTrip('toml', text, at, value)).toBe(
      '[mcp_servers.x]\ncommand = "y"\n\n[mcp_servers.repertoire]\ncommand = \'C:\\x\'\nargs = ["serve"]\nstartup_timeout_sec = 30\n' +
        '\n[mcp_servers.repertoire.env]\nA = "1"\n\n[z]\na = 1\n',
    );
  });

  it('changes only what differs', () => {
    const text =
      '[mcp_servers.repertoire]\n# why\ncommand = "/old" # here\nargs = [\n  "a", # b\n]\nextra = 1\n\n[mcp_servers.repertoire.env]\nA = "1"\n\n[z]\n';
    expect(
      edited('toml', text, at, { command: '/new', args: ['a'], tool_timeout_sec: 9, env: { A: '1', B: '2' } }),
    ).toBe(
      '[mcp_servers.repertoire]\n# why\ncommand = "/new" # here\nargs = [\n  "a", # b\n]\ntool_timeout_sec = 9\n\n[mcp_servers.repertoire.env]\nA = "1"\nB = "2"\n\n[z]\n',
    );
    const dotted = 'mcp_servers.repertoire.command = "/old"\nmcp_servers.repertoire.args = []\nz = 1\n';
    expect(edited('toml', dotted, at, { command: '/new', args: [], url: 'x' })).toBe(
      'mcp_servers.repertoire.command = "/new"\nmcp_servers.repertoire.args = []\nmcp_servers.repertoire.url = "x"\nz = 1\n',
    );
    expect(edited('toml', dotted, at, undefined)).toBe('z = 1\n');
    const inline = 'mcp_servers = { repertoire = { command = "/old", b = 1 }, x = { a = 1 } }\n';
    expect(edited('toml', inline, at, { command: '/new', url: 'x' })).toBe(
      'mcp_servers = { repertoire = { command = "/new", url = "x" }, x = { a = 1 } }\n',
    );
    expect(edited('toml', inline, at, undefined)).toBe('mcp_servers = { x = { a = 1 } }\n');
  });

  it('finds the parts of an entry wherever they stand', () => {
    const text =
      'a = 1\n\n[mcp_servers.repertoire.env]\nA = "1"\n\n[z]\nb = 1\n\n[mcp_servers."repertoire"]\ncommand = "x"\n';
    expect(edited('toml', text, at, undefined)).toBe('a = 1\n\n[z]\nb = 1\n');
  });

  it.each([
    ['a = 1\nb = \n', 2, /not valid TOML/],
    ['[a]\nb = 1\n[a]\n', 3, /not valid TOML/],
    ['mcp_servers = 1\n', null, /not a table/],
    ['[[mcp_servers]]\na = 1\n', null, /not a table/],
    ['mcp_servers = { repertoire.command = "x", repertoire.args = [] }\n', null, /dots/],
  ])('is left alone where it is invalid: case %#', (text, line, reason) => {
    expect(editText('toml', text, [{ at, value: { a: 1 } }])).toEqual({
      ok: false,
      line,
      reason: expect.stringMatching(reason),
    });
  });
});
