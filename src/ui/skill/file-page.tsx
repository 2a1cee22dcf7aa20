import { useState } from 'preact/hooks';
import type { ReadOutput } from '../../engine/operations/read.ts';
import { sizeInWords } from '../../kernel/quantities.ts';
import { counted } from '../../kernel/text.ts';
import { ask, fileAddress } from '../api.ts';
import { revisions } from '../live.ts';
import type { Place } from '../markdown/address.ts';
import { Markdown } from '../markdown/markdown.tsx';
import { foreign } from '../parts/foreign.ts';
import { useLoaded } from '../parts/loaded.ts';
import { LongText } from '../parts/long-text.tsx';
import { Ready } from '../parts/notices.tsx';
import { isPicture } from '../parts/picture.ts';
import { hrefOf } from '../route.ts';
import { joined, readParts } from './read-parts.ts';

/** One file of a skill. */
export function FilePage({ skill, path }: Place) {
  return (
    <>
      <nav class="quiet" aria-label="Where this file is">
        <a href={hrefOf('skills')}>Skills</a> /{' '}
        <a href={hrefOf('skill', [skill])}>
          <bdi>{foreign(skill)}</bdi>
        </a>{' '}
        / <a href={hrefOf('skill', [skill], { part: 'files' })}>Files</a>
      </nav>
      <h1 class="mono">
        <bdi>{foreign(path)}</bdi>
      </h1>
      {isPicture(path) ? (
        <img class="skill-picture" src={fileAddress(skill, path)} alt={foreign(path)} />
      ) : (
        <FileText skill={skill} path={path} />
      )}
    </>
  );
}

/** The file as far as it was read. More of it comes when it is asked for. */
function FileText({ skill, path }: Place) {
  const [count, setCount] = useState(1);
  const loaded = useLoaded(
    (signal) => readParts((offset) => ask('read', { name: skill, path, offset }, signal), count),
    [skill, path, count, revisions.skills.value],
  );
  return (
    <Ready loaded={loaded}>
      {(parts) => {
        const last = parts.at(-1);
        return (
          <>
            <FileContent place={{ skill, path }} parts={parts} />
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
  if (/\.(?:md|markdown)$/i.test(place.path)) return <Markdown text={text} place={place} />;
  return (
    <>
      <p class="quiet">
        {counted(text.split('\n').length, 'line')}
        {first.nextOffset !== null && ' so far'}, {sizeInWords(first.size)}
      </p>
      <LongText text={text} label={`The text of ${foreign(place.path)}`} />
    </>
  );
}
