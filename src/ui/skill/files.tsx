import { useEffect, useState } from 'preact/hooks';
import { sizeInWords } from '../../core/text/quantities.ts';
import { counted } from '../../core/text/text.ts';
import type { InspectFile } from '../../engine/operations/skills/inspect.ts';
import type { ReadOutput } from '../../engine/operations/skills/read.ts';
import { ask, fileAddress } from '../api.ts';
import { revisions } from '../live.ts';
import type { Place } from '../markdown/address.ts';
import { Markdown } from '../markdown/markdown.tsx';
import { isPicture, LongText, Ready } from '../parts/elements.tsx';
import { useLoaded } from '../parts/hooks.ts';
import { foreign } from '../parts/words.ts';
import { hrefOf } from '../route.ts';
import type { PartProps } from './parts.tsx';
import { joined, readParts, shortDigest } from './values.ts';

const thanksMs = 1500;

/**
 * A button that copies a text. Browsers allow no copying over plain HTTP from another machine; then there is no button.
 */
function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setIsCopied(false), thanksMs);
    return () => clearTimeout(timer);
  }, [isCopied]);
  if (!isSecureContext) return null;
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(
      () => setIsCopied(true),
      () => {},
    );
  };
  return (
    <button type="button" class="skill-copy" onClick={copy} aria-label={isCopied ? 'Copied' : label}>
      {isCopied ? 'Copied' : 'Copy'}
    </button>
  );
}

/** The files of the skill, down to the bytes that a grant is bound to. */
export function Files({ inspected }: PartProps) {
  const { name, files, refused, digest } = inspected;
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
        {files.map((file) => (
          <FileRow key={file.path} file={file} skill={name} />
        ))}
      </ul>
      {refused.length > 0 && (
        <div class="notice warn">
          <p>These links lead out of the skill, or to nothing. They are never read:</p>
          <ul>
            {refused.map((path) => (
              <li key={path} class="mono">
                <bdi>{foreign(path)}</bdi>
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}

function FileRow({ file, skill }: { readonly file: InspectFile; readonly skill: string }) {
  const { path, bytes, digest, mimeType } = file;
  return (
    <li>
      <a href={hrefOf('skill', [skill, 'file', ...path.split('/')])} title={foreign(mimeType)}>
        <bdi>{foreign(path)}</bdi>
      </a>
      <span class="quiet skill-size">{sizeInWords(bytes)}</span>
      <span>
        {digest === null ? <span class="badge bad">cannot be read</span> : <Digest digest={digest} of={path} />}
      </span>
    </li>
  );
}

function Digest({ digest, of }: { readonly digest: string; readonly of: string }) {
  return (
    <span class="skill-hash">
      <code title={digest}>{shortDigest(digest)}</code>{' '}
      <CopyButton text={digest} label={`Copy the digest of ${foreign(of)}`} />
    </span>
  );
}

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

/** The file as far as it was read, with a button to read more. */
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
