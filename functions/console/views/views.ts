import { genericHtml, type ScreenData, type View } from '../engine/render.ts';
import type { Screen } from '../engine/screens.ts';
import { applicationView } from './application.ts';
import { changesView } from './changes.ts';
import { deliveriesView, findView } from './find.ts';
import { helpView } from './help.ts';
import { operatorsView } from './operators.ts';
import { personView } from './person.ts';
import { todayView } from './today.ts';
import { webhookView } from './webhook.ts';

/** Hand-written views by the name that a screen uses. */
const views: Readonly<Record<NonNullable<Screen['view']>, (of: ScreenData) => View>> = {
  find: findView,
  person: personView,
  deliveries: deliveriesView,
  application: applicationView,
  webhook: webhookView,
  operators: operatorsView,
  changes: changesView,
  today: todayView,
  help: helpView,
};

/** Renders a screen with its hand-written view, or else from the schemas of the API document. */
export const renderView = (of: ScreenData): View =>
  of.screen.view === undefined ? { html: genericHtml(of) } : views[of.screen.view](of);
