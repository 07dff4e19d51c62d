import { limitsPage } from './limits.ts';

/** The pages that are made, not written, by their path. */
export const generatedPages: Readonly<Record<string, () => string>> = {
  'functions/LIMITS.md': limitsPage,
};
