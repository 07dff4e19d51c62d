import { invalidInput } from '../../errors/service-error.ts';
import { STATE_MAX_BYTES } from './limits.ts';

/**
 * What a caller gives to get it back goes into a `Location`, whose escapes make three bytes of one; gateways drop an answer
 * with headers of more than 10 KB. Errors: `system_invalid_input`.
 */
export function checkState(state: string | undefined): void {
  const escaped = new URLSearchParams({ state: state ?? '' }).toString().length - 'state='.length;
  if (escaped > STATE_MAX_BYTES)
    throw invalidInput(`state: must have at most ${STATE_MAX_BYTES} bytes as an address spells it`);
}
