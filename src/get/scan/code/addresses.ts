import { hole } from './value.ts';

/** The kinds of addresses that something is fetched from or sent to. */
export type AddressKind = 'local' | 'installer' | 'reputable' | 'collector' | 'hook' | 'suspicious' | 'unknown';

const address = /\b(?:https?|ftps?|wss?|tcp|stratum\+tcp):\/\/[^\s"'`<>|;)\]}\\]+/gi;

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

const local =
  /^(?:localhost|127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|0\.0\.0\.0|\[?::1\]?|host\.docker\.internal|[a-z-]+$)|\.(?:local|localhost|internal|test|lan)$/;
const metadata = /^169\.254\.169\.254$|^metadata\.google\.internal$/;

/** Hosts where anyone gets a place to receive what others send, without a name. */
const collectors =
  /(?:^|\.)(?:webhook\.site|requestbin\.(?:com|net)|pipedream\.net|hookbin\.com|beeceptor\.com|interact\.sh|oast\.\w+|oastify\.com|burpcollaborator\.net|ngrok(?:-free)?\.(?:io|app|dev)|trycloudflare\.com|serveo\.net|localhost\.run|lhr\.life|loca\.lt|requestcatcher\.com|canarytokens\.com|dnslog\.cn|ceye\.io|transfer\.sh|file\.io|0x0\.st|ix\.io|termbin\.com|gofile\.io|anonfiles\.com|bashupload\.com|temp\.sh|paste\.rs|rentry\.co|hastebin\.com|dpaste\.com|pastebin\.com|ghostbin\.\w+|controlc\.com|paste\.ee|glot\.io|catbox\.moe|bin\.sh|mockbin\.org|postb\.in|ptsv\d?\.com|typedwebhook\.tools|webhookinbox\.com|smee\.io|hookdeck\.com|pagekite\.me|bore\.pub|tmpfiles\.org|uguu\.se|oshi\.at|keep\.sh|filebin\.net|sprunge\.us|clbin\.com)$/;
/** Hooks of chats: a way to tell people something, and to carry things off. */
const hooks =
  /^(?:(?:\w+\.)?discord(?:app)?\.com\/api\/webhooks|hooks\.slack\.com|api\.telegram\.org\/bot|outlook\.office\.com\/webhook|[\w-]+\.webhook\.office\.com|maker\.ifttt\.com|hooks\.zapier\.com|hook\.\w+\.make\.com|n8n\.)/;
const shady =
  /^\d{1,3}(?:\.\d{1,3}){3}$|^0x[\da-f]+$|^\d{8,10}$|^\[[\da-f:]+\]$|(?:^|\.)xn--|\.(?:tk|top|xyz|ml|ga|cf|gq|click|zip|mov|onion|ru|su|cc|pw|icu|cyou|rest|monster|buzz|sbs|quest|lol|cfd|bond|work|cam)$|(?:^|\.)(?:bit\.ly|tinyurl\.com|is\.gd|t\.co|goo\.gl|cutt\.ly|rb\.gy|shorturl\.at|ow\.ly|t\.ly|rebrand\.ly|duckdns\.org|no-ip\.\w+|ddns\.net|hopto\.org|000webhostapp\.com)$/;

/** Install scripts that projects give out themselves, by host or by host and the beginning of the path. */
const installers =
  /^(?:sh\.rustup\.rs|bun\.(?:sh|com)\/install|deno\.land\/(?:x\/)?install|get\.docker\.com|astral\.sh|get\.pnpm\.io|install\.python-poetry\.org|get\.k3s\.io|get\.helm\.sh|fluxcd\.io\/install|run\.linkerd\.io|sdk\.cloud\.google\.com|get\.sdkman\.io|starship\.rs|ohmyposh\.dev|mise\.(?:run|jdx\.dev)|fnm\.vercel\.app|volta\.sh|get\.volta\.sh|install\.determinate\.systems|nixos\.org\/nix|raw\.githubusercontent\.com\/(?:Homebrew|nvm-sh|ohmyzsh|pyenv|rbenv|helm|kubernetes|k3d-io|aquasecurity|anchore|golangci|tfutils|junegunn|creationix|rancher|derailed|hashicorp|docker|microsoft|google|aws|cloudflare|vercel|denoland|astral-sh|anthropics|openai|nektos|trufflesecurity|gitleaks)\/|githubusercontent\.com\/Homebrew|ollama\.(?:com|ai)\/install|claude\.ai\/install|cursor\.com\/install|opencode\.ai\/install|fly\.io\/install|cli\.github\.com|packages\.microsoft\.com|aka\.ms\/|get\.rvm\.io|rvm\.io|pyenv\.run|code-server\.dev\/install|tailscale\.com\/install|get\.pulumi\.com|sentry\.io\/get-cli|cli\.sentry\.dev|foundry\.paradigm\.xyz|install\.meteor\.com|install\.speedtest\.net|bootstrap\.pypa\.io|get\.modular\.com|dot\.net\/v1|dl\.k8s\.io|istio\.io\/downloadIstio|cli\.run\.pivotal|get\.gravitational\.com|apt\.llvm\.org|deb\.nodesource\.com|rpm\.nodesource\.com|download\.docker\.com|packages\.cloud\.google\.com|apt\.releases\.hashicorp\.com|just\.systems\/install|taskfile\.dev\/install|goreleaser\.com|install\.goreleaser\.com|moonrepo\.dev\/install|proto\.|zed\.dev\/install|warp\.dev|railway\.(?:app|com)\/install|cli\.new|render\.com|supabase\.com|get\.scala-lang\.org|raw\.githubusercontent\.com\/coursier|yarnpkg\.com\/install|dl\.yarnpkg\.com|install\.duckdb\.org|release\.solana\.com|release\.anza\.xyz|sh\.vector\.dev|get\.jenv\.be|git\.io\/(?:get|install)|cht\.sh|setup\.atuin\.sh|esm\.sh|get\.acme\.sh|grafana\.com|repo1?\.maven\.org|install\.julialang\.org|clis\.cloud\.ibm\.com|amp\.dev|ampcode\.com\/install|gh\.io\/copilot-install|app\.factory\.ai\/cli|x\.ai\/|cli\.kiro\.dev|goose\b)/i;
const reputable =
  /(?:^|\.)(?:github\.com|githubusercontent\.com|gitlab\.com|bitbucket\.org|npmjs\.(?:com|org)|pypi\.org|pythonhosted\.org|rubygems\.org|crates\.io|googleapis\.com|google\.com|amazonaws\.com|aws\.amazon\.com|azure\.com|microsoft\.com|windows\.net|apple\.com|cloudflare\.com|openai\.com|anthropic\.com|claude\.ai|claude\.com|huggingface\.co|docker\.(?:com|io)|jsdelivr\.net|unpkg\.com|debian\.org|ubuntu\.com|mozilla\.org|python\.org|nodejs\.org|golang\.org|go\.dev|rust-lang\.org|wikipedia\.org|w3\.org|atlassian\.(?:com|net)|slack\.com|notion\.com|linear\.app|stripe\.com|sentry\.io|twilio\.com|sendgrid\.com|shopify\.com|figma\.com|x\.com|twitter\.com|reddit\.com|youtube\.com|linkedin\.com|facebook\.com|discord\.com|telegram\.org|replicate\.com|fal\.ai|fal\.run|perplexity\.ai|deepseek\.com|mistral\.ai|groq\.com|together\.xyz|cohere\.(?:com|ai)|arxiv\.org|nih\.gov)$/;

export function addressKind(url: string): AddressKind {
  const host = hostOf(url);
  if (host === '' || host.startsWith(hole)) return 'unknown';
  if (metadata.test(host)) return 'suspicious';
  if (local.test(host)) return 'local';
  const rest = url.replace(/^[a-z][a-z\d+.-]*:\/\/(?:[^/?#@]*@)?/i, '');
  if (collectors.test(host)) return 'collector';
  if (hooks.test(rest)) return 'hook';
  if (installers.test(rest) && !/^http:/i.test(url)) return 'installer';
  if (shady.test(host) && !/(?:^|\.)(?:together\.xyz|paradigm\.xyz|abc\.xyz|anza\.xyz)$/.test(host))
    return 'suspicious';
  return reputable.test(host) ? 'reputable' : 'unknown';
}
