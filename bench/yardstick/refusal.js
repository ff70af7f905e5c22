/** A request answered only with a status. */
export class Refusal extends Error {
  constructor(status) {
    super(`refused with ${status}`);
    this.status = status;
  }
}
