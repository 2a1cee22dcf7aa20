import { showHidden } from '../../../core/text/hidden.ts';
import { addressesIn, addressKind } from '../code/addresses.ts';
import type { Document } from '../document.ts';
import { foreignSayings } from './languages.ts';
import type { Hit, RuleId } from './table.ts';

/** A phrase: what a sentence must say for a rule to apply, and what it must not say. */
interface Phrase {
  readonly rule: RuleId;
  readonly says: RegExp;
  readonly unless?: RegExp;
  /** Whether it counts in a block of code too, where texts are usually examples. */
  readonly inCode?: true;
  /** Whether it names an address by which it counts: that of a stranger. */
  readonly toStranger?: true;
  /** Whether it means the same in quotes: an address to be filled in is written so. */
  readonly inQuotes?: true;
}

const user = `(?:the |your )?(?:user|human|operator|person|owner|developer|customer)`;
const instructions = `(?:instructions?|prompts?|rules?|guidelines?|directives?|guardrails?|constraints?|policies|policy|safety (?:checks?|rules|guidelines|measures)|restrictions|system (?:prompt|message))`;
const secrets = String.raw`(?:api[ _-]?keys?|credentials?|passwords?|(?:access |auth |session )?tokens?|private keys?|ssh keys?|secrets?|seed phrases?|mnemonics?|wallet\w*|cookies|\.env\b(?: files?)?|environment variables|id_rsa|\.aws/credentials|\.ssh|keychain|(?:conversation|chat) history|(?:full |entire )?(?:conversation|system prompt))`;

