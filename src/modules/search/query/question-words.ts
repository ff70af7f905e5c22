import { composed, isDense } from '../../../lib/language/dense-scripts.js';
import { DENSE_ASKING } from '../../../lib/language/dense-stop-words.js';
import { denseWords } from '../../../lib/language/dense-words.js';

/** Words with which questions begin, in some languages of meetings. */
export const ASKING: ReadonlySet<string> = new Set(
  `who whom whose what when where why how which did does do is are was were has have can could will would should
   wer wen wem wessen was wann wo warum wieso weshalb wie welche welcher welches hat haben ist sind war
   qui que quoi quand où pourquoi comment quel quelle quels quelles est-ce
   quién quien qué cuándo cuando dónde donde por cómo cuál cuáles`.split(/\s+/),
);

/** Words that say that something was said. In a question, they are rarely what was said. */
export const SAYING: ReadonlySet<string> = new Set(
  `say says said saying tell tells told talk talks talked talking mention mentions mentioned discuss discusses discussed
   explain explains explained ask asks asked think thinks thought
   sagt sagte sagen gesagt erzählt erzählte erwähnt erwähnte besprochen diskutiert erklärt meint meinte gefragt
   dit dire disait parlé parle mentionné expliqué
   dijo dice decir hablado habló mencionó explicó`.split(/\s+/),
);

/** Japanese questions end with it, also without a question mark. */
const ASKS_AT_END = /か[。.]?$/u;

/** Whether a text asks rather than names words. */
export function isQuestion(text: string): boolean {
  const trimmed = composed(text.trim());
  const [first = ''] = trimmed.toLowerCase().split(/\s+/, 1);
  if (trimmed.endsWith('?') || ASKING.has(first) || ASKS_AT_END.test(trimmed)) return true;
  return isDense(trimmed) && denseWords(trimmed).some((word) => DENSE_ASKING.has(word.text));
}
