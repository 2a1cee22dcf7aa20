/** Control characters but for tabs and new lines, and what stands at the beginning of escape sequences. */
const controls = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/;

/** Colours and cursors, titles and links, and any other sequence for a terminal; also where the end is missing. */
const terminalSequences =
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)?|\x1b[ -/]*[0-~]?/g;

/**
 * Decodes the output of a program for a reader without a terminal. Bytes that are not text are replaced. A character
 * that was cut in half at the end is left out.
 */
export function decodeOutput(bytes: Uint8Array): string {
  // Decoded as in the midst of a stream: an incomplete character at the end waits for more, in vain.
  const text = new TextDecoder().decode(bytes, { stream: true });
  return controls.test(text) ? tamed(text) : text;
}

/** Removes an incomplete character from the end, for a caller that reads on from there when the rest of it has come. */
export function wholeCharacters(bytes: Uint8Array): Uint8Array {
  const start = bytes.findLastIndex((byte) => byte < 0x80 || byte >= 0xc0);
  const first = bytes[start] ?? 0;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
  return start + length > bytes.length ? bytes.subarray(0, start) : bytes;
}

function tamed(text: string): string {
  return (
    text
      .replace(terminalSequences, '')
      // Old programs print a letter twice to make it bold.
      .replace(/[^\n\x08]\x08/gu, '')
      // A line that is printed over and over is many lines.
      .replace(/\r+\n/g, '\r\n')
      .replace(/\r(?!\n)|[\x0b\x0c]/g, '\n')
      // Each run is replaced at once: a flood of such bytes would otherwise be a million pieces.
      .replace(/[\x00-\x08\x0e-\x1f\x7f-\x9f]+/g, (run) => '\ufffd'.repeat(run.length))
  );
}
