import { Markdown } from '../markdown/markdown.tsx';
import { foreignCut } from '../parts/foreign.ts';
import { hrefOf } from '../route.ts';
import type { PartProps } from './parts.tsx';
import { shownValue } from './values.ts';

const longestValue = 4000;
/** These are the title of the page already. */
const known = ['name', 'description'];

/** SKILL.md: its front matter as a table, and its text. */
export function SkillText({ inspected }: PartProps) {
  const { name, skill, body, truncated, files } = inspected;
  const path = files[0]?.path ?? 'SKILL.md';
  const fields = Object.entries(skill.frontmatter).filter(([key]) => !known.includes(key));
  return (
    <>
      {fields.length > 0 && (
        <dl class="skill-fields" aria-label="Front matter">
          {fields.map(([key, value]) => (
            <div key={key}>
              <dt>
                <bdi>{foreignCut(key, longestValue)}</bdi>
              </dt>
              <dd>
                <bdi>{foreignCut(shownValue(value), longestValue)}</bdi>
              </dd>
            </div>
          ))}
        </dl>
      )}
      {body.trim() === '' ? (
        <p class="notice">
          There is no text below the front matter: an agent that loads this skill learns nothing more.
        </p>
      ) : (
        <Markdown text={body} place={{ skill: name, path }} />
      )}
      {truncated && (
        <p class="notice">
          The text is cut here. <a href={hrefOf('skill', [name, 'file', ...path.split('/')])}>Read the whole file</a>
        </p>
      )}
    </>
  );
}
