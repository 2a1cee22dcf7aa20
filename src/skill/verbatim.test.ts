import { describe, expect, it } from 'vitest';
import { verbatimFrontmatter } from './verbatim.ts';

function read(text: string): ReturnType<typeof verbatimFrontmatter> {
  return verbatimFrontmatter(Buffer.from(text));
}

describe('verbatim front matter', () => {
  it.each([
    ['---\nname: a\ndescription: b\n---\n', { name: 'a', description: 'b' }],
    ['\ufeff---\r\nname: a\r\ndescription: "b: c"\r\n---\r\ntext', { name: 'a', description: 'b: c' }],
    [
      '---\nmetadata:\n  a: 1.0\n  b: [x, "y"]\n  c: {d: null}\nz: >\n  folded\n  text\n---',
      {
        metadata: { a: 1, b: ['x', 'y'], c: { d: null } },
        z: 'folded text\n',
      },
    ],
    ['---\n"quoted key": "over\n  two lines"\n--- \n', { 'quoted key': 'over two lines' }],
  ])('is given as it is written: %j', (text, frontmatter) => {
    expect(read(text)).toEqual({ ok: true, frontmatter });
  });

  it.each([
    ['description: a: b', 'not strict YAML'],
    ['a: &x 1\nb: *x', 'an anchor or alias'],
    ['a: &x 1', 'an anchor or alias'],
    ['a: !!str 1', 'a tag'],
    ['a: !own {b: c}', 'a tag'],
    ['a: 1\na: 2', 'a key that appears twice'],
    ['m:\n  a: 1\n  a: 2', 'a key that appears twice'],
    ['m:\n  1: a', 'a key that is not text'],
    ['true: a', 'a key that is not text'],
    ['? [a]\n: b', 'a key that is not text'],
    ['{{name}}: b', 'a key that is not text'],
    ['a: .inf', 'a number that JSON cannot represent'],
    ['a: [.nan]', 'a number that JSON cannot represent'],
    ['__proto__: a', '__proto__'],
    ['- a', 'not strict YAML'],
  ])('is not given where others may read it in another way: %j', (yaml, reason) => {
    const result = read(`---\n${yaml}\n---\n`);
    expect(result).toEqual({ ok: false, reason: expect.stringContaining(reason) });
  });

  it.each([
    '',
    'text',
    '\n---\na: b\n---\n',
    '--- \na: b\n---\n',
    '---yaml\na: b\n---\n',
    '---\ra: b\r---\r',
    '---\na: b\n',
  ])('is not given where it is not at the start of the file: %j', (text) => expect(read(text).ok).toBe(false));

  it('is not given where the bytes are not text', () => {
    expect(verbatimFrontmatter(Buffer.from([0x2d, 0x2d, 0x2d, 0x0a, 0xff]))).toEqual({
      ok: false,
      reason: 'the file is not UTF-8',
    });
  });
});
