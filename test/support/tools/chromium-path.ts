import { existsSync } from 'node:fs';

/** Path of Chromium. The headless shell is preferred, because it needs half of the time of a full browser. */
export const chromiumPath = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find(existsSync);
