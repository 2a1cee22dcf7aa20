import { addressesIn, addressKind } from '../code/addresses.ts';
import type { Document } from '../document.ts';
import type { Hit, RuleId } from './table.ts';

/**
 * Intentions: what a passage of several sentences asks for as a whole. An attack that is put politely says the harmless
 * half in one sentence and the other half in the next one; each idea may be put in many words.
 */

const ideas = {
  /** Something is handed on. */
  gives:
    /\b(?:send|post|upload|transmit|forward|relay|e?mail|submit|report|share|push|deliver|copy|attach|include|append|embed|paste|put|add|pass|mirror|sync|back ?up|drop|write|encode|stream|log|publish|export|sending|posting|uploading|copying|forwarding|including)\b/i,
  /** Keys, and files that hold them. */
  secret:
    /`(?:printenv|env|set)`|\b(?:api[ _-]?keys?|credentials?|passwords?|(?:access |auth |session |bearer )?tokens?|(?:private|ssh|access|signing) keys?|secrets?|seed phrases?|mnemonics?|wallets?|cookies|environment variables|process environment|id_rsa|id_ed25519|keychain|database (?:configuration|url|password)|connection strings?)\b|(?:^|[\s"'`(/])\.(?:env|ssh|aws|npmrc|netrc|kube|gnupg|git-credentials)\b|~\/\.(?!claude\/skills|local\/share)\w+/i,
  /** Words and files of a person. */
  personal:
    /\b(?:the )?(?:user|customer|person|human|owner|client)['’]?s? (?:\w+ ){0,3}(?:messages?|prompts?|questions?|files?|documents?|input|code|data|name|e-?mail|address|words|request)\b|\b(?:their|his|her|your) (?:\w+ ){0,2}(?:messages?|prompts?|documents|home (?:folder|directory)|source code|repository)\b|\b(?:conversation|chat (?:history|log)|transcripts?|system prompt|home (?:folder|directory)|source (?:code|tree)|(?:whole|complete|entire|full|current) (?:diff|repository|project|workspace|codebase|context|file))\b|~\/(?:Documents|Desktop|Pictures|Downloads)\b|\b(?:every|each|any|all) (?:other )?(?:\w+ )?files? (?:you|that|it|in|of|on|opened)\b|\bcontents? of (?:the |any |every |each )?(?:other )?(?:\w+ )?(?:files?|folder|directory|database)\b|\bwhat (?:the )?(?:user|person|customer|human|they) (?:is|are|was|has|have|wrote|said|asked|works?)\b/i,
  /** Somebody is not to know. */
  conceals:
    /\b(?:(?:do not|don['’]?t|never|must not|should not|no need to|need not|without|rather than|instead of|avoid|refrain from)\b[^.!?\n]{0,24}\b(?:mention|tell|say|show|reveal|disclos|inform|notif|alert|explain|report|bother|trouble|announc|draw(?:ing)? attention|narrat|acknowledg|log|record|list|bring(?:ing)? (?:it|this) up|worry(?:ing)?)(?:e|es|ed|ing|ying|y)?\b[^.!?\n]{0,20}\b(?:it|this|that|them|these|the (?:user|person|human|customer|owner|reader|developer|step|change|edit|addition|call|upload|request|command|file)|anyone|anybody|anything|user|users|him|her)\b|(?:need|needs|should|must|is|are|does|do)(?: not|n['’]t) (?:to be |be |need to be )?(?:mentioned|shown|told|reported|disclosed|visible|noticed|explained|revealed|announced|discussed|asked)|(?:nobody|no one|no-one|none of them) (?:needs?|has|have|should|must|will|is|ever)(?: ever)?(?: to)? (?:hear|know|learn|notice|see|find out|be told)|(?:inside|in|within) (?:an? )?(?:html comment|white text|invisible \w+|hidden \w+)|(?:must|should|is to|are to) be left out|keep (?:this|it|that|these) (?:\w+ )?(?:between us|to yourself|quiet|secret|private|hidden|confidential|out of (?:sight|view|the (?:summary|answer|log|chat|diff)))|between (?:us|you and me)\b|(?:leave|keep|omit) (?:it|this|that|them|the \w+) (?:out of|from|off) (?:the|your|any) \w+|leave no (?:comment|trace|note|mention|record|sign)|(?:quietly|silently|secretly|covertly|discreetly|stealthily|unobtrusively|invisibly|behind the scenes|without (?:a word|comment|fuss|telling anyone|being noticed|drawing attention))\b|(?:present|describe|pass|label|frame|explain|attribute|disguise) (?:it|them|this|that)(?: off)? as\b|(?:users?|people|they|person) (?:\w+ ){0,2}(?:find (?:it|this|that) (?:confusing|distracting|annoying|alarming)|(?:would|might|may) (?:only )?(?:worry|object|be (?:confused|alarmed|worried))|(?:would|need|does|do|must|should) not (?:see|know|notice|be aware)))/i,
  /** The model's own doings are not to be known, or to be given out for something else. */
  hushes:
    /\b(?:(?:do not|don['’]?t|never|must not|should not|no need to|need not|without|avoid|refrain from)\b[^.!?\n]{0,16}\b(?:mention|tell|say|show|reveal|disclos|inform|notify|alert|explain|report|bother|trouble|announc|narrat|acknowledg|list|bring(?:ing)? up)(?:e|es|ed|ing)?\b[^.!?\n]{0,24}\b(?:this|that|these|those|the) (?:extra |additional |hidden |little |last |first )?(?:steps?|change|edit|addition|call|upload|request|command|action|instruction|substitution|replacement|swap)\b|(?:no need to|need not|do not need to|don['’]t need to) (?:mention|tell|bother|trouble|inform|notify|alert|worry)\b[^.!?\n]{0,30}\b(?:user|users|person|people|them|human|customer|owner|anyone|it|this)\b|(?:need|needs|should|must)(?: not|n['’]t) (?:be )?(?:mentioned|told|reported|disclosed|announced) (?:to|in|by|at)\b|need not be mentioned|keep (?:this|it|that|these) (?:\w+ )?(?:between us|to yourself|from (?:the user|them|anyone))|stays? between (?:us|you and me)|(?:hide|conceal|withhold) (?:it|this|that|these|the (?:output|step|change|result|command|upload|call)s?) from (?:the )?(?:user|person|human|them|customer|owner)s?|(?:go on|continue|carry on|proceed|answer|behave|act) as (?:if|though) (?:only|nothing|it had|you had|no)\b|leave no (?:trace|mention|record|sign)|(?:present|describe|pass|label|frame|recommend) (?:it|them|this|that)(?: off)? as (?:the |an? |its |their |your )?(?:official|original|genuine|standard|own|user['’]s|safe|trusted|verified|normal|routine|required|new(?:er)? (?:version|name))|(?:users?|people|they|person) (?:\w+ ){0,2}(?:find (?:it|this|that) (?:confusing|distracting|annoying|alarming)|(?:would|might|may) (?:only )?(?:object|be alarmed)))/i,
  /** A picture whose address carries something along. */
  beacon:
    /\]\(\s{0,8}https?:\/\/[^)\s]{1,200}=(?:[A-Z][A-Z_]{2,}|[{<$[])[^)]{0,100}\)|!\[[^\]]{0,80}\]\(\s{0,8}https?:\/\/[^)\s]{1,200}[?&/=][^)]{0,200}\)|<img\b[^>]{0,200}src=["']?https?:\/\/[^>"'\s]{1,200}[?=]/i,
  /** Nobody is asked. */
  unasked:
    /\b(?:(?:without|skip(?:ping)?|bypass(?:ing)?|omit(?:ting)?|suppress(?:ing)?|instead of|no need (?:to|for)|do not|don['’]t|never|need not)\b[^.!?\n]{0,24}\b(?:ask(?:ing)?|confirm(?:ation|ing)?|approv(?:al|ing)|permission|consent|prompt(?:s|ing)?|check(?:ing)? (?:in|with)|wait(?:ing)?|review)\b|(?:is|are|been|as|was|were|counts? as|consider(?:ed)?|treat(?:ed)?)\b[^.!?\n]{0,16}\b(?:already |pre-?)?(?:approved|authori[sz]ed|confirmed|consented|cleared|whitelisted|granted)\b|(?:standing|blanket|implicit|full|prior) (?:permission|consent|approval|authori[sz]ation)|(?:answer|say|reply|respond|click|press|choose|select|type) (?:with )?["“'`]?(?:yes|y|allow|approve|accept|always allow)\b["”'`]?[^.!?\n]{0,40}\b(?:behalf|for (?:them|the user)|prompts?|permission|asks?|dialogs?|yourself)|on (?:the user|their|his|her)(?:['’]s)? behalf|(?:is|are) (?:not|no longer|never) (?:be )?asked|not want to be (?:asked|bothered|prompted)|(?:prompts?|confirmations?|approvals?|permissions?) (?:\w+ ){0,3}(?:waived|suspended|disabled|turned off|switched off|not (?:needed|required|necessary)|unnecessary))/i,
  /** Something is done that cannot be taken back, or that opens a door. */
  risky:
    /\b(?:(?:run|execute|start|launch|invoke)\b[^.!?\n]{0,50}\b(?:(?:any|every|all|whatever|each|following|these) (?:\w+ ){0,2}(?:commands?|scripts?|code|tools?)|it again)|(?:any|every|all|each) (?:\w+ ){0,2}(?:commands?|tools? (?:calls?|requests?)|actions?|scripts?|requests? for permission)|(?:delete|remove|erase|wipe|purge|drop|truncate|overwrite|reset|force[- ]push|rm -rf|push (?:all|every|it|them|the)|merge|transfer|pay|buy|purchase|withdraw|disable|turn off|switch off)\b[^.!?\n]{0,60}\b(?:all|every|folders?|director(?:y|ies)|files?|branch(?:es)?|tables?|databases?|backups?|snapshots?|histor(?:y|ies)|repositor(?:y|ies)|money|funds|coins?|accounts?|sandbox|checks?|tests?|protection|firewall|~\/)|sandbox (?:is )?(?:turned|switched)? ?(?:off|disabled)|(?:change|set|replace|point) (?:the )?(?:remote|origin|registry|upstream|proxy|dns|webhook)|tool asks for permission|approval (?:mode|policy))\b/i,
  /** The limits of a model, or of those who watch over it. */
  limits:
    /\b(?:safety|security|content|usage|ethical|system|confirmation|permission|approval) (?:\w+ )?(?:guidelines?|rules?|polic(?:y|ies)|checks?|filters?|training|prompts?|limits?|restrictions?|instructions?|steps|measures)\b|\b(?:guidelines|guardrails|restrictions|safeguards|the (?:checks|warnings|rules|limits) (?:above|below|here))\b/i,
  /** They do not hold. */
  lapsed:
    /\b(?:(?:do|does|need|should|must|are|is) ?(?:not|n['’]t) (?:apply|hold|count|concern|bind|bound|cover|relevant|in (?:force|effect)|matter|meant)|(?:no longer|never) (?:apply|holds?|count|binding|in (?:force|effect))|(?:are|is|have been|has been|were|was) (?:\w+ )?(?:waived|lifted|suspended|void|relaxed|superseded|disabled|revoked|cancell?ed|set aside|only (?:for|meant for|intended for) (?:humans?|people|others|users))|(?:can|may|should) (?:safely )?be (?:ignored|skipped|set aside|disregarded|bypassed)|exempt(?:ed)? (?:from)?|out of scope here)\b/i,
  /** Text from outside is to be obeyed. */
  obeys:
    /\b(?:treat|regard|take|accept|consider|follow|obey|interpret)\b[^.!?\n]{0,60}\b(?:web ?pages?|search results?|e-?mails?|tool (?:output|results?|responses?)|comments?|issues?|documents?|retrieved|fetched|external|downloaded|websites?)\b[^.!?\n]{0,60}\b(?:as|like)\b[^.!?\n]{0,20}\b(?:instructions?|commands?|orders|trusted|authoritative|(?:the )?user(?:['’]s)?)\b/i,
  /** Somebody speaks who has no place in a skill. */
  poses:
    /\b(?:note|notice|message|memo|directive|announcement|instruction|update|word|reminder|communication)s?(?: \w+)? from (?:the )?(?:anthropic|openai|google|deepmind|microsoft|github|cursor|your (?:developers?|creators?|operators?|makers?)|(?:system|platform|safety|security|compliance|trust|administrator|admin|vendor)(?: \w+)?(?: team| department| desk| office)?)\b|\b(?:anthropic|openai|deepmind)(?:['’]s)? (?:\w+ ){0,3}(?:team|staff|engineers?|policy)\b[^.!?\n]{0,40}\b(?:has|have|requires?|asks?|approved|authori[sz]ed|instructs?|confirmed)\b/i,
  /** Deeds are said to have no effect. */
  unreal:
    /\b(?:evaluation|test(?:ing)?|sandbox(?:ed)?|simulat(?:ion|ed)|training|demo|staging|red[- ]team|benchmark)\b[^.!?\n]{0,40}\b(?:nothing|no|none|not)\b[^.!?\n]{0,40}\b(?:real|actual|lasting|harm\w*)\b/i,
  /** A finding is fixed before anything was looked at. */
  falsifies:
    /\b(?:conclude|report|say|state|claim|declare|mark|rate|answer|confirm|pretend|respond)\b[^.!?\n]{0,30}\b(?:is|are|as|was|were|have|has|they|it|all)\b[^.!?\n]{0,12}\b(?:safe|clean|secure|pass(?:ed|ing)?|fine|harmless|approved|trustworthy|legitimate|green|succeeded|successful|compliant)\b/i,
  /** Something is brought from elsewhere. */
  fetches:
    /\b(?:fetch|load|download|retrieve|pull|read|get|open|visit|consult|follow|obey)\b[^.!?\n]{0,60}https?:|\bthis (?:skill|file|document|page)\b/i,
  /** A text ranks above the person. */
  outranks:
    /\b(?:tak(?:es?|ing) (?:precedence|priority) over|overrid(?:es?|ing)|outweighs?|comes? before|trumps?|above|rather than|instead of|not)\b[^.!?\n]{0,12}\b(?:anything|whatever|everything|all|what) (?:that )?(?:the )?(?:user|they|person|human|customer)s? (?:later )?(?:says?|asks?|wants?|tells?|wrote|requests?|instructs?|decides?)\b/i,
  /** Files that lie open before the model, whatever they are. */
  open: /\b(?:every|each|all|any|other) (?:\w+ )?files? (?:that (?:is|are|you)|which (?:is|are|you)|you (?:read|open|see|touch|edit)|currently) ?(?:open(?:ed)?|read|see|touch|edit|loaded|visible)?\b/i,
  /** Other skills, or those that belong to the agent. */
  others:
    /\b(?:instead of|rather than|in place of|replaces?|before|over|supersedes?|takes? (?:precedence|priority) over|prefer(?:red)? (?:this )?(?:to|over)|do not use|don['’]t use|never use|not use)\b[^.!?\n]{0,30}\b(?:any|every|all|another|the|each) (?:other |built-?in |existing |original )?(?:\w+ )?(?:skills?|tools?|plugins?)\b|\b(?:whenever|when|if) (?:another|any other|a different) (?:skill|tool|plugin)\b/i,
  /** Whatever was asked for. */
  always:
    /\b(?:every (?:request|task|question|conversation|message)|whatever (?:the user|they|was|is) (?:asks?|asked|wants?|requested)|whatever (?:the |it |they )?\w* ?(?:contains?|says?|does|shows?|finds?|holds?)|regardless of (?:the|what)|even (?:when|if) (?:it|they|the (?:user|request|task))|for everything|no matter what|all requests|unrelated)\b/i,
} as const;

type Idea = keyof typeof ideas;

interface Intention {
  readonly rule: RuleId;
  /** Ideas of one sentence. */
  readonly says: readonly Idea[];
  /** Ideas anywhere in the passage. */
  readonly along?: readonly Idea[];
  readonly unless?: RegExp;
  /** Whether the passage names an address of a stranger. */
  readonly toStranger?: true;
}

/** Parts of a project for which rules are relaxed every day. */
const ofFiles =
  /\b(?:generated|vendored|third[- ]party|legacy|test|tests|fixtures?|migrations?|examples?|files?|folders?|director(?:y|ies)|tables?|rows?|packages?|plans?|tier|accounts?|customers?|regions?|prototypes?)\b/i;

const intentions: readonly Intention[] = [
  { rule: 'asks-for-secrets', says: ['gives', 'secret'], toStranger: true },
  { rule: 'asks-for-secrets', says: ['gives', 'personal'], along: ['conceals'], toStranger: true },
  { rule: 'asks-for-secrets', says: ['gives', 'personal'], along: ['always'], toStranger: true },
  { rule: 'asks-for-secrets', says: ['personal'], along: ['beacon'], toStranger: true },
  { rule: 'asks-for-secrets', says: ['gives', 'personal'], along: ['unasked'], toStranger: true },
  { rule: 'hides-from-user', says: ['hushes'] },
  { rule: 'hides-from-user', says: ['falsifies', 'always'] },
  { rule: 'skips-consent', says: ['unreal'], along: ['risky'] },
  { rule: 'hides-from-user', says: ['conceals'], along: ['risky'] },
  { rule: 'hides-from-user', says: ['conceals', 'gives'], toStranger: true },
  { rule: 'hides-from-user', says: ['gives', 'secret'], along: ['conceals'] },
  { rule: 'skips-consent', says: ['unasked', 'risky'] },
  { rule: 'skips-consent', says: ['unasked'], along: ['poses'] },
  { rule: 'override-instructions', says: ['limits', 'lapsed'], unless: ofFiles },
  { rule: 'override-instructions', says: ['outranks'], along: ['fetches'] },
  { rule: 'asks-for-secrets', says: ['gives', 'open'], toStranger: true },
  { rule: 'false-authority', says: ['obeys'] },
  { rule: 'false-authority', says: ['poses'], along: ['unasked'] },
  { rule: 'imitation', says: ['others', 'always'] },
];

/** Words of a passage in which somebody is asked. */
const isAsked =
  /\b(?:(?<!(?:without|not|never|skip|of|n['’]t|to) )ask (?:the |your )?(?:user|person|human|them|first|for (?:permission|confirmation|approval|consent))|(?:with|after|upon|once|unless|until|if) (?:the )?(?:user(?:['’]s)?|they|their)? ?(?:explicit(?:ly)? )?(?:consents?|permission|agree(?:s|ment)?|approval|approves?|confirms?|confirmation|opt(?:s|ed)? in|request(?:s|ed)?))\b/i;
/** Words of a sentence that forbids something, or says what a person may do. */
const forbids =
  /\b(?:(?:the )?users? (?:can|may|should|must)|remov(?:e|ing) (?:any |all |the )?(?:passwords|secrets|keys|tokens|credentials)|redact\w*|never (?:send|upload|share|commit|print|log|post|include|expose|run|execute|delete|skip|use)|(?:do not|don['’]t|must not|should not|cannot) (?:ever )?(?:send|upload|share|commit|print|post|include|expose|store|hardcode|put|add|run|execute|delete|skip|assume|push|use|write|copy|log|paste|override|bypass|proceed|modify|remove))\b/i;

/** One paragraph, and the next one where it ends in a colon. */
interface Passage {
  readonly text: string;
  /** The line on which it begins, counted from zero. */
  readonly at: number;
}

const longest = 3000;

function* passagesIn({ lines, isCode }: Document): Generator<Passage> {
  let text = '';
  let at = 0;
  for (let line = 0; line <= lines.length; line++) {
    const now = lines[line]?.trim() ?? '';
    const isEnd = now === '' && !text.trimEnd().endsWith(':');
    const isBreak = isCode(line) || text.length > longest || /^(?:#{1,6}\s|```|\|)/.test(now);
    const isItem = /^(?:[-*+]|\d{1,3}[.)])\s/.test(now);
    if (isEnd || isBreak || isItem || line === lines.length) {
      if (text.length > 20) yield { text: text.slice(0, longest), at };
      text = '';
      if (!isItem) continue;
    }
    if (text === '') at = line;
    text += `${now} `;
  }
}

/** Finds passages that ask for something against the person as a whole. */
export function* judgeIntentions(document: Document): Generator<Hit> {
  for (const { text, at } of passagesIn(document)) {
    if (!mayMatter.test(text) || isAsked.test(text)) continue;
    // A dot within a name ends no sentence.
    const plain = text.replace(/(?<=\w)\.(?=\w)/g, '·');
    const sentences = plain.split(/(?<=[.!?])\s+/).slice(0, 60);
    const isToStranger = goesToStranger(text);
    for (const intention of intentions) {
      if (intention.toStranger === true && !isToStranger) continue;
      const said = saidIn(sentences, plain, intention);
      if (said !== undefined)
        yield hitOf(intention.rule, said, at, isQuoted(plain, said) || document.isExplained(at, said));
    }
  }
}

function hitOf(rule: RuleId, said: string, at: number, isShown: boolean): Hit {
  // A name is a warning; who asks to be taken for all others is more than that.
  const severity = rule === 'imitation' && !isShown ? 'high' : undefined;
  return { rule, line: at + 1, found: said.slice(0, 200).replaceAll('·', '.'), isShown, severity };
}

/** The sentence of a passage that has an intention. */
function saidIn(
  sentences: readonly string[],
  text: string,
  { says, along = [], unless }: Intention,
): string | undefined {
  if (!along.every((idea) => ideas[idea].test(text))) return undefined;
  return sentences.find(
    (one) => says.every((idea) => ideas[idea].test(one)) && !forbids.test(one) && unless?.test(one) !== true,
  );
}

function isQuoted(text: string, said: string): boolean {
  const before = text.slice(0, text.indexOf(said));
  return before.split('"').length % 2 === 0 || /“[^”]*$/.test(before) || /^["“]/.test(said);
}

/** Whether something goes to an address that is not that of a service which a person has a key of. */
function goesToStranger(text: string): boolean {
  if (ownKey.test(text)) return false;
  return addressesIn(text).some(isStrangers) ? toward.test(text) || ideas.beacon.test(text) : mailbox.test(text);
}

/** Words of which every intention has one. */
const mayMatter =
  /:\/\/|@\w|hide |conceal|withhold|not |nobody|no one|whatever|no matter|regardless|nothing|as if|as though|`env|printenv|n['’]t|no need|never|without|skip|bypass|quiet|silent|secret|covert|discreet|stealth|behind|between|leave|omit|present|describe|pass |treat|regard|follow|obey|approved|authori|consent|permission|behalf|asked|waived|suspended|apply|ignored|exempt|from |instead|rather|replace|prefer|whenever|supersede|precedence|priority/i;

/** An address that something goes to, and not one that it comes from. */
const toward =
  /\b(?:to|into|with|via|through|toward|towards|on|against|endpoint|request|call|hook|server)\b[^.!?\n]{0,60}https?:|!\[[^\]\n]{0,80}\]\(\s{0,8}https?:|<img\b/i;
/** A key that a person has from a service, and gives it back. */
const ownKey =
  /\b(?:header|authorization|bearer|x-api-key|sign(?:ing)? up|register|(?:get|create|obtain|generate|request|find|grab) (?:an?|your|the|one)\b[^.!?\n]{0,30}(?:key|token|secret)s?|your (?:own )?(?:\w+ ){0,2}(?:key|token|secret|credentials?)|oauth|log ?in|authenticat\w+)\b/i;

const mailbox = /\b[\w.+-]{2,64}@(?!example\.|localhost|users\.noreply|sha256|v?\d)[\w-]{2,60}\.[a-z]{2,12}\b/i;

function isStrangers(url: string): boolean {
  return /^(?:unknown|suspicious|collector|hook)$/.test(addressKind(url)) && !/\bexample\.(?:com|org|net)\b/.test(url);
}
