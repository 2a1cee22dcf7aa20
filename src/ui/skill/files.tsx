import { useMemo, useState } from 'preact/hooks';
import { sizeInWords } from '../../core/text/quantities.ts';
import { counted } from '../../core/text/text.ts';
import type { InspectFile } from '../../engine/operations/skills/inspect.ts';
import type { ReadOutput } from '../../engine/operations/skills/read.ts';
import { ask, fileAddress } from '../api.ts';
import { Code } from '../code/code.tsx';
import { revisions } from '../live.ts';
import { editHref, lineHref, type Named, type Place, skillHref } from '../markdown/address.ts';
import { Markdown } from '../markdown/markdown.tsx';
import { bdi, Crumbs, isPicture, Ready } from '../parts/elements.tsx';
import { useLoaded } from '../parts/hooks.ts';
import { Icon } from '../parts/icon.tsx';
import { foreign } from '../parts/words.ts';
import { hrefOf, route } from '../route.ts';
import { may } from '../session.ts';
import { Digest } from './digest.tsx';
import type { PartProps } from './parts.tsx';
import { Rail } from './rail.tsx';
import { joined, readParts } from './values.ts';

/** Rows that are drawn at first, and with each request for more. */
const step = 200;

/** The files of the skill, down to the bytes that a grant is bound to. */
export function Files({ inspected, named }: PartProps) {
  const { files, refused, digest } = inspected;
  const [most, setMost] = useState(step);
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  return (
    <>
      <p class="skill-digest">
        {counted(files.length, 'file')}, {sizeInWords(bytes)}.{' '}
        {digest === null ? (
          'Not all of them can be read, so nothing can be granted to this skill.'
        ) : (
          <>
            All together: <Digest digest={digest} of="all files" />
          </>
        )}
      </p>
      <ul class="skill-files" aria-label="Files">
        {files.slice(0, most).map((file) => (
          <FileRow key={file.path} file={file} named={named} />
        ))}
      </ul>
      {most < files.length && (
        <button type="button" onClick={() => setMost(most + step)}>
          Show more ({counted(files.length - most, 'file')})
        </button>
      )}
      {refused.length > 0 && (
        <div class="notice warn">
          <p>These links lead out of the skill, or to nothing. They are never read:</p>
          <ul>
            {refused.map((path) => (
              <li key={path} class="mono">
                {bdi(foreign(path))}
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}

function FileRow({ file, named }: { readonly file: InspectFile; readonly named: Named }) {
  const { path, bytes, digest, mimeType } = file;
  return (
    <li>
      <a href={skillHref(named, ['file', ...path.split('/')])} title={foreign(mimeType)}>
        {bdi(foreign(path))}
      </a>
      <span class="quiet skill-size">{sizeInWords(bytes)}</span>
      <span>
        {digest === null ? <span class="badge bad">cannot be read</span> : <Digest digest={digest} of={path} />}
      </span>
    </li>
  );
}

/** The way to a file of a skill, as links. */
export function FileCrumbs({ named }: { readonly named: Named }) {
  const way = [
    { href: hrefOf('skills'), text: 'Skills' },
    { href: skillHref(named), text: named.skill },
    { href: skillHref(named, [], { part: 'files' }), text: 'Files' },
  ];
  return <Crumbs label="Where this file is" way={way} />;
}

/** Types of files that are texts. */
const textual = /^text\/|json|toml|yaml|xml|javascript|typescript|x-sh|python/;

/** One file of a skill, with the others beside it. */
export function FilePage({ skill, of, path }: Place) {
  const named = { skill, of };
  const about = useLoaded(
    (signal) => ask('inspect', { name: skill, ...(of !== '' && { file: of }) }, signal),
    [skill, of, revisions.skills.value],
  );
  const files = useMemo(() => about.value?.files.map((file) => file.path) ?? [], [about.value]);
  const type = about.value?.files.find((file) => file.path === path)?.mimeType ?? '';
  return (
    <>
      <FileCrumbs named={named} />
      <div class="skill-title">
        <h1 class="mono">{bdi(foreign(path))}</h1>
        <p class="row">
          {textual.test(type) && may('edit') && about.value?.obstacle === null && (
            <a class="button" href={editHref(named, path)}>
              <Icon name="edit" /> Edit
            </a>
          )}
        </p>
      </div>
      <div class="with-rail">
        <div>
          {isPicture(path) ? (
            <img class="skill-picture" src={fileAddress(named, path)} alt={foreign(path)} />
          ) : (
            <FileText skill={skill} of={of} path={path} files={files} />
          )}
        </div>
        {about.value !== null && <Rail inspected={about.value} named={named} current={path} />}
      </div>
    </>
  );
}

/** The file as far as it was read, with a button to read more. */
function FileText(place: Place) {
  const { skill, of, path } = place;
  const [count, setCount] = useState(1);
  const loaded = useLoaded(
    (signal) => {
      const chosen = { name: skill, ...(of !== '' && { file: of }) };
      return readParts((offset) => ask('read', { ...chosen, path, offset }, signal), count);
    },
    [skill, of, path, count, revisions.skills.value],
  );
  return (
    <Ready loaded={loaded}>
      {(parts) => {
        const last = parts.at(-1);
        return (
          <>
            <FileContent place={place} parts={parts} />
            {last !== undefined && last.nextOffset !== null && last.encoding === 'utf8' && (
              <p class="row">
                <button type="button" onClick={() => loaded.isLoading || setCount(count + 1)}>
                  Show more
                </button>
                <span class="quiet">
                  {sizeInWords(last.nextOffset)} of {sizeInWords(last.size)}
                </span>
              </p>
            )}
          </>
        );
      }}
    </Ready>
  );
}

function FileContent({ place, parts }: { readonly place: Place; readonly parts: readonly ReadOutput[] }) {
  const [first] = parts;
  if (first === undefined) return null;
  if (parts.some(({ encoding }) => encoding === 'base64')) {
    return (
      <p class="notice">
        This file is not text, so it is not shown: {foreign(first.mimeType)}, {sizeInWords(first.size)}.
      </p>
    );
  }
  const text = joined(parts);
  if (text === '') return <p class="notice">This file is empty.</p>;
  const isMarkdown = /\.(?:md|markdown)$/i.test(place.path);
  const { query } = route.value;
  const isSource = !isMarkdown || query.get('view') === 'source';
  return (
    <>
      {isMarkdown && <ViewChoice place={place} isSource={isSource} />}
      {isSource ? (
        <Code
          text={text}
          name={place.path}
          line={Number(query.get('line') ?? 0)}
          hrefOfLine={(line) => lineHref(place, place.path, line)}
        >
          <span>
            {sizeInWords(first.size)}
            {first.nextOffset !== null && ', only the beginning is shown'}
          </span>
        </Code>
      ) : (
        <Markdown text={text} place={place} />
      )}
    </>
  );
}

/** The two ways to look at a text in Markdown. */
function ViewChoice({ place, isSource }: { readonly place: Place; readonly isSource: boolean }) {
  const rest = ['file', ...place.path.split('/')];
  return (
    <nav class="tabs skill-views" aria-label="View">
      <a href={skillHref(place, rest)} aria-current={isSource ? undefined : 'page'}>
        Rendered
      </a>
      <a href={skillHref(place, rest, { view: 'source' })} aria-current={isSource ? 'page' : undefined}>
        Source
      </a>
    </nav>
  );
}
