import { hole } from './value.ts';

/** The kinds of addresses that something is fetched from or sent to. */
export type AddressKind = 'local' | 'installer' | 'reputable' | 'collector' | 'hook' | 'suspicious' | 'unknown';

const address = /\b(?:https?|ftps?|wss?|tcp|udp|stratum\+tcp):\/\/[^\s"'`<>|;)\]}\\]+/gi;

/** Every address in a text. */
export function addressesIn(text: string): string[] {
  return text.match(address) ?? [];
}

/** The host of an address, in lower case; empty where it is not known. */
export function hostOf(url: string): string {
  const [, host = ''] = /^(?:[a-z][a-z\d+.-]*:)?\/\/(?:[^/?#@]*@)?(\[[^\]]+\]|[^/:?#\s]+)/i.exec(url) ?? [];
  return (
    host ||
    (/^[\w.-]+\.[a-z]{2,}(?=[/:?#]|$)/i.exec(url)?.[0] ?? /^\d{1,3}(?:\.\d{1,3}){3}/.exec(url)?.[0] ?? '')
  ).toLowerCase();
}

const metadata = /^169\.254\.169\.254$|^metadata\.google\.internal$/;
const localAddress =
  /^(?:(?:127|10)(?:\.\d{1,3}){3}|192\.168(?:\.\d{1,3}){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d{1,3}){2}|0\.0\.0\.0|\[::1\])$/;
const localName = /^(?:localhost|host\.docker\.internal|[a-z-]+)$|\.(?:local|localhost|internal|test|lan)$/;

/** Hosts where anyone gets a place to receive what others send, without a name. */
const collectors = hosts(`
  webhook.site, requestbin.com, requestbin.net, pipedream.net, hookbin.com, beeceptor.com, interact.sh, oast.fun, oast.live, oast.me,
  oast.online, oast.pro, oast.site, oast.today, oastify.com, burpcollaborator.net, ngrok.io, ngrok.app, ngrok.dev, ngrok-free.app,
  ngrok-free.dev, trycloudflare.com, serveo.net, localhost.run, lhr.life, loca.lt, requestcatcher.com, canarytokens.com, dnslog.cn, ceye.io,
  transfer.sh, file.io, 0x0.st, ix.io, termbin.com, gofile.io, anonfiles.com, bashupload.com, temp.sh, paste.rs, rentry.co, hastebin.com,
  dpaste.com, pastebin.com, ghostbin.com, ghostbin.co, controlc.com, paste.ee, glot.io, catbox.moe, bin.sh, mockbin.org, postb.in, ptsv.com,
  ptsv2.com, ptsv3.com, typedwebhook.tools, webhookinbox.com, smee.io, hookdeck.com, pagekite.me, bore.pub, tmpfiles.org, uguu.se, oshi.at,
  keep.sh, filebin.net, sprunge.us, clbin.com
`);
/** Hooks of chats: a way to tell people something, and to carry things off. */
const hooks =
  /^(?:(?:\w+\.)?discord(?:app)?\.com\/api\/webhooks|hooks\.slack\.com|api\.telegram\.org\/bot|outlook\.office\.com\/webhook|[\w-]+\.webhook\.office\.com|maker\.ifttt\.com|hooks\.zapier\.com|hook\.\w+\.make\.com|n8n\.)/;

/** Numbers in the place of a name, and names in other alphabets. */
const disguised = /^\d{1,3}(?:\.\d{1,3}){3}$|^0x[\da-f]+$|^\d{8,10}$|^\[[\da-f:]+\]$|(?:^|\.)xn--/;
/** Endings that cost next to nothing, or that much comes from which nobody wants. */
const shadyEnding =
  /\.(?:tk|top|xyz|ml|ga|cf|gq|click|zip|mov|onion|ru|su|cc|pw|icu|cyou|rest|monster|buzz|sbs|quest|lol|cfd|bond|work|cam)$/;
/** Hosts that hide where an address leads, or that anyone gets without a name. */
const shady = hosts(`
  bit.ly, tinyurl.com, is.gd, t.co, goo.gl, git.io, cutt.ly, rb.gy, shorturl.at, ow.ly, t.ly, rebrand.ly, duckdns.org, no-ip.org, no-ip.com,
  no-ip.biz, ddns.net, hopto.org, 000webhostapp.com
`);

/** Install scripts that projects give out themselves: a host, or a host and the beginning of a path. */
const installers = list(`
  sh.rustup.rs, bun.sh/install, bun.com/install, deno.land/install, deno.land/x/install, get.docker.com, astral.sh, get.pnpm.io,
  install.python-poetry.org, get.k3s.io, get.helm.sh, fluxcd.io/install, run.linkerd.io, sdk.cloud.google.com, get.sdkman.io, starship.rs,
  ohmyposh.dev, mise.run, mise.jdx.dev, fnm.vercel.app, volta.sh, get.volta.sh, install.determinate.systems, nixos.org/nix, ollama.com/install,
  ollama.ai/install, claude.ai/install, cursor.com/install, opencode.ai/install, fly.io/install, cli.github.com, packages.microsoft.com, aka.ms,
  get.rvm.io, rvm.io, pyenv.run, code-server.dev/install, tailscale.com/install, get.pulumi.com, sentry.io/get-cli, cli.sentry.dev,
  foundry.paradigm.xyz, install.meteor.com, install.speedtest.net, bootstrap.pypa.io, get.modular.com, dot.net/v1, dl.k8s.io,
  istio.io/downloadIstio, get.gravitational.com, apt.llvm.org, deb.nodesource.com, rpm.nodesource.com, download.docker.com,
  packages.cloud.google.com, apt.releases.hashicorp.com, just.systems/install, taskfile.dev/install, goreleaser.com, install.goreleaser.com,
  moonrepo.dev/install, zed.dev/install, warp.dev, railway.app/install, railway.com/install, render.com, supabase.com, get.scala-lang.org,
  yarnpkg.com/install, dl.yarnpkg.com, install.duckdb.org, release.solana.com, release.anza.xyz, sh.vector.dev, get.jenv.be, setup.atuin.sh,
  get.acme.sh, grafana.com, repo.maven.org, repo1.maven.org, install.julialang.org, clis.cloud.ibm.com, amp.dev, ampcode.com/install,
  gh.io/copilot-install, app.factory.ai/cli, x.ai, cli.kiro.dev, codecov.io/bash, uploader.codecov.io, cli.codecov.io, coveralls.io
`);
/** Owners of repositories whose files are install scripts. */
const installerOwners = list(`
  Homebrew, nvm-sh, ohmyzsh, pyenv, rbenv, helm, kubernetes, k3d-io, aquasecurity, anchore, golangci, tfutils, junegunn, creationix, rancher,
  derailed, hashicorp, docker, microsoft, google, aws, cloudflare, vercel, denoland, astral-sh, anthropics, openai, nektos, trufflesecurity,
  gitleaks, coursier
`).map((owner) => `raw.githubusercontent.com/${owner}/`);
/** Beginnings of paths by host. */
const installPlaces = new Map<string, string[]>();
for (const place of [...installers, ...installerOwners]) {
  const [host = '', path = ''] = place.toLowerCase().split(/(?=\/)(.*)/);
  installPlaces.set(host, [...(installPlaces.get(host) ?? []), path]);
}

const reputable = hosts(`
  github.com, githubusercontent.com, gitlab.com, bitbucket.org, npmjs.com, npmjs.org, pypi.org, pythonhosted.org, rubygems.org, crates.io,
  googleapis.com, google.com, amazonaws.com, aws.amazon.com, azure.com, microsoft.com, windows.net, apple.com, cloudflare.com, openai.com,
  anthropic.com, claude.ai, claude.com, huggingface.co, docker.com, docker.io, jsdelivr.net, unpkg.com, debian.org, ubuntu.com, mozilla.org,
  python.org, nodejs.org, golang.org, go.dev, rust-lang.org, wikipedia.org, w3.org, atlassian.com, atlassian.net, slack.com, notion.com,
  linear.app, stripe.com, sentry.io, twilio.com, sendgrid.com, shopify.com, figma.com, x.com, twitter.com, reddit.com, youtube.com, linkedin.com,
  facebook.com, discord.com, telegram.org, replicate.com, fal.ai, fal.run, perplexity.ai, deepseek.com, mistral.ai, groq.com, together.xyz,
  cohere.com, cohere.ai, arxiv.org, nih.gov
`);
/** Hosts whose ending is shady and who are not. */
const wellKnown = hosts('together.xyz, paradigm.xyz, abc.xyz, anza.xyz');

function list(text: string): string[] {
  return text.split(',').map((word) => word.trim());
}

/** Matches these hosts and all below them, and no host that only begins or ends alike. */
function hosts(text: string): RegExp {
  return new RegExp(`(?:^|\\.)(?:${list(text).join('|').replaceAll('.', '\\.')})$`);
}

/** Whether an address, without its scheme, is a known install script. */
function isInstaller(place: string): boolean {
  const bare = place.toLowerCase().replace(/^www\./, '');
  const end = bare.search(/[/?#:]|$/);
  return installPlaces.get(bare.slice(0, end))?.some((path) => bare.startsWith(path, end)) ?? false;
}

export function addressKind(url: string): AddressKind {
  const host = hostOf(url);
  if (host === '' || host.startsWith(hole)) return 'unknown';
  if (metadata.test(host)) return 'suspicious';
  if (localAddress.test(host) || localName.test(host)) return 'local';
  const rest = url.replace(/^[a-z][a-z\d+.-]*:\/\/(?:[^/?#@]*@)?/i, '');
  if (collectors.test(host)) return 'collector';
  if (hooks.test(rest)) return 'hook';
  if (isInstaller(rest) && !/^http:/i.test(url)) return 'installer';
  if (disguised.test(host) || shady.test(host) || (shadyEnding.test(host) && !wellKnown.test(host)))
    return 'suspicious';
  return reputable.test(host) ? 'reputable' : 'unknown';
}
