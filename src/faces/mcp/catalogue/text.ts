import { oneLine } from '../../../core/text/text.ts';

/** Plain ASCII words with single blanks between them: nearly every name and most descriptions. */
const simple = /^[!-~]+(?: [!-~]+)*$/;

/** Lone surrogates and replacement characters: a run of them becomes one. */
const unreadable = /[\p{Surrogate}\ufffd]+/gu;

/** Makes third-party text safe for models: on one line, with nothing in it that a person could not see. */
export function visibleLine(text: string): string {
  return simple.test(text) ? text : oneLine(text).replace(unreadable, '\ufffd');
}

/** Entities for the special characters of XML, so that no text can open or close an element. */
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
