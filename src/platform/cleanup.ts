/**
 * What must be undone when the process ends, however far its start got: Nest closes only what it has finished building,
 * and builds several things at once.
 */
export class Cleanup {
  private readonly tasks: Promise<() => Promise<void>>[] = [];
  private ending = false;

  /** Opens something and remembers how to close it, also when the end comes while it still opens. */
  async hold<T>(open: () => Promise<T>, close: (opened: T) => Promise<void>): Promise<T> {
    if (this.ending) throw new Error('The start was given up.');
    const opening = open();
    this.tasks.push(
      opening.then(
        (opened) => () => close(opened),
        () => async () => undefined,
      ),
    );
    return opening;
  }

  /** The last one held first. */
  async run(): Promise<void> {
    this.ending = true;
    for (let task = this.tasks.pop(); task; task = this.tasks.pop()) await (await task)();
  }
}
