import { CONTENTS } from './policy.js';
import { contentsOf } from './packages.js';

const MARKS = ['<!-- packages -->', '<!-- /packages -->'];
/** Packages of one license that are listed by name. */
const LISTED = 10;

/** Replaces the generated part of `THIRD-PARTY.md` between its marks. */
export function withPackages(text, packages) {
  const [before, rest] = text.split(MARKS[0]);
  const after = rest?.split(MARKS[1])[1];
  if (after === undefined) throw new Error(`THIRD-PARTY.md does not contain ${MARKS.join(' ... ')}`);
  const generated = [...contentsTable(), '', ...byLicense(packages)].join('\n');
  return `${before}${MARKS[0]}\n${generated}\n${MARKS[1]}${after}`;
}

function contentsTable() {
  const rows = CONTENTS.map(({ packages, contains, license, passOn, image = passOn }) =>
    row([packages.map(code).join(', '), contains, license, yesNo(passOn), yesNo(image)]),
  );
  return [
    '## Compiled code and models',
    '',
    row(['Packages', 'Contain', 'License of the contents', 'Redistributable', 'In the image']),
    '|---|---|---|---|---|',
    ...rows,
  ];
}

function byLicense(packages) {
  const names = new Map();
  for (const one of packages) {
    const of = names.get(one.license) ?? new Set();
    // The packages for the various systems are one line.
    names.set(one.license, of.add(familyOf(one)));
  }
  const rows = [...names].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return [
    '## All packages',
    '',
    'As the packages themselves state it. `package-lock.json` has the license of each.',
    '',
    row(['License', 'Packages']),
    '|---|---|',
    ...rows.map(([license, all]) => row([license, listed([...all].toSorted())])),
  ];
}

function familyOf(one) {
  const { packages = [] } = contentsOf(one) ?? {};
  const family = packages.find(
    (pattern) => pattern.endsWith('*') && one.name.startsWith(pattern.slice(0, -1)),
  );
  return family ?? one.name;
}

/** The names, or how many there are of a common license. */
const listed = (names) => (names.length > LISTED ? String(names.length) : names.map(code).join(', '));
const row = (cells) => `| ${cells.join(' | ')} |`;
const code = (text) => `\`${text}\``;
const yesNo = (value) => (value ? 'yes' : '**no**');
