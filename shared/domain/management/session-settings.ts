import { invalidInput } from '../../errors/service-error.ts';
import type { ApplicationFields } from '../../schemas/applications.ts';
import { changed } from '../basis/change-record.ts';
import { SESSION_PRESETS, type SessionSettings, sessionLifetimes } from '../sessions/session-lifetimes.ts';

/** How long sessions live, as operators see it; in seconds. */
export const sessionSettingsRecord = (application: SessionSettings) => ({
  session_preset: application.sessionPreset,
  session_idle_seconds: application.sessionIdleSeconds,
  session_absolute_seconds: application.sessionAbsoluteSeconds,
});

/**
 * The settings with the given ones in place of the former. Seconds beside a preset may be fewer than it allows, never more,
 * and nothing is idle longer than it lives. Errors: `system_invalid_input`.
 */
export function readSessionSettings(current: SessionSettings, fields: ApplicationFields) {
  const preset = changed(current.sessionPreset, fields.session_preset);
  const idle = changed(current.sessionIdleSeconds, fields.session_idle_seconds);
  const absolute = changed(current.sessionAbsoluteSeconds, fields.session_absolute_seconds);
  const ceiling = preset && SESSION_PRESETS[preset];
  const check = (field: string, value: number | undefined, max: number | undefined, of: string) => {
    if (value !== undefined && max !== undefined && value > max)
      throw invalidInput(`${field}: must be at most ${max} (${of})`);
  };
  check('session_absolute_seconds', absolute, ceiling?.absoluteSeconds, `session_preset ${preset}`);
  check('session_idle_seconds', idle, ceiling?.idleSeconds, `session_preset ${preset}`);
  const settings = { sessionPreset: preset, sessionIdleSeconds: idle, sessionAbsoluteSeconds: absolute };
  const { absoluteSeconds } = sessionLifetimes(settings);
  check('session_idle_seconds', idle, absoluteSeconds, 'the life of a session in all');
  return settings;
}
