/** Pictures and sounds, as models and their clients can take them. */
interface Medium {
  readonly type: string;
  /** Whether a file is one, whole: half a picture makes some services refuse the conversation that it stands in. */
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
    // The sign of a frame is so short that only a name makes it believable.
    holds: (bytes, named) =>
      hasAt(bytes, 0, 'ID3') || (named === 'audio/mpeg' && bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe6) === 0xe2),
  },
];

/** Which picture or sound a file is by its bytes, whatever its name promises; null for none. */
export function mediaTypeOf(bytes: Buffer, named: string): string | null {
  return media.find(({ holds }) => holds(bytes, named))?.type ?? null;
}

function hasAt(bytes: Buffer, at: number, text: string): boolean {
  return bytes.toString('latin1', at, at + text.length) === text;
}

function isRiff(bytes: Buffer, form: string): boolean {
  return hasAt(bytes, 0, 'RIFF') && hasAt(bytes, 8, form) && bytes.readUInt32LE(4) + 8 <= bytes.length + 1;
}
