import { relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isThere } from '../../core/disk/files.ts';
import { expandPath, isInside } from '../../core/disk/paths.ts';
import type { Environment } from '../../core/environment.ts';
import { SkillError } from '../../core/errors.ts';
import { shown } from '../../core/schema/parsed.ts';
import { shownUrl, withoutCredentials } from './addresses.ts';
import { usualLimits } from './limits.ts';
import { partsOf, problemWithPath } from './names.ts';
import type { Source } from './types.ts';

/** Understands a source as a person writes it. Throws with what to write instead; nothing is fetched. */
export function parseSource(text: string, environment: Environment, ref?: string): Source {
  const source = understood(text, environment, ref);
  // A lock file keeps the spelling, which must mean the same when it is read again.
  const again = understood(source.text, environment);
  const isSame = again.text === source.text && again.kind === source.kind;
  return isSame ? source : refuse(text.trim(), 'it can be understood in more than one way');
}

function understood(text: string, environment: Environment, ref?: string): Source {
  const trimmed = text.trim();
  for (const [pattern, read] of forms) {
    const match = pattern.exec(trimmed);
    if (match !== null) return withRef(read(match, trimmed, environment), ref);
  }
  const isLocal = trimmed !== '' && isThere(expandPath(trimmed, environment));
  return refuse(
    trimmed,
    isLocal ? `write ./${shown(trimmed).slice(1, -1)} for the folder here` : 'this is not a source of skills',
  );
}

/** A way to write a source: the first form that matches reads it. */
type Form = readonly [RegExp, (match: RegExpExecArray, text: string, environment: Environment) => Source];

/** Hosts of repositories, by their short names. */
const forges: Readonly<Record<string, string>> = {
  github: 'github.com',
  gitlab: 'gitlab.com',
  bitbucket: 'bitbucket.org',
  codeberg: 'codeberg.org',
};

/** Names of files, and ends of addresses, that are archives. */
const archiveName = /\.(?:zip|skill|tar|tar\.gz|tgz)$/i;
const marketplaceName = /(?:^|\/)(?:api_)?marketplace\.json$/;

