/** The icons: strokes on a grid of 24 by 24, drawn for the console. */
const paths = {
  activity: 'M3 12h4l3-8 4 16 3-8h4',
  agents: 'M5 9h14v10H5zM12 9V5M12 5a1 1 0 1 0 0-2 1 1 0 0 0 0 2M9 13v2M15 13v2M2 13v3M22 13v3',
  back: 'M11 5l-7 7 7 7M4 12h16',
  cards: 'M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z',
  check: 'M4 12.5l5 5L20 6.5',
  chevron: 'M9 5l7 7-7 7',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18M12 7v5l3 2',
  close: 'M6 6l12 12M18 6L6 18',
  cluster: 'M9 3h6v5H9zM3 16h6v5H3zM15 16h6v5h-6zM12 8v4M6 16v-4h12v4',
  compare: 'M4 4h6v16H4zM14 4h6v16h-6zM7 9v6M4 12h6M14 12h6',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  download: 'M12 4v11M7 10.5l5 5 5-5M4 20h16',
  edit: 'M4 20l1-5L16 4l4 4L9 19zM13 7l4 4',
  error: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18M9 9l6 6M15 9l-6 6',
  eye: 'M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12M12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6',
  file: 'M6 3h8l5 5v13H6zM14 3v5h5',
  folder: 'M3 19V5h6l2 3h10v11z',
  get: 'M12 3v11M7.5 10l4.5 4.5 4.5-4.5M3 14v6h18v-6',
  grants: 'M12 3l8 3v6c0 4.5-3.4 7.7-8 9-4.6-1.3-8-4.5-8-9V6zM8.5 12l2.5 2.5 4.5-4.5',
  health: 'M12 20.5S3 15.5 3 9.3A4.8 4.8 0 0 1 12 7a4.8 4.8 0 0 1 9 2.3c0 6.2-9 11.2-9 11.2',
  history: 'M4 12a8 8 0 1 0 2.5-5.8M6.5 2.5v4h4M12 8v4l3 2',
  home: 'M4 11l8-7 8 7M6 9.5V20h12V9.5M10 20v-6h4v6',
  info: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18M12 11v5M12 7.8v.2',
  keyboard: 'M2 6h20v12H2zM6 10h.01M10 10h.01M14 10h.01M18 10h.01M7 14h10',
  lock: 'M5 11h14v9H5zM8 11V8a4 4 0 0 1 8 0v3',
  menu: 'M4 7h16M4 12h16M4 17h16',
  moon: 'M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5',
  off: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18M5.7 5.7l12.6 12.6',
  picture: 'M3 5h18v14H3zM8 11a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3M3 17l5-4 4 3 4-5 5 5',
  plug: 'M9 3v5M15 3v5M6 8h12v3a6 6 0 0 1-12 0zM12 17v4',
  plus: 'M12 5v14M5 12h14',
  refresh: 'M20 11a8 8 0 0 0-14.5-3.5L3.5 9.5M3.5 4.5v5h5M4 13a8 8 0 0 0 14.5 3.5l2-2M20.5 19.5v-5h-5',
  run: 'M7 4l13 8-13 8z',
  screen: 'M3 4h18v12H3zM8 20h8M12 16v4',
  search: 'M10.5 18a7.5 7.5 0 1 0 0-15 7.5 7.5 0 0 0 0 15M16 16l5 5',
  skills: 'M12 3l9 5-9 5-9-5zM3 12.5l9 5 9-5M3 17l9 5 9-5',
  spark: 'M12 3l2 6.5L20.5 12 14 14.5 12 21l-2-6.5L3.5 12 10 9.5z',
  sun: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8M12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.5 1.5M17.5 17.5L19 19M5 19l1.5-1.5M17.5 6.5L19 5',
  table: 'M3 5h18v14H3zM3 10h18M3 14.5h18M9 10v9',
  tool: 'M14.5 6.5a4.5 4.5 0 0 1 5.8-.8L17 9l1 2 2.7-.8a4.5 4.5 0 0 1-6.2 4L7 21.5 3.5 18l7-7a4.5 4.5 0 0 1 4-4.5',
  trash: 'M4 6h16M9 6V3h6v3M6 6l1 15h10l1-15M10 10v7M14 10v7',
  warn: 'M12 4l9.5 16.5h-19zM12 10v5M12 17.8v.2',
} as const;

export type IconName = keyof typeof paths;

/** An icon, which stands beside words or in a button that has a name: it says nothing by itself. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  );
}

/** The mark: three cards of which the first is played. */
export function Mark() {
  return (
    <svg class="mark" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect class="mark-ground" width="32" height="32" rx="8" />
      <path class="mark-back" d="M13 6.5h9.5a2 2 0 0 1 2 2V21" />
      <path class="mark-back" d="M10 9.5h9.5a2 2 0 0 1 2 2V24" />
      <path class="mark-front" d="M7.5 12.5h9a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2h-9a2 2 0 0 1-2-2v-9a2 2 0 0 1 2-2z" />
    </svg>
  );
}
