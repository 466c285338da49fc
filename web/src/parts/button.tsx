import type { ComponentProps } from 'react'

const looks = {
  primary: 'bg-accent-fill text-on-accent hover:brightness-110 border-transparent',
  plain: 'bg-float text-ink border-bound hover:bg-raised',
  quiet: 'bg-transparent text-ink border-transparent hover:bg-raised',
  danger: 'bg-float text-danger border-bound hover:bg-danger-wash',
} as const

/** The classes of a button, for links and triggers that look like one. */
export const buttonClass = (look: keyof typeof looks = 'plain'): string =>
  `inline-flex min-h-8 items-center justify-center gap-2 rounded-lg border px-3 py-1 text-sm font-medium whitespace-nowrap disabled:opacity-60 disabled:cursor-not-allowed print:hidden ${looks[look]}`

export const Button = ({
  look = 'plain',
  busy = false,
  children,
  ...rest
}: ComponentProps<'button'> & { look?: keyof typeof looks; busy?: boolean }) => (
  <button type="button" {...rest} disabled={busy || rest.disabled} aria-busy={busy} className={buttonClass(look)}>
    {children}
  </button>
)
