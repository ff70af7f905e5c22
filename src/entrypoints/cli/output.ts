export interface Output {
  readonly json?: boolean;
}

export function print({ json }: Output, result: object, plain: string): void {
  process.stdout.write(`${json ? JSON.stringify(result) : plain}\n`);
}
