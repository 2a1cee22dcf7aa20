import { isObject, type JsonObject } from '../kernel/documents.ts';
import type { Environment } from '../kernel/environment.ts';
import { type Parsed, parsed, problem } from '../kernel/parsed.ts';
import { capabilitiesFrom, capabilityNames, textsOf } from './capabilities.ts';
import type { Capabilities, Grant } from './types.ts';

/** Raised whenever an older program would misread it. */
const version = 1;
const remedy = 'Grant the skill again.';

/** A grant as it is kept: with its capabilities as people write them. */
export function grantJson(grant: Grant): string {
  const { capabilities, withheld } = grant;
  const texts = { capabilities: textsOf(capabilities), ...(withheld && { withheld: textsOf(withheld) }) };
  return `${JSON.stringify({ version, ...grant, ...texts }, null, 2)}\n`;
}

/** A grant that was kept. Whatever is not exactly one is none. */
export function grantFrom(text: string, environment: Environment): Parsed<Grant> {
  const value = jsonOf(text);
  if (value?.['version'] !== version) return problem('is not a valid grant', remedy);
  const { skill, name, digest, files, places, grantedAt } = value;
  const isWhole =
    isText(skill) && isText(name) && isText(digest) && isText(grantedAt) && isTexts(files) && isTexts(places);
  const capabilities = capabilitiesOf(value['capabilities'], environment);
  const withheld = value['withheld'] === undefined ? undefined : capabilitiesOf(value['withheld'], environment);
  if (!isWhole || capabilities === null || withheld === null) return problem('is an incomplete grant', remedy);
  return parsed({ skill, name, digest, files, capabilities, ...(withheld && { withheld }), places, grantedAt });
}

function jsonOf(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isTexts(value: unknown): value is Record<string, string> {
  return isObject(value) && Object.values(value).every(isText);
}

function capabilitiesOf(value: unknown, environment: Environment): Capabilities | null {
  if (!isObject(value)) return null;
  // Grants that were given before limits had to be asked for hold none.
  const lists = capabilityNames.map((name) => [name, value[name] ?? (name === 'limits' ? [] : null)] as const);
  if (!lists.every(([, list]) => Array.isArray(list) && list.every(isText))) return null;
  const capabilities = capabilitiesFrom(Object.fromEntries(lists), environment);
  return capabilities.ok ? capabilities.value : null;
}
