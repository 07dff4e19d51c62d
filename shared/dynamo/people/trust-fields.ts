import type { Trust } from '../../ports/trust.ts';
import { codec, number, oneOf, text } from '../codec.ts';

/** Fields for the trust of a credential, stored in attributes of the credential's own item or map. */
export const trustFields = {
  standing: oneOf('standing', ['claimed', 'verified', 'proven', 'vouched']),
  scope: text('scope'),
  generation: number('generation'),
  since: number('since'),
};

export const trustAttributes = codec<Trust>(trustFields).toAttributes;
