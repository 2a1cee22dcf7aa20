import { useRef } from 'preact/hooks';
import type { SkillTools, ToolRecord } from '../../engine/operations/running/tools.ts';
import { ask } from '../api.ts';
import { revisions } from '../live.ts';
import { bdi, Ready } from '../parts/elements.tsx';
import { useLoaded } from '../parts/hooks.ts';
import { foreign, foreignCut, message } from '../parts/words.ts';
import { hrefOf } from '../route.ts';
import { ToolHead, ToolMenu } from '../run/policy.tsx';
import { useRun, Workbench } from '../run/workbench.tsx';
import { may, withheld } from '../session.ts';

/** The page of one tool: its parameters, its policy, and its runs. */
export function RunPage({ rest: [skill = '', tool = ''] }: { readonly rest: readonly string[] }) {
  const tools = useLoaded((signal) => ask('tools', { skill }, signal), [skill, revisions.skills.value]);
  return (
    <>
      {tools.value === null && <h1>Run a tool</h1>}
      <Ready loaded={tools}>
        {({ skills: [found] }) => found && <ToolPage skill={skill} name={tool} found={found} />}
      </Ready>
    </>
  );
}

interface ToolPageProps {
  readonly skill: string;
  readonly name: string;
  readonly found: SkillTools;
}

function ToolPage({ skill, name, found }: ToolPageProps) {
  const run = useRun();
  const last = useRef<ToolRecord | undefined>(undefined);
  // A run is seen to its end, and can be cancelled, though its tool may be gone by then.
  const kept = run.state.phase === 'none' ? undefined : last.current;
  const tool = found.tools.find((one) => one.name === name) ?? kept;
  last.current = tool;
  if (tool === undefined) return <WhichTool skill={skill} name={name} found={found} />;
  return (
    <>
      <ToolHead skill={skill} tools={found.tools} tool={tool} />
      {may('run') ? (
        // The entered values stay while the tool is the same; a run goes on even when it is not.
        <Workbench
          key={JSON.stringify(tool.parameters)}
          skill={skill}
          fullName={found.skill}
          tool={tool}
          instances={found.instances}
          run={run}
        />
      ) : (
        <p class="notice">
          {withheld()}, so nothing can be run here. Whoever runs the server can type{' '}
          <code>
            repertoire run {foreign(skill)}:{foreign(tool.name)}
          </code>
        </p>
      )}
    </>
  );
}

function WhichTool({ skill, name, found }: ToolPageProps) {
  return (
    <>
      <h1>Run a tool of {bdi(foreignCut(skill, 100))}</h1>
      {name !== '' && (
        <p class="notice warn">There is no tool {bdi(foreignCut(name, 100), 'mono')} in this skill now.</p>
      )}
      {found.tools.length === 0 ? (
        <NoTools skill={skill} isBroken={found.problems.some(({ severity }) => severity === 'error')} />
      ) : (
        <ToolMenu skill={skill} tools={found.tools} current={null} />
      )}
      {found.problems.length > 0 && (
        <p>
          Its tools cannot be read. <a href={hrefOf('skill', [skill])}>Open the skill</a>
        </p>
      )}
      {found.problems.map(({ message: what, remedy }) => (
        <div key={what} class="notice bad">
          <p>{message(what)}</p>
          <p class="quiet">{message(remedy)}</p>
        </div>
      ))}
    </>
  );
}

function NoTools({ skill, isBroken }: { readonly skill: string; readonly isBroken: boolean }) {
  if (isBroken) {
    return (
      <p>
        None of the tools of <a href={hrefOf('skill', [skill], { part: 'tools' })}>{bdi(foreignCut(skill, 100))}</a> can
        be used until this is corrected:
      </p>
    );
  }
  return (
    <p>
      <a href={hrefOf('skill', [skill])}>{bdi(foreignCut(skill, 100))}</a> has no tools: it is for reading. A file{' '}
      <code>scripts/…</code> or a manifest <code>skill.toml</code> would give it some.
    </p>
  );
}
