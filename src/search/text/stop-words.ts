/** English words that say nothing about what is sought. Those of other languages are rare enough to do no harm. */
const words =
  'a about above after again all also am an and any are as at be because been before being below between both but by ' +
  'can cannot could did do does doing down during each few for from further get had has have having he her here hers ' +
  'him his how i if in into is it its itself just let me more most my myself no nor not of off on once only or other ' +
  'our ours out over own please same she should so some such than that the their theirs them then there these they ' +
  'this those through to too under until up us very was we were what when where which while who whom why will with ' +
  'would you your yours s t d m ll re ve don need want help using use used way';

export const stopWords: ReadonlySet<string> = new Set(words.split(' '));
