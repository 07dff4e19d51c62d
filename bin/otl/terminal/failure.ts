import { catalogue } from '../../../shared/errors/catalogue.ts';
import { ServiceError } from '../../../shared/errors/service-error.ts';

const EXIT_REFUSED = 1;
export const EXIT_USAGE = 2;
const EXIT_UNLOGGED = 3;

/** Wrong usage: exit 2. */
export class UsageError extends Error {}

/** The operator declined, or the target refused or cannot be reached: exit 1. */
export class RefusedError extends Error {}

/** The command succeeded but is missing in the audit log: exit 3, so a script does not repeat it. */
export class UnloggedError extends Error {}

const AWS_SENTENCES: Readonly<Record<string, string>> = {
  CredentialsProviderError: 'There are no AWS credentials: log in, or name a profile with AWS_PROFILE.',
  ResourceNotFoundException: 'There are no tables of this environment in this account: has it been deployed?',
  AccessDeniedException: 'These AWS credentials may not use the tables of this environment.',
  ExpiredTokenException: 'The AWS credentials have expired: log in again.',
};

/** Messages for people: no stack, and a name only for unforeseen errors. */
function messagesOf(error: unknown): readonly string[] {
  if (error instanceof ServiceError)
    return error.detail.messages ?? [error.detail.message ?? catalogue[error.key].message];
  if (error instanceof UsageError || error instanceof RefusedError || error instanceof UnloggedError)
    return error.message.split('\n');
  if (!(error instanceof Error)) return [String(error)];
  return [AWS_SENTENCES[error.name] ?? `${error.name}: ${error.message}`];
}

export const wordsOf = (error: unknown): string => messagesOf(error).join(' ');

/** Prints an error and returns the exit code. */
export function report(error: unknown, write: (text: string) => void): number {
  for (const message of messagesOf(error)) write(`otl: ${message}\n`);
  if (error instanceof UnloggedError) return EXIT_UNLOGGED;
  return error instanceof UsageError ? EXIT_USAGE : EXIT_REFUSED;
}
