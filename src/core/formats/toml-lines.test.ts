import fc from 'fast-check';
import { parse, stringify } from 'smol-toml';
import { expect, it } from 'vitest';
import { lineOfKey, placeOfKey } from './toml-lines.ts';

const text = `# skill = 1
top = 1
[skill]
runtime = "native" # timeout = 3
text = """
timeout = 1
"""
 timeout = "30s"
"quoted key".'and = this' = 2
[capabilities]
network = [
  "a.example", # network = []
  'b.example',
]
[tools.get]
parameters.resource = { type = "string", enum = ["a", { deep = 1 }] }
[[tools.list]]
name = "first"
[[tools.list]]
name = "second"
[tools.list.more]
key = 1
`;

it.each([
  [['top'], 2],
  [['skill'], 3],
  [['skill', 'runtime'], 4],
  [['skill', 'timeout'], 8],
  [['skill', 'quoted key', 'and = this'], 9],
  [['capabilities', 'network'], 11],
  [['capabilities', 'network', 0], 12],
  [['capabilities', 'network', 1], 13],
  [['tools', 'get'], 15],
  [['tools', 'get', 'parameters', 'resource', 'type'], 16],
  [['tools', 'get', 'parameters', 'resource', 'enum', 1, 'deep'], 16],
  [['tools', 'list', 0, 'name'], 18],
  [['tools', 'list', 1, 'name'], 20],
  [['tools', 'list', 1, 'more', 'key'], 22],
  // A missing key is looked for where it should stand.
  [['skill', 'version'], 3],
  [['nowhere'], null],
])('the TOML key %j is found on line %j', (path, line) => {
  expect(lineOfKey(text, path)).toBe(line);
});

it('the column of a TOML key is found', () => {
  expect(placeOfKey(text, ['skill', 'timeout'])).toEqual({ line: 8, column: 2 });
  expect(placeOfKey(text, ['tools', 'get', 'parameters', 'resource', 'type'])).toEqual({ line: 16, column: 25 });
});

const key = fc.oneof(fc.constantFrom('a', 'b', 'network'), fc.string({ minLength: 1, maxLength: 6 }));
const leaf = fc.oneof(fc.string({ maxLength: 12 }), fc.integer({ min: -9, max: 9 }), fc.boolean());
const document = fc.letrec((tie) => ({
  any: fc.oneof({ maxDepth: 3 }, leaf, fc.array(leaf, { maxLength: 3 }), tie('list'), tie('table')),
  list: fc.array(tie('table'), { maxLength: 3 }),
  table: fc.dictionary(key, tie('any'), { maxKeys: 4 }),
})).table;

function pathsIn(value: unknown, path: (string | number)[] = []): (string | number)[][] {
  if (typeof value !== 'object' || value === null) return [path];
  const entries: [string | number, unknown][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [...(path.length > 0 ? [path] : []), ...entries.flatMap(([one, item]) => pathsIn(item, [...path, one]))];
}

it('every TOML key that a parser finds has a line that contains it', () => {
  fc.assert(
    fc.property(document, (value) => {
      const written = stringify(value as Record<string, unknown>);
      const lines = written.split('\n');
      for (const path of pathsIn(parse(written))) {
        const line = lineOfKey(written, path);
        expect(line).not.toBeNull();
        const last = path.findLast((part) => typeof part === 'string') ?? '';
        expect(lines[(line ?? 0) - 1]).toContain(/^[\w-]+$/.test(last) ? last : '"');
      }
    }),
    { numRuns: 300 },
  );
});

it('looking up TOML lines ends on any text', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('[', ']', '{', '}', '=', '"', "'", 'a', '.', '\n', '#', ',', '\\')),
      (parts) => {
        expect(() => lineOfKey(parts.join(''), ['a', 0])).not.toThrow();
      },
    ),
    { numRuns: 500 },
  );
});

it.each(['a', '\\"a', '\n', '# " [\n', '""x'])('a long text of %j is walked over', (part) => {
  const long = part.repeat(300_000);
  expect(lineOfKey(`x = """${long}"""\ny = 1\n`, ['y'])).toBe(long.split('\n').length + 1);
});
