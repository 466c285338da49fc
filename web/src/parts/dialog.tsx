import { AlertDialog } from '@base-ui/react/alert-dialog'
import { Dialog } from '@base-ui/react/dialog'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, type RefObject, useId, useRef } from 'react'
import { Form } from './form.tsx'
import { useBlocker } from '@tanstack/react-router'
import type { Search } from './address.ts'

const frameClass =
  'float fixed top-1/2 left-1/2 z-50 grid max-h-[calc(100dvh-1rem)] -translate-1/2 gap-4 overflow-auto p-4 outline-none sm:p-6'
const popupClass = `${frameClass} w-[min(36rem,calc(100vw-1rem))]`
const wideClass = `${frameClass} w-[min(64rem,calc(100vw-1rem))] grid-cols-[minmax(0,1fr)]`
const titleClass = 'text-lg font-semibold break-words'

interface Opened {
  readonly open: boolean
  /** Escape asks to close, and a click outside of it unless it is an alert; the owner decides. */
  readonly onClose: () => void
  readonly title: string
  readonly children: ReactNode
}

/** A modal dialog with a heading. What is inside it lives as long as it is open. */
export const Window = ({
  open,
  onClose,
  title,
  returnTo,
  children,
}: Opened & {
  /** What has the focus afterwards; what had it before where it is left out. */
  returnTo?: RefObject<HTMLElement | null>
}) => (
  <Dialog.Root open={open} onOpenChange={onClose}>
    <Dialog.Portal>
      <Dialog.Backdrop className="fixed inset-0 z-40 bg-shade" />
      <Dialog.Popup className={popupClass} {...(returnTo ? { finalFocus: returnTo } : {})}>
        <Dialog.Title className={titleClass}>{title}</Dialog.Title>
        {children}
      </Dialog.Popup>
    </Dialog.Portal>
  </Dialog.Root>
)

/** A modal dialog about something that cannot be undone: it is announced as an alert, and only Escape or a button closes it. */
export const AlertWindow = ({
  open,
  onClose,
  title,
  focus,
  wide = false,
  children,
}: Opened & {
  /** What has the focus at first; the first field or button where it is left out. */
  focus?: RefObject<HTMLElement | null>
  /** For what is compared side by side. */
  wide?: boolean
}) => (
  <AlertDialog.Root open={open} onOpenChange={onClose}>
    <AlertDialog.Portal>
      <AlertDialog.Backdrop className="fixed inset-0 z-40 bg-shade" />
      <AlertDialog.Popup className={wide ? wideClass : popupClass} {...(focus ? { initialFocus: focus } : {})}>
        <AlertDialog.Title className={titleClass}>{title}</AlertDialog.Title>
        {children}
      </AlertDialog.Popup>
    </AlertDialog.Portal>
  </AlertDialog.Root>
)

interface Asked {
  /** The name of the button that confirms. */
  readonly action: string
  readonly onConfirm: () => Promise<unknown>
  readonly onClose: () => void
}

const useConfirm = ({ onConfirm, onClose }: Omit<Asked, 'action'>) =>
  useMutation({
    mutationFn: async () => {
      await onConfirm()
      onClose()
    },
    scope: { id: useId() },
  })

const Question = ({ action, children, ...asked }: Asked & { children: ReactNode }) => (
  <Form change={useConfirm(asked)} submit={action} onCancel={asked.onClose}>
    <div className="grid gap-3 text-soft">{children}</div>
  </Form>
)

/** Asks before a change with consequences, and says which. */
export const Confirmation = ({ open, title, children, ...asked }: Opened & Asked) => (
  <Window open={open} onClose={asked.onClose} title={title}>
    <Question {...asked}>{children}</Question>
  </Window>
)

const Warning = ({
  action,
  children,
  cancel,
  ...asked
}: Asked & { children: ReactNode; cancel: RefObject<HTMLButtonElement | null> }) => (
  <Form change={useConfirm(asked)} submit={action} look="danger" onCancel={asked.onClose} cancelRef={cancel}>
    <div className="grid gap-3 text-soft">{children}</div>
  </Form>
)

/** Asks before a destructive change. Cancel has the focus: pressing Enter twice destroys nothing. */
export const DangerConfirmation = ({ open, title, children, ...asked }: Opened & Asked) => {
  const cancel = useRef<HTMLButtonElement>(null)
  return (
    <AlertWindow open={open} onClose={asked.onClose} title={title} focus={cancel}>
      <Warning {...asked} cancel={cancel}>
        {children}
      </Warning>
    </AlertWindow>
  )
}

/** Filters and dialogs of a page leave nothing behind; its editing mode does. */
const leaves = (from: PageAddress, to: PageAddress): boolean =>
  from.pathname !== to.pathname || from.search['edit'] !== to.search['edit']

/** Asks before a change that was not saved is left behind. `what` is what was changed, as in "this document". */
export const UnsavedGuard = ({ unsaved, what }: { unsaved: boolean; what: string }) => {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => unsaved && leaves(current, next),
    enableBeforeUnload: () => unsaved,
    withResolver: true,
  })
  return (
    <DangerConfirmation
      open={blocker.status === 'blocked'}
      onClose={() => blocker.reset?.()}
      title="Discard your changes?"
      action="Discard changes"
      onConfirm={async () => blocker.proceed?.()}
    >
      <p>Your changes to {what} are not saved.</p>
    </DangerConfirmation>
  )
}

export interface PageAddress {
  readonly pathname: string
  readonly search: Search
}
