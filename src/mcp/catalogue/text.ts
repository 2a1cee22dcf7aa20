import { oneLine } from '../../kernel/text.ts';

/** Plain words, one blank between two: nearly every name and most descriptions. */
const simple = /^[!-~]+(?: [!-~]+)*$/;

/**
 * Halves of characters, and characters that show nothing yet can carry a message to a model. The joiners and selectors
 * of scripts and emoji are spared while they come one or two at a time.
 */
const hidden =
  /\p{Default_Ignorable_Code_Point}{3,}|(?!\u200c|\u200d|\ufe0e|\ufe0f)\p{Default_Ignorable_Code_Point}|\p{Surrogate}/gu;

/** Text of strangers, for models: on one line, with nothing in it that a person could not see. */
export function visibleLine(text: string): string {
  return simple.test(text) ? text : oneLine(text).replace(hidden, '\ufffd');
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
