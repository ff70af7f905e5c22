import { JOBS_SCHEMA } from '../../jobs-schema.js';
import type { Topic } from '../1_0_0/topic.js';
import { released, replacing } from './released.js';

/** Marks that readers add and writers leave out: Hebrew points, Arabic vowels and tatweel; hyphens and joiners that are invisible. */
const MARKS =
  '[\\u0591-\\u05BD\\u05BF\\u05C1\\u05C2\\u05C4\\u05C5\\u05C7\\u0610-\\u061A\\u0640\\u064B-\\u065F\\u0670\\u06D6-\\u06DC\\u06DF-\\u06E4\\u06E7\\u06E8\\u06EA-\\u06ED\\u00AD\\u034F\\u200C\\u200D\\u2060\\uFEFF]';
const NIL = '00000000-0000-0000-0000-000000000000';
const [RESPELLED, SPELLED] = ['ёЁ٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹', 'еЕ01234567890123456789'];

/** Letters in lower case, and below each the letter that takes its place in the search index. */
const ACCENTED =
  'àáâãäåçèéêëìíîïñòóôõöùúûüýÿāăąćĉċčďēĕėęěĝğġģĥĩīĭįĵķĺļľńņňōŏőŕŗřśŝşšţťũūŭůűųŵŷźżžơưǎǐǒǔǖǘǚǜǟǡǧǩǫǭǰǵǹǻȁȃȅȇȉȋȍȏȑȓȕȗșțȟȧȩȫȭȯȱȳḁḃḅḇḉḋḍḏḑḓḕḗḙḛḝḟḡḣḥḧḩḫḭḯḱḳḵḷḹḻḽḿṁṃṅṇṉṋṍṏṑṓṕṗṙṛṝṟṡṣṥṧṩṫṭṯṱṳṵṷṹṻṽṿẁẃẅẇẉẋẍẏẑẓẕẖẗẘẙạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹøłđħıάέήίόύώϊϋΐΰςأإآٱةىیکؤئ';
const PLAIN =
  'aaaaaaceeeeiiiinooooouuuuyyaaaccccdeeeeegggghiiiijklllnnnooorrrssssttuuuuuuwyzzzouaiouuuuuaagkoojgnaaaeeiioorruusthaeooooyabbbcdddddeeeeefghhhhhiikkkllllmmmnnnnoooopprrrrsssssttttuuuuuvvwwwwwxxyzzzhtwyaaaaaaaaaaaaeeeeeeeeiioooooooooooouuuuuuuyyyyoldhiαεηιουωιυιυσااااهييكوي';

const functionOf = (name: string, body: string): string =>
  `CREATE FUNCTION ${name}(text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$ SELECT ${body} $$`;

const FOLD = released('FUNCTION', 'fold_recording_title');

/** Titles and words are found however their letters are spelled: with accents and points or without, in any case. */
export const FOLDED_LETTERS: Topic = {
  up: [
    // Before stemming, and after it, which depends on accents.
    functionOf(
      'bare_letters',
      `translate(regexp_replace($1, '${MARKS}', '', 'g'), '${RESPELLED}', '${SPELLED}')`,
    ),
    functionOf(
      'fold_letters',
      `replace(replace(replace(translate($1, '${ACCENTED}', '${PLAIN}'), 'æ', 'ae'), 'œ', 'oe'), 'ß', 'ss')`,
    ),
    functionOf('fold_title', 'fold_letters(bare_letters(lower(normalize($1, NFKC))))'),
    functionOf('title_pattern', `'%' || regexp_replace(fold_title($1), '([\\\\%_])', '\\\\\\1', 'g') || '%'`),
    replacing(FOLD.replace('lower(', 'fold_title(')),
    // Of titles in ASCII, nothing changes.
    `UPDATE recordings SET title_folded = '' WHERE octet_length(title) > length(title) AND title_folded <> fold_title(title)`,
    // Words are spelled in another way: jobs that 1.0.0 does not know write the entries of all recordings anew. Until then, only
    // words whose spelling is still the same are found. A day later those follow that 1.0.0 may have written during a rolling
    // restart. A new database has no queue yet, and nothing to write.
    `DO $$ BEGIN
       IF to_regnamespace('${JOBS_SCHEMA}') IS NOT NULL AND EXISTS (SELECT FROM recordings) THEN
         PERFORM ${JOBS_SCHEMA}.add_job('search.respell', json_build_object('since', since, 'after', '${NIL}'), run_at => run_at, priority => 60)
         FROM (VALUES ('-infinity', now()), (now(), now() + interval '1 day')) AS pass (since, run_at);
       END IF;
     END $$`,
  ],
  down: [
    replacing(FOLD),
    `UPDATE recordings SET title_folded = '' WHERE title_folded <> lower(title)`,
    'DROP FUNCTION title_pattern, fold_title, fold_letters, bare_letters',
  ],
};
