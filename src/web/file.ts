import type { Engine } from '../engine/engine.ts';
import { read } from '../engine/operations/read.ts';
import type { Exchange } from '../http/exchange.ts';
import { SkillError } from '../kernel/errors.ts';
import { fileHeaders } from './headers.ts';
import { givenInQuery, readInput } from './input.ts';

/** Pictures that browsers draw and that cannot hold a script; anything else is shown as text, or not at all. */
const pictures: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
const longest = 8 * 1024 * 1024;

/** Which picture is wanted. */
type Asked = Omit<Parameters<typeof read.run>[1], 'offset'>;

/** Sends a picture of a skill as it is. */
export async function sendFile({ url, response }: Exchange, engine: Engine): Promise<void> {
  const { name, file, path } = read.fields;
  const asked = readInput({ name, file, path }, givenInQuery(url.searchParams)) as Asked;
  const parts: Buffer[] = [];
  let type = '';
  for (let offset: number | null = 0; offset !== null; ) {
    const part = await read.run(engine, { ...asked, offset }, { origin: 'console' });
    if (!pictures.has(part.mimeType))
      throw new SkillError('usage', 'only images are served directly', { hint: 'GET /api/read has any file.' });
    if (part.size > longest) throw new SkillError('unreadable', 'the image is too large to be shown');
    parts.push(Buffer.from(part.content, part.encoding));
    type = part.mimeType;
    offset = part.nextOffset;
  }
  const bytes = Buffer.concat(parts);
  response.writeHead(200, { ...fileHeaders, 'Content-Type': type, 'Content-Length': bytes.length });
  response.end(bytes);
}
