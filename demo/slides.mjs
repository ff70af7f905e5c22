// The cast and the slides of the demo videos, by media file. A scene begins at the segment `from`; its `body` is HTML.

const bullets = (...items) => `<ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul>`;

/** A bar chart; an entry is [label, value, text, highlighted]. */
const bars = (caption, max, ...entries) => {
  const columns = entries.map(([label, value, text, highlighted]) => {
    const height = Math.round((value / max) * 190);
    const colour = highlighted ? 'var(--accent)' : '#c3ccd3';
    return `<div class="bar"><b>${text}</b><i style="height:${height}px;background:${colour}"></i>${label}</div>`;
  });
  return `<p>${caption}</p><div class="bars">${columns.join('')}</div>`;
};

/** A timeline; an entry is [time, text, highlighted]. */
const timeline = (...entries) =>
  entries
    .map(
      ([time, text, hot]) => `<div class="step${hot ? ' hot' : ''}"><b>${time}</b><span>${text}</span></div>`,
    )
    .join('');

const drawing = (content) => `<svg viewBox="0 0 560 310" width="560" height="310">${content}</svg>`;

const LIGHTHOUSE = (sky, lamp, beam, sea) =>
  drawing(`<rect width="560" height="310" rx="10" fill="${sky}"/>
  ${beam ? `<path d="M300 92 L0 20 V150 Z M300 92 L560 40 V150 Z" fill="${beam}"/>` : ''}
  <path d="M270 250 L282 110 H318 L330 250 Z" fill="#f4f1ea"/>
  <path d="M278 160 L280.500 130 H319.500 L322 160 Z M272 225 L275 192 H325 L328 225 Z" fill="#c2452d"/>
  <rect x="276" y="104" width="48" height="8" fill="#22303a"/><rect x="286" y="80" width="28" height="24" fill="${lamp}"/>
  <path d="M280 80 L300 60 L320 80 Z" fill="#22303a"/>
  <path d="M170 300 Q240 236 300 244 T440 300 Z" fill="#3d4a52"/>
  <path d="M0 ${sea} ${'q35 -22 70 0 t70 0 '.repeat(4)} V310 H0 Z" fill="#2b5a77"/>`);

const plot = (x, y, colour, label) =>
  `<rect x="${x}" y="${y}" width="88" height="76" rx="6" fill="${colour}"/>` +
  `<text x="${x + 44}" y="${y + 46}" text-anchor="middle" font-size="22" fill="#fff">${label}</text>`;

const ALLOTMENT = drawing(
  [14, 15, 16, 17, 18].map((n, i) => plot(i * 104, 20, '#7a9e5d', n)).join('') +
    [19, 20, 21, 22].map((n, i) => plot(i * 104, 190, n === 19 ? '#d9822b' : '#7a9e5d', n)).join('') +
    `<rect x="416" y="190" width="88" height="76" rx="6" fill="#8a6d52"/>
    <text x="460" y="236" text-anchor="middle" font-size="22" fill="#fff">shed</text>
    <path d="M0 143 H504" stroke="#3f8ab5" stroke-width="7"/><path d="M44 143 V190" stroke="#3f8ab5" stroke-width="7"/>
    <circle cx="44" cy="170" r="11" fill="#c2452d"/>`,
);

