/** Mutants that no test kills, each with the reason why it stays: nothing that a caller could tell apart. */
export interface Accepted {
  readonly path: string;
  /** The line, without the space around it. */
  readonly text: string;
  readonly reason: string;
}

export const accepted: readonly Accepted[] = [
  {
    path: 'shared/dynamo/listing.ts',
    text: 'Limit: limit + 1,',
    reason: 'One more item than needed is read, and not shown.',
  },
  {
    path: 'functions/fallback.ts',
    text: 'if (differs < 0) return 0;',
    reason: 'No two templates of the table say as much of one path.',
  },
  {
    path: 'shared/domain/sessions/session-of-client.ts',
    text: "if (!last) throw new Error('a session without any authentication');",
    reason: 'No session is stored without one.',
  },
];
