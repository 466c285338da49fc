import type { ReactNode } from 'react'
import { Button } from '../../parts/button.tsx'
import type { Shown } from './queries.ts'

/** What the section of one kind of keys takes. */
export interface SectionOf {
  readonly shown: Shown
  readonly onMove: (offset: number) => void
  readonly onClear: () => void
}

export const CreateButton = ({ may, onClick, children }: { may: boolean; onClick: () => void; children: ReactNode }) =>
  may ? <Button onClick={onClick}>{children}</Button> : null
