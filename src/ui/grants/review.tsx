import { useEffect, useState } from 'preact/hooks';
import { counted } from '../../core/text/text.ts';
import type { FileChange, GrantRecord } from '../../engine/operations/running/grants.ts';
import type { InspectOutput, InspectPermissions } from '../../engine/operations/skills/inspect.ts';
import { ApiError, act, ask } from '../api.ts';
import { Diff } from '../parts/diff.tsx';
import { bdi, Problem, Ready } from '../parts/elements.tsx';
import { type Action, useLoaded } from '../parts/hooks.ts';
import { Icon } from '../parts/icon.tsx';
import { foreign, foreignCut, message, moment, place } from '../parts/words.ts';
import { hrefOf } from '../route.ts';
import { runNext } from '../run/pending.ts';
import { may, withheld } from '../session.ts';
import { type Asked, askedIn, byRisk, grantWords, hadBefore, type Item, isHeld, tickedAtFirst } from './choice.ts';
import { Changes, Revoke } from './list.tsx';

interface AskedProps {
  readonly item: Asked;
  readonly isTicked: boolean;
  readonly onTick: (isOn: boolean) => void;
}

/** One capability that a skill asks for, to be ticked or not. */
function AskedItem({ item, isTicked, onTick }: AskedProps) {
  const { words, granted, isNew } = item;
  return (
    <label class="grants-item">
      <input
        type="checkbox"
        // A reader who cannot decide is shown the actual state, and not a possible one.
        checked={may('grant') ? isTicked : granted}
        disabled={!may('grant')}
        onChange={(event) => onTick(event.currentTarget.checked)}
      />
      <span>
        {bdi(place(words, 500))} <Tools item={item} /> {granted && <span class="badge good">granted</span>}
        {isNew && <span class="badge warn">new since the last grant</span>}
      </span>
    </label>
  );
}

function Tools({ item: { tools } }: { readonly item: Item }) {
  if (tools.length === 0) return null;
  return <span class="quiet">(for {tools.map(foreign).join(', ')})</span>;
}

/** Capabilities that need no grant. */
export function FreeItems({ items }: { readonly items: readonly Item[] }) {
  if (items.length === 0) return null;
  return (
    <section aria-labelledby="grants-free">
      <h2 id="grants-free">Needs no grant</h2>
      <ul class="grants-words">
        {items.map((item) => (
          <li key={item.key}>
            {bdi(place(item.words, 500))} <Tools item={item} />
          </li>
        ))}
      </ul>
    </section>
  );
}

interface ReviewProps {
  readonly skill: string;
  readonly inspected: InspectOutput;
  /** The grant record, whether it still holds or not. */
  readonly record: GrantRecord | null;
  /** The tool that is to be run afterwards; null where somebody came for the grant alone. */
  readonly tool: string | null;
  readonly action: Action;
  readonly again: () => void;
}

