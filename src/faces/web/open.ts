import { spawn } from 'node:child_process';
import type { Environment } from '../../core/environment.ts';

/** Commands that open an address, by platform. On Windows the shell would read `&` in it; this one does not. */
const openers: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Opens the person's browser. Where there is none, the link in the log will do. */
export function openBrowser(url: string, { platform, env }: Environment): void {
  const hasScreen = platform !== 'linux' || Boolean(env['DISPLAY'] || env['WAYLAND_DISPLAY'] || env['BROWSER']);
  if (!hasScreen) return;
  const [program = '', ...args] = env['BROWSER'] ? [env['BROWSER']] : (openers[platform] ?? ['xdg-open']);
  spawn(program, [...args, url], { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref();
}
