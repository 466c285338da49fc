import type { ReactNode } from 'react'

const tones = {
  danger: 'border-danger bg-danger-wash text-danger',
  warn: 'border-warn bg-warn-wash text-warn',
  info: 'border-info bg-info-wash text-info',
} as const

/** What someone has to know or do: a sentence in bold, what follows from it, and buttons. */
export const Notice = ({
  tone,
  title,
  actions,
  children,
}: {
  tone: keyof typeof tones
  title: string
  actions?: ReactNode
  children?: ReactNode
}) => (
  <div role="status" className={`card flex flex-wrap items-center justify-between gap-3 px-4 py-3 ${tones[tone]}`}>
    <div className="grid min-w-0 flex-1 basis-72 gap-1">
      <p className="font-medium">{title}</p>
      {children ? <div className="max-w-[75ch] text-sm text-pretty">{children}</div> : null}
    </div>
    {actions}
  </div>
)
