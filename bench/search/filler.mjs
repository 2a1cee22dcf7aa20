import { createRandom } from '../random.mjs';

/**
 * What the filler skills are about: trades that no query asks for, each with words of its own. None may touch a topic
 * or an off-topic query, or a right answer would be counted as a wrong one.
 *
 * @type {readonly (readonly [trade: string, words: string])[]}
 */
const trades = [
  ['beekeeping', 'hives queens swarms honeycombs'],
  ['orchard', 'grafts blossoms pruning ladders'],
  ['vineyard', 'grapes trellises barrels slopes'],
  ['forestry', 'spruce seedlings sawlogs clearings'],
  ['fish-farm', 'ponds trout oxygen feed'],
  ['harbour', 'berths pilots tugs moorings'],
  ['airfield', 'runways gliders windsocks hangars'],
  ['quarry', 'granite blasting crushers conveyors'],
  ['foundry', 'castings moulds furnaces alloys'],
  ['tannery', 'hides bark vats leather'],
  ['pottery', 'kilns glazes clay bisque'],
  ['weaving-mill', 'looms warp yarn bobbins'],
  ['bookbinding', 'spines gilding thread boards'],
  ['watchmaking', 'escapements springs jewels dials'],
  ['bicycle-workshop', 'spokes chains brakes hubs'],
  ['tram-depot', 'pantographs bogies rails sand'],
  ['elevator-service', 'cabins ropes counterweights shafts'],
  ['lighthouse', 'lenses beacons foghorns cliffs'],
  ['theatre-props', 'swords goblets curtains trapdoors'],
  ['costume-store', 'wigs corsets capes seams'],
  ['cemetery-office', 'graves wreaths plots urns'],
  ['carillon', 'clappers bronze chimes beams'],
  ['chess-club', 'openings clocks pairings boards'],
  ['bowling-league', 'lanes pins frames strikes'],
  ['riding-school', 'saddles bridles paddocks stirrups'],
  ['dental-practice', 'crowns fillings molars plaster'],
  ['optician', 'lenses frames dioptres prisms'],
  ['blood-donation', 'donors plasma needles cots'],
  ['fire-brigade', 'hoses ladders hydrants helmets'],
  ['waterworks', 'reservoirs pumps filters mains'],
  ['waste-collection', 'bins lorries compost glass'],
  ['winter-road-service', 'ploughs salt gritters drifts'],
  ['bridge-inspection', 'girders bearings cracks rivets'],
  ['scaffolding', 'poles couplers planks anchors'],
  ['brickworks', 'loam firing pallets chimneys'],
  ['paper-mill', 'pulp rollers felt reels'],
  ['dairy', 'churns curds whey rennet'],
  ['tea-plantation', 'leaves shade withering terraces'],
  ['greenhouse', 'vents tomatoes trays misting'],
  ['seed-bank', 'grains jars germination humidity'],
  ['bird-ringing', 'nets warblers wings rings'],
  ['fossil-collection', 'ammonites strata chisels drawers'],
  ['glacier-survey', 'stakes crevasses moraines ablation'],
  ['tide-gauge', 'buoys ebb datum estuaries'],
];

/**
 * What is done in every trade, in the everyday words of real skills, which queries use as well: these make the filler
 * hard to tell apart by common words alone.
 *
 * @type {readonly (readonly [job: string, verb: string, thing: string, occasion: string])[]}
 */
const jobs = [
  ['shift-handover', 'Write', 'handover notes', 'one crew leaves and the next needs a short list of open tasks'],
  ['season-plan', 'Plan', 'the coming season', 'dates, people and material have to fit together'],
  ['inspection-round', 'Check', 'the daily inspection round', 'a list of things to look at is due before noon'],
  ['defect-sheet', 'Record', 'defects and repairs', 'something is broken and somebody should fix it'],
  ['visitor-guide', 'Prepare', 'guided tours', 'a group with questions arrives and needs a short text'],
  ['permit-file', 'Collect', 'permits and papers', 'an office asks for a complete file before work starts'],
  ['safety-briefing', 'Give', 'a safety briefing', 'new people start and must know what is dangerous'],
  ['tool-loan', 'Track', 'borrowed tools', 'nobody knows who has what and since when'],
  ['yield-table', 'Compare', 'yields of several years', 'numbers from old tables should be compared with new ones'],
  ['apprentice-log', 'Review', 'the log of an apprentice', 'a week of work has to be read and signed'],
  ['open-day', 'Organise', 'an open day', 'the public is invited and the order of events must be clear'],
  ['supplier-call', 'Prepare', 'a call with a supplier', 'a delivery is late or an answer is missing'],
];

/** @typedef {import('./topics.mjs').Topic} Topic */

/** One sentence each; `%` stands for a word of the trade. */
const sentences = [
  'Start with the % and write down what is there before anything is changed.',
  'Compare the % with last year and report every difference that matters.',
  'If nothing is known about the %, ask; never guess from an old file.',
  'A short table of % with date, place and person is enough.',
  'Most errors come from counting the % twice.',
  'Keep the % apart from everything else, with a label.',
  'When there is trouble with the %, look for the cause upstream.',
  'Read the notes on % aloud once; people remember what they hear.',
  'Send the list of % to the team and wait for an answer.',
  'Photos of the % help those who were not there.',
];

/**
 * Skills that no query is about, so that the right ones have to be found among many. The same count gives the same
 * skills on every machine.
 *
 * @param {number} count
 * @returns {Topic[]}
 */
export function makeFiller(count) {
  const random = createRandom(count);
  return shuffled(pairs(), random)
    .slice(0, count)
    .map(({ trade, words, job }) => filler(trade, words, job, random));
}

function pairs() {
  return trades.flatMap(([trade, words]) => jobs.map((job) => ({ trade, words: words.split(' '), job })));
}

function shuffled(list, random) {
  const left = [...list];
  for (let end = left.length - 1; end > 0; end--) {
    const other = random.below(end + 1);
    [left[end], left[other]] = [left[other], left[end]];
  }
  return left;
}

function filler(trade, words, [job, verb, thing, occasion], random) {
  const place = trade.replaceAll('-', ' ');
  const said = shuffled(sentences, random).map((sentence) => sentence.replace('%', random.pick(words)));
  return {
    name: `${trade}-${job}`,
    description: `${verb} ${thing} for the ${place}: ${words.join(', ')}. Use when ${occasion}.`,
    body: ['## Before', ...said.slice(0, 2), '## Work', ...said.slice(2, 5), '## After', ...said.slice(5, 7)].join(
      '\n\n',
    ),
  };
}
