import { CopyButton } from '../parts/copy.tsx';
import { foreign } from '../parts/words.ts';
import { type Call, formsOf } from './calls.ts';

/** Forms of the same run for elsewhere: as a command, as a call of an MCP client, and as a request. */
export function CopyAs(props: Call) {
  return (
    <details class="run-copy">
      <summary>Copy this call</summary>
      {formsOf(props, location.origin).map(({ name, text }) => (
        <section key={name} aria-label={name}>
          <div class="row">
            <h3>{name}</h3>
            <CopyButton text={text} label={`Copy as ${name}`} />
          </div>
          <pre>{foreign(text)}</pre>
        </section>
      ))}
    </details>
  );
}
