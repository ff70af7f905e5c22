import { CLIENT_INFO_META_KEY, McpServer, type ServerContext } from '@modelcontextprotocol/server';
import { SERVICE_NAME } from '../../../contract/api-document.js';
import { z } from '../../../lib/zod.js';
import { registerPrompts } from './prompts.js';
import { NOTICE, registerTool, type AnyTool, type Calls } from './tool.js';
import { registerResources } from './resources.js';
import { LIST_ACTION_ITEMS, UPDATE_ACTION_ITEM } from './tools/action-items.tools.js';
import * as changes from './tools/change.tools.js';
import { LIST_FOLDERS, LIST_MEMBERS, LIST_ORGANIZATIONS } from './tools/organization.tools.js';
import { ASK } from './tools/question.tools.js';
import { GET_RECORDING, GET_SUMMARY, LIST_RECORDINGS, SEARCH_RECORDINGS } from './tools/recordings.tools.js';
import { GET_TRANSCRIPT } from './tools/transcript.tool.js';

/** All tools. Those that the API key does not permit are not offered. */
const TOOLS: readonly AnyTool[] = [
  LIST_RECORDINGS,
  SEARCH_RECORDINGS,
  ASK,
  GET_RECORDING,
  GET_SUMMARY,
  GET_TRANSCRIPT,
  LIST_ACTION_ITEMS,
  changes.LIST_SHARE_LINKS,
  LIST_ORGANIZATIONS,
  LIST_FOLDERS,
  LIST_MEMBERS,
  changes.CREATE_SHARE_LINK,
  changes.UPDATE_RECORDING,
  UPDATE_ACTION_ITEM,
  changes.RENAME_SPEAKERS,
  changes.ADD_RECORDING,
];

const INSTRUCTIONS = `Recorded meetings with their transcripts and summaries.

- What was said or decided: ask, which cites moments; or search_recordings, then get_transcript around a moment.
- Who does what by when: list_action_items, or get_summary for one meeting.
- One meeting: list_recordings by title or date, then get_recording.
- Pass the user's time zone with dates. Ids come from tools; never guess one.
- Give the user the links to moments that tools return.
- ${NOTICE}`;

/** An MCP server for the calls of one client. It keeps nothing: any process can answer the next request. */
export function createMeetingsServer(
  calls: Omit<Calls, 'apiFor'>,
  version: string,
  client: string | null,
): McpServer {
  const server = new McpServer(
    { name: 'meeting-recording-service', title: SERVICE_NAME, version },
    { instructions: INSTRUCTIONS },
  );
  const complete: Calls = {
    ...calls,
    apiFor: (context) => calls.api.for(nameOf(server, context) ?? client, context.mcpReq.signal),
  };
  for (const tool of TOOLS)
    if (tool.scopes.every((scope) => calls.api.permits(scope))) registerTool(server, tool, complete);
  registerResources(server, complete);
  registerPrompts(server);
  return server;
}

const INTRODUCTION = z.object({ name: z.string(), version: z.string() });

/** As the client has introduced itself, with the call or before, in characters that a header may have. */
function nameOf({ server }: McpServer, { mcpReq }: ServerContext): string | null {
  const envelope: Readonly<Record<string, unknown>> = mcpReq.envelope ?? {};
  const client = INTRODUCTION.safeParse(envelope[CLIENT_INFO_META_KEY]).data ?? server.getClientVersion();
  return client ? `${client.name}/${client.version}`.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 200) : null;
}
