import type { ThreadTask } from '../../platform/work/thread-task.js';
import { safeHtml } from './summary-html.js';

/** Takes Markdown, gives HTML, or null as `safeHtml` does. */
export const RENDER_SUMMARY: ThreadTask<string, string | null> = { module: import.meta.url };

export default safeHtml;
