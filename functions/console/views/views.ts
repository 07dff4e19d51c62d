import { genericHtml, type ScreenData, type View } from '../engine/render.ts';
import type { Screen } from '../engine/screens.ts';
import { applicationView } from './application.ts';
import { changesView } from './changes.ts';
import { deliveriesQuery, deliveriesView } from './deliveries.ts';
import { findView } from './find.ts';
import { helpView } from './help.ts';
import { operatorsView } from './operators.ts';
import { personView } from './person.ts';
import { todayView } from './today.ts';
import { webhooksView, webhookView } from './webhook.ts';

/** Hand-written views by the name that a screen uses. */
const views: Readonly<Record<NonNullable<Screen['view']>, (of: ScreenData) => View>> = {
  find: findView,
  person: personView,
  deliveries: deliveriesView,
  application: applicationView,
  webhook: webhookView,
  webhooks: webhooksView,
  operators: operatorsView,
  changes: changesView,
  today: todayView,
  help: helpView,
};

/** Queries that select what a hand-written view shows before the operator searches or filters, by the name of the view. */
const queries: Partial<
  Record<NonNullable<Screen['view']>, (query: ScreenData['query'], now: number) => ScreenData['query']>
> = { deliveries: deliveriesQuery, today: (_, now) => deliveriesQuery({}, now) };

/** Returns the query for the read operations of a screen: the query of the URL, completed by the screen's view. */
export const completeQuery = ({ view }: Screen, query: ScreenData['query'], now: number) => ({
  ...query,
  ...(view === undefined ? {} : queries[view]?.(query, now)),
});

/** Renders a screen with its hand-written view, or else from the schemas of the API document. */
export const renderView = (of: ScreenData): View =>
  of.screen.view === undefined ? { html: genericHtml(of) } : views[of.screen.view](of);
