/**
 * What the filler skills are about: trades that no query asks for, each with words of its own. None may touch a topic
 * or an off-topic query, or a right answer would be counted as a wrong one.
 *
 * @type {readonly (readonly [trade: string, words: string])[]}
 */
export const trades = [
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
export const jobs = [
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
