import { expect, test } from '@jest/globals';
import { requireSessionSettings } from '../../../shared/domain/management/session-settings.ts';
import { SESSION_PRESETS } from '../../../shared/domain/sessions/session-lifetimes.ts';

const [[sessionPreset, { idleSeconds, absoluteSeconds }] = ['' as never, {} as never]] =
  Object.entries(SESSION_PRESETS);

test.each([
  [
    'as long as those of the preset',
    { sessionIdleSeconds: idleSeconds, sessionAbsoluteSeconds: absoluteSeconds },
    true,
  ],
  ['with a longer life in all', { sessionAbsoluteSeconds: absoluteSeconds + 1 }, false],
  ['with a longer idle time', { sessionIdleSeconds: idleSeconds + 1 }, false],
  ['with an idle time above the life in all', { sessionIdleSeconds: 61, sessionAbsoluteSeconds: 60 }, false],
])('session lifetimes may be at most those of the preset: %s', (_title, settings, isAllowed) => {
  const check = () => requireSessionSettings({ sessionPreset: sessionPreset as never, ...settings });
  if (isAllowed) expect(check).not.toThrow();
  else expect(check).toThrow('must be at most');
});
