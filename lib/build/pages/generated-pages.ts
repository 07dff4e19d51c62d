import { limitsPage } from './limits.ts';
import { sizingPage } from './sizing.ts';

/** The pages that are made, not written, by their path. */
export const generatedPages: Readonly<Record<string, () => string>> = {
  'functions/LIMITS.md': limitsPage,
  'lib/SIZING.md': sizingPage,
};