const forms: readonly Form[] = [
  [/^npm:(.+)$/s, ([, rest = '']) => npmSource(rest)],
  [/^marketplace:(.+)$/s, ([, rest = ''], _, environment) => marketplaceSource(rest, environment)],
  [
    /^plugin:([^@/\s]+)@(.+)$/s,
    ([, plugin, rest = ''], _, environment) => marketplaceSource(rest, environment, plugin),
  ],
  [/^mcp\+(https?:\/\/.+)$/s, ([, address = '']) => mcpSource(address)],
  [/^well-known:(.+)$/s, ([, rest = '']) => wellKnownSource(urlOf(/^https?:/i.test(rest) ? rest : `https://${rest}`))],
  [/^git\+((?:https?|ssh|git|file):\/\/.+)$/s, ([, rest = '']) => gitSource(urlOf(rest))],
  [/^(github|gitlab|bitbucket|codeberg):(?!\/\/)(.+)$/s, ([, forge = '', rest = '']) => repository(rest, forge)],
  [/^https?:\/\//i, (_, text) => webSource(urlOf(text))],
  [/^file:\/\//i, (_, text, environment) => fileSource(urlOf(text), environment)],
  [/^(?:ssh|git):\/\//i, (_, text) => gitSource(urlOf(text))],
  [/^[a-z][a-z0-9+.-]+:(?!\\)/i, (_, text) => refuse(text, 'skills cannot come from such an address')],
  [/^(?:\.{1,2}|~)(?:[/\\]|$)|^[/\\]|^[a-z]:[\\/]/i, (_, text, environment) => localSource(text, environment)],
  [/^\w[\w.+-]*@[a-z0-9][\w.-]*:(?!\/\/)[^-]/i, (_, text) => scpSource(text)],
  [archiveName, (_, text, environment) => localSource(text, environment)],
  [/^@?\w[\w.-]*\/[\w.-]/, (_, text) => repository(text.replace(/^@/, ''), 'github')],
];

const examples =
  'Write ./folder, owner/repo, owner/repo/path@ref, https://…, git@host:repo.git, npm:package@version, an archive (.zip, .tar.gz, .skill), well-known:host, marketplace:owner/repo, or mcp+https://… for another server.';

function refuse(text: string, reason: string): never {
  throw new SkillError('usage', `${shown(withoutCredentials(text))}: ${reason}`, { hint: examples });
}

function urlOf(text: string): URL {
  // Parsers of addresses drop line breaks, each in its own way.
  if (/[\s\x00-\x1f\x7f]/.test(text) || !URL.canParse(text)) refuse(text, 'the address cannot be understood');
  const url = new URL(text);
  if (url.hostname.startsWith('-') || url.pathname.startsWith('/-')) refuse(text, 'the address begins like an option');
  return url;
}

/** A ref that no program takes for an option, a range or a pattern. */
function checkedRef(ref: string, text: string): string {
  const isBad =
    /^[-/.]|[\s\x00-\x1f\x7f~^:?*[\\]|\.\.|@\{|\/\/|\.lock$|[/.]$/.test(ref) || ref === '@' || ref.length > 255;
  return isBad ? refuse(text, `${shown(ref)} is not a branch, tag or commit`) : ref;
}

function checkedPath(path: string, text: string): { path?: string } {
  const reason = problemWithPath(path.replace(/^\/+/, ''), usualLimits);
  if (reason !== null) refuse(text, `the path ${shown(path)}: ${reason}`);
  const plain = partsOf(path.replace(/^\/+/, '')).join('/');
  // The file of a skill stands for its folder.
  const folder = plain.replace(/(?:^|\/)skill\.md$/i, '');
  return folder === '' ? {} : { path: folder };
}

/** The source with a ref that was given apart. */
function withRef(source: Source, ref: string | undefined): Source {
  if (ref === undefined) return source;
  if (source.kind === 'marketplace' && source.within !== undefined) {
    const within = withRef(source.within, ref);
    return { ...source, within, text: marketplaceText(within, source.plugin) };
  }
  if (source.kind !== 'git' && source.kind !== 'npm') refuse(source.text, 'a ref is for Git and npm only');
  if (source.ref !== undefined && source.ref !== ref) refuse(source.text, `it names ${shown(source.ref)} already`);
  if (source.kind === 'npm') return npmSource(`${source.place}@${ref}`);
  const { refAndPath, ...rest } = source;
  const path = refAndPath === undefined ? rest.path : pathAfter(refAndPath, ref, source.text);
  const { path: _, ...bareSource } = rest;
  return spelled({ ...bareSource, ref: checkedRef(ref, source.text), ...(path !== undefined && { path }) });
}

function pathAfter(refAndPath: string, ref: string, text: string): string | undefined {
  if (refAndPath !== ref && !refAndPath.startsWith(`${ref}/`)) refuse(text, 'it names another ref already');
  return refAndPath === ref ? undefined : refAndPath.slice(ref.length + 1);
}

/** `owner/repo`, `owner/repo/path`, and either with `@ref` or `#ref`. */
function repository(text: string, forge: string): Source {
  const form = /^([\w.-]+)\/([\w.-]+?)(?:\.git)?((?:\/[^#]*?)?)(?:(?:#|(?<=[^/])@)([^#]+))?$/;
  const [, owner, name, path = '', ref] = form.exec(text) ?? [];
  if (owner === undefined || name === undefined || /^[-.]/.test(owner) || /^(?:-|\.{1,2}$)/.test(name)) {
    return refuse(text, 'this is not a repository');
  }
  return spelled({
    kind: 'git',
    text: '',
    place: `https://${forges[forge]}/${owner}/${name}.git`,
    ...(ref !== undefined && { ref: checkedRef(ref, text) }),
    ...checkedPath(path, text),
  });
}

/** A repository with its canonical spelling. */
function spelled(source: Source): Source {
  const { place, path, ref } = source;
  const known = /^https:\/\/github\.com\/([^/]+\/[^/]+?)(?:\.git)?$/.exec(place)?.[1];
  const end = `${path === undefined ? '' : `/${path}`}${ref === undefined ? '' : `#${ref}`}`;
  // A short spelling that ends like an archive would be taken for one.
  if (known !== undefined && !archiveName.test(known + end)) return { ...source, text: known + end };
  const plain = URL.canParse(place) ? shownRepository(new URL(place)) : place;
  const text = (path === undefined ? plain : plain.replace(/(?:\.git)?\/?$/, '.git')) + end;
  // An address that would be taken for something else has to say that it is a repository.
  const isTaken = /^(?:https?|file):/i.test(text) && readingOf(new URL(text)) !== 'git';
  return { ...source, text: isTaken ? `git+${text}` : text };
}

/** The address of a repository as it may be kept: over SSH the user is part of it. */
function shownRepository(url: URL): string {
  const plain = new URL(shownUrl(url));
  if (url.protocol === 'ssh:') plain.username = url.username;
  return plain.href;
}

/** Pages that show a folder of a repository: the repository, then the ref and the path. */
const pages: readonly RegExp[] = [
  /^\/(.+?)\/-\/(?:tree|blob)\/+([^/].*)$/,
  /^\/([^/]+\/[^/]+)\/(?:tree|blob)\/+([^/].*)$/,
  /^\/([^/]+\/[^/]+)\/src\/(?:branch|tag|commit)\/+([^/].*)$/,
  /^\/([^/]+\/[^/]+)\/src\/+([^/].*)$/,
];

function webSource(url: URL): Source {
  const reading = readingOf(url);
  const text = shownUrl(url);
  if (reading === 'git') return gitSource(url);
  if (reading === 'archive') return { kind: 'archive', text, place: url.href };
  if (reading === 'marketplace') return { kind: 'marketplace', text: `marketplace:${text}`, place: url.href };
  const page = pageIn(url);
  return page === undefined ? wellKnownSource(url) : pageSource(url, page);
}

/** The kind of source that an address looks like. One level below a host there are hardly any repositories. */
function readingOf(url: URL): 'well-known' | 'marketplace' | 'page' | 'archive' | 'git' {
  const { pathname, protocol } = url;
  const isLocal = protocol === 'file:';
  if (!isLocal && /\/\.well-known\/(?:agent-)?skills(?:\/|$)/.test(pathname)) return 'well-known';
  if (!isLocal && marketplaceName.test(pathname)) return 'marketplace';
  if (!isLocal && pageIn(url) !== undefined) return 'page';
  if (archiveName.test(pathname)) return 'archive';
  const isRepository = isLocal || /\.git(?:\/|$)/.test(pathname) || partsOf(pathname.slice(1)).length > 1;
  return isRepository ? 'git' : 'well-known';
}

function pageIn({ pathname }: URL): RegExpExecArray | undefined {
  return pages.map((form) => form.exec(decoded(pathname))).find((match) => match !== null);
}

function decoded(pathname: string): string {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname;
  }
}

function pageSource(url: URL, [, name = '', rest = '']: RegExpExecArray): Source {
  const place = new URL(url);
  place.pathname = `/${name.replace(/\.git$/, '')}.git`;
  place.search = '';
  place.hash = '';
  const refAndPath = partsOf(rest)
    .join('/')
    .replace(/\/skill\.md$/i, '');
  checkedPath(refAndPath, url.href);
  checkedRef(refAndPath.split('/')[0] ?? '', url.href);
  const isPlain = !refAndPath.includes('/');
  if (isPlain) return spelled({ kind: 'git', text: '', place: place.href, ref: refAndPath });
  return { kind: 'git', text: shownUrl(url), place: place.href, refAndPath };
}

/** A repository by its address, with `#ref`; what follows `.git/` is a folder in it. */
function gitSource(url: URL): Source {
  const ref = decoded(url.hash.slice(1));
  const [, before = url.pathname, path = ''] = /^(.*?\.git)\/(.+)$/.exec(url.pathname) ?? [];
  const place = new URL(url);
  place.hash = '';
  place.pathname = before.replace(/(?:\/\.?)+$/, '') || '/';
  return spelled({
    kind: 'git',
    text: '',
    place: place.href,
    ...(ref !== '' && { ref: checkedRef(ref, url.href) }),
    ...checkedPath(decoded(path), url.href),
  });
}

/** `user@host:repo.git`, as SSH has it; what follows `.git/` is a folder, and `#` begins a ref. */
function scpSource(text: string): Source {
  const [, before = '', path = '', ref] = /^(.+?(?:\.git(?=[/#]|$)|(?=#|$)))((?:\/[^#]*)?)(?:#(.+))?$/.exec(text) ?? [];
  if (before === '') refuse(text, 'this is not a repository');
  return spelled({
    kind: 'git',
    text: '',
    place: before,
    ...(ref !== undefined && { ref: checkedRef(ref, text) }),
    ...checkedPath(path, text),
  });
}

function fileSource(url: URL, environment: Environment): Source {
  if (url.hostname !== '' && url.hostname !== 'localhost') refuse(url.href, 'a file must lie on this machine');
  if (archiveName.test(url.pathname)) return localSource(pathOf(url), environment);
  return gitSource(url);
}

function pathOf(url: URL): string {
  try {
    return fileURLToPath(url);
  } catch {
    return refuse(url.href, 'its path is wrongly encoded');
  }
}

function localSource(text: string, environment: Environment): Source {
  const place = resolve(expandPath(text, environment).replace(/(?:[/\\]skill\.md)+$/i, ''));
  const inside = isInside(environment.cwd, place);
  const below = relative(environment.cwd, place).split(sep).join('/');
  const spelling = !inside ? place : below === '' ? '.' : `./${below}`;
  if (archiveName.test(place)) return { kind: 'archive', text: spelling, place };
  if (marketplaceName.test(place)) return { kind: 'marketplace', text: `marketplace:${spelling}`, place };
  if (place.endsWith('.git') && !place.endsWith('/.git')) return { kind: 'git', text: spelling, place };
  return { kind: 'folder', text: spelling, place };
}

function npmSource(text: string): Source {
  const [, name, ref] =
    /^((?:@[a-z0-9~][\w.~-]*\/)?[a-z0-9~][\w.~-]*)(?:@([\w^~<>=*][\w.+~^<>=*| -]*))?$/i.exec(text) ?? [];
  if (name === undefined || name.length > 214) return refuse(`npm:${text}`, 'this is not a package name and version');
  return {
    kind: 'npm',
    text: `npm:${name}${ref === undefined ? '' : `@${ref}`}`,
    place: name,
    ...(ref !== undefined && { ref }),
  };
}

function wellKnownSource(url: URL): Source {
  const base = new URL(url);
  base.pathname = base.pathname.replace(/\/\.well-known\/.*$/s, '').replace(/\/+$/, '');
  base.search = '';
  base.hash = '';
  return {
    kind: 'well-known',
    text: `well-known:${shownUrl(base).replace(/\/$/, '')}`,
    place: base.href.replace(/\/$/, ''),
  };
}

function mcpSource(address: string): Source {
  const url = urlOf(address);
  return { kind: 'mcp', text: `mcp+${shownUrl(url)}`, place: url.href };
}

/** A marketplace: the address of its file, or what holds it. */
function marketplaceSource(text: string, environment: Environment, plugin?: string): Source {
  const within = understood(text, environment);
  const named = plugin === undefined ? {} : { plugin };
  if (within.kind === 'marketplace') {
    const spelling = within.text.replace(/^marketplace:/, '');
    return { ...within, ...named, text: plugin === undefined ? within.text : `plugin:${plugin}@${spelling}` };
  }
  if (within.kind !== 'git' && within.kind !== 'folder')
    refuse(text, 'a marketplace is a repository, a folder or a marketplace.json');
  return { kind: 'marketplace', text: marketplaceText(within, plugin), place: within.place, within, ...named };
}

function marketplaceText(within: Source, plugin: string | undefined): string {
  return plugin === undefined ? `marketplace:${within.text}` : `plugin:${plugin}@${within.text}`;
}
