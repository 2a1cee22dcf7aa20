import type { ToolRecord } from '../../engine/operations/running/tools.ts';
import type { InspectPermissions } from '../../engine/operations/skills/inspect.ts';
import { Changes } from '../grants/list.tsx';
import { editHref, lineHref } from '../markdown/address.ts';
import { bdi, ReadOnly } from '../parts/elements.tsx';
import { Icon } from '../parts/icon.tsx';
import { foreign, foreignCut, message, moment, place } from '../parts/words.ts';
import { hrefOf } from '../route.ts';
import { may } from '../session.ts';
import { labelOf } from '../skills/facets.ts';
import { pathIn } from './findings.tsx';
import type { PartProps } from './parts.tsx';
import { type Parameter, parametersOf } from './values.ts';

const longest = 2000;

export function Tools({ inspected, named }: PartProps) {
  const { name, tools: all, obstacle } = inspected;
  const { tools, problems, runtime, source, version } = all;
  const fault = problems.find(({ severity }) => severity === 'error');
  return (
    <>
      {fault !== undefined && (
        <Faulty fault={fault} inspected={inspected} named={named} isEditable={may('edit') && obstacle === null} />
      )}
      {fault === undefined && tools.length === 0 && (
        <p class="notice">
          This skill has no tools: it is instructions alone. Tools come from scripts in a folder <code>scripts</code>,
          or from a <code>skill.toml</code>.
        </p>
      )}
      {tools.length > 0 && (
        <p class="quiet">
          From {source}; runtime: {labelOf('runtime', runtime)}
          {version !== null && `; version ${foreign(version)}`}
        </p>
      )}
      <ul class="skills-list" aria-label="Tools">
        {tools.map((tool) => (
          <Tool key={tool.name} tool={tool} skill={name} />
        ))}
      </ul>
    </>
  );
}

interface FaultyProps extends Pick<PartProps, 'inspected' | 'named'> {
  readonly fault: PartProps['inspected']['tools']['problems'][number];
  readonly isEditable: boolean;
}

/** Why there are no tools although something declares them. The faults themselves stand above the page. */
function Faulty({ fault, inspected: { skill }, named, isEditable }: FaultyProps) {
  const path = pathIn([skill.dir, skill.id], fault.file);
  const where = foreign(path ?? fault.file);
  return (
    <p class="notice bad">
      None of its tools can be used until{' '}
      {path === null ? (
        <bdi class="mono">{where}</bdi>
      ) : (
        <a href={isEditable ? editHref(named, path, fault.line) : lineHref(named, path, fault.line)}>{bdi(where)}</a>
      )}{' '}
      is corrected.
    </p>
  );
}

function Tool({ tool, skill }: { readonly tool: ToolRecord; readonly skill: string }) {
  const parameters = parametersOf(tool.parameters);
  return (
    <li class="card">
      <div class="row skill-tool">
        <h2 class="mono">{bdi(foreign(tool.name))}</h2>
        {tool.readOnly && <ReadOnly />}
        {may('run') && (
          <a class="button" href={hrefOf('run', [skill, tool.name])} aria-label={`Run ${foreign(tool.name)}`}>
            <Icon name="run" /> Run
          </a>
        )}
      </div>
      <p>{bdi(foreignCut(tool.description, longest))}</p>
      {parameters.length > 0 && (
        <dl class="skill-fields" aria-label={`Parameters of ${foreign(tool.name)}`}>
          {parameters.map((parameter) => (
            <ParameterRow key={parameter.name} parameter={parameter} />
          ))}
        </dl>
      )}
      {tool.asksTo.length > 0 && <p class="quiet">It asks to {tool.asksTo.map((words) => place(words)).join('; ')}.</p>}
    </li>
  );
}

function ParameterRow({ parameter }: { readonly parameter: Parameter }) {
  const { name, type, isRequired, description } = parameter;
  return (
    <div>
      <dt class="mono">{bdi(foreign(name))}</dt>
      <dd>
        <code>{bdi(foreignCut(type, longest))}</code>
        {isRequired && <span class="badge">required</span>} {bdi(foreignCut(description, longest))}
      </dd>
    </div>
  );
}

/** The capabilities that the skill asks for, and those it has. */
export function Permissions({ inspected }: PartProps) {
  const { items, grant, impossible } = inspected.permissions;
  return (
    <>
      {impossible !== null && <p class="notice bad">{bdi(message(impossible))}</p>}
      <GrantState grant={grant} needsOne={items.some(({ free }) => !free)} />
      {items.length === 0 ? (
        <p class="notice">This skill asks for nothing beyond its sandbox.</p>
      ) : (
        <ul class="skill-asks" aria-label="What it asks for">
          {items.map((item) => (
            <Asked key={item.key} item={item} />
          ))}
        </ul>
      )}
      <p>
        <a href={hrefOf('grants', [inspected.name])}>
          {may('grant') ? 'Grant, narrow or revoke' : 'See what is granted'}
        </a>
      </p>
    </>
  );
}

function GrantState({ grant, needsOne }: { readonly grant: InspectPermissions['grant']; readonly needsOne: boolean }) {
  if (grant === null) return needsOne ? <p class="quiet">Nothing has been granted to this skill.</p> : null;
  if (!grant.valid) return <Changes grantedAt={grant.grantedAt} changes={grant.changes} />;
  return <p class="notice good">Granted on {moment(grant.grantedAt)}. It is valid until any of its files changes.</p>;
}

function Asked({ item }: { readonly item: InspectPermissions['items'][number] }) {
  const { free, granted, tools, words } = item;
  const [tone, state] = free ? ['', 'free'] : granted ? ['good', 'granted'] : ['warn', 'not granted'];
  return (
    <li>
      <span class={`badge ${tone}`}>{state}</span>
      <span>
        {bdi(place(words))}
        {tools.length > 0 && <span class="quiet"> (for {tools.map(foreign).join(', ')})</span>}
      </span>
    </li>
  );
}
