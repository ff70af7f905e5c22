/** Resources to close when the process ends, even if startup did not complete: Nest closes only finished providers. */
export class Cleanup {
  private readonly tasks: Promise<() => Promise<void>>[] = [];
  private ending = false;

  /** Opens a resource that is closed in the end, also if shutdown begins while it is still opening. */
  async hold<T>(open: () => Promise<T>, close: (opened: T) => Promise<void>): Promise<T> {
    if (this.ending) throw new Error('Startup was aborted.');
    const opening = open();
    this.tasks.push(
      opening.then(
        (opened) => () => close(opened),
        () => async () => undefined,
      ),
    );
    return opening;
  }

  /** Closes in reverse order. */
  async run(): Promise<void> {
    this.ending = true;
    for (let task = this.tasks.pop(); task; task = this.tasks.pop()) await (await task)();
  }
}
