import { oneLine } from '../../../core/text/text.ts';
import type { Location } from '../../../skill/types.ts';

/** The weight of a UTF-16 unit against a limit; each surrogate of a pair counts half of the character. */
export type Weigh = (unit: number) => number;

export const inCharacters: Weigh = () => 1;

/** Entities for the special characters of XML, so that no text can open or close an element. */
const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** Characters that a unit takes once it is escaped for XML. */
export const inEscapedCharacters: Weigh = (unit) => escapedLengths[unit] ?? 1;

/** Bytes that a unit takes once it is escaped for XML, quoted as JSON and sent as UTF-8. */
export const onTheWire: Weigh = (unit) => {
  if (unit < 0x80) return asciiBytes[unit] ?? 1;
  if (unit < 0x800 || isSurrogate(unit)) return 2;
  return 3;
};

const ascii = Array.from({ length: 0x80 }, (_, unit) => {
  const sign = String.fromCharCode(unit);
  return entities[sign] ?? sign;
});
const asciiBytes = ascii.map(jsonBytes);
const escapedLengths = ascii.map((text) => text.length);

/** Cumulative weights of a text up to each of its units, from nothing to the whole. */
export function weightsOf(text: string, weigh: Weigh): Uint32Array {
  const upTo = new Uint32Array(text.length + 1);
  let weight = 0;
  for (let index = 0; index < text.length; index++) {
    weight += weigh(text.charCodeAt(index));
    upTo[index + 1] = weight;
  }
  return upTo;
}

/** Bytes that a text takes inside a JSON string. */
export function jsonBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text)) - 2;
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}

/** Plain ASCII words with single blanks between them: nearly every name and most descriptions. */
const simple = /^[!-~]+(?: [!-~]+)*$/;

/** Lone surrogates and replacement characters: a run of them becomes one. */
const unreadable = /[\p{Surrogate}\ufffd]+/gu;

/** Makes third-party text safe for models: on one line, with nothing in it that a person could not see. */
export function visibleLine(text: string): string {
  return simple.test(text) ? text : oneLine(text).replace(unreadable, '\ufffd');
}

export function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);
}

/** One skill as the catalogues show it. */
export interface CatalogueEntry {
  /** The name to call it by. */
  readonly name: string;
  readonly description: string;
  readonly location: Location;
}
