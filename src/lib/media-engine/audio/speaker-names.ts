import { oneLine } from '../../text.js';

/** Code points of a name; `LIMITS.speaker` of the contract permits as many. */
const MAX_CHARACTERS = 200;

/** What programs write by default: it says what a track holds, not who speaks. */
const GENERIC =
  /^(?:(?:core media |iso media |mainconcept |mp4 )*(?:audio|sound|stereo|mono|track)[\s_-]*(?:track|media|handler|media handler|recording)?|simple_aac(?:_recording)?)[\s_-]*#?\d*$/i;

/** Distinct names for tracks with these titles, in order: the title if it names one track, else `Speaker 1` etc. */
export function speakerNames(titles: readonly (string | null)[]): string[] {
  const names = titles.map(nameFrom);
  const uses = new Map<string, number>();
  for (const name of names) uses.set(keyOf(name), (uses.get(keyOf(name)) ?? 0) + 1);
  let number = 0;
  const nextName = (): string => {
    number += 1;
    return uses.has(keyOf(`Speaker ${number}`)) ? nextName() : `Speaker ${number}`;
  };
  return names.map((name) => (name !== '' && uses.get(keyOf(name)) === 1 ? name : nextName()));
}

/** One line that can be stored; empty if the title names nobody. */
function nameFrom(title: string | null): string {
  const name = oneLine((title ?? '').slice(0, 10 * MAX_CHARACTERS), MAX_CHARACTERS);
  return /[\p{L}\p{N}]/u.test(name) && !GENERIC.test(name) ? name : '';
}

/** The same for names that readers take for the same. */
const keyOf = (name: string): string => name.normalize('NFKC').toLowerCase();
