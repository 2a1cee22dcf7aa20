import { type TarHeader, tarBlock, tarHeaderIn, tarPadding } from '../../../core/formats/tar.ts';
import { shown } from '../../../core/schema/parsed.ts';
import type { Limits } from '../limits.ts';
import { nameFrom } from '../names.ts';
import type { Placer } from '../placer.ts';

/** Bytes of a header that only extends the next one; a path takes a thousand at most. */
const mostExtension = 1024 ** 2;

/** Properties of an entry that headers before it have. */
interface Extension {
  path?: string;
  target?: string;
  size?: number;
}

interface Header extends Pick<TarHeader, 'mode' | 'type'> {
  readonly name: string;
  readonly size: number;
  readonly target: string;
}

/** Kinds of entries that are no files, and what to call them. */
const strange: Readonly<Record<string, string>> = {
  '3': 'it is a device',
  '4': 'it is a device',
  '6': 'it is a named pipe',
  S: 'it is a sparse file, which is not supported',
};

/** Reads a tar archive as its bytes arrive, and places what is in it. */
export async function extractTar(
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  placer: Placer,
  limits: Pick<Limits, 'entries'>,
  signal?: AbortSignal,
): Promise<void> {
  const bytes = new ByteReader(chunks);
  let extension: Extension = {};
  // Headers that extend others are entries that nobody would count.
  for (let headers = 0; ; headers++) {
    signal?.throwIfAborted();
    if (headers > 4 * limits.entries) placer.refuse('', 'the archive has too many headers');
    const raw = await bytes.take(tarBlock);
    if (raw === null || isZero(raw)) return refuseMore(raw, bytes, placer);
    const header = headerOf(raw, placer);
    if ('xgLK'.includes(header.type)) {
      extension = { ...extension, ...(await extensionOf(header, bytes, placer)) };
      continue;
    }
    await place(merged(header, extension), bytes, placer);
    extension = {};
  }
}

function merged(header: Header, { path, target, size }: Extension): Header {
  return { ...header, name: path ?? header.name, target: target ?? header.target, size: size ?? header.size };
}

async function place({ name, mode, size, type, target }: Header, bytes: ByteReader, placer: Placer): Promise<void> {
  const isFile = (type === '0' || type === '\0' || type === '7') && !name.endsWith('/');
  if (isFile) {
    const sink = placer.addFile(name, (mode & 0o100) !== 0);
    try {
      await bytes.copy(
        size,
        (chunk) => sink?.write(chunk),
        () => placer.refuse(name, 'the archive ends in the middle of it'),
      );
    } finally {
      sink?.close();
    }
    await bytes.skip(tarPadding(size));
    return;
  }
  if (size !== 0) placer.refuse(name, 'it is not a file, and has content');
  if (type === '5' || name.endsWith('/')) placer.addFolder(name);
  else if (type === '2') placer.addLink(name, target);
  else if (type === '1') placer.addLink(name, target, true);
  else placer.refuse(name, strange[type] ?? `it is of an unknown kind (${shown(type)})`);
}

/** Nothing but zeros may follow the end: another archive there is one that only some programs see. */
async function refuseMore(first: Uint8Array | null, bytes: ByteReader, placer: Placer): Promise<void> {
  if (first === null) return;
  if (first.length < tarBlock) placer.refuse('', 'the archive ends in the middle of a header');
  for (let raw = await bytes.takeSome(); raw !== null; raw = await bytes.takeSome()) {
    if (!isZero(raw)) placer.refuse('', 'there is data after the end of the archive');
  }
}

function isZero(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0);
}

function headerOf(raw: Uint8Array, placer: Placer): Header {
  if (raw.length < tarBlock) placer.refuse('', 'the archive ends in the middle of a header');
  const header = tarHeaderIn(raw);
  if (!header.isSound) placer.refuse('', 'a header of the archive is damaged, or this is not a tar archive');
  const prefix = textOf(header.prefix, placer);
  const name = textOf(header.name, placer);
  return {
    ...header,
    name: prefix === '' ? name : `${prefix}/${name}`,
    size: header.size ?? placer.refuse(name, 'its size cannot be read'),
    target: textOf(header.target, placer),
  };
}

