import { limitsPage } from './limits.ts';

/** Functions that generate Markdown pages, by the path of the page. */
export const generatedPages: Readonly<Record<string, () => string>> = {
  'functions/LIMITS.md': limitsPage,
};
