import type { Trust } from '../../ports/trust.ts';
import { codec, number, oneOf, text } from '../codec.ts';

/** Fields that say how far a credential is trusted and where it is valid, as attributes of the credential's item or map. */
export const trustFields = {
  standing: oneOf('standing', ['claimed', 'verified', 'proven', 'vouched']),
  scope: text('scope'),
  generation: number('generation'),
  since: number('since'),
};

export const trustAttributes = codec<Trust>(trustFields).toAttributes;
