import { existsSync } from 'node:fs';

/** Path of Chromium. The headless shell is preferred, because windows and profiles take half of the time. */
export const chromiumPath = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find(existsSync);
