import { join, relative, sep } from 'node:path';
import { targetFor } from '../connect/target.ts';
import { fetchFromServer } from '../remote/fetch.ts';
import { checkProtocol } from './addresses.ts';
import { checkPinned } from './archives/archive-source.ts';
import type { AskingNewest, Fetching, Found } from './fetching.ts';
import type { Origin, Source } from './types.ts';

/** Fetches skills of another MCP server by the skills extension, each checked against what the server announces. */
export async function fetchServer(source: Source, fetching: Fetching): Promise<Found> {
  const { environment, files, only, pinned, plainHttp, signal, onProgress } = fetching;
  checkProtocol(new URL(source.place), plainHttp);
  const names = pinned?.path === undefined ? only : [pinned.path];
  const target = targetFor(source.place, environment);
  const { skills, problems, digest } = await fetchFromServer(target, { folder: files, names, signal, onProgress });
  const origin: Origin = { kind: 'mcp', source: source.text };
  const found = skills.map(({ name, path, digest: integrity }) => ({
    name,
    path: relative(files, path).replaceAll(sep, '/'),
    origin: { ...origin, path: name, integrity },
  }));
  for (const one of found) checkPinned(`${source.text}: ${one.name}`, one.origin.integrity, pinned);
  const refused = problems.map(({ skill, message }) => ({ name: skill ?? '', path: skill ?? '', reason: message }));
  return { skills: found, refused, origin: { ...origin, integrity: digest } };
}

/** The newest state of a skill. No request tells it but those for its files. */
export async function newestOfServer(source: Source, asking: AskingNewest): Promise<Origin> {
  const { path } = asking.pinned ?? {};
  const only = path === undefined ? undefined : [path];
  const { skills, origin } = await fetchServer(source, {
    ...asking,
    pinned: undefined,
    only,
    files: join(asking.work, 'files'),
  });
  return path === undefined ? origin : (skills[0]?.origin ?? origin);
}
