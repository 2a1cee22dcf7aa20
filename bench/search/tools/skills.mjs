/**
 * Skills that have several tools each, so that a question has to find the right one among its neighbours. Their texts
 * say little of the single tools, as those of real skills do.
 *
 * @typedef {object} ToolText
 * @property {string} about what it does
 * @property {Record<string, string>} [takes] its parameters and their types; those whose type ends in ? may be left out
 *
 * @typedef {object} ToolSkill
 * @property {string} description
 * @property {'manifest' | 'scripts' | 'headings'} from where its tools are described
 * @property {Record<string, ToolText>} tools
 */

/** @type {Record<string, ToolSkill>} */
export const toolSkills = {
  'backup-vault': {
    description:
      'Keep copies of folders in an encrypted archive store, and get them back. Use for backups of laptops and servers.',
    from: 'manifest',
    tools: {
      snapshot: {
        about: 'Copy a folder into the archive as it is now, and print the number of the copy.',
        takes: { folder: 'string' },
      },
      restore: {
        about: 'Bring files of an earlier copy back to where they were.',
        takes: { copy: 'integer', path: 'string' },
      },
      verify: {
        about: 'Read all blocks of the archive again and compare their checksums, to see whether anything is damaged.',
      },
      prune: {
        about: 'Delete old copies and free the space, keeping so many of each week and month.',
        takes: { weeks: 'integer', months: 'integer' },
      },
    },
  },
  'recipe-box': {
    description: 'A collection of recipes for the kitchen at home, as plain text files.',
    from: 'manifest',
    tools: {
      scale: {
        about: 'Change the amounts of all ingredients of a recipe for another number of guests.',
        takes: { recipe: 'string', guests: 'integer' },
      },
      'shopping-list': {
        about: 'Add up what has to be bought for several recipes, sorted by the aisles of a supermarket.',
        takes: { recipes: 'array' },
      },
      nutrition: { about: 'Estimate calories, fat, protein and sugar per portion.', takes: { recipe: 'string' } },
      pantry: {
        about: 'Suggest dishes that can be cooked from what is left in the fridge.',
        takes: { ingredients: 'array' },
      },
    },
  },
  'music-library': {
    description: 'Look after a folder of music files: their names, their tags and their quality.',
    from: 'scripts',
    tools: {
      'fix-tags': { about: 'Write artist, album and track number into the files, from the names of their folders.' },
      'find-duplicates': {
        about: 'List songs that are there more than once, even in different formats, by their acoustic fingerprint.',
      },
      transcode: { about: 'Convert lossless recordings to small files for a phone.' },
      'make-playlist': { about: 'Put songs of a similar tempo and mood in an order to listen to.' },
    },
  },
  'queue-admin': {
    description: 'Operate message queues of RabbitMQ and SQS in production.',
    from: 'manifest',
    tools: {
      depth: {
        about: 'Count the messages that wait in a queue, and how old the oldest of them is.',
        takes: { queue: 'string' },
      },
      peek: {
        about: 'Show the content of the next messages without taking them out.',
        takes: { queue: 'string', count: 'integer?' },
      },
      replay: {
        about: 'Move everything from the dead-letter queue back, so that it is processed once more.',
        takes: { queue: 'string' },
      },
      purge: { about: 'Throw all waiting messages away for good.', takes: { queue: 'string' } },
    },
  },
  'weather-station': {
    description: 'Read a private weather station on the roof and public forecasts.',
    from: 'headings',
    tools: {
      forecast: {
        about: 'Temperature, wind and chance of rain of the next days for a place.',
        takes: { place: 'string', days: 'integer?' },
      },
      reading: { about: 'What the sensors on the roof measure at this moment.' },
      history: {
        about: 'Export the measurements of a period as a table for a spreadsheet.',
        takes: { from: 'string', to: 'string' },
      },
      'frost-alarm': {
        about: 'Warn by mail when a night below zero is expected, so that plants can be covered.',
        takes: { address: 'string' },
      },
    },
  },
  'ledger-book': {
    description: 'Double-entry bookkeeping for a small club in one text file.',
    from: 'manifest',
    tools: {
      balance: { about: 'Print how much money is in each account at the end of a day.', takes: { date: 'string?' } },
      'import-statement': {
        about: 'Take over the transactions of a bank export in CAMT or MT940 format.',
        takes: { file: 'string' },
      },
      'convert-currency': {
        about: "Turn an amount into another currency at the European Central Bank's rate of that day.",
        takes: { amount: 'number', from: 'string', to: 'string' },
      },
      'membership-fees': {
        about: 'List the members who have not paid their yearly fee yet.',
        takes: { year: 'integer' },
      },
    },
  },
  'host-inspector': {
    description: 'Find out about a machine on the network from outside.',
    from: 'scripts',
    tools: {
      'open-ports': { about: 'Scan which TCP ports of a host accept connections.' },
      'certificate-days': { about: 'Tell how many days are left until the TLS certificate of a host expires.' },
      'trace-route': { about: 'Show the routers on the way to a host, and the delay of each hop.' },
      whois: { about: 'Look up who registered a domain, and until when.' },
    },
  },
  'photo-archive': {
    description: 'Sort many thousand pictures of a family into an archive for decades.',
    from: 'manifest',
    tools: {
      'sort-by-date': {
        about: 'Move pictures into folders by year and month, from when they were taken.',
        takes: { folder: 'string' },
      },
      'remove-location': {
        about: 'Delete GPS coordinates and other private metadata from pictures before they are shared.',
        takes: { folder: 'string' },
      },
      faces: { about: 'Group pictures by the people that can be seen in them.', takes: { folder: 'string' } },
      'contact-sheet': {
        about: 'Print many thumbnails on one page, to choose from.',
        takes: { folder: 'string', columns: 'integer?' },
      },
    },
  },
  'text-forge': {
    description: 'Small helpers for texts on the way from one program to another.',
    from: 'manifest',
    tools: {
      slugify: {
        about: 'Turn a title into a part of an address: lower case, hyphens, no accents.',
        takes: { title: 'string' },
      },
      'count-words': { about: 'Count words, sentences and characters of a text.', takes: { text: 'string' } },
      'diff-words': {
        about: 'Compare two versions of a text word by word and mark what was inserted and removed.',
        takes: { before: 'string', after: 'string' },
      },
      base64: { about: 'Encode bytes as Base64, or decode them.', takes: { text: 'string', direction: 'string?' } },
      'random-password': { about: 'Make up a strong password of words or signs.', takes: { length: 'integer?' } },
    },
  },
  greenhouse: {
    description: 'Control pumps, lamps and windows of a greenhouse over MQTT.',
    from: 'manifest',
    tools: {
      water: { about: 'Open the valve of a bed for some minutes.', takes: { bed: 'integer', minutes: 'number' } },
      'soil-moisture': { about: 'Say how dry the earth of each bed is.' },
      lamps: { about: 'Switch the growing lights on or off.', takes: { on: 'boolean' } },
      'open-windows': { about: 'Let hot air out by opening the roof by some per cent.', takes: { percent: 'integer' } },
    },
  },
  'bibliothek-verwaltung': {
    description: 'Verwaltet die Bücherei einer Schule: Bücher, Leserinnen und Leser, Fristen.',
    from: 'manifest',
    tools: {
      ausleihen: {
        about: 'Trägt ein, wer ein Buch mitnimmt und bis wann.',
        takes: { buch: 'string', leser: 'string' },
      },
      mahnliste: { about: 'Nennt alle, die ein Buch nicht rechtzeitig zurückgegeben haben.' },
      'isbn-suche': { about: 'Holt Titel, Verfasser und Verlag zu einer ISBN.', takes: { isbn: 'string' } },
      etiketten: {
        about: 'Druckt Aufkleber mit Signatur und Strichcode für den Buchrücken.',
        takes: { anzahl: 'integer?' },
      },
    },
  },
  'kuaidi-helper': {
    description: '网店发货与快递管理：处理订单包裹、快递单号和运费。',
    from: 'manifest',
    tools: {
      track: { about: '根据快递单号查询包裹现在到了哪里。', takes: { number: 'string' } },
      quote: { about: '按重量和目的地计算运费，比较各家快递公司的价格。', takes: { weight: 'number', city: 'string' } },
      'print-label': { about: '打印电子面单，贴在包裹上。', takes: { order: 'string' } },
      refund: { about: '登记退货，并把钱退给买家。', takes: { order: 'string' } },
    },
  },
};
