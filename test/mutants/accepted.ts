/** Mutants that no test kills, each with the reason why it stays: nothing that a caller could tell apart. */
export interface Accepted {
  readonly path: string;
  /** The line, without the space around it. */
  readonly text: string;
  readonly reason: string;
}

export const accepted: readonly Accepted[] = [];
