import type { SkillTools, ToolRecord } from '../../engine/operations/tools.ts';
import { foreign, foreignCut } from '../parts/foreign.ts';
import { hrefOf } from '../route.ts';

interface HeadProps {
  readonly skill: string;
  readonly tools: SkillTools['tools'];
  readonly tool: ToolRecord;
}

/** What a tool is called and is for, with the way to its siblings. */
export function ToolHead({ skill, tools, tool }: HeadProps) {
  return (
    <header>
      <p class="quiet">
        <a href={hrefOf('skills')}>Skills</a> ›{' '}
        <a href={hrefOf('skill', [skill])}>
          <bdi>{foreignCut(skill, 100)}</bdi>
        </a>
      </p>
      <h1>
        Run <bdi class="mono">{foreignCut(tool.name, 100)}</bdi>
      </h1>
      <p class="run-description">
        <bdi>{foreignCut(tool.description, 4000)}</bdi>
      </p>
      <p class="row">
        {tool.readOnly && <span class="badge good">read-only, according to its author</span>}
        {tool.asksTo.map((words) => (
          <span key={words} class="badge">
            asks to <bdi>{foreignCut(words, 200)}</bdi>
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
              <bdi>{foreign(name)}</bdi>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
