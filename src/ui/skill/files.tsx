import { useEffect, useState } from 'preact/hooks';
import type { InspectFile } from '../../engine/operations/inspect.ts';
import { sizeInWords } from '../../kernel/quantities.ts';
import { counted } from '../../kernel/text.ts';
import { foreign } from '../parts/foreign.ts';
import { hrefOf } from '../route.ts';
import type { PartProps } from './parts.tsx';
import { shortDigest } from './values.ts';

const thanksMs = 1500;

/** Copies a text. A browser lets nobody copy over plain HTTP from another machine; then there is no button. */
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

/** What belongs to the skill, down to the bytes that a grant is bound to. */
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

export function Digest({ digest, of }: { readonly digest: string; readonly of: string }) {
  return (
    <span class="skill-hash">
      <code title={digest}>{shortDigest(digest)}</code>{' '}
      <CopyButton text={digest} label={`Copy the digest of ${foreign(of)}`} />
    </span>
  );
}
