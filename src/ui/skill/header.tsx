import type { DraftOutput } from '../../engine/operations/skills/draft.ts';
import type { InspectOutput } from '../../engine/operations/skills/inspect.ts';
import { act } from '../api.ts';
import { Findings } from '../get/findings.tsx';
import { editHref, type Named, skillHref } from '../markdown/address.ts';
import { bdi, Crumbs, Problem } from '../parts/elements.tsx';
import { useAction } from '../parts/hooks.ts';
import { Icon } from '../parts/icon.tsx';
import { foreign, foreignCut, place } from '../parts/words.ts';
import { hrefOf } from '../route.ts';
import { may } from '../session.ts';
import { PlaceBadges, StateBadges } from '../skills/list.tsx';
import { Diagnostics, Fix } from './findings.tsx';

const longestName = 200;
const longestDescription = 1500;

interface HeaderProps {
  readonly inspected: InspectOutput;
  readonly named: Named;
  readonly draft: DraftOutput | null;
  readonly again: () => void;
}

/** The name and purpose of a skill, its origin, what can be done with it, and its diagnostics. */
export function SkillHeader({ inspected, named, draft, again }: HeaderProps) {
  const { name, skill, others, tools, findings } = inspected;
  // What the scan found stands above the rest, finding by finding.
  const diagnostics = inspected.diagnostics.filter(({ code }) => code !== 'quarantined' || findings.length === 0);
  const codes = new Set(diagnostics.map(({ code }) => code));
  const states = [
    skill.repaired && 'repaired',
    tools.problems.some(({ severity }) => severity === 'error') && 'broken-tools',
    skill.shadowed && 'shadowed',
    codes.has('ambiguous') && 'ambiguous',
    skill.looksLike !== null && 'look-alike',
    skill.quarantined && 'quarantined',
  ];
  const isEditable = may('edit') && inspected.obstacle === null;
  return (
    <header class="skill-header">
      <Crumbs label="Where this skill is" way={[{ href: hrefOf('skills'), text: 'Skills' }]} />
      <div class="skill-title">
        <h1>{bdi(foreignCut(name, longestName))}</h1>
        <p class="row">
          {isEditable && (
            <a class="button" href={editHref(named, 'SKILL.md')}>
              <Icon name="edit" /> Edit
            </a>
          )}
          {may('disable') && <DisableButton inspected={inspected} />}
        </p>
      </div>
      <p class="lead" dir="auto">
        {foreignCut(skill.description, longestDescription)}
      </p>
      <p class="row">
        <PlaceBadges {...skill} />
        <StateBadges states={states.filter((state) => state !== false)} />
        {skill.disabled && <span class="badge bad">disabled</span>}
        <span class="mono quiet">{bdi(place(skill.file))}</span>
      </p>
      {findings.length > 0 && (
        <section class="card skill-quarantine" aria-label="Quarantine">
          <p>
            <strong>In quarantine: nobody can load or run it.</strong>{' '}
            {may('allow') && <a href={hrefOf('get')}>Decide about it</a>}
          </p>
          <Findings findings={findings} skill={name} />
        </section>
      )}
      <Diagnostics diagnostics={withFindings(diagnostics, draft)} skill={skill} named={named} isEditable={isEditable} />
      {draft !== null && <Fix named={named} draft={draft} applied={again} />}
      {others.length > 0 && <Others others={others} named={named} own={skill.file} />}
    </header>
  );
}

/** Diagnostics of loading, and those of the strict rules that are not told by them already. */
function withFindings(
  diagnostics: InspectOutput['diagnostics'],
  draft: DraftOutput | null,
): InspectOutput['diagnostics'] {
  const reported = new Set(diagnostics.map(({ line, message }) => `${line} ${message}`));
  return [
    ...diagnostics,
    ...(draft?.findings ?? []).filter(({ line, message }) => !reported.has(`${line} ${message}`)),
  ];
}

/** Disables the skill for everybody, or enables it again. */
function DisableButton({ inspected: { skill, name } }: { readonly inspected: InspectOutput }) {
  const { isBusy, error, run } = useAction();
  const change = () =>
    run(async () => {
      if (skill.disabled) await act('enable', { skills: [skill.id, skill.fullName] });
      else await act('disable', { skills: [skill.id] });
      // No name leads to a disabled skill.
      location.hash = skillHref({ skill: name, of: skill.disabled && !skill.shadowed ? '' : skill.file });
    });
  return (
    <>
      <button type="button" disabled={isBusy} onClick={() => void change()}>
        <Icon name={skill.disabled ? 'check' : 'off'} /> {skill.disabled ? 'Enable' : 'Disable'}
      </button>
      {error && <Problem error={error} />}
    </>
  );
}

interface OthersProps {
  readonly others: InspectOutput['others'];
  readonly named: Named;
  readonly own: string;
}

function Others({ others, named, own }: OthersProps) {
  return (
    <details class="skill-others">
      <summary>Other skills of this name ({others.length})</summary>
      <ul>
        {others.map(({ fullName, provider, file, reason }) => (
          <li key={file}>
            <a href={skillHref({ skill: fullName, of: file })}>
              <bdi>
                {foreign(fullName)} of {foreign(provider)}
              </bdi>
            </a>
            : <bdi>{foreign(reason)}</bdi>.{' '}
            <a href={skillHref({ ...named, of: own }, ['compare'], { with: file })}>Compare</a>
            <br />
            <span class="mono quiet">{bdi(place(file))}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}
