import { Plus } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { Button } from './button.tsx'
import { useNarrow } from './use-narrow.ts'

/** The one thing that a place is for: a button in its bar. A telephone shows only its icon. */
export const MainAction = ({
  icon = <Plus size={18} aria-hidden="true" />,
  children,
  ...rest
}: ComponentProps<typeof Button> & { icon?: ReactNode; children: string }) => {
  if (!useNarrow())
    return (
      <Button look="primary" {...rest}>
        {children}
      </Button>
    )
  const { busy: _, look: __, ...button } = rest
  return (
    <button
      type="button"
      {...button}
      aria-label={children}
      title={children}
      className="inline-flex size-8 shrink-0 items-center justify-center rounded-lg hover:bg-raised print:hidden"
    >
      {icon}
    </button>
  )
}
