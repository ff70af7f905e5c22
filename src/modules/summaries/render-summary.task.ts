import type { ThreadTask } from '../../platform/work/thread-task.js';
import { safeHtml } from './summary-html.js';

/** Renders Markdown as HTML; null if `safeHtml` gives up. */
export const RENDER_SUMMARY: ThreadTask<string, string | null> = { module: import.meta.url };

export default safeHtml;
