import { Dialog } from '@base-ui/react/dialog'
import type { ReactNode } from 'react'
import { Form, useChange } from './form.tsx'

/** A modal window with a heading. What is inside it lives as long as it is open. */
export const Window = ({
  open,
  onClose,
  title,
  children,
}: {
  open: boolean
  /** Escape and a press beside it ask to close; the owner may not follow. */
  onClose: () => void
  title: string
  children: ReactNode
}) => (
  <Dialog.Root open={open} onOpenChange={onClose}>
    <Dialog.Portal>
      <Dialog.Backdrop className="fixed inset-0 z-40 bg-shade" />
      <Dialog.Popup className="card fixed top-1/2 left-1/2 z-50 grid max-h-[calc(100dvh-1rem)] w-[min(36rem,calc(100vw-1rem))] -translate-1/2 gap-4 overflow-auto p-4 shadow-2xl outline-none sm:p-6">
        <Dialog.Title className="text-lg font-semibold break-words">{title}</Dialog.Title>
        {children}
      </Dialog.Popup>
    </Dialog.Portal>
  </Dialog.Root>
)

const Question = ({
  action,
  look,
  onClose,
  onConfirm,
  children,
}: {
  action: string
  look: 'danger' | 'primary'
  onClose: () => void
  onConfirm: () => Promise<unknown>
  children: ReactNode
}) => {
  const change = useChange(async () => {
    await onConfirm()
    onClose()
  })
  return (
    <Form change={change} submit={action} look={look} onCancel={onClose}>
      <div className="grid gap-3 text-soft">{children}</div>
    </Form>
  )
}

/** Asks before something that matters, and says what will happen. */
export const Confirmation = ({
  open,
  onClose,
  title,
  action,
  look = 'danger',
  onConfirm,
  children,
}: {
  open: boolean
  onClose: () => void
  title: string
  action: string
  look?: 'danger' | 'primary'
  onConfirm: () => Promise<unknown>
  children: ReactNode
}) => (
  <Window open={open} onClose={onClose} title={title}>
    <Question action={action} look={look} onClose={onClose} onConfirm={onConfirm}>
      {children}
    </Question>
  </Window>
)
