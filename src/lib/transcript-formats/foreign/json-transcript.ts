import { OWN_PATHS, readOwnJson } from '../own-json-reader.js';
import { firstAt, itemsOf, memberAt, membersOf, foreignLanguage } from './json-values.js';
import { READ_FORMATS } from '../read-formats.js';
import { TranscriptFileError } from '../transcript-file.error.js';
import { FILE_LIMITS } from '../transcript.js';
import type { TranscriptDraft } from '../transcript-draft.js';
import { chosenList, isTimed, scaleOf, shapedList, type ShapedList } from './json-choice.js';
import { labelsOf } from './json-labeller.js';
import { ASIDE, listsIn, type Group } from './json-lists.js';
import { ListReader } from './json-reader.js';

/** Reads the list of objects with text and time, from any service. Returns the language; throws if there is none. */
export function readAnyJson(file: unknown, draft: TranscriptDraft): string | null {
  const lists = listsIn(file).map(shapedList);
  const found = chosenList(lists);
  const status = memberAt(file, 'status');
  if (!(found && isTimed(found)) && typeof status === 'string' && UNFINISHED.test(status))
    draft.mistake('status', 'must be completed: this transcript is not');
  if (!found) return readEmpty(file, draft);
  const duration = firstAt(file, ['audio_duration', 'duration', 'metadata.duration']);
  if (isOwnList(found)) {
    // A bare list may come from any tool.
    const scale = found.path === '' ? scaleOf(found, duration, 1) : undefined;
    return readOwnJson(file, draft, found.path, scale);
  }
  const scale = scaleOf(found, duration, null);
  const list = withoutRepeats(found);
  const reader = new ListReader(list, { scale, labelOf: labelsOf(list, lists), isStrict: false }, draft);
  noteWordless(list, lists, reader);
  reader.run();
  // Two languages, as in `ar_en`.
  const [asked] = String(memberAt(file, 'metadata.transcription_config.language') ?? '').split('_');
  return foreignLanguage(asked) ?? languageIn(file);
}

const UNFINISHED = /queue|process|progress|pending|error|fail/i;

/** Has all that a list of this service's has; others may be read with less. */
function isOwnList({ path, shape: { text, start, end, duration } }: ShapedList): boolean {
  const isNamed = OWN_PATHS.includes(path) && text[0] === 'text' && start[0]?.path === 'start';
  return isNamed && [...end, ...duration].some((member) => /^(?:end|duration)$/.test(member.path));
}

/** Reads a file whose list is empty. Returns the language; throws if there is no list of a known name. */
function readEmpty(file: unknown, draft: TranscriptDraft): string | null {
  const path = [...OWN_PATHS, 'results.channels'].find((one) => {
    const list = one === '' ? file : memberAt(file, one);
    return Array.isArray(list) && list.length === 0;
  });
  if (path === undefined)
    throw new TranscriptFileError('', `JSON of an unknown shape is not read; send ${READ_FORMATS}`);
  return OWN_PATHS.includes(path) ? readOwnJson(file, draft, path) : null;
}

const wordsOf = ({ items }: Group): unknown[] => items.map((item) => memberAt(item, 'word'));

/** Google's last result repeats all words if it tells speakers apart. */
function withoutRepeats(list: ShapedList): ShapedList {
  const groups = list.groups.filter(({ items }) => items.length > 0);
  const [all, ...before] = groups.toReversed();
  const repeated = before.toReversed().flatMap(wordsOf);
  const isRepeat =
    all !== undefined && repeated.length > 1 && JSON.stringify(repeated) === JSON.stringify(wordsOf(all));
  return isRepeat && repeated[0] !== undefined ? { ...list, groups: [all] } : list;
}

/** Notes texts around words that have none. */
function noteWordless(list: ShapedList, lists: readonly ShapedList[], reader: ListReader): void {
  const outer = lists.filter(
    ({ path, shape }) => list.path.startsWith(`${path}[]`) && path !== list.path && shape.text.length > 0,
  );
  const around = new Set<unknown>();
  for (const { owner, items } of list.groups)
    for (let one = items.length > 0 ? owner : null; one; one = one.up) around.add(one.members);
  for (const { path, groups, shape } of outer) {
    if (/(?:alternatives|nBest|hypotheses)$/.test(path)) continue;
    for (const { place, items } of groups)
      for (const [index, item] of items.entries()) {
        const isRead = around.has(item) || String(firstAt(item, shape.text) ?? '').trim() === '';
        if (!isRead) reader.skip(`${place}[${index}]`, 'its words have no times');
      }
  }
}

const LANGUAGE = /^(?:(?:transcript|detected|predicted)_)?lang(?:uages?)?(?:_?code)?$|^locale$/i;
/** Items of a list that are asked for the language. */
const ASKED = 100;

/** The first language that is stated, by the file or by what is said. */
function languageIn(value: unknown, depth = 0): string | null {
  const members = Object.entries((Array.isArray(value) ? value.slice(0, ASKED) : membersOf(value)) ?? {});
  for (const [name, member] of members) {
    const code = LANGUAGE.test(name) ? foreignLanguage(itemsOf(member)[0] ?? member) : null;
    if (code !== null) return code;
  }
  for (const [name, member] of members) {
    const isRead = depth < FILE_LIMITS.jsonDepth && !ASIDE.test(name);
    const code = isRead ? languageIn(member, depth + 1) : null;
    if (code !== null) return code;
  }
  return null;
}
