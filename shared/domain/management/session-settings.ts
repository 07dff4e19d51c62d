import { invalidInput } from '../../errors/service-error.ts';
import { SESSION_PRESETS, type SessionSettings, sessionLifetimes } from '../sessions/session-lifetimes.ts';

/**
 * Validates session lifetimes. A lifetime can be shorter than that of the preset but not longer, and the idle time cannot
 * exceed the total lifetime. Errors: `system_invalid_input`.
 */
export function requireSessionSettings(settings: SessionSettings): void {
  const { sessionPreset: preset, sessionIdleSeconds: idle, sessionAbsoluteSeconds: absolute } = settings;
  const ceiling = preset && SESSION_PRESETS[preset];
  const check = (field: string, value: number | undefined, max: number | undefined, of: string) => {
    if (value !== undefined && max !== undefined && value > max)
      throw invalidInput(`${field}: must be at most ${max} (${of})`);
  };
  check('session_absolute_seconds', absolute, ceiling?.absoluteSeconds, `session_preset ${preset}`);
  check('session_idle_seconds', idle, ceiling?.idleSeconds, `session_preset ${preset}`);
  const { absoluteSeconds } = sessionLifetimes(settings);
  check('session_idle_seconds', idle, absoluteSeconds, 'the life of a session in all');
}
