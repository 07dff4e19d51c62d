import type { Application } from '../../ports/directory.ts';
import { SESSION_PRESETS, sessionLifetimes } from '../session-lifetimes.ts';
import { refuseInput } from './change-record.ts';

/**
 * Seconds beside a preset may be fewer than it allows, never more, and nothing is idle longer than it lives.
 * Errors: `system_invalid_input`.
 */
export function checkSessionSettings(application: Application): Application {
  const { sessionPreset, sessionIdleSeconds, sessionAbsoluteSeconds } = application;
  const preset = sessionPreset && SESSION_PRESETS[sessionPreset];
  const refuse = (field: string, max: number, of: string) =>
    refuseInput(`${field}: must be at most ${max} (${of})`);
  if (preset && sessionAbsoluteSeconds !== undefined && sessionAbsoluteSeconds > preset.absoluteSeconds)
    refuse('session_absolute_seconds', preset.absoluteSeconds, `session_preset ${sessionPreset}`);
  if (preset && sessionIdleSeconds !== undefined && sessionIdleSeconds > preset.idleSeconds)
    refuse('session_idle_seconds', preset.idleSeconds, `session_preset ${sessionPreset}`);
  const { absoluteSeconds } = sessionLifetimes(application);
  if (sessionIdleSeconds !== undefined && sessionIdleSeconds > absoluteSeconds)
    refuse('session_idle_seconds', absoluteSeconds, 'the life of the session in all');
  return application;
}
