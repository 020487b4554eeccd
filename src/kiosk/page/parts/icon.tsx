/** The icons of the page, as strokes on a grid of 24. Each stands beside words, or its button has a label. */
const strokes = {
  check: 'M5 13l5 5L20 7',
  warning: 'M12 4l9 16H3zM12 10v4M12 17v.5',
  info: 'M12 3a9 9 0 100 18 9 9 0 000-18zM12 11v6M12 7v.5',
  unplugged: 'M4 4l16 16M8.5 8.5l-3 3a4.6 4.6 0 006.5 6.5l3-3M12 6l1.5-1.5a4.6 4.6 0 016.5 6.5L18.5 12.5',
  closed: 'M12 3a9 9 0 100 18 9 9 0 000-18zM7 12h10',
  globe: 'M12 3a9 9 0 100 18 9 9 0 000-18zM3 12h18M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18',
  contrast: 'M12 3a9 9 0 100 18 9 9 0 000-18zM12 3v18M15 5v14M18 7.5v9',
  text: 'M3 19L8.5 5 14 19M5 14h7M15 19l3-8 3 8M16 16.5h4',
  settings:
    'M12 3a9 9 0 100 18 9 9 0 000-18zM12 6.7v.3M7.5 9.5L12 10.2l4.5-.7M12 10.2v3.3l-2.5 4M12 13.5l2.5 4',
  speaker: 'M4 9.5v5h3.5L12 18V6L7.5 9.5zM15.5 9a4 4 0 010 6M18 6.5a8 8 0 010 11',
  bin: 'M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5M14 11v5',
  options:
    'M4 7h8M18 7h2M15 4.5a2.5 2.5 0 100 5 2.5 2.5 0 000-5M4 17h2M12 17h8M9 14.5a2.5 2.5 0 100 5 2.5 2.5 0 000-5',
  eye: 'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 9a3 3 0 100 6 3 3 0 000-6z',
  back: 'M14.5 5l-7 7 7 7',
  on: 'M9.5 5l7 7-7 7',
  plus: 'M5 12h14M12 5v14',
  minus: 'M5 12h14',
  stick: 'M8 10V3h8v7M6 10h12v11H6zM10.5 6v.5M13.5 6v.5',
  person: 'M12 4a4 4 0 100 8 4 4 0 000-8zM4 20c1-4 4-6 8-6s7 2 8 6',
  search: 'M10.5 4a6.5 6.5 0 100 13 6.5 6.5 0 000-13zM15.5 15.5L21 21',
  erase: 'M9 5h11v14H9l-6-7zM12 9.5l5 5M17 9.5l-5 5',
  shift: 'M12 4l8 9h-4v6H8v-6H4z',
  close: 'M6 6l12 12M18 6L6 18',
  printer: 'M7 9V4h10v5M7 17H4V9h16v8h-3M7 14h10v6H7z',
  windows: 'M8 4h12v10H8zM16 14v6H4V10h4',
  fetch: 'M12 4v11M7 10.5l5 5 5-5M5 20h14',
  sent: 'M4 12h14M12.5 6.5L18 12l-5.5 5.5',
  waiting: 'M12 3a9 9 0 100 18 9 9 0 000-18zM12 7v5l3.5 2',
} as const;

export type IconName = keyof typeof strokes;

interface IconProps {
  readonly name: IconName;
  readonly size?: 'large';
}

export const Icon = ({ name, size }: IconProps) => (
  <svg class={size ? 'icon large' : 'icon'} viewBox="0 0 24 24" aria-hidden="true">
    <path d={strokes[name]} />
  </svg>
);
