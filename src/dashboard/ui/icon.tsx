/** Drawings of 16 × 16, in the colour of the surrounding text. Never the only carrier of information. */
const SHAPES = {
  active: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zm-1 8.4L4.6 8l1-1L7 8.4l3.4-3.4 1 1z',
  wait: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zm3 7H7V4h1.5v3.5H11z',
  error: 'M8 1.5 15 14H1zM7.2 6v4h1.6V6zm0 5v1.5h1.6V11z',
  ended: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM5.5 5.5h5v5h-5z',
  open: 'M4 6l4 5 4-5z',
  closed: 'M6 4l5 4-5 4z',
  back: 'M10.5 3 5 8l5.5 5 1-1.1L7.2 8l4.3-3.9z',
  close: 'm4.1 3 3.9 3.9L11.900 3 13 4.100 9.100 8 13 11.900 11.900 13 8 9.100 4.100 13 3 11.900 6.900 8 3 4.100z',
  look: 'M8 3.500c3.500 0 6 2.500 7 4.500-1 2-3.500 4.500-7 4.500S2 10 1 8c1-2 3.500-4.500 7-4.500zM8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6zm0 1.500a1.500 1.500 0 1 1 0 3 1.500 1.500 0 0 1 0-3z',
  pin: 'M5.500 1.500h5v1.300h-.8v4l2.300 2.200v1.300H8.700V15L8 15.800 7.300 15v-4.700H4V9l2.300-2.200v-4h-.8z',
  copy: 'M5 2h8v9h-2v3H3V5h2zm1.200 1.200V5H11v4.800h.8V3.200zM4.200 6.200v6.600h5.600V6.200z',
  light:
    'M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM7.300 1h1.400v2.500H7.300zM7.300 12.500h1.400V15H7.300zM1 7.300h2.500v1.400H1zM12.500 7.300H15v1.400h-2.500zM2.600 3.600l1-1 1.700 1.700-1 1zM10.700 11.700l1-1 1.700 1.700-1 1zM12.400 2.600l1 1-1.700 1.700-1-1zM4.300 10.700l1 1-1.700 1.700-1-1z',
  dark: 'M6.500 1.500a6.500 6.500 0 1 0 8 8.200A5.500 5.500 0 0 1 6.500 1.500z',
  system: 'M2 3h12v8H9v1.500h2.500V14h-7v-1.500H7V11H2zm1.400 1.400v5.200h9.200V4.400z',
} as const;

export type IconName = keyof typeof SHAPES;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="ui-icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
      <path d={SHAPES[name]} fill="currentColor" fill-rule="evenodd" />
    </svg>
  );
}