/** The capabilities that one skill asks for, to be granted, narrowed or revoked. */
export function Review({ skill, inspected, record, tool, action, again }: ReviewProps) {
  const { permissions, digest } = inspected;
  const asked = askedIn(permissions, record);
  const [ticked, setTicked] = useState(() => tickedAtFirst(asked, permissions));
  const grantedAt = permissions.grant?.grantedAt;
  // The choice begins anew with another grant, whoever gave it.
  useEffect(() => setTicked(tickedAtFirst(asked, permissions)), [grantedAt]);
  const isUnchanged = isHeld(asked, ticked, permissions);
  const { fullName, looksLike } = inspected.skill;
  const [isMeant, setMeant] = useState(looksLike === null);
  const isPossible = ticked.size > 0 && digest !== null && !isUnchanged && isMeant;
  const grant = async (thenRun: boolean): Promise<void> => {
    if (!isPossible) return;
    // Only the content that was shown is granted: the server compares the digest.
    const confirmed = looksLike === null ? {} : { confirmName: fullName };
    const isGranted = await action.run(() =>
      act('grant', { skill, only: [...ticked], expected: digest, ...confirmed }),
    );
    if (!isGranted || !thenRun || tool === null) return again();
    runNext(skill, tool);
    location.hash = hrefOf('run', [skill, tool]);
  };
  const tick = (keys: Iterable<string>, isOn: boolean): void => {
    const these = new Set(keys);
    const others = [...ticked].filter((key) => !these.has(key));
    setTicked(new Set(isOn ? [...others, ...these] : others));
  };
  const { apart, rest } = byRisk(asked);
  const before = permissions.grant?.valid === false ? hadBefore(asked, record) : new Set<string>();
  return (
    <>
      <Standing permissions={permissions} action={action} />
      {permissions.grant?.valid === false && <FileChanges skill={skill} digest={digest} />}
      {asked.length > 0 && (
        <section class="card grants-asked" aria-labelledby="grants-asked">
          <h2 id="grants-asked">It asks to</h2>
          <Items title="Secrets and wildcards" items={apart} ticked={ticked} tick={tick} />
          <Items
            title={apart.length > 0 ? 'Everything else, the riskiest first' : 'The riskiest first'}
            items={rest}
            ticked={ticked}
            tick={tick}
            all="Select all of these"
          />
          {looksLike !== null && (
            <label class="grants-item">
              <input type="checkbox" checked={isMeant} onChange={(event) => setMeant(event.currentTarget.checked)} />
              <span>
                I mean {bdi(foreignCut(fullName, 100))}. Its name looks like that of another skill,{' '}
                {bdi(foreignCut(looksLike, 100))}.
              </span>
            </label>
          )}
          {may('grant') && (
            <Buttons
              words={isUnchanged ? 'Granted' : grantWords(ticked.size, asked.length)}
              hasSome={ticked.size > 0}
              isPossible={isPossible}
              tool={tool}
              action={action}
              grant={grant}
              tickBefore={before.size === 0 ? null : () => tick(before, true)}
            />
          )}
        </section>
      )}
      {record !== null && may('revoke') && <Revoke skill={skill} onDone={again} />}
    </>
  );
}

interface ItemsProps {
  readonly title: string;
  readonly items: readonly Asked[];
  readonly ticked: ReadonlySet<string>;
  readonly tick: (keys: Iterable<string>, isOn: boolean) => void;
  /** Words of the button that ticks all of them; where there is none, each is decided on by itself. */
  readonly all?: string;
}

function Items({ title, items, ticked, tick, all }: ItemsProps) {
  if (items.length === 0) return null;
  const isAll = items.every(({ key }) => ticked.has(key));
  return (
    <fieldset class="grants-items">
      <legend>{title}</legend>
      {items.map((item) => (
        <AskedItem
          key={item.key}
          item={item}
          isTicked={ticked.has(item.key)}
          onTick={(isOn) => tick([item.key], isOn)}
        />
      ))}
      {all !== undefined && items.length > 1 && may('grant') && (
        <button
          type="button"
          onClick={() =>
            tick(
              items.map(({ key }) => key),
              !isAll,
            )
          }
        >
          {isAll ? 'Select none of these' : all}
        </button>
      )}
    </fieldset>
  );
}

interface ButtonsProps {
  readonly words: string;
  /** Whether anything is ticked. */
  readonly hasSome: boolean;
  readonly isPossible: boolean;
  readonly tool: string | null;
  readonly action: Action;
  readonly grant: (thenRun: boolean) => Promise<void>;
  /** Ticks what was granted before; null where nothing was. */
  readonly tickBefore: (() => void) | null;
}

function Buttons({ words, hasSome, isPossible, tool, action: { isBusy }, grant, tickBefore }: ButtonsProps) {
  const isOff = !isPossible || isBusy;
  return (
    <div class="row">
      {tool !== null && isPossible && (
        <button type="button" class="main" aria-disabled={isOff} onClick={() => void grant(true)}>
          <Icon name="run" /> {words} and run {bdi(foreignCut(tool, 60), 'mono')}
        </button>
      )}
      <button
        type="button"
        class={tool !== null && isPossible ? undefined : 'main'}
        aria-disabled={isOff}
        onClick={() => void grant(false)}
      >
        {words}
      </button>
      {tickBefore !== null && (
        <button type="button" onClick={tickBefore}>
          Select what it had
        </button>
      )}
      <span class="quiet">{hasSome ? 'It is valid until any of its files changes.' : 'Select what it may do.'}</span>
    </div>
  );
}

