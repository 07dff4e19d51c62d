// Shifts `Date` of this process by CLOCK_OFFSET_MS milliseconds, so that a run of the tests can take place at another date or
// time of day. Workers of jest and the child processes of tests load it.
import { shiftedDate } from '../../../lib/local/emulators/basis/clock.ts';

const offset = Number(process.env.CLOCK_OFFSET_MS ?? 0);
if (offset !== 0) globalThis.Date = shiftedDate(Date, () => offset);
