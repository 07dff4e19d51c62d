import { existsSync } from 'node:fs';

/** Path of Chromium. The headless shell has no windows and profiles, which take half of the time. */
export const chromiumPath = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find(existsSync);
