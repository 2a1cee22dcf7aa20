import { positionAt } from '../core/diagnostics.ts';
import { type Around, showHidden } from '../core/hidden.ts';

/** A text of a skill as models are shown it. */
export interface ShownText {
  /** With every hidden character made visible, and nothing else changed. */
  readonly text: string;
  /** What the header says about it, a line each; empty for nearly every text. */
  readonly remarks: readonly string[];
}

/** What a stranger's text would hold to look like a second header of ours. */
const forgedHeader = /^[^\p{L}\p{N}\n]*base directory[ \t]*:/imu;

/** Of a part of a text, what stands around it says what is hidden: a byte order mark is one only where nothing is before. */
export function shownText(raw: string, around?: Around): ShownText {
  const { text, count: number, kinds } = showHidden(raw, around);
  const forged = forgedHeader.exec(text)?.index;
  return {
    text,
    remarks: [
      ...(number === 0 ? [] : [`Hidden characters: ${number} in the text below, shown as in <${kinds[0]}>`]),
      ...(forged === undefined
        ? []
        : [
            `Note: line ${positionAt(text, forged).line} of the text below looks like this header, but is part of the file`,
          ]),
    ],
  };
}
