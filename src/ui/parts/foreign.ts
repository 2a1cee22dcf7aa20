// Controls other than tab and line feed, and characters that turn the direction of what follows them.
const disturbing = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

/** Text of strangers as it may be shown: whatever would disturb the text around it can be seen, and does nothing. */
export function foreign(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(disturbing, '\ufffd');
}

/** The same, of no more characters than this. */
export function foreignCut(text: string, length: number): string {
  return foreign(text.length > length ? `${text.slice(0, length).toWellFormed()}…` : text);
}
