import { lambda } from '../../shared/aws/lambda.ts';
import { findRelatedOrigins } from '../../shared/domain/passkeys/relying-party.ts';
import type { UseCase } from '../../shared/operation.ts';
import { relatedOrigins as operation } from './rows.ts';

/** WebAuthn L3 §5.11: what a browser asks before a page of another host uses our RP ID. */
export const useCase: UseCase<typeof operation> = async ({ settings }, ports) => ({
  json: { origins: [...(await findRelatedOrigins(ports, settings))] },
});

export const handler = lambda(operation, useCase);
