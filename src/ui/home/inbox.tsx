import { useState } from 'preact/hooks';
import type { AttentionItem } from '../../engine/operations/machine/attention.ts';
import { mendHref } from '../markdown/address.ts';
import { bdi, Empty } from '../parts/elements.tsx';
import { Icon, type IconName } from '../parts/icon.tsx';
import { foreignCut, message, place, type Tone } from '../parts/words.ts';
import { hrefOf, placeHref } from '../route.ts';
import { may } from '../session.ts';

interface Look {
  readonly title: string;
  readonly icon: IconName;
  readonly tone: Tone;
  /** The place where it is settled, and the word for that. */
  readonly step: (item: AttentionItem) => { readonly href: string; readonly text: string };
}

const review = ({ skill }: AttentionItem) => ({ href: hrefOf('grants', [skill ?? '']), text: 'Review' });

const looks: Readonly<Record<AttentionItem['kind'], Look>> = {
  quarantine: {
    title: 'In quarantine',
    icon: 'warn',
    tone: 'bad',
    step: ({ skill }) =>
      may('locked')
        ? { href: hrefOf('get'), text: 'Look at it' }
        : { href: hrefOf('skill', [skill ?? '']), text: 'Open' },
  },
  broken: {
    title: 'Broken',
    icon: 'error',
    tone: 'bad',
    step({ skill, file, path, line }) {
      if (skill !== null) return { href: placeHref(skill, path ?? 'SKILL.md', line), text: 'Open' };
      const mend = may('edit') ? mendHref(file ?? '', line) : null;
      return mend === null
        ? { href: hrefOf('skills', [], { state: 'skipped' }), text: 'See why' }
        : { href: mend, text: 'Fix' };
    },
  },
  grant: { title: 'Changed since it was granted', icon: 'grants', tone: 'warn', step: review },
  denial: { title: 'Denied today', icon: 'lock', tone: 'warn', step: review },
  agent: {
    title: 'Not connected',
    icon: 'plug',
    tone: 'warn',
    step: ({ agent }) => ({ href: hrefOf('agents', [agent ?? '']), text: 'Connect' }),
  },
  asking: { title: 'Asking for permissions', icon: 'grants', tone: '', step: review },
};

/** The items that need somebody, by kind, each with the way to where it is settled. */
export function Inbox({ items }: { readonly items: readonly AttentionItem[] }) {
  const kinds = (Object.keys(looks) as AttentionItem['kind'][])
    .map((kind) => ({ kind, some: items.filter((item) => item.kind === kind) }))
    .filter(({ some }) => some.length > 0);
  return (
    <section aria-labelledby="home-inbox">
      <h2 id="home-inbox">Needs you</h2>
      {kinds.length === 0 && (
        <Empty icon="check" title="Nothing needs you">
          <p>Every skill can be used, every grant holds, and every agent that was found is connected.</p>
        </Empty>
      )}
      {kinds.map(({ kind, some }) => (
        <Group key={kind} look={looks[kind]} items={some} />
      ))}
    </section>
  );
}

const few = 4;
const longest = 300;

function Group({ look, items }: { readonly look: Look; readonly items: readonly AttentionItem[] }) {
  const [showsAll, setShowsAll] = useState(false);
  const shown = showsAll ? items : items.slice(0, few);
  return (
    <div class="inbox">
      <h3>
        <span class={`inbox-icon ${look.tone}`}>
          <Icon name={look.icon} />
        </span>
        {look.title} <span class="quiet">{items.length}</span>
      </h3>
      <ul class="rows">
        {shown.map((item, place) => (
          <Row key={place} item={item} look={look} />
        ))}
      </ul>
      {shown.length < items.length && (
        <button type="button" class="inbox-more" onClick={() => setShowsAll(true)}>
          Show {items.length - shown.length} more <span class="hidden">of {look.title}</span>
        </button>
      )}
    </div>
  );
}

/** The name of the folder that a file lies in, which a skill that cannot be read has been given at least. */
function folderNameOf(file: string): string {
  return file.split(/[\\/]/).at(-2) ?? file;
}

function Row({ item, look }: { readonly item: AttentionItem; readonly look: Look }) {
  const { kind, what, detail, skill, file, line, execution } = item;
  const { href, text } = look.step(item);
  return (
    <li>
      <div class="inbox-what">
        <p>
          {kind === 'broken' && (
            <>
              <strong>{bdi(foreignCut(skill ?? folderNameOf(file ?? ''), longest))}</strong>:{' '}
            </>
          )}
          {bdi(place(what, longest))}
        </p>
        {file !== null && (
          <p class="mono quiet">
            {bdi(place(file, longest))}
            {line !== null && `:${line}`}
          </p>
        )}
        {detail !== '' && <p class="quiet">{bdi(message(detail, longest))}</p>}
      </div>
      <div class="row">
        {execution !== null && may('audit') && (
          <a class="button" href={hrefOf('activity', [], { id: execution })}>
            Record
          </a>
        )}
        <a class="button" href={href}>
          {text} {skill !== null && <span class="hidden">{foreignCut(skill, longest)}</span>}
        </a>
      </div>
    </li>
  );
}
