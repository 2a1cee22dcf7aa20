import type { ComponentChildren } from 'preact';
import type { OperationName } from '../../faces/web/operations.ts';
import { Icon, type IconName } from '../parts/icon.tsx';
import { hrefOf } from '../route.ts';
import { may, withheld } from '../session.ts';

/** The first steps, where there is no skill yet. */
export function Start({ examples }: { readonly examples: string | null }) {
  return (
    <section aria-labelledby="home-start">
      <h2 id="home-start">Begin here</h2>
      <p class="quiet">
        No skills were found. A skill is a folder with a file SKILL.md that tells agents how to do something.
      </p>
      <ul class="start">
        {examples !== null && (
          <Card
            icon="spark"
            title="Try the examples"
            href={hrefOf('get', [], { source: examples })}
            step="See them"
            does="add"
          >
            Ten skills come with Repertoire: they profile CSV files, triage logs, write changelogs and more.
          </Card>
        )}
        <Card icon="edit" title="Make a skill" href={hrefOf('new')} step="Make one" does="new">
          Give it a name and a sentence; the file is written for you.
        </Card>
        <Card icon="plug" title="Connect an agent" href={hrefOf('agents')} step="Choose one" does="setup">
          Your agents find, load and run all skills through one server. You see the change before it is made.
        </Card>
      </ul>
      {!may('new') && <p class="quiet">{withheld()}: whoever runs the server can do these.</p>}
    </section>
  );
}

interface CardProps {
  readonly icon: IconName;
  readonly title: string;
  readonly href: string;
  readonly step: string;
  /** The operation that it leads to. */
  readonly does: OperationName;
  readonly children: ComponentChildren;
}

function Card({ icon, title, href, step, does, children }: CardProps) {
  return (
    <li class="card start-card">
      <Icon name={icon} />
      <h3>{title}</h3>
      <p class="quiet">{children}</p>
      {may(does) && (
        <a class="button" href={href}>
          {step} <span class="hidden">: {title}</span>
        </a>
      )}
    </li>
  );
}
