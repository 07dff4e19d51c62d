import { findRelatedOrigins } from '../../shared/domain/relying-party.ts';
import { lambda } from '../../shared/http/lambda.ts';
import type { UseCase } from '../../shared/operation.ts';
import { relatedOrigins as operation } from '../rows/passkeys.ts';

/** WebAuthn L3 §5.11: what a browser asks before a page of another host uses our RP ID. */
export const useCase: UseCase<typeof operation> = async ({ settings }, ports) => ({
  json: { origins: [...(await findRelatedOrigins(ports, settings))] },
});

export const handler = lambda(operation, useCase);
