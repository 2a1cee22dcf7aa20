import { useState } from 'preact/hooks';
import { Problem } from '../parts/elements.tsx';
import { signInWith, trouble } from '../session.ts';

/** For those who come without the link. */
export function SignIn() {
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
