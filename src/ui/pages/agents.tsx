import { counted } from '../../core/text/text.ts';
import { AgentCard } from '../agents/card.tsx';
import { ask } from '../api.ts';
import { revisions } from '../live.ts';
import { Empty, Ready } from '../parts/elements.tsx';
import { useCalm, useLoaded } from '../parts/hooks.ts';

const pauseMs = 2000;

/** The agents on this machine: connected or not, and what each sees. One of them may be named in the address. */
export function Agents({ rest: [chosen] }: { readonly rest: readonly string[] }) {
  const loaded = useLoaded((signal) => ask('agents', {}, signal), [useCalm(revisions.skills.value, pauseMs)]);
  return (
    <>
      <div class="page-head">
        <h1>Agents</h1>
        <p>
          The agents that were found on this machine. A connected agent finds, loads and runs every skill through this
          program; what it already reads by itself is left out, so that nothing is there twice.
        </p>
      </div>
      <Ready loaded={loaded}>
        {({ agents, skills }) => (
          <>
            {agents.length === 0 && (
              <Empty icon="agents" title="No agent was found">
                <p>
                  Neither a program nor a folder of an agent that we know is here. Any other one that speaks MCP can
                  start <code>repertoire mcp</code>.
                </p>
              </Empty>
            )}
            <ul class="agents" aria-label={counted(agents.length, 'agent')}>
              {agents.map((agent) => (
                <AgentCard
                  key={agent.id}
                  agent={agent}
                  skills={skills}
                  isChosen={agent.id === chosen}
                  onChange={loaded.again}
                />
              ))}
            </ul>
          </>
        )}
      </Ready>
    </>
  );
}
