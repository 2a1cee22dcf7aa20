import { editText } from './edit.ts';
import type { Edit, Format } from './types.ts';

/** The smallest file that has what the edits want: what a person can paste where a file cannot be edited. */
export function snippetOf(format: Format, edits: readonly Edit[]): string {
  const edited = editText(
    format,
    '',
    edits.filter(({ value }) => value !== undefined),
  );
  return edited.ok ? edited.text : '';
}
