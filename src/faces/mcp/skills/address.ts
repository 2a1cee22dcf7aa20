import { SkillError } from '../../../core/errors.ts';
import { oneLine } from '../../../core/text/text.ts';
import type { Address, Addresses } from '../../../registry/addresses.ts';

/** A skill, and a file or folder in it by its path from the skill's folder; `''` is that folder itself. */
export interface Target {
  readonly address: Address;
  readonly path: string;
}

/** The target that a `skill://` address names; null where no such skill exists. */
export function targetOf({ byPath }: Addresses, uri: string): Target | null {
  const parts = partsOf(uri);
  for (const length of [2, 3]) {
    const address = parts.length < length ? undefined : byPath.get(parts.slice(0, length).join('/'));
    if (address !== undefined) return { address, path: parts.slice(length).join('/') };
  }
  return null;
}

/** The decoded parts of an address. Anything that could lead elsewhere than down is refused before it is looked up. */
function partsOf(uri: string): string[] {
  const [, rest] = /^skill:\/\/([^?#\\\s\0-\x1f]+)$/i.exec(String(uri)) ?? [];
  const written = rest?.split('/') ?? [];
  const [authority = ''] = written;
  const parts = written.map(decoded);
  if (rest === undefined || /[@:]/.test(authority) || parts.includes(null)) {
    const hint =
      'An address is written skill://provider/name/path, each part percent-encoded, with no slash at its end.';
    throw new SkillError('not-found', `'${shown(uri)}' is not an address of a skill`, { hint });
  }
  return parts as string[];
}

function decoded(part: string): string | null {
  try {
    const name = decodeURIComponent(part);
    return name === '' || name === '.' || name === '..' || /[/\\\0]/.test(name) ? null : name;
  } catch {
    return null;
  }
}

/** Third-party text in our message, cut where it gets long. */
export function shown(text: string): string {
  const line = oneLine(String(text));
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}
