/** A reply with a status and nothing else. */
export class Refusal extends Error {
  constructor(status) {
    super(`rejected with ${status}`);
    this.status = status;
  }
}
