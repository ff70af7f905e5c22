import type { ThreadTask } from '../../../platform/work/thread-task.js';

export const SAFE_HTML: ThreadTask<string, string | null> = { module: import.meta.url };

/** `safeHtml`, whose libraries only the thread needs. */
export default async function safeHtmlTask(text: string): Promise<string | null> {
  const { safeHtml } = await import('./safe-html.js');
  return safeHtml(text);
}
