import { createRequire } from 'node:module';
import { type Browser, type BrowserContext, firefox } from 'playwright-core';
import { timeoutMs } from './timeout.ts';

/** Debian's Firefox, over WebDriver BiDi. */
export function launchFirefox(executablePath: string): Promise<Browser> {
  adapt();
  return firefox.launch({ executablePath, channel: 'moz-firefox', firefoxUserPrefs, timeout: timeoutMs });
}

/** Firefox 140 crashes when both the driver and the page ask for the elements that label another; without this, both go by ids. */
const firefoxUserPrefs = { 'accessibility.ARIAElementReflection.enabled': false };

/** Takes the policy from pages, since the driver looks at them by `eval`. What the policy forbids is tested in Chromium. */
export async function withoutPolicy(context: BrowserContext): Promise<void> {
  await context.route(
    ({ pathname }) => pathname === '/',
    async (route) => {
      const response = await route.fetch();
      const { 'content-security-policy': _, ...headers } = response.headers();
      await route.fulfill({ response, headers });
    },
  );
}

/**
 * Commands that Firefox 140 does not know, and the driver gives it for every window all the same. What they are for is not used in
 * Firefox here: the bodies of answers, downloads, and pretending to be another screen or to prefer other colours.
 */
const unknown = new Set([
  'network.addDataCollector',
  'browser.setDownloadBehavior',
  'emulation.setScreenOrientationOverride',
  'emulation.setScreenSettingsOverride',
  'emulation.setMediaFeaturesOverride',
]);

interface Socket {
  send: (this: Socket, data: string, ...more: unknown[]) => void;
  emit(event: 'message', data: string): void;
}

let isAdapted = false;

/** Stands between the driver and Firefox, and answers what that does not know: its error would end the window. */
function adapt(): void {
  if (isAdapted) return;
  isAdapted = true;
  const bundle = createRequire(import.meta.url)('playwright-core/lib/utilsBundle') as { ws: { prototype: Socket } };
  const socket = bundle.ws.prototype;
  const { send } = socket;
  socket.send = function (this: Socket, data, ...more) {
    const { id, method } = JSON.parse(data) as { id: number; method: string };
    if (!unknown.has(method)) return send.call(this, data, ...more);
    queueMicrotask(() => this.emit('message', JSON.stringify({ type: 'success', id, result: {} })));
  };
}
