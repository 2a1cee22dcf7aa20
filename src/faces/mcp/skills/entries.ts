import { SkillError } from '../../../core/errors.ts';
import { sha256 } from '../../../core/hash.ts';
import { byText } from '../../../core/text/text.ts';
import { createSlicer } from '../../../core/time-slice.ts';
import type { Engine } from '../../../engine/engine.ts';
import type { SkillContent } from '../../../engine/loading/extension.ts';
import { digestsOf } from '../../../engine/manifest.ts';
import { provenanceOf } from '../../../engine/remotes/provenance.ts';
import { type Address, addressesOf, fileUri } from '../../../registry/addresses.ts';
import type { Snapshot } from '../../../registry/snapshot.ts';
import type { Frontmatter } from '../../../skill/types.ts';
import { cursorAfter, indexAfter, keyIn } from '../protocol/paging.ts';
import type { Exclusions } from './exclusions.ts';

/** Describes one skill: its front matter, and every file of it with size and digest. */
export async function entryOf(
  address: Address,
  { frontmatter, main, files }: SkillContent,
  engine: Engine,
): Promise<SkillEntry> {
  const own = { path: 'SKILL.md', size: main.length, digest: `sha256:${sha256(main)}` };
  const all = [own, ...(await digestsOf(address.skill, files))];
  const resources = all.map(({ path, digest, size }) => ({ uri: fileUri(address, path), digest, size }));
  resources.sort((a, b) => byText(a.uri, b.uri));
  return { uri: address.uri, frontmatter, resources, ...provenanceOf(engine, address.skill) };
}

/** The addresses of the skills that models are offered; the others can still be read by their addresses. */
export function offeredAddresses(snapshot: Snapshot): readonly Address[] {
  const offered = new Set(snapshot.shownTo('models'));
  return addressesOf(snapshot).list.filter(({ skill }) => offered.has(skill));
}

/** Yields the addresses behind a cursor whose skills the extension carries, each with its files; in order. */
export async function* carriedAfter(
  list: string,
  snapshot: Snapshot,
  exclusions: Exclusions,
  cursor: string | undefined,
): AsyncGenerator<{ readonly address: Address; readonly content: SkillContent }> {
  const addresses = offeredAddresses(snapshot);
  const slicer = createSlicer();
  for (let next = indexAfter(addresses, uriOf, keyIn(list, cursor)); next < addresses.length; next++) {
    const address = addresses[next] as Address;
    const content = await exclusions.carried(address);
    if (slicer.isDue) await slicer.pause();
    if (content !== null) yield { address, content };
  }
}

function uriOf({ uri }: Address): string {
  return uri;
}

/** Limits of a page, which ends at whichever comes first: its files must be read and hashed before it can be sent. */
const pageLimits = { skills: 50, files: 2000, bytes: 64 * 1024 * 1024 } as const;

/** Returns one page of `skills/list`. */
export async function skillsPage(
  engine: Engine,
  snapshot: Snapshot,
  exclusions: Exclusions,
  cursor: string | undefined,
): Promise<{ skills: SkillEntry[]; nextCursor?: string }> {
  const skills: SkillEntry[] = [];
  let [files, bytes] = [0, 0];
  for await (const { address, content } of carriedAfter('skills', snapshot, exclusions, cursor)) {
    const last = skills.at(-1);
    if (last && (skills.length >= pageLimits.skills || files >= pageLimits.files || bytes >= pageLimits.bytes)) {
      return { skills, nextCursor: cursorAfter('skills', last.uri) };
    }
    const entry = await readableEntry(engine, address, content, exclusions);
    if (entry === null) continue;
    skills.push(entry);
    files += entry.resources.length;
    bytes += entry.resources.reduce((sum, { size }) => sum + size, 0);
  }
  return { skills };
}

/** The entry of a skill, or null: one file that cannot be read must not cost the whole page. */
async function readableEntry(
  engine: Engine,
  address: Address,
  content: SkillContent,
  exclusions: Exclusions,
): Promise<SkillEntry | null> {
  try {
    return await entryOf(address, content, engine);
  } catch (error) {
    if (!(error instanceof SkillError)) throw error;
    exclusions.note(address.skill, error.message);
    return null;
  }
}

/** A resource as lists show it. */
export interface Resource {
  readonly uri: string;
  readonly name: string;
  readonly description?: string;
  readonly mimeType: string;
  readonly size?: number;
}

/** A skill as the extension describes it. */
interface SkillEntry {
  readonly uri: string;
  readonly frontmatter: Frontmatter;
  readonly resources: readonly { readonly uri: string; readonly digest: string; readonly size: number }[];
  /** The servers that it has passed, for a skill of a remote. */
  readonly _meta?: Readonly<Record<string, string | readonly string[]>>;
}
