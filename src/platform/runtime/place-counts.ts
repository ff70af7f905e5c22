/** How many places the holders of each key have taken. `Holder`: a process, for example. */
export class PlaceCounts<Holder> {
  private readonly taken = new Map<Holder, Map<string, number>>();

  /** Takes one for the holder, unless `max` of the key are taken, by whom it may be; returns whether it did. */
  take(holder: Holder, key: string, max: number): boolean {
    let total = 0;
    for (const counts of this.taken.values()) total += counts.get(key) ?? 0;
    if (total >= max) return false;
    const own = this.taken.get(holder) ?? new Map<string, number>();
    this.taken.set(holder, own.set(key, (own.get(key) ?? 0) + 1));
    return true;
  }

  giveBack(holder: Holder, key: string): void {
    const own = this.taken.get(holder);
    const left = (own?.get(key) ?? 0) - 1;
    if (left > 0) own?.set(key, left);
    else own?.delete(key);
  }

  /** Gives back all of a holder that is gone. */
  giveBackAll(holder: Holder): void {
    this.taken.delete(holder);
  }
}
