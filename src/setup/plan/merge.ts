import type { Entry, Values } from '../agents/types.ts';
import type { Edit, Json } from '../edit/types.ts';
import { isMap, isSame } from '../edit/values.ts';

/** What must change for an entry to say what it should. None where it does already. */
export function editsFor(at: readonly string[], existing: Json | undefined, entry: Entry): readonly Edit[] {
  if (!isMap(existing)) return [{ at, value: { ...entry.set, ...entry.defaults } }];
  const keys = [...entry.drop.filter((key) => key in existing), ...contradicting(existing, entry)];
  const dropped = keys.map((key) => [key, undefined] as const);
  const set = Object.entries(entry.set)
    .map(([key, value]) => [key, joined(existing[key], value)] as const)
    .filter(([key, value]) => !isSame(existing[key], value));
  const missing = Object.entries(entry.defaults).filter(([key]) => !(key in existing));
  return [...dropped, ...set, ...missing].map(([key, value]) => ({ at: [...at, key], value }));
}

/** What names the other way to connect, in the words of some file or other. */
function contradicting(existing: Values, { kind, set }: Entry): readonly string[] {
  return ['type', 'transport'].filter((key) => {
    const said = existing[key];
    const isProcess = said === 'stdio' || said === 'local';
    return typeof said === 'string' && !(key in set) && isProcess !== (kind === 'process');
  });
}

/** Headers that somebody has added stay beside ours. */
function joined(existing: Json | undefined, value: Json): Json {
  return isMap(existing) && isMap(value) ? { ...existing, ...value } : value;
}

/** The entry after all of the edits, as one value: for files in which single keys cannot be reached. */
export function wholeEntry(existing: Json | undefined, edits: readonly Edit[]): Json | undefined {
  if (!isMap(existing)) return edits[0]?.value;
  const changed = new Map(edits.map(({ at, value }) => [at.at(-1) ?? '', value]));
  const kept = Object.entries(existing).map(([key, value]) => [key, changed.has(key) ? changed.get(key) : value]);
  const added = [...changed].filter(([key]) => !(key in existing));
  return Object.fromEntries([...kept, ...added].filter(([, value]) => value !== undefined)) as Values;
}
