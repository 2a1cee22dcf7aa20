import { memoized } from '../core/maps.ts';
import { byText } from '../core/text/text.ts';
import { calledName, hasOwnName } from '../skill/name.ts';
import type { Skill } from '../skill/types.ts';
import type { Snapshot } from './snapshot.ts';

/** The place of a skill among `skill://` addresses. */
export interface Address {
  readonly skill: Skill;
  /** The address of its folder: `skill://claude/pdf`. */
  readonly root: string;
  /** The address of its SKILL.md, whatever the letter case on disk. */
  readonly uri: string;
  /** The decoded parts of `root`, with `/` between them. */
  readonly path: string;
}

export interface Addresses {
  /** All addresses, in order. */
  readonly list: readonly Address[];
  readonly byPath: ReadonlyMap<string, Address>;
  /** Skills whose address another one has already. */
  readonly homeless: readonly Skill[];
}

/** The addresses of all visible skills. */
export const addressesOf = memoized(({ visible }: Snapshot): Addresses => assign(visible));

/** The address of one file of a skill. */
export function fileUri({ root }: Address, path: string): string {
  return `${root}/${encodePath(path)}`;
}

/** The address that a skill would have if it were alone. */
export function plainAddress(skill: Skill): Address {
  return addressAt(skill, pathIn(skill.pluginName, skill));
}

/**
 * Assigns addresses, to skills outside of plugins first, so that a plugin named like one of them cannot seem to be its
 * folder.
 */
function assign(visible: readonly Skill[]): Addresses {
  const byPath = new Map<string, Address>();
  const homeless: Skill[] = [];
  const isFree = ({ path }: Address): boolean => {
    return !byPath.has(path) && !byPath.has(path.slice(0, path.lastIndexOf('/')));
  };
  const [inPlugins, others] = [
    visible.filter((skill) => skill.plugin !== null),
    visible.filter((skill) => skill.plugin === null),
  ];
  for (const skill of [...others, ...inPlugins]) {
    const address = spellingsOf(skill).find(isFree);
    if (address === undefined) homeless.push(skill);
    else byPath.set(address.path, address);
  }
  return { list: [...byPath.values()].sort((a, b) => byText(a.uri, b.uri)), byPath, homeless };
}

/**
 * The possible addresses: `claude/example/pdf`, or `claude/example@market/pdf` where two marketplaces have a plugin of
 * that name.
 */
function spellingsOf(skill: Skill): Address[] {
  const withMarket = skill.plugin?.includes('@') ? [addressAt(skill, pathIn(skill.plugin, skill))] : [];
  return [plainAddress(skill), ...withMarket];
}

/**
 * The path of an address. It ends with the skill's own name; if the skill goes by its folder's name, that stands before
 * it.
 */
function pathIn(plugin: string | null, skill: Skill): string {
  const folder = hasOwnName(skill) ? [] : [calledName(skill)];
  return [skill.provider, ...(plugin === null ? [] : [plugin]), ...folder, skill.name].join('/');
}

function addressAt(skill: Skill, path: string): Address {
  const root = `skill://${encodePath(path)}`;
  return { skill, root, uri: `${root}/SKILL.md`, path };
}

/**
 * Encodes a path. Nearly all can stand as they are, and there may be very many. Half a surrogate pair cannot be encoded
 * at all.
 */
function encodePath(path: string): string {
  if (/^[\w./-]*$/.test(path)) return path;
  return path
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .split('/')
    .map(encodeURIComponent)
    .join('/');
}
