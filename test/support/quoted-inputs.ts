/** Where an API document lets a caller send text, and requests that put one value there and are otherwise in order. */

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly example?: unknown;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}
interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Schema;
}
interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>;
  };
}
export interface InputsDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

export interface Request {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body?: unknown;
}
export interface Input {
  /** `GET /api/v1/recordings: search of the query`. */
  readonly name: string;
  readonly request: (value: string) => Request;
}

/** Values by the name of a parameter, or of what stands before it in the path, such as `recordings`; others are examples. */
export type Known = Readonly<Record<string, string>>;

export function textInputs(document: InputsDocument, known: Known): Input[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) =>
      new OperationInputs(document, known, method.toUpperCase(), path, operation).all(),
    ),
  );
}

class OperationInputs {
  private readonly parameters: readonly Parameter[];

  constructor(
    private readonly document: InputsDocument,
    private readonly known: Known,
    private readonly method: string,
    private readonly path: string,
    private readonly operation: Operation,
  ) {
    this.parameters = operation.parameters ?? [];
  }

  all(): Input[] {
    return [...this.inPath(), ...this.inQuery(), ...this.inHeaders(), ...this.inBody()];
  }

  /** Whatever the document says of them: those are what the path has. */
  private inPath(): Input[] {
    return [...this.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) =>
      this.input(`${name} of the path`, (value) => ({ path: this.url({ [name]: value }) })),
    );
  }

  private inQuery(): Input[] {
    const query = this.of('query').map(({ name }) => name);
    return query.map((name) =>
      this.input(`${name} of the query`, (value) => ({
        path: this.url({}, { ...this.knownOf(query), [name]: value }),
      })),
    );
  }

  private inHeaders(): Input[] {
    const names = ['Authorization', ...this.of('header').map(({ name }) => name)];
    return names.map((name) =>
      this.input(`the header ${name}`, (value) => ({
        headers: { [name]: name === 'Authorization' ? `Bearer mrs_${value}` : value },
      })),
    );
  }

  private inBody(): Input[] {
    return Object.entries(this.operation.requestBody?.content ?? {}).flatMap(
      ([type, { schema, example }]) => {
        const headers = { 'content-type': type };
        if (type === 'application/json')
          return this.texts(schema).map(({ at, put }) =>
            this.input(`${at.replace(/^\./, '') || 'all'} of the body`, (value) => ({
              headers,
              body: put(value),
            })),
          );
        if (typeof example !== 'string') return [];
        return [this.input(`the text of the body`, (value) => ({ headers, body: `${example}${value}\n` }))];
      },
    );
  }

  private of(place: string): Parameter[] {
    return this.parameters.filter((parameter) => parameter.in === place);
  }

  private input(place: string, part: (value: string) => Partial<Request>): Input {
    return {
      name: `${this.method} ${this.path}: ${place}`,
      request: (value) => ({
        method: this.method,
        path: this.url(),
        headers: {},
        body: this.body(),
        ...part(value),
      }),
    };
  }

  /** With all that is required. */
  private url(inPath: Record<string, string> = {}, inQuery: Record<string, unknown> = {}): string {
    const path = this.path.replace(/([^/]+)\/\{(\w+)\}/g, (_, before: string, name: string) => {
      const value = inPath[name] ?? this.known[before] ?? this.known[name] ?? 'unknown';
      return `${before}/${encodeURIComponent(value)}`;
    });
    const required = this.of('query').filter((parameter) => parameter.required);
    const query = Object.fromEntries(required.map(({ name, schema }) => [name, this.sample(name, schema)]));
    const pairs = Object.entries({ ...query, ...inQuery }).map(
      ([name, value]) => `${name}=${encodeURIComponent(String(value))}`,
    );
    return pairs.length > 0 ? `${path}?${pairs.join('&')}` : path;
  }

  private body(): unknown {
    const json = this.operation.requestBody?.content['application/json'];
    if (!json) return undefined;
    const { properties = {}, required = [] } = this.resolved(json.schema);
    const [[name, property] = ['', {}]] = Object.entries(properties);
    // Where nothing is required, nothing at all may be too little.
    if (name !== '' && required.length === 0 && !json.example) return { [name]: this.sample(name, property) };
    return json.example ?? this.sample('', json.schema);
  }

  /** Each place of a text in a value of this schema, and how to make a value that has one there. */
  private texts(given: Schema): { at: string; put: (value: string) => unknown }[] {
    const schema = this.resolved(given);
    if (schema.anyOf) return schema.anyOf.flatMap((one) => this.texts(one));
    if (schema.items)
      return this.texts(schema.items).map(({ at, put }) => ({ at: `[]${at}`, put: (value) => [put(value)] }));
    if (!schema.properties) return [{ at: '', put: (value) => value }];
    const beside = { ...this.knownOf(Object.keys(schema.properties)), ...this.required(schema) };
    return Object.entries(schema.properties).flatMap(([name, property]) =>
      this.texts(property).map(({ at, put }) => ({
        at: `.${name}${at}`,
        put: (value: string) => ({ ...beside, [name]: put(value) }),
      })),
    );
  }

  /** One value may need another beside it, as a folder its organization. */
  private knownOf(names: readonly string[]): Record<string, string> {
    return Object.fromEntries(Object.entries(this.known).filter(([name]) => names.includes(name)));
  }

  private required({ properties = {}, required = [] }: Schema): Record<string, unknown> {
    return Object.fromEntries(required.map((name) => [name, this.sample(name, properties[name] ?? {})]));
  }

  private sample(name: string, given: Schema): unknown {
    const schema = this.resolved(given);
    const chosen = this.known[name] ?? schema.example ?? schema.enum?.[0];
    if (chosen !== undefined) return chosen;
    if (schema.anyOf?.[0]) return this.sample(name, schema.anyOf[0]);
    if (schema.items) return [this.sample('', schema.items)];
    if (schema.properties) return this.required(schema);
    return schema.type === 'number' || schema.type === 'integer' ? 1 : 'text';
  }

  private resolved(schema: Schema): Schema {
    const [one] = schema.allOf ?? [];
    const ref = schema.$ref ?? one?.$ref;
    return ref === undefined
      ? (one ?? schema)
      : (this.document.components.schemas[ref.split('/').at(-1) ?? ''] ?? {});
  }
}
