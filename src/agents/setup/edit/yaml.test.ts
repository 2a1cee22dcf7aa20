import { describe, expect, it } from 'vitest';
import { dresses, edited, roundTrip } from '../../../../test/support/settings.ts';
import { editText } from './edit.ts';

describe('YAML', () => {
  const at = ['extensions', 'repertoire'];
  const value = {
    enabled: true,
    type: 'stdio',
    cmd: '/opt/repertoire',
    args: ['serve', '--x y'],
    envs: {},
    timeout: 300,
  };

  it.each([
    ['nothing', ''],
    ['blank lines', '\n\n'],
    ['only comments', '# mine\n\n# and this'],
    ['a start', '---\n# mine\n'],
    ['settings', 'GOOSE_MODEL: x # good\n# end\n'],
    ['settings with no line end', 'GOOSE_MODEL: x'],
    ['settings between marks', '---\nGOOSE_MODEL: x\n...\n'],
    [
      'other extensions',
      'extensions:\n  developer:\n    enabled: true # yes\n    args:\n    - a # b\n    # tail\n  # more here\nother: 1\n',
    ],
    ['deep indentation', 'extensions:\n    developer:\n        enabled: true\n\n\n# end\n'],
    ['empty extensions', 'extensions: {} # none\nother: 1\n'],
    ['extensions that are nothing', 'extensions: # none\nother: 1\n'],
    ['extensions with a comment', 'extensions:\n  # none yet\n\nother: 1\n'],
    ['extensions at the end', 'other: 1\nextensions:'],
    ['extensions on one line', 'extensions: {developer: {enabled: true}} # x\nother: 1\n'],
    ['extensions over lines', 'extensions: {\n  developer: { enabled: true }, # x\n  }\nother: 1\n'],
    ['all on one line', '{ a: 1, b: [x, y] }\n'],
    ['an empty map', '{}\n'],
    [
      'a long text',
      'extensions:\n  a:\n    text: |\n      hello\n\n      # not a comment\n\nother: >-\n  folded\n  text\n\n',
    ],
    ['names and references', 'base: &base\n  a: 1\nextensions:\n  x: *base\n  "quoted key": { <<: *base }\n'],
  ])('%s', (_what, text) => {
    for (const original of dresses(text)) roundTrip('yaml', original, at, value);
  });

  it('is laid out as the rest of the file', () => {
    const text = '# mine\nextensions:\n    developer:\n        enabled: true # yes\nother: 1\n';
    expect(roundTrip('yaml', text, at, value)).toBe(
      '# mine\nextensions:\n    developer:\n        enabled: true # yes\n    repertoire:\n        enabled: true\n        type: stdio\n' +
        '        cmd: /opt/repertoire\n        args:\n            - serve\n            - "--x y"\n        envs: {}\n        timeout: 300\nother: 1\n',
    );
  });

  it('changes only what differs', () => {
    const text =
      'extensions:\n  repertoire:\n    # why\n    cmd: /old # here\n    args: # list\n    - a\n    - b\n    flow: [a]\n    gone: 1\n    empty:\nz: 1\n';
    expect(edited('yaml', text, at, { cmd: '/new', args: ['c'], flow: ['b', 'c'], empty: 1, more: true })).toBe(
      'extensions:\n  repertoire:\n    # why\n    cmd: /new # here\n    args:\n      - c\n    flow: ["b", "c"]\n    empty: 1\n    more: true\nz: 1\n',
    );
  });

  it.each([
    ['a: 1\n\tb: 2\n', 2, /not valid YAML/],
    ['- a\n', 1, /not a map/],
    ['a: 1\n---\nb: 1\n', 2, /more than one/],
    ['x: 1\nextensions: [a]\n', 2, /not a map/],
    ['extensions:\n  a: 1\nextensions:\n  b: 1\n', 3, /twice/],
    ['base: &b\n  a: 1\nextensions: *b\n', 3, /not a map/],
    ['extensions: &b\n  a: 1\nother: *b\n', null, /without changing other parts/],
    ['extensions:\n  a: |+\n    text\n\n', null, /without changing other parts/],
    [`a: ${'['.repeat(3000)}${']'.repeat(3000)}\n`, null, /nested/],
    [`${'? '.repeat(3000)}a\n`, null, /nested/],
    ['a: &a [*a]\n', 1, /itself/],
  ])('is left alone where it is invalid: case %#', (text, line, reason) => {
    expect(editText('yaml', text, [{ at, value: { a: 1 } }])).toEqual({
      ok: false,
      line,
      reason: expect.stringMatching(reason),
    });
  });
});
