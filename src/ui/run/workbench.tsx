import { useEffect, useRef, useState } from 'preact/hooks';
import type { SkillTools, ToolRecord } from '../../engine/operations/tools.ts';
import { ParameterForm } from '../form/form.tsx';
import { useParameters } from '../form/parameters.ts';
import { foreignCut } from '../parts/foreign.ts';
import { Buttons } from './buttons.tsx';
import { inputOf, usePlan } from './plan.ts';
import { PolicyPanel } from './policy.tsx';
import { RunView } from './run-view.tsx';
import type { RunControl } from './use-run.ts';

interface WorkbenchProps {
  /** The name it was asked for by. */
  readonly skill: string;
  readonly tool: ToolRecord;
  readonly instances: SkillTools['instances'];
  readonly run: RunControl;
}

/** A tool's parameters, what would come of them, the button, and what came of it. */
export function Workbench({ skill, tool, instances, run }: WorkbenchProps) {
  const parameters = useParameters(tool.parameters);
  const [instance, setInstance] = useState('');
  const [showMissing, setShowMissing] = useState(false);
  const { problems, json } = parameters;
  const isComplete = problems.length === 0;
  const wanted = { target: `${skill}:${tool.name}`, params: isComplete ? json : null, instance };
  const plan = usePlan(wanted);

  const start = (): void => {
    if (run.state.phase === 'running') return;
    setShowMissing(true);
    const [first] = problems;
    if (first === undefined) run.start(inputOf(wanted));
    else document.getElementById(first.id)?.focus();
  };
  useRunKey(start);
  return (
    <div class="run-bench">
      <div class="run-form">
        <ParameterForm parameters={parameters} showMissing={showMissing} />
        {instances.length > 0 && <InstanceChoice instances={instances} value={instance} onChoice={setInstance} />}
      </div>
      <PolicyPanel skill={skill} plan={plan} isComplete={isComplete} />
      <Buttons run={run} start={start} />
      <RunView run={run} skill={skill} limits={plan.value?.permissions.limits ?? null} />
    </div>
  );
}

interface InstanceProps {
  readonly instances: readonly string[];
  readonly value: string;
  readonly onChoice: (instance: string) => void;
}

function InstanceChoice({ instances, value, onChoice }: InstanceProps) {
  return (
    <label>
      Instance{' '}
      <select value={value} onChange={(event) => onChoice(event.currentTarget.value)}>
        <option value="">(the default)</option>
        {instances.map((name) => (
          <option key={name} value={name}>
            {foreignCut(name, 100)}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Ctrl+Enter runs, wherever one is on the page. */
function useRunKey(start: () => void): void {
  const latest = useRef(start);
  latest.current = start;
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.repeat) return;
      event.preventDefault();
      latest.current();
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);
}