function textOf(bytes: Uint8Array, placer: Placer): string {
  return nameFrom(bytes) ?? placer.refuse(Buffer.from(bytes).toString('latin1'), 'its name is not UTF-8');
}

/** Reads a header that extends the next one: a long name as GNU writes it, or records as POSIX has them. */
async function extensionOf({ type, size }: Header, bytes: ByteReader, placer: Placer): Promise<Extension> {
  if (size > mostExtension) placer.refuse('', 'a header of the archive is too long');
  const content = await bytes.take(size);
  if (content === null || content.length < size) placer.refuse('', 'the archive ends in the middle of a header');
  await bytes.skip(tarPadding(size));
  const end = content.indexOf(0);
  const text = content.subarray(0, end === -1 ? undefined : end);
  if (type === 'L') return { path: textOf(text, placer) };
  if (type === 'K') return { target: textOf(text, placer) };
  const extension = recordsIn(content, placer);
  if (type === 'g' && Object.keys(extension).length > 0) {
    placer.refuse('', 'a header of the archive renames all entries at once');
  }
  return extension;
}

/** Records of the form `LENGTH KEY=VALUE` and a line break. */
function recordsIn(content: Uint8Array, placer: Placer): Extension {
  const buffer = Buffer.from(content);
  const extension: Extension = {};
  for (let at = 0; at < buffer.length; ) {
    const [whole = '', length = ''] = /^(\d{1,7}) /.exec(buffer.toString('latin1', at, at + 8)) ?? [];
    const end = at + Number(length);
    const equals = buffer.indexOf('=', at);
    if (whole === '' || end > buffer.length || buffer[end - 1] !== 10 || equals === -1 || equals >= end) {
      placer.refuse('', 'a header of the archive is damaged');
    }
    const key = buffer.toString('latin1', at + whole.length, equals);
    const value = buffer.subarray(equals + 1, end - 1);
    if (key === 'path') extension.path = recordText(value, placer);
    else if (key === 'linkpath') extension.target = recordText(value, placer);
    else if (key === 'size') extension.size = recordNumber(value, placer);
    else if (key.startsWith('GNU.sparse.')) placer.refuse('', 'the archive has a sparse file, which is not supported');
    at = end;
  }
  return extension;
}

function recordText(value: Uint8Array, placer: Placer): string {
  if (value.includes(0)) placer.refuse('', 'a name in the archive has hidden characters');
  return textOf(value, placer);
}

function recordNumber(value: Buffer, placer: Placer): number {
  const digits = value.toString('latin1');
  return /^\d{1,15}$/.test(digits) ? Number(digits) : placer.refuse('', 'a size in the archive cannot be read');
}

/** Reads counted bytes from chunks of any size. */
class ByteReader {
  readonly #chunks: Iterator<Uint8Array> | AsyncIterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array();

  constructor(chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>) {
    this.#chunks = Symbol.asyncIterator in chunks ? chunks[Symbol.asyncIterator]() : chunks[Symbol.iterator]();
  }

  /** The bytes that are there, or come next; null at the end. */
  async takeSome(most = Number.POSITIVE_INFINITY): Promise<Uint8Array | null> {
    while (this.#rest.length === 0) {
      const next = await this.#chunks.next();
      if (next.done) return null;
      this.#rest = next.value;
    }
    const taken = this.#rest.subarray(0, most);
    this.#rest = this.#rest.subarray(taken.length);
    return taken;
  }

  /** This many bytes; fewer where they end before, and null where there are none. */
  async take(count: number): Promise<Uint8Array | null> {
    const parts: Uint8Array[] = [];
    await this.copy(
      count,
      (chunk) => parts.push(chunk),
      () => undefined,
    );
    return parts.length === 0 && count > 0 ? null : parts.length === 1 ? (parts[0] ?? null) : Buffer.concat(parts);
  }

  async copy(count: number, use: (chunk: Uint8Array) => void, onEnd: () => void): Promise<void> {
    for (let left = count; left > 0; ) {
      const chunk = await this.takeSome(left);
      if (chunk === null) return onEnd();
      use(chunk);
      left -= chunk.length;
    }
  }

  async skip(count: number): Promise<void> {
    await this.copy(
      count,
      () => undefined,
      () => undefined,
    );
  }
}