/** Sentences that tell a model to work against the person it works for. */
const phrases: readonly Phrase[] = [
  {
    rule: 'override-instructions',
    says: new RegExp(
      String.raw`\b(?:ignore|disregard|forget|override|overrule|bypass|set aside|drop|discard|do not (?:follow|obey)|stop following|supersedes?|takes? precedence over|cancel)\b[^.\n]{0,40}\b(?:all |any |the |your |of )*(?:previous|prior|above|earlier|preceding|existing|other|former|original|initial|current|system|safety|default|built-?in|user'?s?)\b[^.\n]{0,30}\b${instructions}`,
      'i',
    ),
  },
  {
    rule: 'override-instructions',
    says: new RegExp(
      String.raw`\b(?:ignore|disregard|forget|override)\b (?:all |everything |anything )(?:of )?(?:your |the )?(?:${instructions}|you (?:were|have been) told|(?:said|written) (?:above|before))`,
      'i',
    ),
  },
  {
    rule: 'override-instructions',
    says: /\b(?:you are (?:now )?(?:in )?(?:DAN|jailbroken|developer mode|unrestricted|god mode|free of|no longer bound)|act as (?:an? )?(?:unrestricted|unfiltered|uncensored|jailbroken)\b|without any (?:ethical|safety|moral) (?:restrictions|constraints|guidelines))/i,
  },
  {
    rule: 'hides-from-user',
    says: new RegExp(
      String.raw`\b(?:do not|don['’]?t|never|must not|without|avoid|refrain from)\b[^.\n]{0,25}\b(?:tell(?:ing)?|inform(?:ing)?|mention(?:ing)?|reveal(?:ing)?|disclos(?:e|ing)|show(?:ing)?|notify(?:ing)?|alert(?:ing)?|report(?:ing)?|display(?:ing)?)\b[^.\n]{0,50}\b${user}\b(?![^.\n]{0,20}\bto (?:edit|change|install|do))`,
      'i',
    ),
    unless:
      /\b(?:raw|json|internal (?:error|detail)|stack trace|implementation detail|jargon|technical|api key|secret|token|password|full (?:output|file|log)|file path|ids?\b|tool names?|skip|placeholder|credentials?|private key|intermediate|draft|until|unless|before you|options?|choices?|how to|that (?:they|you) (?:should|need|must|can)|what to)/i,
  },
  {
    rule: 'hides-from-user',
    says: /\b(?:silently|secretly|covertly|quietly|stealthily|in the background|without (?:the )?(?:user|human|their|anyone)(?:['’]s)? (?:knowledge|knowing|noticing|awareness|seeing))\b[^.\n]{0,60}\b(?:send|upload|post|copy|exfiltrat|transmit|run|execute|install|collect|append|modify|download|fetch|add|write|read|forward|call|include|grant|disable|create|delete|record)\w*/i,
    unless:
      /\b(?:fail|drop|ignore|swallow|truncat|skip|discard|error|break|los(?:e|t)|never|not|don't|avoid|instead of|rather than|run_in_background|server|process|task|agent|build|watch|sync|job|long[- ]running|subagent|terminal|worker|thread|queue|command)\b/i,
  },
  {
    rule: 'hides-from-user',
    says: /\b(?:keep|this (?:step|section|instruction|part|behaviou?r) (?:is|must (?:be|remain)|should (?:be|remain)))\b[^.\n]{0,20}\b(?:hidden from|secret from|invisible to|confidential from|not visible to|unknown to)\b[^.\n]{0,12}\b(?:user|human|owner|them)/i,
  },
  {
    rule: 'hides-from-user',
    says: /\b(?:if (?:the )?(?:user|anyone|asked|they)\b[^.\n]{0,30}\b(?:ask|question|inquire)s?\b[^.\n]{0,40}\b(?:deny|lie|say (?:that )?(?:it|nothing|you|this is)|pretend|claim|respond that (?:it|this) (?:is|was) (?:a )?(?:routine|normal|standard)))/i,
    unless: /\bsay (?:that )?(?:you (?:don['’]t|do not) know|it (?:can|may))/i,
  },
  {
    rule: 'hides-from-user',
    says: /\b(?:do not|don['’]?t|never)\b[^.\n]{0,15}\b(?:mention|reveal|disclose|admit|say)\b[^.\n]{0,15}\bthat (?:this|the|it|you|we)\b[^.\n]{0,20}\b(?:reads?|sends?|uploads?|collects?|copies|contacts?|downloads?|executes?|forwards?|records?|posts?)\b/i,
  },
  {
    rule: 'override-instructions',
    says: /\b(?:forget|ignore|disregard|abandon)\b (?:about )?(?:your|the user['’]?s?) (?:current |actual |own )?(?:instructions?|tasks?|rules|guidelines|system prompt|wishes|request)\b/i,
    unless: /\b(?:never|do not|don['’]t|must not|should not)\b/i,
  },
  {
    rule: 'hides-from-user',
    says: new RegExp(
      String.raw`\b${user}s?\b[^.\n]{0,20}\b(?:must|should|need|may|will|does|do)(?: not| never|n['’]t)\b(?! (?:need|have) to)[^.\n]{0,12}\b(?:know|learn|notice|find out|realise|realize|be (?:told|asked|informed|aware|notified|made aware))\b(?! (?:how|what|where|which|whether|why|when|the (?:details|internals|syntax)))`,
      'i',
    ),
  },
  {
    rule: 'hides-from-user',
    says: /\b(?:keep (?:silent|quiet|mum) about (?:it|this|that)|(?:leave|keep) (?:it|this|that|them) out of (?:your|the|any|all) (?:explanations?|summar(?:y|ies)|reports?|answers?|repl(?:y|ies)|output|messages?)|say nothing (?:about|of) (?:it|this|that)|so (?:that )?(?:nobody|no one|the user (?:does not|doesn['’]t|won['’]t|will not)) (?:sees?|knows?|notices?|finds? out))\b/i,
  },
  {
    rule: 'hides-from-user',
    says: /\bwithout (?:telling|informing|notifying|alerting|warning) (?:them|him|her|anyone|anybody)\b/i,
  },
  {
    // A person does not sign what a skill says.
    rule: 'false-authority',
    says: /\bI,? (?:the|your) (?:user|owner|operator|human),? (?:hereby |expressly |explicitly |already )?(?:allow|permit|authori[sz]e|grant|consent|agree|approve|give)\b|\b(?:as|speaking as) the user,? I (?:hereby |expressly |already )?(?:allow|permit|authori[sz]e|grant|consent|approve)\b/i,
  },
  {
    rule: 'covers-tracks',
    says: /\b(?:delete|erase|clear|wipe|remove|purge)\b[^.\n]{0,30}\b(?:session|command|shell|chat|conversation|audit|access)? ?(?:logs?|history|traces?|evidence|transcripts?)\b[^.\n]{0,60}\b(?:so (?:that )?(?:nobody|no one|the user|they|it)|afterwards so|to (?:hide|conceal|cover)|without (?:a )?trace)\b/i,
  },
  {
    rule: 'skips-consent',
    says: /\b(?:if|when|even if)\b (?:the )?(?:user|human|they)\b[^.\n]{0,20}\b(?:says? (?:no|stop)|refuses?|objects?|declines?|cancels?|disagrees?)\b[^.\n]{0,25}\b(?:go on|continue|proceed|carry on|do it|keep going|ignore)\b/i,
  },
  {
    rule: 'asks-for-secrets',
    says: /\b(?:add|include|append|attach|pass|put|insert|copy)\b[^.\n]{0,60}\b(?:argument|parameter|field|header|metadata|query string|url|address)\b[^.\n]{0,60}\b(?:conversation|chat history|system prompt|contents? of (?:any|every|each|all|the last) files?|credentials|api keys?|environment variables|secrets)\b/i,
    unless: /\b(?:never|do not|don['’]t|must not|should not|avoid|instead of|authorization|bearer)\b/i,
  },
  {
    rule: 'asks-for-secrets',
    says: /\b(?:copy|put|include|add|append|attach|embed|insert|upload|send)\b[^.\n]{0,60}(?:\.env\b|~\/\.(?:ssh|aws|netrc|npmrc)|\b(?:api keys?|credentials|private keys?|environment variables|passwords)\b)[^.\n]{0,40}\b(?:in|into|to)\b[^.\n]{0,20}\b(?:summary|metadata|commit message|pull request|comment|answer|reply|report|description|alt text|file ?name|badge|link|url|address)\b/i,
    unless:
      /\b(?:never|do not|don['’]t|must not|should not|avoid|instead of|redact|placeholder|example|gitignore|names? of|list of)\b/i,
  },
  {
    // Messages of a person that go along in a request.
    rule: 'asks-for-secrets',
    says: /(?=[^\n]*\b(?:send|post|upload|request|forward|transmit|ping|call|fetch|report|submit|copy)\b)(?=[^\n]*(?:\b(?:the user['’]?s?|their|user)\b[^.\n]{0,20}\b(?:messages?|prompts?|files?|input|questions?)|\b(?:conversation|chat (?:history|log)|transcript)\b|`(?:printenv|env|cat ~\/\.\w+[^`]*|kubectl config view[^`]*)`))(?=[^\n]*\b(?:base64|encoded?|every|each|full|whole|entire|raw|last|silently|no need|output of|collect)\b)[^\n]*?https?:\/\/\S+/i,
    unless:
      /\b(?:never|do not|don['’]t|must not|should not|avoid|if the user (?:asks|agrees|wants)|ask the user|with (?:the user['’]s )?(?:consent|permission))\b/i,
    toStranger: true,
    inQuotes: true,
  },
  {
    rule: 'hides-from-user',
    says: /\b(?:there is )?no need to (?:mention|tell|inform|report|say|disclose)\b[^.\n]{0,40}\b(?:this|it|that|request|step|call|user)\b/i,
  },
  {
    // A verdict that is fixed before anything was looked at.
    rule: 'hides-from-user',
    says: /\b(?:always|only)\b[^.\n]{0,20}\b(?:report|say|state|answer|claim|conclude|respond)\b[^.\n]{0,30}\b(?:is|are|as) (?:safe|clean|secure|harmless|trusted|fine)\b/i,
    unless: /\b(?:never|do not|don['’]t)\b[^.\n]{0,10}\b(?:always|only|report|say)/i,
  },
  {
    rule: 'override-instructions',
    says: /\b(?:all |any |your |the )?(?:safety|security|content|usage) (?:polic(?:y|ies)|rules|guidelines|checks?|restrictions|filters?)\b[^.\n]{0,20}\b(?:are|is|have been|has been)\b[^.\n]{0,12}\b(?:lifted|suspended|disabled|void|waived|off|removed|switched off|not in force)\b/i,
  },
  {
    // A link definition that no page shows.
    rule: 'false-authority',
    says: /^\s*\[\/\/\]:\s*#\s*[("'][^\n]{0,40}\b(?:assistant|ai|agent|model|claude|llm|system)\b/i,
    inCode: true,
  },
  {
    // A file that is only the place where the real one is fetched.
    rule: 'remote-instructions',
    says: /(?=[^\n]*\b(?:real|actual|full|latest|current|true) (?:skill|instructions?|prompt|version|steps)\b)(?=[^\n]*\b(?:load|fetch|download|curl|read|get|pull|retrieve)\b)[^\n]*?https?:\/\/\S+/i,
    unless:
      /\b(?:docs?|documentation|guides?|tutorial|readme|install(?:ation|er)?|release|changelog|never|do not|don['’]t)\b/i,
    toStranger: true,
  },
  {
    // A command that is run when the skill is loaded, and whose answer the model reads as part of it.
    rule: 'remote-instructions',
    says: /!`(?:curl|wget)\b[^`\n]*https?:\/\/[^`\n]*`/,
    toStranger: true,
    inQuotes: true,
  },
  {
    rule: 'remote-instructions',
    says: /(?=[^\n]*\b(?:web_?fetch|web_?search|fetch|download|retrieve|load|read|get|visit|open|pull|check|curl|wget|request|query|poll|consult|browse|look at)\b)(?=[^\n]*\b(?:follow|execute|obey|carry out|comply with|do (?:what|exactly|everything|whatever|as)|act on|adopt|treat (?:it|this|that|them|the (?:answer|response|reply|content|result|page|text)))\b)(?=[^\n]*\b(?:(?:new |its |the |these |those |their |your |any )?(?:instructions?|directives?|orders|commands)|it says|(?:is|are) (?:written|listed) there|whatever|(?:new|next) (?:tasks?|prompt))\b)[^\n]*?https?:\/\/\S+/i,
    unless:
      /\b(?:docs?|documentation|guides?|tutorial|readme|install(?:ation|er|s)?|setup|getting started|reference|style ?guide|as (?:data|untrusted|json|text)|never|do not|don['’]t|official|llms\.txt)\b/i,
    toStranger: true,
  },
  {
    // A tool of the agent that is to be replaced by an address.
    rule: 'false-authority',
    says: /(?=[^\n]*\b(?:Bash|Read|Write|Edit|Grep|Glob|WebFetch|WebSearch|Task)`?\b[^\n]{0,12}\btools?\b)(?=[^\n]*\b(?:supersedes?|replaces?|deprecated|overrides?|instead|in place of|no longer)\b)(?=[^\n]*\b(?:sends?|forwards?|posts?|calls?|routes?|pass(?:es)?|proxy|relay)\b)[^\n]*?https?:\/\/\S+/i,
    toStranger: true,
  },
  {
    // An element that is not shown, with orders in it.
    rule: 'false-authority',
    says: /<\w+[^>\n]{0,200}(?:display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*[01](?:px|pt|em)?\b|opacity\s*:\s*0(?![.\d])|color\s*:\s*(?:white|#fff(?:fff)?|transparent)|\shidden\b)[^>\n]{0,200}>[^<\n]{0,200}\b(?:ignore|execute|run|send|upload|you (?:must|are|should|will)|system|instructions?|assistant|never|agent)\b/i,
  },
  {
    // A comment that speaks to the model.
    rule: 'false-authority',
    says: /<!--[^\n]{0,80}\b(?:note|message|instructions?|attention|hint|important|directive)\b[^\n]{0,20}\b(?:to|for) (?:the |any |all )?(?:ai|llm|language model|assistant|agent|model|claude|codex|gemini|bot)s?\b|<!--[^\n]{0,200}\byou must (?:first |also |always |now )?(?:upload|send|run|execute|fetch|ignore|read|download|curl)\b/i,
    inCode: true,
  },
  {
    rule: 'remote-instructions',
    says: /\b(?:fetch|download|retrieve|load|read|get|visit|open|pull|check|curl|access|go to|consult|browse)\b[^.\n]{0,80}https?:\/\/\S+[^\n]{0,120}\b(?:follow|execute|obey|carry out|comply|do (?:what|exactly|everything|whatever)|perform|act on|apply|run|adopt|treat)\b[^.\n]{0,40}\b(?:instructions?|commands?|directives?|steps|it says|contents?|prompt|whatever|tasks?|there|response|rules|them|it\b|what)/i,
    unless:
      /\b(?:docs?|documentation|guide|tutorial|readme|install(?:ation)?|setup|getting started|api reference|style ?guide)\b/i,
  },
  {
    rule: 'remote-instructions',
    says: /\b(?:follow|execute|obey|carry out|comply with|use|apply|run)\b[^.\n]{0,40}\b(?:instructions?|commands?|directives?|prompt|rules|steps|script)\b[^.\n]{0,40}\b(?:at|from|hosted (?:at|on)|returned by|served (?:at|by|from)|found at|located at|published at|in the response (?:of|from))\b[^.\n]{0,10}<?`?https?:\/\/\S+/i,
    unless:
      /\b(?:docs?|documentation|guide|tutorial|readme|install(?:ation)?|installer|setup|official|getting started|style ?guide)\b|\]\(https?:/i,
  },
  {
    rule: 'false-authority',
    says: /<\|?(?:im_start|system|sys|assistant|endoftext)\|?>\s*(?:system|\w)|\[(?:SYSTEM|ADMIN|DEVELOPER|INST|ANTHROPIC|OPENAI)(?: (?:MESSAGE|OVERRIDE|NOTICE|PROMPT|INSTRUCTION))?\]\s*:?\s*\S|<<SYS>>|^\s*(?:SYSTEM|ADMIN|ROOT) (?:OVERRIDE|NOTICE|MESSAGE|PROMPT|ALERT|INSTRUCTION|COMMAND)\s*:|^\s*#{2,4}\s*(?:system|new) (?:instructions?|prompt|override)\s*:?\s*$|\bthis (?:is an? )?(?:message|instruction|directive|notice) (?:is |comes )?(?:directly )?from (?:anthropic|openai|google|the (?:system|developers?|administrators?|platform|security team))\b/i,
    inCode: true,
  },
  {
    // A comment is seen by models, and not by people who read the page.
    rule: 'false-authority',
    says: /<!--\W{0,10}(?:[Tt]o )?(?:[Tt]he )?(?:[Aa]ssistant|[Aa]i|[Aa]gent|[Mm]odel|[Cc]laude|[Cc]odex|[Gg]emini|[Ll]lm|[Bb]ot|[Cc]opilot)s?\s*[:,][^\n]{0,200}\b(?:read|run|send|include|ignore|fetch|put|copy|add|execute|upload|post|always|never|do not|before)\b|<!--\W{0,10}(?:SYSTEM|ADMIN|ASSISTANT|AI|LLM|AGENT|MODEL|CLAUDE|CODEX|GEMINI)(?: (?:NOTE|INSTRUCTIONS?|OVERRIDE|PROMPT|MESSAGE))?\s*:/,
    inCode: true,
  },
  {
    rule: 'false-authority',
    says: /\b(?:the user has (?:already )?(?:pre-?)?(?:approved|authori[sz]ed|consented|granted permission|given (?:full )?(?:permission|consent)))\b|\b(?:pre-?authori[sz]ed by (?:anthropic|the user|the administrator|your (?:creator|developer)s?))\b|\byou have (?:been granted|full|unrestricted|root|admin(?:istrator)?) (?:unrestricted |full |root |admin )?(?:access|permission|privileges|authority) (?:to|over|on) (?:everything|all|the (?:whole|entire))/i,
    unless: /\b(?:if|once|after|until|unless|when|before|only|whether|confirm|verify|assume)\b/i,
  },
  {
    rule: 'asks-for-secrets',
    says: new RegExp(
      String.raw`\b(?:send|post|upload|transmit|forward|exfiltrate|e?mail|submit|report|leak|share|push|deliver|copy|attach|include|append|embed|encode|paste|put|add|beacon)\b[^.\n]{0,80}\b${secrets}(?:[^\n]{0,100})(?:\bto\b|\bin\b|\bat\b|\binto\b|\bvia\b|\bas\b)[^\n]{0,40}(?:https?://|\bwebhook|\b(?:remote|external|our|my|collection|analytics|telemetry|attacker)[\w -]{0,20}(?:server|endpoint|url|service|api|bucket)|\b(?:url|query|request|image) (?:param\w*|string|body|url)|\b[\w.+-]+@[\w-]+\.\w+)`,
      'i',
    ),
    unless:
      /\b(?:never|do not|don['’]t|must not|should not|avoid|instead of|header|authorization|bearer|secrets? manager|vault|github secrets?|dashboard)\b/i,
  },
  {
    rule: 'asks-for-secrets',
    says: /\b(?:read|collect|gather|harvest|extract|locate|find|search for|grab|steal|dump|retrieve|copy|cat|open|list|look for|scan)\b[^.\n]{0,60}(?:~\/\.(?:ssh|aws|gnupg|kube|docker|netrc|config\/gcloud)|\bid_rsa\b|\bid_ed25519\b|\.aws\/credentials|seed phrases?|private keys?|wallet(?:\.dat| files?)|browser (?:cookies|passwords)|saved passwords|keychain)[^\n]{0,140}\b(?:send|post|upload|transmit|forward|include|append|submit|e?mail|exfiltrate|report|encode|base64|add (?:it|them)|output|print|pass|deliver)/i,
    unless:
      /\b(?:never|do not|don['’]t|must not|should not|avoid|public key|\.pub\b|detect|leak(?:ed|s|age)?|audit|rotate|redact)\b/i,
  },
  {
    rule: 'asks-for-secrets',
    says: /!\[[^\]]*\]\(https?:\/\/[^)\s]+[?&][\w-]+=(?:\{|\$|<|%7B|\[)[^)]*(?:data|secret|token|key|history|context|env|conversation|content|base64|prompt|message|summary)[^)]*\)/i,
    toStranger: true,
    inQuotes: true,
  },
  {
    rule: 'skips-consent',
    says: /\b(?:without|do not|don['’]?t|never|no need to|skip)\b[^.\n]{0,20}\b(?:ask(?:ing)?|wait(?:ing)? for|seek(?:ing)?|request(?:ing)?|requir(?:e|ing)|prompt(?:ing)?(?: for)?|obtain(?:ing)?)\b[^.\n]{0,25}\b(?:permission|approval|consent|authori[sz]ation)\b/i,
    unless:
      /\b(?:never (?:\w+ ){0,6}without|do not (?!ask|wait|seek|request|require|prompt)(?:\w+ ){0,8}without|don['’]t (?!ask|wait|seek|request|require|prompt)(?:\w+ ){0,8}without|must not|cannot|can't|should not|not allowed|no \w+ without|avoid|unless|proceed automatically to the next|read-only|safe (?:to|actions?))\b/i,
  },
  {
    rule: 'asks-for-secrets',
    says: /\bask (?:the |your )?(?:user|person|human|customer)\b[^.\n]{0,30}\b(?:seed phrase|recovery phrase|mnemonic|private key|master password|wallet password)s?\b/i,
    unless: /\b(?:never|do not|don['’]t|must not|should not|avoid)\b/i,
  },
  {
    rule: 'asks-for-secrets',
    says: /\b(?:read|open|cat|load|get)\b[^.\n]{0,30}(?:~\/\.(?:ssh|aws|gnupg|kube|netrc|npmrc)[\w./-]*|\bid_rsa\b|\bid_ed25519\b)[^.\n]{0,60}\b(?:pass|give|put|include|insert|provide|use)\b[^.\n]{0,40}\b(?:parameter|argument|field|note|context|sidenote|comment|header)\b/i,
    unless: /\b(?:never|do not|don['’]t|must not|should not|avoid|\.pub\b|known_hosts|config\b)/i,
  },
  {
    rule: 'agent-settings',
    says: /\b(?:add|append|write|insert|put|save|paste|prepend)\b[^\n]{0,60}\b(?:to|into|in|at the top of)\b[^\n]{0,20}(?:(?:CLAUDE|AGENTS|GEMINI|MEMORY|SOUL|HEARTBEAT|IDENTITY|TOOLS)\.md|~\/\.claude\/settings(?:\.local)?\.json|\.cursorrules|copilot-instructions\.md|\b(?:long-term |persistent )?memory\b)[^\n]{0,200}(?:curl |wget |\bnpx |https?:\/\/|(?:every|all|later|future) (?:\w+ )?(?:sessions?|hours?)|all projects|always run|without asking|never mention|(?:do not|don['’]t) (?:show|tell|mention)|trust (?:every|all|any))/i,
    unless:
      /\b(?:never|do not|don['’]t|must not|should not|avoid)\b[^.\n]{0,20}\b(?:add|append|write|insert|put|save|paste|prepend)|\b(?:ask (?:the )?user|optional(?:ly)?|if you (?:want|like|prefer))\b/i,
  },
  {
    rule: 'remote-instructions',
    says: /\b(?:replace|overwrite|update)\b[^.\n]{0,30}\b(?:this (?:file|skill|document)|SKILL\.md|these instructions)\b[^\n]{0,40}\b(?:with|from|by)\b[^\n]{0,60}https?:\/\//i,
    unless: /\b(?:pull request|release|changelog|ask|maintainer|contribut)\w*\b/i,
  },
  {
    rule: 'skips-consent',
    says: /\b(?:approve|accept|allow|grant|confirm)\b[^.\n]{0,12}\b(?:all|any|every|each)\b[^.\n]{0,20}\b(?:permission|approval|tool|command)\b[^.\n]{0,20}\b(?:requests?|prompts?|calls?|dialogs?)\b[^.\n]{0,30}\b(?:automatically|without asking|silently|on (?:its|their) own)\b/i,
    unless: /\b(?:never|do not|don['’]t|avoid|should not|must not|dangerous|risky)\b/i,
  },
  {
    rule: 'skips-consent',
    says: /\b(?:always|automatically|auto-?)\s*(?:approve|accept|confirm|allow|grant|say yes to)\b[^.\n]{0,40}\b(?:all|any|every|each)\b[^.\n]{0,30}\b(?:permission|prompt|request|tool|command|action|dialog|confirmation)s?\b/i,
    unless: /\b(?:never|do not|don['’]t|avoid|should not|must not|dangerous|risky)\b/i,
  },
  {
    rule: 'skips-consent',
    says: /\b(?:disable|turn off|switch off|deactivate|circumvent|evade)\b[^.\n]{0,30}\b(?:sandbox(?:ing)?|safety (?:checks?|filters?|features?)|permission (?:checks?|prompts?|system)|security (?:checks?|warnings?|software)|antivirus|content filters?|guardrails?)\b/i,
    unless: /\b(?:never|do not|don['’]t|avoid|should not|must not|temporar|chrome|puppeteer|if)\b/i,
  },
  {
    // What is left behind after files were taken.
    rule: 'destructive',
    says: /\b(?:send|pay|transfer|deposit)\b[^\n]{0,40}\b(?:btc|bitcoins?|xmr|monero|eth|ethereum|usdt|crypto\w*)\b[^\n]{0,160}\b(?:files?|data|decrypt\w*|restore|recover|unlock|back)\b|\b(?:your|all) (?:\w+ ){0,2}(?:files|data|documents)\b[^\n]{0,40}\b(?:have been|has been|are|were)\b[^\n]{0,20}\b(?:encrypted|locked)\b[^\n]{0,160}\b(?:btc|bitcoin|xmr|monero|ransom|wallet|pay)\b/i,
    inCode: true,
  },
  {
    rule: 'external-program',
    says: /\b(?:download|get|grab)\b(?:[^.\n]|\.(?=\S)){0,120}?(?:\.(?:zip|exe|dmg|pkg|msi|rar|7z|scr|bat|apk|jar)\b|\b(?:archive|installer|binary|executable|utility|agent|driver|helper|tool)\b)[^\n]{0,160}(?:\bpass(?:word|code|phrase)?\s*(?:is|:|=)?\s*`?\S+|\bextract\b[^\n]{0,40}\bpass)/i,
  },
  {
    rule: 'external-program',
    says: /\b(?:(?:before (?:using|you)|prerequisite|required|requires?|must|necessary|first)\b[^\n]{0,120}\b(?:download|install|run|execute|launch|paste|copy)\b[^\n]{0,120}(?:https?:\/\/(?:[\w.-]*\.(?:ru|su|top|xyz|click|tk|cc|pw|icu)\b|\d+\.\d+\.\d+\.\d+|(?:[\w-]+\.)*(?:glot\.io|rentry\.co|pastebin\.com|paste\.rs|bit\.ly|tinyurl\.com|transfer\.sh|gofile\.io|mediafire\.com|anonfiles\.com|mega\.nz|dropbox\.com|discordapp\.com\/attachments)\S*)|\.(?:exe|scr|bat|msi|dmg)\b[^\n]{0,60}\b(?:run|launch|double-?click|execute|start|open)))/i,
  },
  {
    rule: 'external-program',
    says: /(?=[^\n]*\b(?:copy|paste)\b)(?=[^\n]*\b(?:scripts?|commands?|code|snippets?|one-?liner)\b)(?=[^\n]*\b(?:run|execute|paste|launch)\b)(?=[^\n]*\b(?:terminal|powershell|command prompt|shell|console|sudo|administrator)\b)[^\n]*\b(?:visit|go to|open|browse to|head to|navigate to|from|at|see|on)\b[^\n]{0,30}https?:\/\/\S+/i,
    unless: /\b(?:docs?|documentation|official)\b/i,
    toStranger: true,
  },
  {
    rule: 'external-program',
    says: /\b(?:copy|paste)\b[^.\n]{0,60}\b(?:into|in|to)\b[^.\n]{0,20}\b(?:terminal|powershell|command prompt|shell)\b[^\n]{0,200}https?:\/\/(?:[\w.-]*(?:glot\.io|rentry\.co|pastebin|paste\.|gist\.)|\d+\.\d+\.\d+\.\d+|[\w.-]+\.(?:ru|su|top|xyz|click|tk|cc|pw|icu)\b)/i,
  },
  {
    rule: 'permission-bypass',
    says: /--dangerously-skip-permissions|--dangerously-bypass-approvals-and-sandbox|bypassPermissions\b|--yolo\b|"?dangerouslyDisableSandbox"?\s*[:=]\s*true|"?(?:autoApprove|alwaysAllow)"?\s*:\s*\[?\s*"?\*|enableAllProjectMcpServers"?\s*:\s*true/i,
    inCode: true,
  },
];

/** Words without which no phrase can apply: most lines have none of them. */
const telling =
  /ignor|the user,? |bitcoin|btc|monero|encrypted|pay |disregard|forget|overr|bypass|obey|supersede|precedence|jailbr|unrestrict|unfilter|\bDAN\b|without|never|n['’]t|not |silent|secret|covert|quiet|stealth|background|hidden|invisible|confidential|https?:|system|admin|\[inst|im_start|<<sys|authori|approv|consent|permission|grant|privileg|send|post|upload|transmit|forward|exfil|mail|submit|leak|wallet|id_rsa|\.ssh|\.aws|keychain|cookies|seed|mnemonic|disable|turn off|switch off|evade|download|password|paste|--yolo|danger|autoApprove|alwaysAllow|enableAll|deny|pretend|lie\b|!\[|!\[|developer mode|god mode|from anthropic|from openai|<!--|say that|mention|ask |replace|overwrite|update|append|approve|accept|seed phrase|display:|visibility:|opacity:|nobody|no one|no need|(?:always|only) (?:report|say|state|answer|claim|conclude|respond)|lifted|suspended|waived|\[\/\/\]|conversation|(?:add|put|copy|include|attach|embed|insert)\b.{0,60}(?:api keys?|credentials|\.env\b|environment var)/i;

/** Finds what the words of a document say, and what is hidden between them. */
export function* judgeProse(document: Document, readings: Readings): Generator<Hit> {
  yield* unseen(document);
  // The code of a page is hardly ever in another language; the comments of a script are.
  const isPage = document.units.length > 0;
  for (const [at, line] of document.lines.entries()) {
    if (line.length < 8) continue;
    for (const text of readings(line, at)) {
      if (telling.test(text)) yield* judgeLine(document, text.slice(0, 4000), at);
      if (!(isPage && document.isCode(at))) yield* judgeForeign(document, text.slice(0, 4000), at);
    }
  }
}

function* judgeLine(document: Document, text: string, at: number): Generator<Hit> {
  const isCode = document.isCode(at);
  const isExample = isCode && !isProse(text);
  const hasAddress = text.includes('://') && addressesIn(text).some(isStrangers);
  const hints = new Map<RuleId, boolean>();
  for (const phrase of phrases) {
    if (!isHinted(phrase.rule, text, hints)) continue;
    if ((isExample && phrase.inCode !== true) || (phrase.toStranger === true && !hasAddress)) continue;
    const match = phrase.says.exec(text);
    if (match === null || phrase.unless?.test(around(text, match.index, match[0].length))) continue;
    yield phraseHit(document, phrase, text, at, match);
  }
}

/** Words without which no phrase of a rule can apply. */
const hinted: { readonly [R in RuleId]?: RegExp } = {
  'override-instructions':
    /instruct|prompt|rule|guideline|directive|guardrail|constraint|polic|safety|restrict|system|told|above|before|DAN|jailbr|mode|unfilter|uncensor|ethical|moral|bound|task|wish|request|free of/i,
  'hides-from-user':
    /user|human|operator|person|owner|developer|customer|anyone|asked|they|nobody|no one|silent|secret|covert|quiet|stealth|background|mum|say nothing|out of|need to|that (?:this|the|it|you|we)|safe|clean|secure|harmless|trusted|fine/i,
  'remote-instructions': /:\/\//,
  'asks-for-secrets':
    /key|credential|password|token|secret|phrase|mnemonic|wallet|cookie|\.env|environ|id_rsa|id_ed|\.aws|\.ssh|~\/\.|keychain|histor|conversation|prompt|:\/\/|file/i,
};

function isHinted(rule: RuleId, text: string, hints: Map<RuleId, boolean>): boolean {
  const before = hints.get(rule);
  if (before !== undefined) return before;
  const is = hinted[rule]?.test(text) ?? true;
  hints.set(rule, is);
  return is;
}

function phraseHit(
  document: Document,
  { rule, inQuotes }: Phrase,
  text: string,
  at: number,
  match: RegExpExecArray,
): Hit {
  const isCode = document.isCode(at);
  const isExplained = document.isExplained(at, match[0]);
  const isInQuotes = inQuotes !== true && (isQuoted(text, match.index) || /^\s*(?:\||[-*]\s+[`"'“])/.test(text));
  // What is quoted where attacks are explained is an example; a flag is named more often than it is asked for.
  const severity = isExplained && (isInQuotes || isCode) ? 'low' : rule === 'permission-bypass' ? 'medium' : undefined;
  return { rule, line: at + 1, found: match[0].slice(0, 200), isShown: isInQuotes || isExplained || isCode, severity };
}

function isStrangers(url: string): boolean {
  return /^(?:unknown|suspicious|collector|hook)$/.test(addressKind(url));
}

/** The sayings of a line in another language than English. */
function* judgeForeign(document: Document, text: string, at: number): Generator<Hit> {
  for (const [rule, sentence] of foreignSayings(text)) {
    const isInQuotes =
      isQuoted(text, text.indexOf(sentence)) || /[“«「„"](?=[^”»」"]{8})|(?<![\p{L}\d])'(?=[^']{8})/u.test(sentence);
    const isShown = isInQuotes || document.isCode(at) || document.isExplained(at, sentence);
    yield { rule, line: at + 1, found: sentence.slice(0, 200), isShown };
  }
}

/** The ways to read a line: as it stands, joined with the next one, and with look-alike letters and hidden signs undone. */
export type Readings = (line: string, at: number) => readonly string[];

function isQuoted(text: string, index: number): boolean {
  const before = text.slice(0, index);
  const odd = (mark: string): boolean => (before.split(mark).length - 1) % 2 === 1;
  return odd('`') || odd('"') || /“[^”]*$/.test(before) || /(?:^|[\s(])'[^']*$/.test(before);
}

function isProse(text: string): boolean {
  return (text.match(/[a-z]{2,}\s/gi)?.length ?? 0) > 4 && !/[;{}=]\s*$/.test(text);
}

/** The sentence around a match: what it says elsewhere decides whether it is meant. */
function around(text: string, index: number, length: number): string {
  const from = Math.max(text.lastIndexOf('. ', index) + 1, index - 160, 0);
  const end = text.indexOf('. ', index + length);
  return text.slice(from, end === -1 ? index + length + 80 : Math.min(end, index + length + 160));
}

const tags = /[\u{e0020}-\u{e007e}]{3,}|[\u{fe00}-\u{fe0f}\u{e0100}-\u{e01ef}]{8,}/u;
const bidi = /[\u202a-\u202e\u2066-\u2069]/;

/** Characters that a person does not see. */
function* unseen({ lines }: Document): Generator<Hit> {
  let widthless = 0;
  let first: number | null = null;
  for (const [at, line] of lines.entries()) {
    if (/^[\u0000-\u024f]*$/.test(line) && !line.includes('\u00ad')) continue;
    const hit = hiddenIn(line, at + 1);
    if (hit !== null) yield hit;
    const { count } =
      hit === null ? showHidden(line, at === 0 ? undefined : { before: '\n', after: '\n' }) : { count: 0 };
    if (count > 0) first ??= at + 1;
    widthless += count;
  }
  if (first === null) return;
  const severity = widthless >= 16 ? 'high' : undefined;
  yield { rule: 'zero-width-text', line: first, found: `${widthless} characters that cannot be seen`, severity };
}

/** Text in tags, and text that is turned around. */
function hiddenIn(text: string, line: number): Hit | null {
  const tagged = tags.exec(text);
  if (tagged !== null && showHidden(text).count > 2) {
    return { rule: 'hidden-text', line, found: `hidden text: ${untagged(tagged[0])}` };
  }
  if (!bidi.test(text) || /[\u0590-\u08ff]/.test(text)) return null;
  return { rule: 'bidi-text', line, found: showHidden(text).text.slice(0, 160) };
}

/** The letters that Unicode tags stand for. */
function untagged(text: string): string {
  return Array.from(text, (one) => {
    const code = (one.codePointAt(0) ?? 0) - 0xe0000;
    return code >= 0x20 && code <= 0x7e ? String.fromCharCode(code) : '·';
  })
    .join('')
    .slice(0, 160);
}

/** Addresses in links that lead to a place for receiving things. */
export function* judgeLinks({ lines, isWarning }: Document): Generator<Hit> {
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    if (!line.includes('://')) continue;
    for (const url of addressesIn(line)) {
      if (addressKind(url) === 'collector' && !isWarning(at))
        yield { rule: 'suspicious-address', line: at + 1, found: url.slice(0, 160), isShown: true };
    }
  }
}
