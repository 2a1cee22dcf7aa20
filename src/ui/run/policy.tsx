import type { SkillTools, ToolRecord } from '../../engine/operations/running/tools.ts';
import type { DryRun } from '../../engine/running/types.ts';
import { ApiError } from '../api.ts';
import { bdi, Crumbs, ReadOnly } from '../parts/elements.tsx';
import type { Loaded } from '../parts/hooks.ts';
import { foreign, foreignCut, message, place } from '../parts/words.ts';
import { hrefOf } from '../route.ts';
import { GrantHelp } from './outcome.tsx';
import { accessRows, isSettledByGrant, limitRows, limitsInShort, type PolicyRow } from './words.ts';

interface PolicyProps {
  readonly skill: string;
  readonly tool: string;
  readonly plan: Loaded<DryRun | null>;
  /** Whether the form is complete enough for a dry run. */
  readonly isComplete: boolean;
}

/** The policy panel: what a run would do and could touch, before there is one. */
export function PolicyPanel({ skill, tool, plan, isComplete }: PolicyProps) {
  return (
    <section class="card run-policy" aria-labelledby="run-policy" aria-busy={isComplete && plan.isLoading}>
      <h2 id="run-policy">What it would do, and what it may access</h2>
      {isComplete ? (
        <Plan skill={skill} tool={tool} plan={plan} />
      ) : (
        <p class="quiet">Shown here once the parameters are valid.</p>
      )}
    </section>
  );
}

function Plan({ skill, tool, plan: { value, error } }: Omit<PolicyProps, 'isComplete'>) {
  if (error !== null) return <Refused skill={skill} tool={tool} error={error} />;
  if (value === null) return <p class="quiet">Asking …</p>;
  return (
    <>
      <CommandLine plan={value} />
      <Rows rows={accessRows(value)} />
      <details class="run-limits">
        <summary>Limits: {limitsInShort(value)}</summary>
        <Rows rows={limitRows(value)} />
      </details>
      {value.enforcement.length === 0 && (
        <p class="notice warn">
          Nothing on this machine enforces this now. See what is missing: <code>repertoire doctor --sandbox</code>
        </p>
      )}
    </>
  );
}

function Rows({ rows }: { readonly rows: readonly PolicyRow[] }) {
  return (
    <dl class="run-rows">
      {rows.map(({ what, lines, by }) => (
        <div key={what}>
          <dt>{what}</dt>
          <dd>
            {lines.map((line) => (
              <span key={line} class="run-line">
                {bdi(place(line, 2000))}
              </span>
            ))}
            {by.length > 0 && <span class="run-by quiet">enforced by {by.map(foreign).join('; ')}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

const longestWord = 300;
const mostWords = 100;

/** The command line, each argument by itself, so that nobody has to guess where one ends. */
function CommandLine({ plan: { argv, folder, runtime } }: { readonly plan: DryRun }) {
  return (
    <>
      <section class="run-argv" aria-label="Command line">
        {argv.slice(0, mostWords).map((word, place) => (
          <code key={place}>{word === '' ? '""' : foreignCut(word, longestWord)}</code>
        ))}
        {argv.length > mostWords && <span>and {argv.length - mostWords} more</span>}
      </section>
      <p class="quiet run-where">
        in <code>{foreign(folder)}</code>, run as {foreign(runtime)}
      </p>
    </>
  );
}

/** The reason why a tool would not be run, and what to do about it. */
function Refused({ skill, tool, error }: Pick<PolicyProps, 'skill' | 'tool'> & { readonly error: Error }) {
  const isDenied = error instanceof ApiError && error.code === 'denied';
  const hint = error instanceof ApiError ? error.hint : null;
  return (
    <div class={isDenied ? 'notice bad' : 'notice warn'}>
      <p>
        <strong>{isDenied ? 'It may not run yet.' : 'It cannot run now.'}</strong>
      </p>
      <p>{bdi(message(error.message))}</p>
      {isDenied && isSettledByGrant(hint) ? <GrantHelp skill={skill} tool={tool} /> : hint && <p>{message(hint)}</p>}
    </div>
  );
}

interface HeadProps {
  readonly skill: string;
  readonly tools: SkillTools['tools'];
  readonly tool: ToolRecord;
}

/** The name and the purpose of a tool, with links to its siblings. */
export function ToolHead({ skill, tools, tool }: HeadProps) {
  return (
    <header>
      <Crumbs
        label="Where this tool is"
        way={[
          { href: hrefOf('skills'), text: 'Skills' },
          { href: hrefOf('skill', [skill]), text: skill },
        ]}
      />
      <h1>Run {bdi(foreignCut(tool.name, 100), 'mono')}</h1>
      <p class="lead">{bdi(foreignCut(tool.description, 4000))}</p>
      <p class="row">
        {tool.readOnly && <ReadOnly />}
        {tool.asksTo.map((words) => (
          <span key={words} class="badge">
            asks to {bdi(place(words, 200))}
          </span>
        ))}
      </p>
      {tools.length > 1 && <ToolMenu skill={skill} tools={tools} current={tool.name} />}
    </header>
  );
}

interface MenuProps {
  readonly skill: string;
  readonly tools: SkillTools['tools'];
  readonly current: string | null;
}

export function ToolMenu({ skill, tools, current }: MenuProps) {
  return (
    <nav aria-label="Tools of this skill">
      <ul class="row run-tools">
        {tools.map(({ name, description }) => (
          <li key={name}>
            <a
              class="mono"
              href={hrefOf('run', [skill, name])}
              title={foreignCut(description, 300)}
              aria-current={name === current ? 'page' : undefined}
            >
              {bdi(foreign(name))}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
