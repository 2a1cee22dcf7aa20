import { act, ask } from '../api.ts';
import { editHref } from '../markdown/address.ts';
import { Problem, Ready } from '../parts/elements.tsx';
import { useAction, useLoaded } from '../parts/hooks.ts';
import { place } from '../parts/words.ts';
import { may, withheld } from '../session.ts';

const runtimes = [
  ['none', 'None: it is instructions alone'],
  ['native', 'A script, in the sandbox of this machine'],
  ['wasm', 'A WebAssembly module'],
  ['docker', 'A container'],
] as const;
type Runtime = (typeof runtimes)[number][0];

const sharedFolder = /[/\\]\.agents[/\\]skills$/;

/** A new skill: `#/new`. */
export function NewSkill() {
  const roots = useLoaded((signal) => ask('doctor', {}, signal), []);
  return (
    <section class="narrow">
      <h1>New skill</h1>
      <p class="quiet">
        A folder with a SKILL.md, and a tool and a test of it if you like, where your agents look. It opens in the
        editor.
      </p>
      {may('new') ? (
        <Ready loaded={roots}>
          {(doctor) => {
            const own = doctor.roots.filter(
              ({ location, plugin }) => location !== 'plugin' && location !== 'remote' && plugin === null,
            );
            const found = own.filter(({ status }) => status === 'found');
            // Where nobody has any skill yet, the folder that most agents share is a good place.
            const shared = own.filter(({ path, location }) => location === 'global' && sharedFolder.test(path));
            return <NewForm places={(found.length > 0 ? found : shared).map(({ path }) => path)} />;
          }}
        </Ready>
      ) : (
        <p class="notice">{withheld()}: whoever runs the server can make skills.</p>
      )}
    </section>
  );
}

/** Milliseconds between looks for the new skill, and how many there are at most. */
const [lookMs, mostLooks] = [200, 25];

function NewForm({ places }: { readonly places: readonly string[] }) {
  const { isBusy, error, run } = useAction();
  const create = (event: SubmitEvent): void => {
    event.preventDefault();
    const values = new FormData(event.currentTarget as HTMLFormElement);
    const [name, description, dir, runtime] = ['name', 'description', 'dir', 'runtime'].map((field) => {
      const value = values.get(field);
      return typeof value === 'string' ? value.trim() : '';
    }) as [string, string, string, Runtime];
    void run(async () => {
      const { folder } = await act('new', { what: 'skill', name, description, dir, runtime });
      const file = `${folder}/SKILL.md`;
      for (let looks = 0; looks < mostLooks && !(await isKnown(name, file)); looks++) {
        await new Promise((resolve) => setTimeout(resolve, lookMs));
      }
      location.hash = editHref({ skill: name, of: file }, 'SKILL.md');
    });
  };
  return (
    <form class="card new-form" onSubmit={create}>
      <label>
        Name
        <input
          name="name"
          required
          maxLength={64}
          pattern="[a-z0-9]+(-[a-z0-9]+)*"
          placeholder="release-notes"
          autocomplete="off"
          aria-describedby="new-name"
        />
        <span class="quiet" id="new-name">
          Lower-case letters and digits, with single hyphens between words.
        </span>
      </label>
      <label>
        Description
        <textarea
          name="description"
          required
          rows={3}
          maxLength={1024}
          placeholder="Writes release notes from the commits since the last tag. Use when a release is due."
          aria-describedby="new-description"
        />
        <span class="quiet" id="new-description">
          What it does, and when an agent should use it: this is all that an agent knows before it loads the skill.
        </span>
      </label>
      <label>
        Folder
        <select name="dir">
          {places.map((path) => (
            <option key={path} value={path}>
              {place(path)}
            </option>
          ))}
        </select>
      </label>
      <label>
        Tool
        <select name="runtime">
          {runtimes.map(([id, words]) => (
            <option key={id} value={id}>
              {words}
            </option>
          ))}
        </select>
      </label>
      <button type="submit" class="main" disabled={isBusy || places.length === 0}>
        {isBusy ? 'Creating …' : 'Create'}
      </button>
      {error && <Problem error={error} />}
    </form>
  );
}

/** Whether the server has noticed a skill that was just made. */
async function isKnown(name: string, file: string): Promise<boolean> {
  const { winner, others } = await ask('why', { name });
  return [winner, ...others].some((one) => one?.file === file);
}
