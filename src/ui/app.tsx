import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { unreachable } from './api.ts';
import { overlay, useKeys } from './frame/keys.ts';
import { titleOf } from './frame/menu.ts';
import { Side } from './frame/side.tsx';
import { entryNow } from './history.ts';
import { isLive, listenToServer } from './live.ts';
import { Problem, Skeleton } from './parts/elements.tsx';
import { Icon } from './parts/icon.tsx';
import { foreignCut } from './parts/words.ts';
import { hrefOf, route } from './route.ts';
import { openSession, session, signInWith, trouble } from './session.ts';

/** The sign-in form, for people who come without the link. */
function SignIn() {
  const [failure, setError] = useState<Error | null>(null);
  const error = failure ?? trouble.value;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const token = new FormData(event.currentTarget as HTMLFormElement).get('token');
    if (typeof token === 'string') signInWith(token.trim()).catch(setError);
  };
  return (
    <section class="narrow">
      <h1>Open the console</h1>
      {session.value?.signsIn && (
        <p>
          <a class="button" href="api/sign-in">
            Sign in with your account
          </a>
        </p>
      )}
      <p>
        Use the link that the server printed when it started; <code>repertoire web</code> opens it for you. Or paste the
        token: the part of that link after <code>token=</code>, or the token of the server.
      </p>
      <form onSubmit={submit}>
        <label>
          Token <input name="token" type="password" autocomplete="off" required />
        </label>
        <button type="submit">Open</button>
      </form>
      {error && <Problem error={error} />}
    </section>
  );
}

/** A page, given the part of the address behind its name. */
type PageView = ComponentType<{ readonly rest: readonly string[] }>;

/** Loaders of the pages; each is loaded when somebody goes there. */
const pages: Readonly<Record<string, () => Promise<PageView>>> = {
  home: async () => (await import('./pages/home.tsx')).Home,
  agents: async () => (await import('./pages/agents.tsx')).Agents,
  get: async () => (await import('./pages/get.tsx')).Get,
  skills: async () => (await import('./pages/skills.tsx')).Skills,
  skill: async () => (await import('./pages/skill.tsx')).SkillPage,
  new: async () => (await import('./pages/new.tsx')).NewSkill,
  run: async () => (await import('./pages/run.tsx')).RunPage,
  grants: async () => (await import('./pages/grants.tsx')).Grants,
  activity: async () => (await import('./pages/activity.tsx')).Activity,
  health: async () => (await import('./pages/health.tsx')).Health,
  cluster: async () => (await import('./pages/cluster.tsx')).Cluster,
};
const loaded = signal<Readonly<Record<string, PageView>>>({});
/** The page that could not be loaded. */
const lacking = signal('');

/** The page if it is loaded; otherwise starts loading it. */
function pageNamed(name: string): PageView | null {
  const here = loaded.value[name];
  if (here !== undefined) return here;
  pages[name]?.().then(
    (page) => {
      loaded.value = { ...loaded.peek(), [name]: page };
      lacking.value = '';
      sessionStorage.removeItem(reloadedFor);
    },
    () => {
      lacking.value = name;
    },
  );
  return null;
}

/**
 * The session storage key of the page that the document was last reloaded for, so that one that can never be loaded
 * does not cause reloads for ever.
 */
const reloadedFor = 'reloaded-for';

/**
 * Reloads the document where that helps: browsers remember that a module could not be fetched, and do not try again.
 */
async function reloadFor(page: string): Promise<void> {
  if (sessionStorage.getItem(reloadedFor) === page) return;
  try {
    await fetch('healthz');
  } catch {
    return; // without a server there would be no document
  }
  sessionStorage.setItem(reloadedFor, page);
  location.reload();
}

