import { basename } from 'node:path';
import { knownObstacle } from '../../../engine/loading/extension.ts';
import { type Address, fileUri } from '../../../registry/addresses.ts';
import { filesOf } from '../../../skill/files.ts';
import { indexAfter } from '../protocol/paging.ts';

/** Completions in the shape that the protocol gives them. */
export interface Completion {
  readonly values: readonly string[];
  readonly hasMore: boolean;
}

/** Number of completions that the protocol allows in one answer. */
const most = 100;

/** The first of the values, and whether there are more. */
export function completionOf(values: readonly string[]): Completion {
  return { values: values.slice(0, most), hasMore: values.length > most };
}

const scheme = 'skill://';

/** Completes a path in the place of `{+path}`: to skills, and below a skill to its files. */
export function completePath(list: readonly Address[], prefix: string): Completion {
  const start = scheme + prefix;
  const uris: string[] = [];
  for (let next = firstFrom(list, start); list[next]?.uri.startsWith(start); next++) {
    const { uri, skill } = list[next] as Address;
    if (knownObstacle(skill) === null) uris.push(uri);
    if (uris.length > most) break;
  }
  const files = list.filter(({ root }) => start === root || start.startsWith(`${root}/`)).flatMap(fileUris);
  const all = new Set([...uris, ...files.filter((uri) => uri.startsWith(start))]);
  return completionOf([...all].map((uri) => uri.slice(scheme.length)));
}

/** The index of the first address that does not sort before this text. */
function firstFrom(list: readonly Address[], start: string): number {
  const after = indexAfter(list, ({ uri }) => uri, start);
  return list[after - 1]?.uri === start ? after - 1 : after;
}

function fileUris(address: Address): string[] {
  const { id, file } = address.skill;
  return filesOf(id, basename(file)).files.map(({ path }) => fileUri(address, path));
}
