import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';

/** The most bytes that any layer may unfold to: more is a bomb, not a hiding place. */
const mostBytes = 512 * 1024;

/** Bytes are carried as text with one character each, until they turn out to be UTF-8. */
function bytesOf(text: string): Buffer {
  return Buffer.from(text, /[^\u0000-\u00ff]/.test(text) ? 'utf8' : 'latin1');
}

function textOf(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  return text.includes('\ufffd') ? bytes.toString('latin1') : text;
}

export function fromBase64(text: string): string | null {
  const plain = text.replace(/\s+/g, '');
  if (plain.length < 4 || !/^[A-Za-z0-9+/_-]+={0,2}$/.test(plain)) return null;
  return textOf(Buffer.from(plain, 'base64'));
}

export function fromBase32(text: string): string | null {
  const plain = text.replace(/[\s=]+/g, '').toUpperCase();
  if (plain.length < 8 || !/^[A-Z2-7]+$/.test(plain)) return null;
  const bytes: number[] = [];
  let [bits, held] = [0, 0];
  for (const one of plain) {
    held = ((held << 5) | 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(one)) & 0xfff;
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      bytes.push((held >> bits) & 0xff);
    }
  }
  return textOf(Buffer.from(bytes));
}

export function fromHex(text: string): string | null {
  const plain = text.replace(/\\x|0x|[\s,:]+/gi, '');
  return plain.length >= 4 && plain.length % 2 === 0 && /^[\da-f]+$/i.test(plain)
    ? textOf(Buffer.from(plain, 'hex'))
    : null;
}

/** Unpacks gzip, zlib, raw deflate or Brotli, whichever it is. */
export function unpacked(text: string): string | null {
  const bytes = bytesOf(text);
  for (const unpack of [gunzipSync, inflateSync, inflateRawSync, brotliDecompressSync]) {
    try {
      return textOf(unpack(bytes, { maxOutputLength: mostBytes }));
    } catch {
      // Not this one.
    }
  }
  return null;
}

export function rotated(text: string): string {
  return text.replace(/[a-z]/gi, (one) => {
    const base = one <= 'Z' ? 65 : 97;
    return String.fromCharCode(((one.charCodeAt(0) - base + 13) % 26) + base);
  });
}

export function reversed(text: string): string {
  return Array.from(text).reverse().join('');
}

export function fromPercent(text: string): string | null {
  if (!/%[\da-f]{2}/i.test(text)) return null;
  const bytes = text.replace(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return /[^\u0000-\u00ff]/.test(bytes) ? bytes : textOf(Buffer.from(bytes, 'latin1'));
}

/** Undoes the escapes that JavaScript, Python, C and shells share. */
export function unescaped(text: string): string {
  if (!text.includes('\\')) return text;
  const plain: Readonly<Record<string, string>> = {
    n: '\n',
    t: '\t',
    r: '\r',
    e: '\u001b',
    a: '\u0007',
    b: '\b',
    f: '\f',
    v: '\v',
    '\n': '',
  };
  return text.replace(
    /\\(?:x([\da-f]{1,2})|u\{([\da-f]{1,6})\}|u([\da-f]{4})|U([\da-f]{8})|([0-7]{1,3})|([\s\S]))/gi,
    (_, x?: string, braced?: string, u?: string, long?: string, octal?: string, other?: string) => {
      const hex = x ?? braced ?? u ?? long;
      const code = hex === undefined ? Number.parseInt(octal ?? '', 8) : Number.parseInt(hex, 16);
      if (!Number.isNaN(code)) return code <= 0x10ffff ? String.fromCodePoint(code) : '';
      return plain[other ?? ''] ?? other ?? '';
    },
  );
}

/** Whether a text reads as one: something that was hidden, not noise that happened to decode. */
export function isReadable(text: string): boolean {
  if (text.length < 6) return false;
  const strange =
    text.match(/[^\t\n\r\u0020-\u007e\u00a0-\u024f\u0370-\u1fff\u2010-\u2122\u3000-\ud7ff]/g)?.length ?? 0;
  const letters = text.match(/[A-Za-z ]/g)?.length ?? 0;
  return strange / text.length < 0.03 && letters / text.length > 0.45;
}
