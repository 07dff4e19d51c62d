import { catalogue } from '../../../shared/errors/catalogue.ts';
import { ServiceError } from '../../../shared/errors/service-error.ts';

const EXIT_REFUSED = 1;
export const EXIT_USAGE = 2;
const EXIT_UNLOGGED = 3;

/** Error for the wrong usage of a command. The exit code is 2. */
export class UsageError extends Error {}

/** Error for a declined confirmation, or for a target that rejects the command or cannot be reached. The exit code is 1. */
export class RefusedError extends Error {}

/**
 * Error for a command that succeeded but whose audit line was not written. The exit code is 3, so that scripts do not repeat
 * the command.
 */
export class UnloggedError extends Error {}

const AWS_SENTENCES: Readonly<Record<string, string>> = {
  CredentialsProviderError: 'There are no AWS credentials. Log in, or name a profile with AWS_PROFILE.',
  ResourceNotFoundException: 'This account has no tables of this environment. Has it been deployed?',
  AccessDeniedException: 'These AWS credentials may not use the tables of this environment.',
  ExpiredTokenException: 'The AWS credentials have expired. Log in again.',
};

/** Returns the messages of an error for people, without a stack trace. Only unexpected errors show their name. */
function readMessages(error: unknown): readonly string[] {
  if (error instanceof ServiceError)
    return error.detail.messages ?? [error.detail.message ?? catalogue[error.key].message];
  if (error instanceof UsageError || error instanceof RefusedError || error instanceof UnloggedError)
    return error.message.split('\n');
  if (!(error instanceof Error)) return [String(error)];
  return [AWS_SENTENCES[error.name] ?? `${error.name}: ${error.message}`];
}

export const describeError = (error: unknown): string => readMessages(error).join(' ');

/** Prints an error and returns the exit code. */
export function report(error: unknown, write: (text: string) => void): number {
  for (const message of readMessages(error)) write(`otl: ${message}\n`);
  if (error instanceof UnloggedError) return EXIT_UNLOGGED;
  return error instanceof UsageError ? EXIT_USAGE : EXIT_REFUSED;
}
