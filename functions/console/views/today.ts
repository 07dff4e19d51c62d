import { genericHtml, type Shown, type View } from '../engine/render.ts';
export const todayView = (of: Shown): View => ({ html: genericHtml(of) });
