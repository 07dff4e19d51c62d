import type { UseCase } from '../../shared/operation.ts';
import { metadata } from '../../shared/tokens/metadata.ts';
import { jwks as publicKeys } from '../../shared/tokens/verify.ts';
import type * as rows from './rows.ts';

/** Metadata of the one issuer, whatever path or host it was asked for by. */
export const discovery: UseCase<typeof rows.discovery> = async ({ settings }) => ({
  json: metadata(settings),
});

/** The public keys of all states, so that verifiers know the next key before it signs (RFC 7517 §5). */
export const jwks: UseCase<typeof rows.jwks> = async (_input, { signingKeys }) => ({
  json: publicKeys(await signingKeys.list()),
});
