const drawn = (paths: string) =>
  `<svg viewBox="0 0 20 20" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${paths}</svg>`;

/** SVG icons. They are hidden from screen readers, because the text beside each icon says the same. */
export const icons = {
  email: drawn('<rect x="2.5" y="4" width="15" height="12" rx="2"/><path d="m3 5.5 7 5.5 7-5.5"/>'),
  sms: drawn(
    '<path d="M4.5 3.5h11a2 2 0 0 1 2 2v6a2 2 0 0 1-2 2H9l-4 3.5v-3.5h-.5a2 2 0 0 1-2-2v-6a2 2 0 0 1 2-2z"/><path d="M6.5 8.5h.01M10 8.5h.01M13.5 8.5h.01"/>',
  ),
  link: drawn(
    '<path d="M8.5 11.5a3.2 3.2 0 0 0 4.6 0l3-3a3.2 3.2 0 0 0-4.6-4.6l-1 1"/><path d="M11.5 8.5a3.2 3.2 0 0 0-4.6 0l-3 3a3.2 3.2 0 0 0 4.6 4.6l1-1"/>',
  ),
  passkey: drawn(
    '<circle cx="6.8" cy="10" r="4.3"/><circle cx="6" cy="10" r=".6"/><path d="M11.1 10h7M15 10v2.6M18.1 10v3.4"/>',
  ),
  language: drawn(
    '<circle cx="10" cy="10" r="7.5"/><path d="M2.5 10h15M10 2.5c5 5 5 10 0 15-5-5-5-10 0-15z"/>',
  ),
  warning: drawn('<circle cx="10" cy="10" r="7.5"/><path d="M10 6.2v4.6M10 13.6h.01"/>'),
} as const;
