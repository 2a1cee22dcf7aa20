import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { sizeInWords } from '../../core/text/quantities.ts';
import { counted, grouped } from '../../core/text/text.ts';
import type { InspectOutput } from '../../engine/operations/skills/inspect.ts';
import { fileHref, goToAnchor, lineHref, type Named, newFileHref, skillHref } from '../markdown/address.ts';
import { outline } from '../markdown/markdown.tsx';
import { bdi, Facts } from '../parts/elements.tsx';
import { Icon } from '../parts/icon.tsx';
import { foreign, foreignCut, moment, place } from '../parts/words.ts';
import { hrefOf } from '../route.ts';
import { may } from '../session.ts';
import { Digest } from './digest.tsx';
import { type Folder, treeOf } from './tree.ts';

interface RailProps {
  readonly inspected: InspectOutput;
  readonly named: Named;
  /** The file that is shown. */
  readonly current: string;
}

/** Everything about a skill that helps while one of its files is read, beside it. */
export function Rail({ inspected, named, current }: RailProps) {
  const { files, tools, name } = inspected;
  return (
    <aside class="rail" aria-label="About this skill">
      <Contents named={named} current={current} />
      <Section title={`Files (${grouped(files.length)})`}>
        <FileTree named={named} files={files} current={current} />
        {may('edit') && <NewFile named={named} />}
      </Section>
      {tools.tools.length > 0 && (
        <Section title={`Tools (${tools.tools.length})`}>
          <ul class="rail-list">
            {tools.tools.slice(0, mostTools).map((tool) => (
              <li key={tool.name}>
                {may('run') ? (
                  <a class="mono" href={hrefOf('run', [name, tool.name])} title="Run it">
                    <Icon name="run" /> {bdi(foreignCut(tool.name, longest))}
                  </a>
                ) : (
                  <bdi class="mono">{foreignCut(tool.name, longest)}</bdi>
                )}
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Section title="About">
        <About inspected={inspected} named={named} />
      </Section>
    </aside>
  );
}

const [mostTools, mostHeadings, longest] = [30, 80, 80];

function Section({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <section class="rail-section">
      <h2>{title}</h2>
      {children}
    </section>
  );
}

/** The headings of the text that is shown. One alone is no list of contents. */
function Contents({ named, current }: Pick<RailProps, 'named' | 'current'>) {
  const headings = outline.value.filter(({ level }) => level <= 4);
  if (headings.length < 2) return null;
  const rest = current === 'SKILL.md' ? [] : ['file', ...current.split('/')];
  return (
    <nav class="rail-section" aria-label="Contents">
      <h2>Contents</h2>
      <ol class="rail-contents">
        {headings.slice(0, mostHeadings).map(({ id, level, title }) => (
          <li key={id} class={`level-${level}`}>
            <a href={skillHref(named, rest, { at: id })} onClick={() => void goToAnchor(id)}>
              {bdi(foreignCut(title, longest))}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}

function About({ inspected, named }: Pick<RailProps, 'inspected' | 'named'>) {
  const { files, digest, tokens, changedAt, agents, obstacle, installed, skill } = inspected;
  const here = agents.filter((one) => one.here);
  const seeing = here.filter(({ sees }) => sees === 'yes' || sees === 'cut').length;
  const all = [
    {
      name: 'Seen by',
      value: (
        <a href={skillHref(named, [], { part: 'agents' })}>
          {seeing} of {counted(here.length, 'agent')} here
        </a>
      ),
    },
    { name: 'In a list', value: `about ${counted(tokens.listing, 'token')}` },
    { name: 'When loaded', value: `about ${counted(tokens.text, 'token')}` },
    { name: 'Size', value: sizeInWords(files.reduce((sum, file) => sum + file.bytes, 0)) },
    { name: 'Digest', value: digest === null ? 'cannot be computed' : <Digest digest={digest} of="all files" /> },
    ...(changedAt === null ? [] : [{ name: 'Changed', value: moment(changedAt) }]),
    ...(installed === null ? [] : [{ name: 'Installed from', value: <bdi>{place(installed)}</bdi> }]),
    ...(obstacle === null ? [] : [{ name: 'Not editable', value: <bdi>{foreign(obstacle)}</bdi> }]),
    { name: 'Place', value: <bdi class="mono">{place(skill.dir)}</bdi> },
  ];
  return <Facts label="About this skill" facts={all} />;
}

interface File {
  readonly path: string;
}

interface TreeProps {
  readonly named: Named;
  readonly files: readonly File[];
  /** The file that is shown. */
  readonly current?: string;
}

/** Entries of a folder that are drawn at first, and with each request for more; characters of a name. */
const step = 100;
/** Folders in which no more than this many files are: they are open from the start. */
const fewFiles = 12;

/** The files of a skill as a tree. */
function FileTree({ named, files, current = '' }: TreeProps) {
  const tree = useMemo(() => treeOf(files), [files]);
  return (
    <nav class="tree" aria-label="Files of the skill">
      <Entries named={named} current={current} folder={tree} path="" />
    </nav>
  );
}

interface EntriesProps {
  readonly named: Named;
  readonly current: string;
  readonly folder: Folder<File>;
  readonly path: string;
}

function Entries({ named, current, folder, path }: EntriesProps) {
  const [most, setMost] = useState(step);
  const { folders, files } = folder;
  const left = Math.max(0, most - folders.length);
  const rest = folders.length + files.length - most;
  return (
    <ul>
      {folders.slice(0, most).map((one) => (
        <li key={one.name}>
          <FolderEntry named={named} current={current} folder={one} path={`${path}${one.name}/`} />
        </li>
      ))}
      {files.slice(0, left).map((file) => (
        <li key={file.path}>
          <a
            href={file.path === 'SKILL.md' ? lineHref(named, file.path, null) : fileHref(named, file.path)}
            aria-current={file.path === current ? 'page' : undefined}
          >
            <Icon name="file" />
            {bdi(foreignCut(file.path.slice(path.length), longest))}
          </a>
        </li>
      ))}
      {rest > 0 && (
        <li>
          <button type="button" onClick={() => setMost(most + step * 5)}>
            Show more ({grouped(rest)})
          </button>
        </li>
      )}
    </ul>
  );
}

function FolderEntry(props: EntriesProps) {
  const { folder, path, current } = props;
  const [isOpen, setIsOpen] = useState(folder.count <= fewFiles || current.startsWith(path));
  return (
    <details open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>
        <Icon name="folder" />
        {bdi(foreignCut(folder.name, longest))}
        <span class="quiet" title={foreign(path)}>
          {grouped(folder.count)}
        </span>
      </summary>
      {isOpen && <Entries {...props} />}
    </details>
  );
}

/** Asks for the path of a new file, and opens it in the editor. Nothing is made before it is saved there. */
function NewFile({ named }: { readonly named: Named }) {
  const [path, setPath] = useState<string | null>(null);
  if (path === null) {
    return (
      <button type="button" class="tree-new" onClick={() => setPath('')}>
        <Icon name="plus" />
        New file
      </button>
    );
  }
  const open = (event: Event): void => {
    event.preventDefault();
    location.hash = newFileHref(named, path.trim());
  };
  return (
    <form class="tree-new" onSubmit={open} onKeyDown={(event) => event.key === 'Escape' && setPath(null)}>
      <label>
        Path, in a folder that is there
        <input
          ref={(box) => box?.focus()}
          class="mono"
          value={path}
          required
          placeholder="scripts/check.py"
          spellcheck={false}
          autocomplete="off"
          onInput={(event) => setPath(event.currentTarget.value)}
        />
      </label>
      <button type="submit">Open in the editor</button>
    </form>
  );
}
