import { isUtf8 } from 'node:buffer';

/** The types of the files that skills bring along. */
const byExtension: Readonly<Record<string, string>> = {
  md: 'text/markdown',
  markdown: 'text/markdown',
  mdx: 'text/markdown',
  txt: 'text/plain',
  text: 'text/plain',
  log: 'text/plain',
  rst: 'text/x-rst',
  tex: 'text/x-tex',
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  html: 'text/html',
  htm: 'text/html',
  css: 'text/css',
  js: 'text/javascript',
  mjs: 'text/javascript',
  cjs: 'text/javascript',
  jsx: 'text/jsx',
  ts: 'text/typescript',
  mts: 'text/typescript',
  cts: 'text/typescript',
  tsx: 'text/tsx',
  py: 'text/x-python',
  rb: 'text/x-ruby',
  go: 'text/x-go',
  rs: 'text/x-rust',
  java: 'text/x-java',
  c: 'text/x-c',
  h: 'text/x-c',
  cpp: 'text/x-c++',
  lua: 'text/x-lua',
  sql: 'text/x-sql',
  sh: 'application/x-sh',
  bash: 'application/x-sh',
  zsh: 'application/x-sh',
  ps1: 'text/x-powershell',
  json: 'application/json',
  jsonl: 'application/jsonl',
  yaml: 'application/yaml',
  yml: 'application/yaml',
  toml: 'application/toml',
  xml: 'application/xml',
  xsd: 'application/xml',
  svg: 'image/svg+xml',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  bmp: 'image/bmp',
  ico: 'image/vnd.microsoft.icon',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  ogg: 'audio/ogg',
  flac: 'audio/flac',
  m4a: 'audio/mp4',
  mp4: 'video/mp4',
  webm: 'video/webm',
  pdf: 'application/pdf',
  zip: 'application/zip',
  gz: 'application/gzip',
  tgz: 'application/gzip',
  tar: 'application/x-tar',
  wasm: 'application/wasm',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  ttf: 'font/ttf',
  otf: 'font/otf',
  woff: 'font/woff',
  woff2: 'font/woff2',
};

const textual = /^text\/|^application\/(?:json|jsonl|yaml|toml|xml|x-sh)$|\+(?:xml|json)$/;

/** Bytes sampled to tell a file's type when its name does not. */
export const sampleBytes = 8192;

/** A file's type by its name; null where only its content can tell. */
export function typeByName(path: string): string | null {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  const extension = dot > 0 ? name.slice(dot + 1).toLowerCase() : '';
  return Object.hasOwn(byExtension, extension) ? (byExtension[extension] as string) : null;
}

/** A file's type by its name, or else by its first bytes. */
export function typeOf(path: string, start: Uint8Array): string {
  return typeByName(path) ?? (looksLikeText(start) ? 'text/plain' : 'application/octet-stream');
}

export function isTextual(type: string): boolean {
  return textual.test(type);
}

/** Whether the beginning of a file is UTF-8 without NUL. */
export function looksLikeText(start: Uint8Array): boolean {
  const sample = start.subarray(0, sampleBytes);
  return !sample.includes(0) && isUtf8(sample.subarray(0, wholeCharacters(sample, sample.length)));
}

/**
 * The largest length up to this one that cuts no character of UTF-8 in half; the given length where it is not UTF-8.
 */
export function wholeCharacters(bytes: Uint8Array, length: number): number {
  let start = length - 1;
  while (start >= 0 && start > length - 4 && ((bytes[start] as number) & 0xc0) === 0x80) start--;
  const first = bytes[start];
  if (first === undefined) return length;
  const needed = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
  return length - start < needed ? start : length;
}

/** Pictures and sounds, as models and their clients can take them. */
interface Medium {
  readonly type: string;
  /**
   * Whether a file is one, and complete: half a picture makes some services refuse the conversation that it stands in.
   */
  readonly holds: (bytes: Buffer, named: string) => boolean;
}

const media: readonly Medium[] = [
  {
    type: 'image/png',
    holds: (bytes) => hasAt(bytes, 0, '\x89PNG\r\n\x1a\n') && hasAt(bytes, 12, 'IHDR') && bytes.includes('IEND'),
  },
  { type: 'image/jpeg', holds: (bytes) => hasAt(bytes, 0, '\xff\xd8\xff') && bytes.includes('\xff\xd9', 3, 'latin1') },
  { type: 'image/gif', holds: (bytes) => /^GIF8[79]a/.test(bytes.toString('latin1', 0, 6)) && bytes.at(-1) === 0x3b },
  { type: 'image/webp', holds: (bytes) => isRiff(bytes, 'WEBP') },
  { type: 'audio/wav', holds: (bytes) => isRiff(bytes, 'WAVE') },
  { type: 'audio/ogg', holds: (bytes) => hasAt(bytes, 0, 'OggS') },
  { type: 'audio/flac', holds: (bytes) => hasAt(bytes, 0, 'fLaC') },
  { type: 'audio/mp4', holds: (bytes) => hasAt(bytes, 4, 'ftypM4A') },
  {
    type: 'audio/mpeg',
    // The signature of a frame is so short that only a name makes it believable.
    holds: (bytes, named) =>
      hasAt(bytes, 0, 'ID3') || (named === 'audio/mpeg' && bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe6) === 0xe2),
  },
];

/** The type of a picture or sound by its bytes, whatever its name promises; null for neither. */
export function mediaTypeOf(bytes: Buffer, named: string): string | null {
  return media.find(({ holds }) => holds(bytes, named))?.type ?? null;
}

function hasAt(bytes: Buffer, at: number, text: string): boolean {
  return bytes.toString('latin1', at, at + text.length) === text;
}

function isRiff(bytes: Buffer, form: string): boolean {
  return hasAt(bytes, 0, 'RIFF') && hasAt(bytes, 8, form) && bytes.readUInt32LE(4) + 8 <= bytes.length + 1;
}

/** Types of pictures that models and browsers show, and that cannot hold a script. */
export const pictureTypes: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