interface StandingProps {
  readonly permissions: InspectPermissions;
  readonly action: Action;
}

/** The state of a skill's requested and granted capabilities. */
function Standing({ permissions: { items, grant, impossible }, action: { error } }: StandingProps) {
  const needsOne = items.some(({ free }) => !free);
  return (
    <>
      {error !== null && <NotGranted error={error} />}
      <div role="status">
        {grant?.valid && (
          <p class="notice good">Granted on {moment(grant.grantedAt)}. It is valid until any of its files changes.</p>
        )}
      </div>
      {grant !== null && !grant.valid && <Changes grantedAt={grant.grantedAt} changes={grant.changes} />}
      {grant === null && needsOne && <p class="quiet">Nothing has been granted to it.</p>}
      {!needsOne && <p class="notice">It asks for nothing that has to be granted. It runs in its sandbox as it is.</p>}
      {impossible !== null && (
        <div class="notice bad">
          <p>
            <strong>Not all of it can be granted.</strong>
          </p>
          <p>{bdi(message(impossible, 4000))}</p>
          <p class="quiet">
            The operator's policy and the rules for every skill take precedence over grants. Untick what cannot be
            granted, or have the author ask for less.
          </p>
        </div>
      )}
      {!may('grant') && <p class="notice">{withheld()}, so nothing can be granted or revoked here.</p>}
    </>
  );
}

/** The reason why nothing was granted. The skill may have changed; the page then shows it as it is now. */
function NotGranted({ error }: { readonly error: Error }) {
  if (!(error instanceof ApiError) || error.code !== 'denied') return <Problem error={error} />;
  return (
    <div class="notice bad" role="alert">
      <p>Nothing was granted: {bdi(foreignCut(error.message, 2000))}</p>
      <p>It has just been reloaded. Review it again before you grant it.</p>
    </div>
  );
}

/** The changes of a skill's files since its grant, line by line. */
function FileChanges({ skill, digest }: { readonly skill: string; readonly digest: string | null }) {
  const loaded = useLoaded((signal) => ask('grants', { skill, diff: true }, signal), [skill, digest]);
  return (
    <section class="grants-diff" aria-labelledby="grants-diff">
      <h2 id="grants-diff">What has changed since the grant</h2>
      <Ready loaded={loaded}>{({ grants: [grant] }) => <Files files={grant?.files ?? []} />}</Ready>
    </section>
  );
}

/** Files whose changes are open at first. */
const mostOpen = 5;

function Files({ files }: { readonly files: readonly FileChange[] }) {
  return (
    <>
      <p class="quiet">{counted(files.length, 'file')}</p>
      {files.map((file, place) => (
        <details key={file.path} class="grants-file" open={place < mostOpen}>
          <summary>
            {bdi(foreignCut(file.path, 300), 'mono')} <span class="badge">{words[file.change]}</span>
          </summary>
          {file.note !== null && <p class="quiet">{foreign(file.note)}</p>}
          {isKnown(file) && file.before !== file.after && (
            <Diff
              label={`Changes of ${foreignCut(file.path, 300)}`}
              before={file.before ?? ''}
              after={file.after ?? ''}
              sides={['as it was granted', 'now']}
            />
          )}
        </details>
      ))}
    </>
  );
}

const words: Readonly<Record<FileChange['change'], string>> = { changed: 'changed', added: 'new', removed: 'gone' };

/** Whether both sides are known: half of a change would look like another one. */
function isKnown({ change, before, after }: FileChange): boolean {
  return (change === 'added' || before !== null) && (change === 'removed' || after !== null);
}
