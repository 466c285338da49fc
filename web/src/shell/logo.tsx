/** The mark of svc: three lines of text. The coloured one has changed. */
export const Logo = () => (
  <svg viewBox="0 0 24 24" width={24} height={24} aria-hidden="true" className="shrink-0 rounded-lg">
    <rect width="24" height="24" rx="6" className="fill-ink" />
    <path d="M6 8h9M6 16h5" className="stroke-ground" strokeWidth="2.4" strokeLinecap="round" />
    <path d="M9 12h9" className="stroke-accent-fill" strokeWidth="2.4" strokeLinecap="round" />
  </svg>
)
