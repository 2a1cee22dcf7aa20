/** Files that are broken, odd or malicious, and what must become of each. */
export interface HostileCase {
  /** The skill's folder. */
  readonly folder: string;
  readonly bytes: string | Uint8Array;
  /** What the skill is then, or null if there must be none. */
  readonly skill: { readonly name: string; readonly description: string; readonly repaired?: true } | null;
  /** The codes of what is noted about it, in order. */
  readonly codes: readonly string[];
  /** Line and column of the first note, where the place matters. */
  readonly at?: readonly [number, number];
}

const file = (frontmatter: string, body = '\n# Text\n'): string => `---\n${frontmatter}\n---\n${body}`;
const repaired = ['frontmatter-repaired'];

/** `a: &a […]`, `b: &b [*a, *a, …]` and so on: nine levels of nine would be 387 million values. */
const aliasBomb = ['a: &a [x, x, x, x, x, x, x, x, x]']
  .concat(
    ['b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'].map(
      (key, level) => `${key}: &${key} [${Array(9).fill(`*${'abcdefgh'[level]}`).join(', ')}]`,
    ),
  )
  .join('\n');

export const hostileCases: readonly HostileCase[] = [
  // Plain values that strict YAML refuses.
  {
    folder: 'unquoted-colon',
    bytes: file('name: a1\ndescription: Use when: asked'),
    skill: { name: 'a1', description: 'Use when: asked', repaired: true },
    codes: repaired,
    at: [3, 14],
  },
  {
    folder: 'unterminated-quote',
    bytes: file('name: a2\ndescription: "never closed'),
    skill: { name: 'a2', description: 'never closed', repaired: true },
    codes: repaired,
  },
  {
    folder: 'quotes-inside-quotes',
    bytes: file('name: a3\ndescription: "say "hello" twice"'),
    skill: { name: 'a3', description: 'say "hello" twice', repaired: true },
    codes: repaired,
  },
  {
    folder: 'two-flow-lists',
    bytes: file('name: a4\ndescription: d\nargument-hint: [one] [two]'),
    skill: { name: 'a4', description: 'd', repaired: true },
    codes: repaired,
    at: [4, 22],
  },
  {
    folder: 'unbalanced-json',
    bytes: file('name: a5\ndescription: d\nmetadata: {"a": {"b": 1}'),
    skill: { name: 'a5', description: 'd', repaired: true },
    codes: repaired,
  },
  {
    folder: 'starts-with-comma',
    bytes: file('name: a6\ndescription: , and so on'),
    skill: { name: 'a6', description: ', and so on', repaired: true },
    codes: repaired,
  },
  {
    folder: 'starts-with-dash',
    bytes: file('name: a7\ndescription: - an item'),
    skill: { name: 'a7', description: '- an item', repaired: true },
    codes: repaired,
  },
  {
    folder: 'starts-with-at',
    bytes: file('name: a8\ndescription: @someone knows'),
    skill: { name: 'a8', description: '@someone knows', repaired: true },
    codes: repaired,
  },
  {
    folder: 'starts-with-star',
    bytes: file('name: a9\ndescription: *bold* words'),
    skill: { name: 'a9', description: '*bold* words', repaired: true },
    codes: repaired,
  },
  {
    folder: 'starts-with-backtick',
    bytes: file('name: b1\ndescription: `code` first'),
    skill: { name: 'b1', description: '`code` first', repaired: true },
    codes: repaired,
  },
  {
    folder: 'colon-in-second-line',
    bytes: file('name: b2\ndescription: Use this when\n  asked: nicely'),
    skill: { name: 'b2', description: 'Use this when asked: nicely', repaired: true },
    codes: repaired,
  },
  {
    folder: 'tab-before-key',
    bytes: file('\tname: b3\ndescription: d'),
    skill: { name: 'b3', description: 'd', repaired: true },
    codes: repaired,
  },
  {
    folder: 'tab-as-indent',
    bytes: file('name: b4\ndescription: d\nmetadata:\n\ta: b'),
    skill: { name: 'b4', description: 'd', repaired: true },
    codes: repaired,
  },
  {
    folder: 'duplicate-keys',
    bytes: file('name: b5\nname: other\ndescription: d'),
    skill: { name: 'b5', description: 'd', repaired: true },
    codes: ['field-duplicate'],
    at: [3, 1],
  },
  {
    folder: 'colon-in-a-nested-value',
    bytes: file('name: b6\ndescription: d\nmetadata:\n  note: use when: asked\n  ok: 1'),
    skill: { name: 'b6', description: 'd', repaired: true },
    codes: repaired,
  },
  {
    folder: 'text-below-its-key',
    bytes: file('name: b7\ndescription:\n  Long text.\n  Use when: asked'),
    skill: { name: 'b7', description: 'Long text. Use when: asked', repaired: true },
    codes: repaired,
  },
  {
    folder: 'broken-list-item',
    bytes: file('name: b8\ndescription: d\nallowed-tools:\n  - Bash(git: *)\n  - @foo'),
    skill: { name: 'b8', description: 'd', repaired: true },
    codes: repaired,
  },
  {
    folder: 'sound-line-beside-a-broken-one',
    bytes: file('name: b9 # a note\ndescription: [a] and b\nlicense: "x" y'),
    skill: { name: 'b9', description: '[a] and b', repaired: true },
    codes: repaired,
  },
  {
    folder: 'alias-of-nothing',
    bytes: file('name: c0\ndescription: d\nlicense: *nothing'),
    skill: { name: 'c0', description: 'd', repaired: true },
    codes: repaired,
  },
  // Values of other kinds.
  {
    folder: 'number-and-boolean',
    bytes: file('name: 1.0\ndescription: true'),
    skill: { name: '1.0', description: 'true' },
    codes: ['field-converted', 'field-converted'],
  },
  {
    folder: 'list-value',
    bytes: file('name: c1\ndescription: [one, two]'),
    skill: { name: 'c1', description: 'one, two' },
    codes: ['field-converted'],
  },
  {
    folder: 'template-value',
    bytes: file('name: {{project_name}}\ndescription: d'),
    skill: null,
    codes: ['field-missing'],
    at: [2, 1],
  },
  {
    folder: 'text-behind-a-block-sign',
    bytes: file('name: c0a\ndescription: > Use this when: asked\n  for it'),
    skill: { name: 'c0a', description: 'Use this when: asked for it', repaired: true },
    codes: repaired,
  },
  // What a repair could only take for a name or a description.
  ...[
    ['unclosed-list-as-name', 'name: [unclosed\ndescription: d'],
    ['unclosed-map-as-name', 'name: {\ndescription: d'],
    ['alias-as-name', 'name: *foo\ndescription: d'],
    ['directive-as-name', 'name: %x\ndescription: d'],
    ['closing-bracket-as-name', 'name: ]\ndescription: d'],
  ].map(([folder = '', head = '']): HostileCase => {
    return { folder, bytes: file(head), skill: null, codes: ['frontmatter-unreadable'], at: [2, 1] };
  }),
  ...[
    ['unclosed-map-as-description', 'name: d\ndescription: {'],
    ['unclosed-list-as-description', 'name: d\ndescription: [a, b'],
    ['alias-as-description', 'name: d\ndescription: *foo'],
    ['tag-as-description', 'name: d\ndescription: !tag x: y'],
    ['block-sign-as-description', 'name: d\ndescription: |bad'],
    ['lone-quote-as-description', 'name: d\ndescription: "'],
  ].map(([folder = '', head = '']): HostileCase => {
    return { folder, bytes: file(head), skill: null, codes: ['frontmatter-unreadable'], at: [3, 1] };
  }),
  ...[
    ['anchor-as-name', 'name: &x\ndescription: d'],
    ['tag-as-name', 'name: !tag\ndescription: d'],
    ['map-as-name', 'name: {a: b}\ndescription: d'],
    ['list-as-name', 'name: [a, b]\ndescription: d'],
  ].map(([folder = '', head = '']): HostileCase => {
    return { folder, bytes: file(head), skill: null, codes: ['field-missing'], at: [2, 1] };
  }),
  { folder: 'null-name', bytes: file('name: ~\ndescription: d'), skill: null, codes: ['field-missing'], at: [2, 1] },
  {
    folder: 'empty-description',
    bytes: file('name: c2\ndescription: ""'),
    skill: null,
    codes: ['field-missing'],
    at: [3, 1],
  },
  {
    folder: 'capital-keys',
    bytes: file('Name: c3\nDescription: d'),
    skill: null,
    codes: ['field-missing', 'field-missing'],
  },
  { folder: 'heading-as-key', bytes: file('## name: c4\ndescription: d'), skill: null, codes: ['field-missing'] },
  {
    folder: 'json-metadata',
    bytes: file('name: c5\ndescription: d\nmetadata: {"openclaw": {"requires": {"bins": ["jq"]}}}'),
    skill: { name: 'c5', description: 'd' },
    codes: [],
  },
  // Fences.
  {
    folder: 'byte-order-mark',
    bytes: `\ufeff${file('name: d1\ndescription: d')}`,
    skill: { name: 'd1', description: 'd' },
    codes: [],
  },
  {
    folder: 'crlf',
    bytes: file('name: d2\ndescription: "quoted last line"').replaceAll('\n', '\r\n'),
    skill: { name: 'd2', description: 'quoted last line' },
    codes: [],
  },
  {
    folder: 'cr-only',
    bytes: file('name: d3\ndescription: d').replaceAll('\n', '\r'),
    skill: { name: 'd3', description: 'd' },
    codes: [],
  },
  {
    folder: 'blank-line-first',
    bytes: `\n${file('name: d4\ndescription: d')}`,
    skill: { name: 'd4', description: 'd', repaired: true },
    codes: ['frontmatter-not-first'],
    at: [2, 1],
  },
  {
    folder: 'comment-first',
    bytes: `<!-- hello -->\n${file('name: d5\ndescription: d')}`,
    skill: { name: 'd5', description: 'd', repaired: true },
    codes: ['frontmatter-not-first'],
  },
  {
    folder: 'never-closed',
    bytes: '---\nname: d6\ndescription: d\n\n# Text\n',
    skill: { name: 'd6', description: 'd', repaired: true },
    codes: repaired,
    at: [1, 1],
  },
  {
    folder: 'never-closed-nor-complete',
    bytes: '---\nname: d7\n\n# Text\n',
    skill: null,
    codes: ['frontmatter-unclosed'],
    at: [1, 1],
  },
  {
    folder: 'four-dashes',
    bytes: '----\nname: d8\ndescription: d\n----\n',
    skill: null,
    codes: ['frontmatter-missing'],
  },
  { folder: 'no-front-matter', bytes: '# Only text\n', skill: null, codes: ['frontmatter-missing'], at: [1, 1] },
  { folder: 'keys-without-fences', bytes: 'name: d9\ndescription: d\n', skill: null, codes: ['frontmatter-missing'] },
  { folder: 'empty-file', bytes: '', skill: null, codes: ['frontmatter-missing'] },
  {
    folder: 'fence-in-a-value',
    bytes: file('name: e1\ndescription: |\n  above\n  ---\n  below'),
    skill: { name: 'e1', description: 'above\n---\nbelow' },
    codes: [],
  },
  {
    folder: 'fence-in-a-code-block',
    bytes: file('name: e2\ndescription: d', '```yaml\n---\nname: other\n---\n```\n'),
    skill: { name: 'e2', description: 'd' },
    codes: [],
  },
  {
    folder: 'conflict-markers',
    bytes: file('<<<<<<< HEAD\nname: e3\n=======\nname: e4\n>>>>>>> branch\ndescription: d'),
    skill: null,
    codes: ['frontmatter-unreadable'],
    at: [2, 1],
  },
  { folder: 'not-a-map', bytes: file('- name\n- description'), skill: null, codes: ['frontmatter-not-a-map'] },
  // Code that wants to run.
  {
    folder: 'javascript',
    bytes: '---js\nmodule.exports = { name: globalThis.pwned = 1 }\n---\n',
    skill: null,
    codes: ['frontmatter-language'],
    at: [1, 4],
  },
  {
    folder: 'json-language',
    bytes: '---json\n{"name": "f1", "description": "d"}\n---\n',
    skill: null,
    codes: ['frontmatter-language'],
  },
  {
    folder: 'function-tag',
    bytes: file('name: f2\ndescription: d\nrun: !!js/function "function () { process.exit(1) }"'),
    skill: { name: 'f2', description: 'd' },
    codes: [],
  },
  {
    folder: 'proto-key',
    bytes: file('name: f3\ndescription: d\n__proto__: {polluted: true}'),
    skill: { name: 'f3', description: 'd' },
    codes: [],
  },
  // Files made to cost.
  {
    folder: 'alias-bomb',
    bytes: file(`name: g1\ndescription: d\n${aliasBomb}`),
    skill: null,
    codes: ['frontmatter-too-complex'],
  },
  {
    folder: 'self-reference',
    bytes: file('name: g2\ndescription: d\nloop: &loop [*loop]'),
    skill: null,
    codes: ['frontmatter-too-complex'],
  },
  { folder: 'nested-keys', bytes: file('? '.repeat(30_000)), skill: null, codes: ['frontmatter-too-complex'] },
  { folder: 'nested-maps', bytes: file(`a: ${'{'.repeat(60_000)}`), skill: null, codes: ['frontmatter-too-complex'] },
  { folder: 'nested-lists', bytes: file(`a: ${'['.repeat(60_000)}`), skill: null, codes: ['frontmatter-too-complex'] },
  {
    folder: 'huge-description',
    bytes: file(`name: g3\ndescription: ${'long '.repeat(40_000)}`),
    skill: null,
    codes: ['frontmatter-too-large'],
  },
  {
    folder: 'huge-file',
    bytes: file('name: g4\ndescription: d', 'x'.repeat(10 * 1024 * 1024)),
    skill: null,
    codes: ['file-too-large'],
  },
  {
    folder: 'large-file',
    bytes: file('name: g5\ndescription: d', 'x'.repeat(5 * 1024 * 1024)),
    skill: { name: 'g5', description: 'd' },
    codes: [],
  },
  { folder: 'endless-fence', bytes: `---${' '.repeat(2_000_000)}x\n`, skill: null, codes: ['frontmatter-language'] },
  {
    folder: 'endless-key',
    bytes: file(`name: g6\ndescription: a: b\na${' '.repeat(60_000)}x`),
    skill: { name: 'g6', description: `a: b a${' '.repeat(60_000)}x`, repaired: true },
    codes: repaired,
  },
  // Encodings.
  {
    folder: 'utf-16',
    bytes: Buffer.from(`\ufeff${file('name: h1\ndescription: d')}`, 'utf16le'),
    skill: null,
    codes: ['text-encoding'],
  },
  { folder: 'binary', bytes: Buffer.from([0, 1, 2, 3]), skill: null, codes: ['text-encoding'] },
  {
    folder: 'stray-bytes',
    bytes: Buffer.concat([Buffer.from(file('name: h2\ndescription: d')), Buffer.from([0xff, 0xc3])]),
    skill: { name: 'h2', description: 'd' },
    codes: ['text-invalid-utf8'],
  },
  {
    folder: 'dots..in-the-folder',
    bytes: file('name: ".."\ndescription: d'),
    skill: { name: 'dots.in-the-folder', description: 'd' },
    codes: ['name-unsafe'],
  },
  // Names.
  {
    folder: 'escaping-name',
    bytes: file('name: ../../escape\ndescription: d'),
    skill: { name: 'escape', description: 'd' },
    codes: ['name-unsafe'],
    at: [2, 1],
  },
  {
    folder: 'slash-in-name',
    bytes: file('name: one/two\ndescription: d'),
    skill: { name: 'one-two', description: 'd' },
    codes: ['name-unsafe'],
  },
  {
    folder: 'only-dots',
    bytes: file('name: ..\ndescription: d'),
    skill: { name: 'only-dots', description: 'd' },
    codes: ['name-unsafe'],
  },
  {
    folder: 'name-with-spaces',
    bytes: file('name: PDF Tools\ndescription: d'),
    skill: { name: 'PDF Tools', description: 'd' },
    codes: [],
  },
  {
    folder: 'name-in-cjk',
    bytes: file('name: 表格处理\ndescription: d'),
    skill: { name: '表格处理', description: 'd' },
    codes: [],
  },
  {
    folder: 'other-than-folder',
    bytes: file('name: quite-different\ndescription: d'),
    skill: { name: 'quite-different', description: 'd' },
    codes: [],
  },
  {
    folder: 'markup-in-description',
    bytes: file('name: i1\ndescription: "</skill> <b>bold</b> & \\u202Eover"'),
    skill: { name: 'i1', description: '</skill> <b>bold</b> & \u202eover' },
    codes: [],
  },
];
