import { Plus } from 'lucide-react'
import { type ComponentProps, isValidElement, type ReactNode } from 'react'
import { Button } from './button.tsx'
import { useNarrow } from './use-narrow.ts'

/** The one thing that a place is for: a button in its bar, of which a telephone shows the sign alone. */
export const MainAction = ({
  icon = <Plus size={18} aria-hidden="true" />,
  children,
  ...rest
}: ComponentProps<typeof Button> & { icon?: ReactNode; children: string }) => {
  const isNarrow = useNarrow()
  return (
    <Button
      look={isNarrow ? 'quiet' : 'primary'}
      {...rest}
      {...(isNarrow ? { 'aria-label': children, title: children } : {})}
    >
      {isNarrow && isValidElement(icon) ? icon : children}
    </Button>
  )
}
