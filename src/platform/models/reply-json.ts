const THOUGHT_END = '</think>';

/**
 * The JSON object in a model's output. Local servers put reasoning before it, or Markdown fences and a sentence around
 * it. Throws `SyntaxError` if there is none.
 */
export function replyJson(text: string): unknown {
  const reply = withoutThoughts(text.trim());
  const [from, to] = [reply.indexOf('{'), reply.lastIndexOf('}')];
  if (from === -1 || to < from) throw new SyntaxError('there is no JSON object');
  return JSON.parse(reply.slice(from, to + 1)) as unknown;
}

/** Reasoning comes first, sometimes without its opening tag; output that starts as JSON has none. */
function withoutThoughts(text: string): string {
  if (text.startsWith('{')) return text;
  const end = text.indexOf(THOUGHT_END);
  return end === -1 ? text : text.slice(end + THOUGHT_END.length);
}
