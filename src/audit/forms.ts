import { unwrapped } from './unwrapped.ts';

/**
 * The ways in which a secret is written down by programs that do not know it is one: as it is, inside JSON, in an
 * address, in base64 at any place of a longer text, in hex.
 */
export function formsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  const forms = [
    secret,
    ...jsonForms(secret),
    ...addressForms(secret),
    ...base64Forms(bytes),
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
  ];
  return [...new Set(forms)].filter((form) => form.length >= shortest);
}

/**
 * The same without line ends and escapes, for text that has lost them too: `base64` breaks lines, JSON and addresses
 * escape what they like. Shorter ones would be found in any list of short words.
 */
export function unwrappedFormsOf(secret: string): readonly Uint8Array[] {
  const bytes = Buffer.from(secret);
  const hex = bytes.toString('hex');
  const forms = [secret, secret.replaceAll(' ', '+'), ...base64Forms(bytes), hex, hex.toUpperCase()];
  return forms.map(unwrapped).filter(({ length }) => length >= shortestPiece);
}

/** Anything shorter would be found everywhere. */
const shortest = 4;
/** A piece of base64 that has lost its ends, and what was wrapped, must be so long to be told from chance. */
const shortestPiece = 8;

function jsonForms(secret: string): string[] {
  const plain = JSON.stringify(secret).slice(1, -1);
  // Some writers spell everything beyond ASCII by number, and some the slash with a backslash before it.
  const ascii = plain.replace(/[^\x00-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return [plain, ascii, plain.replaceAll('/', '\\/')];
}

function addressForms(secret: string): string[] {
  const plain = encodeURIComponent(secret.toWellFormed());
  const strict = plain.replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
  const field = new URLSearchParams({ '': secret }).toString().slice(1);
  return [plain, strict, strict.replaceAll('%2F', '/'), field].flatMap((form) => {
    const spaced = form.replaceAll('%20', '+');
    return [form, spaced, lowerEscapes(form), lowerEscapes(spaced)];
  });
}

function lowerEscapes(text: string): string {
  return text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
}

/**
 * Three bytes are four characters, so that a secret in a longer text is spelled in one of three ways, by how many bytes
 * stand before it. The characters at its ends hold bits of its neighbours, and are left out.
 */
function base64Forms(bytes: Buffer): string[] {
  const whole = bytes.toString('base64').replace(/=+$/, '');
  const pieces = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    const first = Math.ceil((before * 8) / 6);
    const last = Math.floor(((before + bytes.length) * 8) / 6);
    return text.slice(first, last);
  });
  const all = [whole, ...pieces.filter((piece) => piece.length >= shortestPiece)];
  return all.flatMap((text) => [text, text.replaceAll('+', '-').replaceAll('/', '_')]);
}
