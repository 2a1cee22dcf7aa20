import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRepertoire } from '../../src/index.ts';

interface Query {
  readonly query: string;
  readonly relevant: readonly string[];
  readonly kind: string;
}

interface Trigger {
  readonly query: string;
  readonly should_match?: readonly string[];
  readonly should_not_match?: readonly string[] | '*';
}

/** The benches are plain JavaScript without declarations, so what is used of them is typed here. */
interface EvaluationSet {
  readonly writeCatalogue: (folder: string) => readonly string[];
  readonly readQueries: () => readonly Query[];
  readonly readTriggers: () => readonly Trigger[];
}

const project = fileURLToPath(new URL('../..', import.meta.url));
const base = mkdtempSync(join(tmpdir(), 'repertoire-evaluation-'));
const [first, second] = [join(base, 'first'), join(base, 'second')];
const examples = readdirSync(join(project, 'skills'));

/** The fewest queries of each kind that a figure can still be read from. */
const kinds = { para: 90, short: 25, long: 20, typo: 20, zh: 20, de: 15, es: 12, ja: 8, off: 12 };

async function load(): Promise<EvaluationSet> {
  const parts = await Promise.all(
    ['catalogue.mjs', 'questions.mjs'].map(
      (file) => import(new URL(`../../bench/search/${file}`, import.meta.url).href),
    ),
  );
  return Object.assign({}, ...parts) as EvaluationSet;
}

let names: readonly string[] = [];
let queries: readonly Query[] = [];
let triggers: readonly Trigger[] = [];

beforeAll(async () => {
  const set = await load();
  names = set.writeCatalogue(first);
  set.writeCatalogue(second);
  queries = set.readQueries();
  triggers = set.readTriggers();
});

afterAll(() => rmSync(base, { recursive: true, force: true }));

function contents(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder).map((name) => [name, readFileSync(join(folder, name, 'SKILL.md'), 'utf8')]),
  );
}

const repeated = (list: readonly string[]): string[] => list.filter((item, index) => list.indexOf(item) !== index);

describe('the evaluation set of the search', () => {
  it('has a catalogue of unique names, the examples among them', () => {
    expect(repeated([...names, ...examples])).toEqual([]);
    expect(names.length).toBeGreaterThan(400);
    expect(readdirSync(first).sort()).toEqual([...names].sort());
  });

  it('writes the same catalogue every time', () => {
    expect(contents(second)).toEqual(contents(first));
  });

  it('contains skills that the registry reads without a diagnostic', async () => {
    const { skills, diagnostics } = await createRepertoire({
      autoRefresh: false,
      cwd: base,
      home: join(base, 'home'),
      env: { XDG_CACHE_HOME: join(base, 'cache') },
      skillDirs: [first],
    }).list();
    expect(diagnostics).toEqual([]);
    expect(skills.length).toBe(names.length);
  });

  it('labels queries and triggers with skills that exist', () => {
    const known = new Set([...names, ...examples]);
    const labels = [
      ...queries.flatMap(({ relevant }) => relevant),
      ...triggers.flatMap((trigger) => trigger.should_match ?? []),
      ...triggers.flatMap(({ should_not_match: names = [] }) => (names === '*' ? [] : names)),
    ];
    expect(labels.filter((label) => !known.has(label))).toEqual([]);
  });

  it('has enough queries of every kind, and asks nothing twice', () => {
    const counts = Object.entries(kinds).map(([kind, least]) => ({
      kind,
      enough: queries.filter((query) => query.kind === kind).length >= least,
    }));
    expect(counts).toEqual(Object.keys(kinds).map((kind) => ({ kind, enough: true })));
    expect(queries.filter(({ kind }) => !(kind in kinds))).toEqual([]);
    expect(repeated([...queries, ...triggers].map(({ query }) => query.trim().toLowerCase()))).toEqual([]);
  });

  it('labels everything but what is off topic', () => {
    expect(queries.filter(({ kind, relevant }) => (kind === 'off') !== (relevant.length === 0))).toEqual([]);
    expect(queries.filter(({ relevant }) => repeated(relevant).length > 0)).toEqual([]);
  });

  it('asks for each of the example skills in several ways', () => {
    const asked = examples.map((name) => queries.filter(({ relevant }) => relevant.includes(name)).length);
    expect(Math.min(...asked)).toBeGreaterThanOrEqual(5);
  });

  it('has triggers of every form', () => {
    const stars = triggers.filter((trigger) => trigger.should_not_match === '*');
    const matching = triggers.filter((trigger) => trigger.should_match !== undefined);
    expect(Math.min(stars.length, matching.length, triggers.length - stars.length - matching.length)).toBeGreaterThan(
      2,
    );
  });
});
