import { ScriptedServer } from './scripted-server.js';

/** A span as it is exported: the fields that tests use. */
export interface ExportedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** Of the process. */
  readonly resource: Readonly<Record<string, unknown>>;
}

interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}
type Sent = Omit<ExportedSpan, 'attributes' | 'resource'> & { readonly attributes: readonly Attribute[] };
interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly Sent[] }[];
  }[];
}

const valuesOf = (attributes: readonly Attribute[]): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

/** A collector of traces on 127.0.0.1, which speaks OTLP in JSON. */
export class Collector {
  private constructor(readonly server: ScriptedServer) {}

  static async start(): Promise<Collector> {
    const server = await ScriptedServer.start();
    server.answers = [
      (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'),
    ];
    return new Collector(server);
  }

  /** All that it has been sent, in order. */
  get spans(): ExportedSpan[] {
    return this.server.received.flatMap(({ body }) =>
      (JSON.parse(body.toString()) as Export).resourceSpans.flatMap(({ resource, scopeSpans }) =>
        scopeSpans.flatMap(({ spans }) =>
          spans.map((span) => ({
            ...span,
            attributes: valuesOf(span.attributes),
            resource: valuesOf(resource.attributes),
          })),
        ),
      ),
    );
  }

  /** The spans of a trace. */
  ofTrace(traceId: string): ExportedSpan[] {
    return this.spans.filter((span) => span.traceId === traceId);
  }
}
