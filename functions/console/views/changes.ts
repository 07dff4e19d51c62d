import { genericHtml, type Shown, type View } from '../engine/render.ts';
export const changesView = (of: Shown): View => ({ html: genericHtml(of) });
