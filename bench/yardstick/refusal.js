/** What is answered with a status and nothing else. */
export class Refusal extends Error {
  constructor(status) {
    super(`refused with ${status}`);
    this.status = status;
  }
}