export function App() {
  useEffect(() => void openSession(), []);
  useKeys();
  const state = session.value;
  useEffect(() => (state?.signedIn ? listenToServer() : undefined), [state?.signedIn]);
  if (state === null) return <Opening />;
  return (
    <>
      <button type="button" class="skip" onClick={focusMain}>
        Skip to the content
      </button>
      <Side state={state} />
      {state.signedIn && <AboveThePage />}
      <div class="stage">
        {state.signedIn && <Offline />}
        <main id="main" tabIndex={-1}>
          {state.signedIn ? <Page /> : <SignIn />}
        </main>
      </div>
    </>
  );
}

const overlays = signal<ComponentType | null>(null);

/** Time after which what may be wanted next is loaded. */
const idleMs = 1000;

/** The dialogs, loaded with the first that is opened, or when there is nothing else to do. */
function AboveThePage() {
  const isAsked = overlay.value !== null;
  const [isIdle, setIsIdle] = useState(false);
  // Whoever presses the keys goes on typing: it had better be there by then.
  useEffect(() => {
    const timer = setTimeout(() => setIsIdle(true), idleMs);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => {
    if (!(isAsked || isIdle) || overlays.peek() !== null) return;
    import('./frame/overlays.tsx').then(
      ({ Overlays }) => {
        overlays.value = Overlays;
      },
      () => {
        overlay.value = null; // the server is gone, which is said already
      },
    );
  }, [isAsked, isIdle]);
  const Shown = overlays.value;
  return isAsked && Shown !== null ? <Shown /> : null;
}

function Opening() {
  const { value: error } = trouble;
  return error === null ? (
    <Skeleton />
  ) : (
    <main>
      <h1>Repertoire</h1>
      <Problem error={error} again={() => void openSession()} />
    </main>
  );
}

/** Time without the server before it is said: a reader who comes back to the page is connected again within it. */
const shownAfterMs = 3000;

/** Says that what is shown may be old, while the server does not answer. */
function Offline() {
  const [isShown, setIsShown] = useState(false);
  const { value: hasServer } = isLive;
  useEffect(() => {
    setIsShown(false);
    if (hasServer) return;
    const timer = setTimeout(() => setIsShown(true), shownAfterMs);
    return () => clearTimeout(timer);
  }, [hasServer]);
  if (!isShown) return null;
  return (
    <p class="offline">
      <Icon name="off" />
      <span>
        The server does not answer. What you see is what it said last; the page connects again by itself, or start{' '}
        <code>repertoire web</code> and open its link.
      </span>
    </p>
  );
}

/** Shows the page of the address. Going to another one moves to its beginning, for screen readers too. */
function Page() {
  const { page, rest } = route.value;
  const place = [page, ...rest].join('/');
  useEffect(() => {
    document.title = [...rest.toReversed().map((part) => foreignCut(part, 80)), titleOf(page), 'Repertoire'].join(
      ' · ',
    );
  }, [place]);
  const last = useRef(place);
  // A layout effect runs before the next key press: the focused element is gone with its page.
  useLayoutEffect(() => {
    if (last.current === place) return;
    last.current = place;
    // A page that somebody comes back to finds its own place, once it is drawn.
    if (!entryNow().isReturn) scrollTo(0, 0);
    focusMain();
  }, [place]);
  const { value: hasServer } = isLive;
  const isLacking = lacking.value === page;
  useEffect(() => {
    if (hasServer && isLacking) void reloadFor(page);
  }, [hasServer, isLacking]);
  if (Object.hasOwn(pages, page)) {
    // A server that was replaced meanwhile has other names for the parts of the console.
    if (isLacking) return <Problem error={unreachable()} again={() => location.reload()} />;
    const Shown = pageNamed(page);
    return Shown === null ? <Skeleton /> : <Shown key={place} rest={rest} />;
  }
  return (
    <>
      <h1>Page not found</h1>
      <p>
        <a href={hrefOf('home')}>Home</a> · <a href={hrefOf('skills')}>All skills</a>
      </p>
    </>
  );
}

/** Moves the focus to the content by hand, since the address belongs to the pages. */
function focusMain(): void {
  document.getElementById('main')?.focus({ preventScroll: true });
}
