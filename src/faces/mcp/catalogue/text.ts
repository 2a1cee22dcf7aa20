import { oneLine } from '../../../core/text.ts';

/** Plain words, one blank between two: nearly every name and most descriptions. */
const simple = /^[!-~]+(?: [!-~]+)*$/;

/** Halves of characters, and signs that stand for something unreadable: of a run of them, one says it all. */
const unreadable = /[\p{Surrogate}\ufffd]+/gu;

/** Text of strangers, for models: on one line, with nothing in it that a person could not see. */
export function visibleLine(text: string): string {
  return simple.test(text) ? text : oneLine(text).replace(unreadable, '\ufffd');
}

/** What the signs of XML become, so that no text can open or close an element. */
export const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

export function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);
}
