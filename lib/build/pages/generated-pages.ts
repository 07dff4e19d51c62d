import { HELP_TEXT } from '../../../shared/domain/support/help-text.ts';
import { limitsPage } from './limits.ts';

/** Functions that generate Markdown pages, by the path of the page. */
export const generatedPages: Readonly<Record<string, () => string>> = {
  'functions/LIMITS.md': limitsPage,
  'functions/console/SUPPORT.md': () =>
    `<!-- The command \`npm run pages\` generates this page. -->\n\n# Help for support\n\n${HELP_TEXT}`,
};
