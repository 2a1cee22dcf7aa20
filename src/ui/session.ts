import { signal } from '@preact/signals';
import type { OperationName } from '../faces/web/operations.ts';
import type { SessionState } from '../faces/web/shapes.ts';
import type { SignInProblem } from '../faces/web/sign-in.ts';
import { ApiError, onShutOut, sessionState, signIn, signOut } from './api.ts';
import { setHome } from './parts/words.ts';
import { replaceRoute } from './route.ts';

/** The session; null until the server has answered. */
export const session = signal<SessionState | null>(null);
/** The reason why nobody is let in, or why the server does not answer. */
export const trouble = signal<Error | null>(null);
/** Whether the server answers this client to an operation: nothing is offered that it would refuse. */
export const may = (operation: OperationName): boolean => session.value?.may.includes(operation) === true;

/** Whether this client runs the server, and so is shown what others typed and got. */
export const runsServer = (): boolean => may('output');

/** The reason why something is not offered, as the beginning of a sentence. */
export const withheld = (): string =>
  session.value?.mode === 'read' ? 'This console is read-only' : 'Your account does not allow this';

onShutOut((error) => {
  trouble.value = error;
  if (session.value !== null) session.value = { ...session.value, signedIn: false };
});

// The link of a restarted server may be opened where the page of the last one still is.
addEventListener('hashchange', ({ oldURL }) => {
  if (tokenIn(location.hash) !== undefined) void openSession(new URL(oldURL).hash);
});

/**
 * Opens the session. The opened link carries a token behind its `#`, which is handed over once and leaves the address
 * at once: the page that was shown before stays.
 */
export async function openSession(page = '#/home'): Promise<void> {
  const token = tokenIn(location.hash);
  const problem = /^#sign-in=(\w+)$/.exec(location.hash)?.[1];
  if (token !== undefined || problem !== undefined) replaceRoute(page);
  try {
    trouble.value = problem === undefined ? null : signInFailed(problem);
    session.value = token === undefined ? await sessionState() : await signIn(token);
  } catch (error) {
    trouble.value = error as Error;
    // A link that is no longer good is no reason to sign out.
    if (error instanceof ApiError && error.code === 'unauthorized') await checkSession();
  }
}

/** Fetches the session again. While the server does not answer, nothing changes. */
export async function checkSession(): Promise<void> {
  const state = await sessionState().catch(() => null);
  if (state !== null) session.value = state;
}

/** The key in the browser's storage that says that this tab was signed in. */
const wasIn = 'was-signed-in';

session.subscribe((state) => setHome(state?.home ?? null));

// A server that was started anew knows nobody: whoever was signed in is told so, rather than asked for a token.
session.subscribe((state) => {
  if (state === null) return;
  // Somebody who signs in with an account can always do so again.
  if (state.signsIn) sessionStorage.removeItem(wasIn);
  else if (state.signedIn) sessionStorage.setItem(wasIn, 'yes');
  else if (sessionStorage.getItem(wasIn) !== null && trouble.peek() === null) trouble.value = startedAnew();
});

function startedAnew(): ApiError {
  const hint = 'Open the link that it printed at that start.';
  const message = 'The server was restarted since you signed in';
  return new ApiError(401, { code: 'unauthorized', message, hint, suggestions: [], candidates: [] });
}

/** Words for a person who has come back from the authorization server, and is not let in. */
const signInProblems: Readonly<Record<SignInProblem, readonly [message: string, hint: string]>> = {
  refused: ['You were not signed in', 'Try again in this browser. The log of the server has the reason.'],
  forbidden: ['Your account may not use this console', 'Ask for the scope skills:read where accounts are managed.'],
  unavailable: ['The authorization server does not answer as it should', 'The log of the server has the reason.'],
};

function signInFailed(problem: string): ApiError {
  const [message, hint] = signInProblems[problem as SignInProblem] ?? signInProblems.refused;
  return new ApiError(401, { code: 'unauthorized', message, hint, suggestions: [], candidates: [] });
}

export async function leave(): Promise<void> {
  await signOut();
  await checkSession();
}

export async function signInWith(token: string): Promise<void> {
  session.value = await signIn(token);
  trouble.value = null;
}

function tokenIn(hash: string): string | undefined {
  return /^#token=([\w-]+)$/.exec(hash)?.[1];
}
