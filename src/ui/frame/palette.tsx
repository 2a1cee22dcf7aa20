import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { SearchHit } from '../../engine/searching/hits.ts';
import { ask } from '../api.ts';
import { bdi } from '../parts/elements.tsx';
import { useLoaded } from '../parts/hooks.ts';
import { Icon, type IconName } from '../parts/icon.tsx';
import { foreignCut } from '../parts/words.ts';
import { hrefOf } from '../route.ts';
import { chooseScheme, schemes } from '../scheme.ts';
import { may } from '../session.ts';
import { overlay } from './keys.ts';
import { menu } from './menu.ts';

/** Something to go to or to do. */
interface Choice {
  readonly id: string;
  readonly group: string;
  readonly icon: IconName;
  readonly title: string;
  readonly more?: string;
  readonly act: () => void;
}

function going(href: string): () => void {
  return () => {
    location.hash = href;
  };
}

/** Ways to what changes something, each with the operation that it leads to. */
const ways = [
  { icon: 'get', title: 'Add skills from a source', page: 'get', does: 'add' },
  { icon: 'plus', title: 'Make a new skill', page: 'new', does: 'new' },
  { icon: 'plug', title: 'Connect an agent', page: 'agents', does: 'setup' },
] as const;

/** Pages and actions: those whose words begin with what was typed. */
function fixedChoices(): readonly Choice[] {
  const actions: readonly Omit<Choice, 'id' | 'group'>[] = [
    ...ways.filter(({ does }) => may(does)).map(({ page, ...way }) => ({ ...way, act: going(hrefOf(page)) })),
    ...schemes.map((one) => ({
      icon: one === 'dark' ? ('moon' as const) : one === 'light' ? ('sun' as const) : ('screen' as const),
      title: `Colours: ${one}`,
      act: () => chooseScheme(one),
    })),
    {
      icon: 'keyboard',
      title: 'Show all keys',
      act: () => {
        overlay.value = 'keys';
      },
    },
  ];
  return [
    ...menu().map(({ page, title, icon }) => ({ group: 'Pages', icon, title, act: going(hrefOf(page)) })),
    ...actions.map((action) => ({ group: 'Actions', ...action })),
  ].map((choice) => ({ ...choice, id: `${choice.group} ${choice.title}` }));
}

const longest = 120;
const mostTools = 4;

function skillChoices(hits: readonly SearchHit[], typed: string): readonly Choice[] {
  const words = wordsIn(typed);
  const skills = hits.map(({ name, path, description, weak }) => ({
    id: `skill ${path}`,
    group: weak ? 'May not fit' : 'Skills',
    icon: 'skills' as const,
    title: name,
    more: description,
    act: going(hrefOf('skill', [name])),
  }));
  const tools = hits.flatMap(({ name, tools: all, bestTool, weak }) =>
    all
      .filter((tool) => !weak && (tool === bestTool?.name || words.every((word) => isIn(`${name} ${tool}`, word))))
      .map((tool) => ({
        id: `tool ${name} ${tool}`,
        group: 'Tools',
        icon: 'run' as const,
        title: `${name}: ${tool}`,
        isNamed: words.every((word) => isIn(`${name} ${tool}`, word)),
        act: going(hrefOf('run', [name, tool])),
      })),
  );
  const fitting = skills.filter(({ group }) => group === 'Skills');
  const weak = skills.filter(({ group }) => group !== 'Skills').slice(0, 3);
  const shown = may('run') ? tools.slice(0, mostTools) : [];
  // Whoever types a skill and a tool means the tool.
  return words.length > 1 && shown.some(({ isNamed }) => isNamed)
    ? [...shown, ...fitting, ...weak]
    : [...fitting, ...shown, ...weak];
}

function wordsIn(typed: string): readonly string[] {
  return typed
    .toLowerCase()
    .split(/[\s:]+/)
    .filter(Boolean);
}

function isIn(text: string, word: string): boolean {
  return text.toLowerCase().includes(word);
}

