import { positionAt } from '../kernel/diagnostics.ts';
import { type Shown, showHidden } from '../kernel/hidden.ts';

/** A text of a skill as models are shown it. */
export interface ShownText {
  /** With every hidden character made visible, and nothing else changed. */
  readonly text: string;
  /** What the header says about it, a line each; empty for nearly every text. */
  readonly remarks: readonly string[];
}

/** What a stranger's text would hold to look like a second header of ours. */
const forgedHeader = /^[^\p{L}\p{N}\n]*base directory[ \t]*:/imu;

/** A byte order mark is one only at the start of a file. */
export function shownText(raw: string, isStart = true): ShownText {
  const { text, count: number, kinds } = isStart ? showHidden(raw) : withoutMark(raw);
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

function withoutMark(raw: string): Shown {
  const shown = showHidden(`\n${raw}`);
  return { ...shown, text: shown.text.slice(1) };
}
