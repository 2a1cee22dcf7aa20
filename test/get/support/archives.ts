import { crc32, deflateRawSync, gzipSync } from 'node:zlib';

/** An entry of a tar archive, which may be as wrong as a test wants it. */
export interface TarEntry {
  readonly name: string;
  readonly content?: string | Buffer;
  readonly type?: string;
  readonly target?: string;
  readonly mode?: number;
  /** Another size than that of the content. */
  readonly size?: number;
}

/** Makes a tar archive, byte by byte. */
export function tarOf(entries: readonly TarEntry[], end: Buffer = Buffer.alloc(1024)): Buffer {
  return Buffer.concat([...entries.map(tarEntry), end]);
}

export function tarEntry({ name, content = '', type = '0', target = '', mode = 0o644, size }: TarEntry): Buffer {
  const data = Buffer.from(content);
  const head = Buffer.alloc(512);
  head.write(name, 0, 100, 'utf8');
  head.write(`${mode.toString(8).padStart(7, '0')}\0`, 100, 'latin1');
  head.write(`${(size ?? data.length).toString(8).padStart(11, '0')}\0`, 124, 'latin1');
  head.write('00000000000\0', 136, 'latin1');
  head.write(type, 156, 'latin1');
  head.write(target, 157, 100, 'utf8');
  head.write('ustar\x0000', 257, 'latin1');
  head.fill(' ', 148, 156);
  const sum = head.reduce((total, byte) => total + byte, 0);
  head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return Buffer.concat([head, data, Buffer.alloc((512 - (data.length % 512)) % 512)]);
}

/** A header of the newer kind that gives the next entry a path, a target or a size. */
export function paxOf(records: Readonly<Record<string, string>>, type = 'x'): TarEntry {
  const lines = Object.entries(records).map(([key, value]) => {
    const rest = ` ${key}=${value}\n`;
    const length = [2, 3, 4]
      .map((digits) => digits + Buffer.byteLength(rest))
      .find((sum) => String(sum).length === sum - Buffer.byteLength(rest));
    return `${length}${rest}`;
  });
  return { name: 'PaxHeader', type, content: lines.join('') };
}

export function tgzOf(entries: readonly TarEntry[]): Buffer {
  return gzipSync(tarOf(entries));
}

/** An entry of a ZIP archive, with what may be said wrongly of it. */
export interface ZipEntry {
  readonly name: string;
  readonly content?: string | Buffer;
  readonly mode?: number;
  readonly method?: 0 | 8;
  /** The bytes as they are sent, if they are not the content's own. */
  readonly sent?: Buffer;
  readonly flags?: number;
  /** What the list of entries says, where that differs. */
  readonly says?: { readonly name?: string; readonly size?: number; readonly crc?: number; readonly at?: number };
}

interface ZipOptions {
  readonly before?: string;
  readonly gap?: string;
  readonly after?: string;
  readonly comment?: string;
  readonly count?: number;
}

/** Makes a ZIP archive, byte by byte. */
export function zipOf(
  entries: readonly ZipEntry[],
  { before = '', gap = '', after = '', comment = '', count = entries.length }: ZipOptions = {},
): Buffer {
  const parts: Buffer[] = [Buffer.from(before)];
  const list: Buffer[] = [];
  let at = Buffer.byteLength(before);
  for (const { name, content = '', mode = 0o100644, method = 8, sent, flags = 0, says = {} } of entries) {
    const data = Buffer.from(content);
    const bytes = sent ?? (method === 8 ? deflateRawSync(data) : data);
    const fixed = Buffer.alloc(26);
    fixed.writeUInt16LE(20, 0);
    fixed.writeUInt16LE(flags, 2);
    fixed.writeUInt16LE(method, 4);
    fixed.writeUInt32LE(crc32(data), 10);
    fixed.writeUInt32LE(bytes.length, 14);
    fixed.writeUInt32LE(data.length, 18);
    fixed.writeUInt16LE(Buffer.byteLength(name), 22);
    parts.push(Buffer.from('PK\x03\x04', 'latin1'), fixed, Buffer.from(name), bytes, Buffer.from(gap));
    const listed = Buffer.from(says.name ?? name);
    const central = Buffer.alloc(42);
    central.writeUInt8(20, 0);
    central.writeUInt8(3, 1);
    fixed.copy(central, 2, 0, 22);
    central.writeUInt32LE(says.crc ?? crc32(data), 12);
    central.writeUInt32LE(says.size ?? data.length, 20);
    central.writeUInt16LE(listed.length, 24);
    central.writeUInt32LE((mode * 65_536) >>> 0, 34);
    central.writeUInt32LE(says.at ?? at, 38);
    list.push(Buffer.from('PK\x01\x02', 'latin1'), central, listed);
    at += 30 + Buffer.byteLength(name) + bytes.length + Buffer.byteLength(gap);
  }
  const directory = Buffer.concat(list);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(count, 4);
  end.writeUInt16LE(count, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(at, 12);
  end.writeUInt16LE(Buffer.byteLength(comment), 16);
  return Buffer.concat([
    ...parts,
    directory,
    Buffer.from('PK\x05\x06', 'latin1'),
    end,
    Buffer.from(comment),
    Buffer.from(after),
  ]);
}

/** A SKILL.md. */
export function skillText(name: string): string {
  return `---\nname: ${name}\ndescription: Does what ${name} does.\n---\n\nDo it.\n`;
}