function isMeant({ title }: Choice, typed: string): boolean {
  const words = wordsIn(typed);
  const own = title.toLowerCase().split(/[\s:]+/);
  return words.every((word) => own.some((one) => one.startsWith(word)));
}

/** Milliseconds after a key until it is searched for: shorter than between the keys of a person who types. */
const pauseMs = 15;
const mostHits = 8;

/** The hits for what was typed, a moment after the last key. */
function useHits(typed: string): readonly SearchHit[] {
  const [asked, setAsked] = useState('');
  useLayoutEffect(() => {
    const timer = setTimeout(() => setAsked(typed.trim()), pauseMs);
    return () => clearTimeout(timer);
  }, [typed]);
  const { value } = useLoaded(
    async (signal) => {
      if (asked === '') return [];
      return (await ask('search', { query: [asked], limit: mostHits }, signal)).results as readonly SearchHit[];
    },
    [asked],
  );
  return asked === '' ? [] : (value ?? []);
}

/** A box to type into, and what it may mean: chosen by arrows and Enter, or by a click. */
export function Palette({ leave }: { readonly leave: () => void }) {
  const [typed, setTyped] = useState('');
  const [place, setPlace] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const hits = useHits(typed);
  const choices = [...fixedChoices().filter((choice) => isMeant(choice, typed)), ...skillChoices(hits, typed)];
  const at = Math.min(place, choices.length - 1);
  useLayoutEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [at, choices.length]);
  const choose = (choice: Choice | undefined): void => {
    if (choice === undefined) return;
    leave();
    choice.act();
  };
  const steps: Readonly<Record<string, () => void>> = {
    ArrowDown: () => setPlace((at + 1) % Math.max(1, choices.length)),
    ArrowUp: () => setPlace((at - 1 + choices.length) % Math.max(1, choices.length)),
    Enter: () => choose(choices[at]),
  };
  const press = (event: KeyboardEvent): void => {
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    step();
  };
  return (
    <>
      <div class="palette-box">
        <Icon name="search" />
        <input
          type="text"
          role="combobox"
          aria-label="Search pages, skills, tools and actions"
          aria-expanded="true"
          aria-controls="palette-list"
          aria-activedescendant={at >= 0 ? `palette-${at}` : undefined}
          aria-autocomplete="list"
          autocomplete="off"
          spellcheck={false}
          placeholder="Go to, find or do …"
          value={typed}
          onInput={(event) => {
            setTyped(event.currentTarget.value);
            setPlace(0);
          }}
          onKeyDown={press}
        />
        <kbd>Esc</kbd>
      </div>
      <div class="palette-list" id="palette-list" role="listbox" aria-label="Choices" ref={list}>
        {choices.map((choice, index) => (
          <Option
            key={choice.id}
            choice={choice}
            id={`palette-${index}`}
            isFirst={choice.group !== choices[index - 1]?.group}
            isChosen={index === at}
            choose={() => choose(choice)}
          />
        ))}
      </div>
      <p role="status" class={choices.length === 0 ? 'palette-none' : 'hidden'}>
        {choices.length === 0 ? 'Nothing is called that.' : `${choices.length} choices`}
      </p>
    </>
  );
}

interface OptionProps {
  readonly choice: Choice;
  readonly id: string;
  /** Whether it is the first of its group, and so has the group's name above it. */
  readonly isFirst: boolean;
  readonly isChosen: boolean;
  readonly choose: () => void;
}

function Option({ choice: { group, icon, title, more }, id, isFirst, isChosen, choose }: OptionProps) {
  return (
    <>
      {isFirst && (
        <p class="palette-group" role="presentation">
          {group}
        </p>
      )}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the box has the focus, and takes the keys for all of them. */}
      <div id={id} role="option" tabIndex={-1} aria-selected={isChosen} class="palette-option" onClick={choose}>
        <Icon name={icon} />
        {bdi(foreignCut(title, longest), 'palette-title')}
        {more !== undefined && <bdi class="palette-more">{foreignCut(more, longest)}</bdi>}
      </div>
    </>
  );
}
