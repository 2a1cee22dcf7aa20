import type { ComponentChildren } from 'preact';
import { sizeInWords } from '../../core/text/quantities.ts';
import { counted, grouped } from '../../core/text/text.ts';
import type { InspectOutput } from '../../engine/operations/skills/inspect.ts';
import { goToAnchor, type Named, skillHref } from '../markdown/address.ts';
import { outline } from '../markdown/markdown.tsx';
import { Facts } from '../parts/elements.tsx';
import { Icon } from '../parts/icon.tsx';
import { foreign, foreignCut, moment, place } from '../parts/words.ts';
import { hrefOf } from '../route.ts';
import { may } from '../session.ts';
import { Digest } from './digest.tsx';
import { FileTree } from './file-tree.tsx';
import { NewFile } from './new-file.tsx';

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
                    <Icon name="run" /> <bdi>{foreignCut(tool.name, longest)}</bdi>
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
              <bdi>{foreignCut(title, longest)}</bdi>
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
