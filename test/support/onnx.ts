/** Writes small models in the format ONNX, by its `onnx.proto`: what tests need of it. */

/** A node of a model: what it computes, of which values, with which attributes (whole numbers). */
export interface OnnxNode {
  readonly type: string;
  readonly inputs: readonly string[];
  readonly output: string;
  readonly attributes?: Readonly<Record<string, number | readonly number[]>>;
}

/** Name or size of each dimension of a value. */
type Shape = readonly (number | string)[];

export interface OnnxModel {
  readonly input: Shape;
  readonly output: Shape;
  /** Numbers that nodes use, with their shape. */
  readonly constants: Readonly<
    Record<string, { readonly shape: readonly number[]; readonly values: number[] }>
  >;
  readonly nodes: readonly OnnxNode[];
  readonly metadata: Readonly<Record<string, string | number>>;
}

const FLOAT = 1;
const ATTRIBUTE = { int: 2, ints: 7 } as const;

/** A model from the value `x` to the value `y`. */
export function onnx({ input, output, constants, nodes, metadata }: OnnxModel): Buffer {
  const graph = [
    ...nodes.map((node) => message(1, nodeOf(node))),
    text(2, 'graph'),
    ...Object.entries(constants).map(([name, { shape, values }]) =>
      message(5, [
        ...shape.map((size) => number(1, size)),
        number(2, FLOAT),
        floats(4, values),
        text(8, name),
      ]),
    ),
    message(11, value('x', input)),
    message(12, value('y', output)),
  ];
  return Buffer.concat([
    number(1, 8),
    message(7, graph),
    message(8, [number(2, 13)]),
    ...Object.entries(metadata).map(([key, entry]) => message(14, [text(1, key), text(2, String(entry))])),
  ]);
}

function nodeOf({ type, inputs, output, attributes = {} }: OnnxNode): Buffer[] {
  return [
    ...inputs.map((name) => text(1, name)),
    text(2, output),
    text(4, type),
    ...Object.entries(attributes).map(([name, given]) => {
      const isOne = typeof given === 'number';
      const values = isOne ? [number(3, given)] : given.map((one) => number(8, one));
      return message(5, [text(1, name), ...values, number(20, isOne ? ATTRIBUTE.int : ATTRIBUTE.ints)]);
    }),
  ];
}

function value(name: string, shape: Shape): Buffer[] {
  const sizes = shape.map((size) => message(1, [typeof size === 'number' ? number(1, size) : text(2, size)]));
  return [text(1, name), message(2, [message(1, [number(1, FLOAT), message(2, sizes)])])];
}

function varint(given: number): Buffer {
  const bytes: number[] = [];
  let rest = given;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  return Buffer.from([...bytes, rest]);
}

const number = (field: number, given: number): Buffer => Buffer.concat([varint(field * 8), varint(given)]);
const bytes = (field: number, given: Buffer): Buffer =>
  Buffer.concat([varint(field * 8 + 2), varint(given.length), given]);
const text = (field: number, given: string): Buffer => bytes(field, Buffer.from(given));
const message = (field: number, given: readonly Buffer[]): Buffer => bytes(field, Buffer.concat(given));
const floats = (field: number, given: readonly number[]): Buffer =>
  bytes(field, Buffer.from(Float32Array.from(given).buffer));
