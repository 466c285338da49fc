import { Dialog } from '@base-ui/react/dialog'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { useChange } from './form.tsx'
import { Failure } from './states.tsx'

/** A modal window with a heading. `onOpenChange` may refuse to close by not setting `open`. */
export const Window = ({
  open,
  onOpenChange,
  title,
  children,
}: {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  children: ReactNode
}) => (
  <Dialog.Root open={open} onOpenChange={onOpenChange}>
    <Dialog.Portal>
      <Dialog.Backdrop className="fixed inset-0 z-40 bg-shade" />
      <Dialog.Popup className="card fixed top-1/2 left-1/2 z-50 grid max-h-[calc(100vh-2rem)] w-[min(34rem,calc(100vw-2rem))] -translate-1/2 gap-4 overflow-auto p-6 shadow-2xl">
        <Dialog.Title className="text-lg font-semibold">{title}</Dialog.Title>
        {children}
      </Dialog.Popup>
    </Dialog.Portal>
  </Dialog.Root>
)

/** Asks before something that cannot be taken back, and says what will happen. */
export const Confirmation = ({
  open,
  onClose,
  title,
  action,
  danger = true,
  onConfirm,
  children,
}: {
  open: boolean
  onClose: () => void
  title: string
  action: string
  danger?: boolean
  onConfirm: () => Promise<unknown>
  children: ReactNode
}) => {
  const change = useChange(async () => {
    await onConfirm()
    onClose()
  })
  return (
    <Window
      open={open}
      onOpenChange={() => {
        change.reset()
        onClose()
      }}
      title={title}
    >
      <div className="grid gap-3 text-soft">{children}</div>
      {change.error ? <Failure error={change.error} /> : null}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button look={danger ? 'danger' : 'primary'} busy={change.busy} onClick={() => void change.run()}>
          {action}
        </Button>
      </div>
    </Window>
  )
}
