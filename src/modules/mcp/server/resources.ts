import {
  ResourceNotFoundError,
  ResourceTemplate,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { isUuid } from '../../../platform/ids.js';
import { ApiError, type MeetingsApi, type Page, type Reply } from './meetings-api.js';
import { inQuotes, NOTICE, quoted, type Calls } from './tool.js';
import { transcriptLines, readTranscript } from './tools/transcript.tool.js';
import { MCP_LIMITS } from '../mcp-limits.js';

/** What can be read of a recording without a tool: `meeting://ID/summary` and `meeting://ID/transcript`. */
const KINDS = {
  summary: {
    title: 'Summary',
    scope: 'recordings:read',
    mimeType: 'text/markdown',
    read: async (api: MeetingsApi, id: string) => {
      const { data } = await api.get<Reply<'RecordingDetail'>>(`/recordings/${id}`);
      return data.summary.content ?? `There is no summary; its status is ${data.summary.status}.`;
    },
  },
  transcript: {
    title: 'Transcript',
    scope: 'transcripts:read',
    mimeType: 'text/plain',
    read: async (api: MeetingsApi, id: string) => {
      const whole = { from: 0, to: Infinity, fromSegment: null, maxCharacters: MCP_LIMITS.resource };
      const { status, segments, next } = await readTranscript(api, id, whole);
      if (segments.length === 0) return `There is no transcript; its status is ${status}.`;
      const rest = next === null ? '' : `\nThe rest is returned by get_transcript, from_segment ${next}.`;
      return transcriptLines(segments) + rest;
    },
  },
} as const;

export function registerResources(server: McpServer, { api, apiFor }: Calls): void {
  for (const [kind, { title, scope, mimeType, read }] of Object.entries(KINDS)) {
    if (!api.permits(scope)) continue;
    const list = async (context: ServerContext) => {
      if (!api.permits('recordings:read')) return { resources: [] };
      const { data } = await apiFor(context).get<Page<'RecordingListItem', 'RecordingListPagination'>>(
        '/recordings',
        { limit: MCP_LIMITS.resources, status: 'COMPLETED' },
      );
      const resources = data.map((recording) => ({
        uri: `meeting://${recording.id}/${kind}`,
        name: `${title}: ${inQuotes(recording.title)}`,
        mimeType,
      }));
      return { resources };
    };
    server.registerResource(
      kind,
      new ResourceTemplate(`meeting://{recording_id}/${kind}`, { list }),
      // Of the template, and of each resource in the list.
      { title: `${title} of a recording`, description: NOTICE, mimeType },
      async (uri, variables, context) => {
        const id = String(variables['recording_id']);
        if (!isUuid(id)) throw new ResourceNotFoundError(uri.href);
        const text = await read(apiFor(context), id).catch(unreadable(uri));
        return { contents: [{ uri: uri.href, mimeType, text: quoted(text) }] };
      },
    );
  }
}

const unreadable =
  (uri: URL) =>
  (error: unknown): never => {
    if (!(error instanceof ApiError)) throw error;
    throw new ResourceNotFoundError(uri.href, `${error.code}: ${error.message}`);
  };