const room = (x, y, width, height, label, hot) =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${hot ? 'var(--accent)' : '#e3e7ea'}" stroke="#22303a" stroke-width="4"/>
  <text x="${x + width / 2}" y="${y + height / 2 + 8}" text-anchor="middle" font-size="22" fill="${hot ? '#fff' : '#22303a'}">${label}</text>`;

const depot = (hot) =>
  drawing(
    room(4, 4, 250, 150, 'Yard', hot === 'yard') +
      room(254, 4, 300, 90, 'Charging', hot === 'charging') +
      room(254, 94, 300, 120, 'Sorting', hot === 'sorting') +
      room(4, 154, 250, 150, 'Workshop', hot === 'workshop') +
      room(254, 214, 300, 90, 'Riders', hot === 'riders'),
  );

/** Arguments: role, avatar color, espeak-ng voice, pitch, words per minute. */
const person = (role, colour, voice, pitch, speed) => ({ role, colour, voice, pitch, speed });
const AMARA = person('Operations', '#d9822b', 'en-gb+f2', 48, 205);
const CALLUM = person('Rider lead', '#4f8f5b', 'en-gb-scotland+m3', 38, 208);
const PRIYA = person('Routing', '#3f7fb5', 'en-us+f3', 62, 212);
const TOMAS = person('Customers', '#8a63b0', 'en-us+m7', 52, 210);

export const films = {
  // Recorded voices; see README.md for their license.
  'media/real-time-diarization.mp4': {
    accent: '#2f7f8f',
    cast: {
      Katie: { role: 'Speech team', colour: '#c2558a' },
      Steve: { role: 'Speech team', colour: '#3f7fb5' },
    },
    speech: '../test/data/speech/two-people.flac',
    turns: [
      { speaker: 'Katie', start: 0 },
      { speaker: 'Steve', start: 2.02 },
      { speaker: 'Katie', start: 3.88 },
      { speaker: 'Steve', start: 12.38 },
      { speaker: 'Katie', start: 24.71 },
      { speaker: 'Steve', start: 26.5 },
    ],
    scenes: [
      { from: 0, title: 'Who said what?', body: bullets('Two people', 'One microphone', 'Half a minute') },
      {
        from: 3,
        title: 'Batch or real time',
        body: timeline(['batch', 'Speakers after the meeting'], ['live', 'Speakers while people talk', true]),
      },
    ],
  },
  'media/product-weekly.mp4': {
    accent: '#e07a2f',
    cast: {
      'Amara Osei': AMARA,
      'Priya Nandakumar': PRIYA,
      'Callum Reid': CALLUM,
      'Mei Chua': person('Design', '#c2558a', 'en-gb-x-rp+f4', 72, 208),
      'Tomás Varga': TOMAS,
    },
    scenes: [
      {
        from: 0,
        title: 'The week in numbers',
        body: bars(
          'On-time deliveries, per cent',
          100,
          ['Mon', 95, '95'],
          ['Tue', 94, '94'],
          ['Wed', 81, '81', true],
          ['Thu', 94, '94'],
          ['Fri', 96, '96'],
        ),
      },
      {
        from: 13,
        title: 'Winter routes: cold mode',
        body: bullets(
          'Below 2 °C: a penalty for steep streets',
          'Trikes over 6%, two-wheelers over 8%',
          'A penalty, not a ban',
        ),
      },
      {
        from: 22,
        title: 'On icy days',
        body: bars(
          'On time, per cent (rounds 4 min longer)',
          100,
          ['Today', 83, '83'],
          ['Cold mode', 91, '91', true],
        ),
      },
      {
        from: 33,
        title: 'Glove mode',
        body: bars('First tries that work, out of ten', 10, ['Bare hands', 9, '9'], ['Gloves', 4, '4', true]),
      },
      {
        from: 38,
        title: 'One stop, one button',
        body: '<div class="phone"><b>Stop 7 of 18</b><span>Mill Lane 24</span><em>Hold to deliver</em></div>',
      },
      {
        from: 49,
        title: 'Parcel lockers',
        body: bars(
          'Doors in use, per cent',
          100,
          ['Station', 61, '61'],
          ['Library', 34, '34'],
          ['Market hall', 12, '12', true],
        ),
      },
      {
        from: 60,
        title: 'What we decided',
        body: bullets(
          'Cold mode behind a flag',
          'Two riders confirm a closure',
          'Glove mode: six riders, one week',
          'Locker moves to the pool',
        ),
      },
    ],
  },
  'media/customer-call.mp4': {
    accent: '#8a63b0',
    cast: {
      'Tomás Varga': TOMAS,
      'Ruth Marlowe': person('Marlowe Bakeries', '#b5583f', 'en-gb+Annie', 40, 201),
      'Idris Kaya': person('Marlowe Bakeries', '#3f8a86', 'en-gb-x-gbcwmd+m1', 44, 206),
    },
    scenes: [
      {
        from: 0,
        title: 'Seven shops, three early ones',
        body: timeline(
          ['06:10', 'Station', true],
          ['06:30', 'Mill Lane'],
          ['06:30', 'Harbour Road'],
          ['07:30', 'Four more shops'],
        ),
      },
      {
        from: 6,
        title: 'Two waves',
        body: timeline(
          ['05:45', 'Small trike: croissants, rolls', true],
          ['07:00', 'Big round: everything else'],
        ),
      },
      {
        from: 12,
        title: 'The offer',
        body: bullets(
          'About 18% more overall',
          'Over ten minutes late: free',
          'Trays in by the side door',
          'Four weeks on trial',
        ),
      },
    ],
  },
  'media/incident-retrospective.mp4': {
    accent: '#c2452d',
    cast: {
      'Priya Nandakumar': PRIYA,
      'Seun Adeyemi': person('Platform', '#b08a2e', 'en-us+m2', 34, 210),
      'Callum Reid': CALLUM,
      'Amara Osei': AMARA,
    },
    scenes: [
      {
        from: 0,
        title: 'What happened',
        body: timeline(
          ['06:15', 'Printer out of paper'],
          ['06:42', 'Dispatch freezes', true],
          ['06:50', 'Whiteboard rounds'],
          ['07:22', 'Recovered'],
        ),
      },
      {
        from: 8,
        title: 'Connections in use at 06:42',
        body: bars('of 200', 200, ['Dispatch', 9, '9'], ['Labels', 184, '184', true], ['Others', 7, '7']),
      },
      {
        from: 11,
        title: 'What we change',
        body: bullets(
          'Print outside the transaction',
          'A limit for each service',
          'Idle for 30 seconds: ended',
          'Alarm on unassigned rounds',
        ),
      },
    ],
  },
  'media/lieferantengespraech.mp4': {
    accent: '#2f7f8f',
    cast: {
      'Amara Osei': person('Wrenfield Cargo', '#d9822b', 'de+f2', 48, 197),
      'Katrin Hollerbach': person('Brennwald Akku', '#5b6fb5', 'de+f4', 62, 199),
      'Jonas Weidlich': person('Brennwald Akku', '#4f8f5b', 'de+m3', 40, 201),
    },
    scenes: [
      {
        from: 0,
        title: 'Reichweite bei Kälte',
        body: bars(
          'Prozent der Nennreichweite',
          100,
          ['20 °C', 100, '100'],
          ['10 °C', 91, '91'],
          ['0 °C', 72, '72', true],
        ),
      },
      {
        from: 7,
        title: 'Beheizter Ladeschrank',
        body: bullets(
          '20 Fächer, auf Rollen',
          'Start mit 15 °C',
          '6.400 € pro Schrank',
          'Lieferzeit drei Wochen',
        ),
      },
      {
        from: 11,
        title: 'Erst messen, dann bestellen',
        body: bullets(
          'Zwei Wochen: 10 Räder mit, 10 ohne',
          'Über 15%: zwei Schränke',
          '5.600 € statt 6.400 €',
        ),
      },
    ],
  },
  'media/depot-walk-through.mp4': {
    accent: '#4f8f5b',
    cast: { 'Callum Reid': CALLUM },
    // This recording has no transcript, so its text is here.
    narration: [
      'This is the yard at Canal Street. Room for thirty bikes, and the gate is wide enough for a trike.',
      'Through here is charging. Forty batteries, and a fire door on each side.',
      'Sorting is the warm room. Parcels come in on the left and leave on the right.',
      'The workshop has two stands, and the best light in the building.',
      'And the riders have a kitchen, a drying cupboard, and a kettle that never cools down.',
    ].map((text) => ({ speaker: 'Callum Reid', text })),
    scenes: [
      { from: 0, title: 'The yard', body: depot('yard') },
      { from: 1, title: 'Charging', body: depot('charging') },
      { from: 2, title: 'Sorting', body: depot('sorting') },
      { from: 3, title: 'Workshop', body: depot('workshop') },
      { from: 4, title: 'Riders', body: depot('riders') },
    ],
  },
  'media/allotment-committee.mp4': {
    accent: '#6a9a3f',
    cast: {
      'Hyacinth Campbell': person('Chair', '#a8487f', 'en-029+f1', 44, 199),
      'Geoff Tanner': person('Plot 19', '#7d6b55', 'en-gb-x-gbclan+m4', 36, 204),
      'Lucía Prieto': person('Treasurer', '#2f8a9a', 'en-us+f5', 66, 206),
      'Amara Osei': person('Plot 22', '#d9822b', 'en-gb+f2', 48, 204),
    },
    scenes: [
      { from: 0, title: 'Water, plot 19', body: ALLOTMENT },
      {
        from: 4,
        title: 'In the account',
        body: bars(
          'Pounds',
          910,
          ['Balance', 910, '910'],
          ['Repair', 640, '640', true],
          ['With grant', 320, '320'],
        ),
      },
      { from: 6, title: 'The shed', body: bullets('Wasps stay until the frost', 'Wheelbarrows move') },
      {
        from: 10,
        title: 'Spring fair',
        body: bullets('200 tomato plants', 'Two south-facing windowsills', 'One carrot cake per family'),
      },
    ],
  },
  'media/oral-history.mp4': {
    accent: '#2b6a9a',
    cast: {
      'Ewan Strachan': person('Keeper, Sula Point', '#4a6b7d', 'en-gb-scotland+m1', 26, 187),
      'Amara Osei': person('Interviewer', '#d9822b', 'en-gb+f2', 48, 199),
    },
    scenes: [
      { from: 0, title: 'The last winter', body: LIGHTHOUSE('#a9c7d6', '#f7e08a', '', 275) },
      { from: 4, title: 'The night watch', body: LIGHTHOUSE('#14222e', '#fff3b0', '#5d6445', 275) },
      { from: 9, title: 'Four days of storm', body: LIGHTHOUSE('#4a5761', '#fff3b0', '#7b8070', 235) },
      { from: 12, title: 'The winding handle', body: LIGHTHOUSE('#e9b27c', '#8a8f94', '', 275) },
    ],
  },
};
