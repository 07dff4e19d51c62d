import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import { rounded } from './statistics.ts';

export interface Machine {
  readonly node: string;
  readonly platform: string;
  readonly cores: number;
  readonly cpu: string;
  readonly memory_gb: number;
  /**
   * Load average of the minute before the bench: the number of processes that ran or waited for a core. A value far above 0
   * makes the results unreliable.
   */
  readonly load_before: number;
}

export function machineFacts(): Machine {
  return {
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    cores: availableParallelism(),
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    memory_gb: rounded(totalmem() / 2 ** 30),
    load_before: rounded(loadavg()[0] ?? 0),
  };
}
